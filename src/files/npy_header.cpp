#include "files/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "files/npy_dictionary.h"
#include "pegen/core/error.h"

namespace pegen {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

/// More than any table of npy_largest_rank axes needs; what is longer lists fields, or lies.
constexpr std::int64_t longest_dictionary = 0xffff;

/// numpy.save leaves room for the first extent to grow to so many digits in place.
constexpr std::size_t digits_of_a_grown_extent = 21;

struct ElementType {
    DType dtype;
    bool is_big_endian;
};

ElementType element_type(const NpyDictionary& dictionary, const InputFile& file) {
    const std::string& descr = dictionary.descr;
    const auto refuse = [&](std::string_view reason) {
        throw FormatError(file.path(), dictionary.descr_offset,
                          fmt::format("dtype '{}': {}", descr, reason));
    };
    const char order = descr.empty() ? ' ' : descr[0];
    const std::string_view kind = std::string_view(descr).substr(descr.empty() ? 0 : 1);
    if (kind.starts_with('O')) refuse("pickled objects are not read");
    for (const DTypeInfo& candidate : dtypes) {
        if (candidate.npy.substr(1) != kind) continue;
        const bool has_order = candidate.size > 1;
        const bool may_lack_order = !has_order || candidate.dtype == DType::bfloat16;
        if (order == '<' || (order == '|' && may_lack_order)) return {candidate.dtype, false};
        if (order == '>') return {candidate.dtype, has_order};
    }
    refuse("not one of float16/32/64, bfloat16 as V2, int8 to int64, uint8 to uint64, bool");
    return {};
}

Shape table_shape(const NpyDictionary& dictionary, const InputFile& file) {
    try {
        return Shape(dictionary.shape);
    } catch (const UsageError& error) {
        throw FormatError(file.path(), dictionary.shape_offset, error.what());
    }
}

}  // namespace

std::string npy_header(DType dtype, const Shape& shape) {
    if (shape.rank() > npy_largest_rank) {
        throw UsageError(fmt::format("npy: a table of {} axes: NumPy has at most {}", shape.rank(),
                                     npy_largest_rank));
    }
    std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                         info(dtype).npy, to_string(shape));
    if (shape.rank() > 0) {
        dictionary.append(digits_of_a_grown_extent - fmt::format("{}", shape[0]).size(), ' ');
    }
    constexpr std::size_t before = magic.size() + 4;  // two bytes of version, two of length
    // NumPy adds a whole line of spaces where none would be needed.
    dictionary.append(alignment - (before + dictionary.size() + 1) % alignment, ' ');
    dictionary += '\n';

    std::string header(magic);
    header += {'\1', '\0', static_cast<char>(dictionary.size() & 0xff),
               static_cast<char>(dictionary.size() >> 8)};
    return header + dictionary;
}

NpyHeader read_npy_header(const InputFile& file) {
    std::array<std::byte, magic.size() + 2> start{};
    const auto text = [](std::span<const std::byte> bytes) {
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    if (!file.holds(std::int64_t{start.size()})) {
        throw FormatError(file.path(), file.size(),
                          "the file ends in what would be its first line");
    }
    file.read(0, start);
    if (!text(start).starts_with(magic)) {
        throw FormatError(file.path(), 0, "not an NPY file: does not begin with \\x93NUMPY");
    }
    const int major = static_cast<int>(start[magic.size()]);
    const int minor = static_cast<int>(start[magic.size() + 1]);
    if (major < 1 || major > 3 || minor != 0) {
        throw FormatError(file.path(), magic.size(),
                          fmt::format("version {}.{}: not one of 1.0, 2.0, 3.0", major, minor));
    }

    std::array<std::byte, 4> length_bytes{};
    const std::span used = std::span(length_bytes).first(major == 1 ? 2 : 4);
    const auto begin = static_cast<std::int64_t>(start.size() + used.size());
    if (!file.holds(begin)) {
        throw FormatError(file.path(), file.size(), "the file ends in the length of its header");
    }
    file.read(start.size(), used);
    std::int64_t length = 0;
    for (std::size_t i = used.size(); i-- > 0;) length = length * 256 + static_cast<int>(used[i]);
    if (length > longest_dictionary) {
        throw FormatError(
            file.path(), start.size(),
            fmt::format("a header of {} bytes: at most {} are read", length, longest_dictionary));
    }
    if (!file.holds(begin + length)) {
        throw FormatError(file.path(), file.size(),
                          fmt::format("the file ends in its header of {} bytes", length));
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(length));
    file.read(begin, bytes);

    const NpyDictionary dictionary = parse_npy_dictionary(text(bytes), begin, file.path());
    const ElementType element = element_type(dictionary, file);
    return {element.dtype, element.is_big_endian, dictionary.fortran_order,
            table_shape(dictionary, file), begin + length};
}

}  // namespace pegen
