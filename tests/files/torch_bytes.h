#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "files/gguf_bytes.h"
#include "files/zip_bytes.h"

namespace pegen::testing {

/// Returns the pickle of a number below 2^16.
inline std::string pickled(std::uint64_t number) {
    return number < 256 ? "K" + little_endian(number, 1) : "M" + little_endian(number, 2);
}

/// Returns the pickle of a tensor of the storage "0", which has two floats or `count`: first
/// element, shape and strides as pickled tuples.
inline std::string tensor(const std::string& first, const std::string& shape,
                          const std::string& strides, const std::string& count = "K\2") {
    return "ctorch._utils\n_rebuild_tensor_v2\n(("
           "U\7storagectorch\nFloatStorage\nU\0010U\3cpu" +
           count + "tQ" + first + shape + strides + "\x89NtR";
}

/// Returns a checkpoint of the old form with this pickle of its object; if it has a storage, "0",
/// that has two floats or these.
inline std::string old_form(const std::string& object,
                            const std::string& floats = bytes_of_floats({1, 2})) {
    using namespace std::string_literals;
    const bool has_storage = object.find("storage") != object.npos;
    return "\x80\2\x8a\nl\xfc\x9c"
           "F\xf9 j\xa8P\x19."
           "\x80\2M\xe9\3."
           "\x80\2}U\rlittle_endian\x88s."s +
           "\x80\2" + object + "." +
           (has_storage ? "\x80\2]U\0010a."s + little_endian(floats.size() / 4, 8) + floats
                        : "\x80\2].");
}

/// Returns the pickle of {"x": a tensor of these extents}, whose elements are all of its storage.
inline std::string state_dict(const std::vector<std::uint64_t>& extents) {
    std::string shape, strides;
    std::uint64_t stride = 1;
    for (std::size_t axis = extents.size(); axis-- > 0;) {
        shape = pickled(extents[axis]) + shape;
        strides = pickled(stride) + strides;
        stride *= extents[axis];
    }
    return "}U\1x" + tensor(pickled(0), "(" + shape + "t", "(" + strides + "t", pickled(stride)) +
           "s";
}

/// Returns a checkpoint of the form that is a ZIP archive, with this pickle and the storage "0".
inline std::string zip_form(const std::string& object, const std::string& floats) {
    return zip_of(
        {{"a/data.pkl", "\x80\2" + object + "."}, {"a/data/0", floats}, {"a/version", "3\n"}});
}

}  // namespace pegen::testing
