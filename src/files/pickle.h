#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// What a pickle describes, without running any of it. By hand, since no library reads pickles but
// Python's, which runs them.
namespace pegen {

/// A value in a pickle.
struct PickleValue {
    enum class Kind : std::uint8_t {
        none,
        truth,
        integer,
        real,
        text,       ///< also bytes
        list,       ///< also tuples and sets
        dict,       ///< keys and values by turns
        name,       ///< of a function or a class: "torch._utils._rebuild_tensor_v2"
        call,       ///< a name, its arguments as a list, and perhaps the state given to the result
        reference,  ///< to something outside of the pickle, described by its only item
    };

    Kind kind;
    std::int64_t integer = 0;
    std::string_view text{};
    std::vector<std::uint32_t> items{};  ///< the numbers of values
};

/// The values of a pickle. A value may be an item of several others, and of itself.
struct Pickle {
    std::vector<PickleValue> values;
    std::uint32_t root;
    std::size_t size;               ///< bytes of the pickle, which may be followed by others
    std::deque<std::string> names;  ///< what the texts of names are part of
};

/// Reads the pickle at the beginning of `bytes`, which must outlive the result, by the operations
/// of protocols 2 to 5 that describe plain data and calls. `is_allowed` says which names may be in
/// it. `path` and `offset`, the place of the bytes in the file, are for messages. There are at most
/// 2^22 values. Throws: FormatError.
Pickle read_pickle(std::string_view bytes, bool (*is_allowed)(std::string_view name),
                   const std::string& path, std::int64_t offset);

}  // namespace pegen
