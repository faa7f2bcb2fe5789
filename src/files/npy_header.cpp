#include "files/npy_header.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "files/npy_dictionary.h"
#include "files/npy_element.h"

namespace pegen {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t before_length = magic.size() + 2;  // two bytes of version
constexpr std::size_t alignment = 64;

/// The longest dictionary that is read: longer than any table of npy_largest_rank axes needs. A
/// longer one describes a structured dtype, or is wrong.
constexpr std::int64_t longest_dictionary = 0xffff;

/// The number of digits to which the first extent can grow in place: numpy.save pads the header for
/// them.
constexpr std::size_t digits_of_a_grown_extent = 21;

std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns the number of bytes of the length field that follows the version.
/// Throws: FormatError unless the file begins as an NPY file of a known version.
std::size_t read_length_size(const InputFile& file) {
    if (!begins_as_npy(file)) {
        throw FormatError(file.path(), 0, "not an NPY file: does not begin with \\x93NUMPY");
    }
    if (!file.holds(std::int64_t{before_length})) {
        throw FormatError(file.path(), file.size(), "the file ends before its version");
    }
    std::array<std::byte, before_length> start{};
    file.read(0, start);
    const int major = static_cast<int>(start[magic.size()]);
    const int minor = static_cast<int>(start[magic.size() + 1]);
    if (major < 1 || major > 3 || minor != 0) {
        throw FormatError(file.path(), magic.size(),
                          fmt::format("version {}.{}: not one of 1.0, 2.0, 3.0", major, minor));
    }
    return major == 1 ? 2 : 4;
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
    constexpr std::size_t before = before_length + 2;
    // If no padding is needed, NumPy adds a whole line of spaces.
    dictionary.append(alignment - (before + dictionary.size() + 1) % alignment, ' ');
    dictionary += '\n';

    std::string header(magic);
    header += {'\1', '\0', static_cast<char>(dictionary.size() & 0xff),
               static_cast<char>(dictionary.size() >> 8)};
    return header + dictionary;
}

bool begins_as_npy(const InputFile& file) {
    std::array<std::byte, magic.size()> start{};
    const std::int64_t there = file.holds(std::ssize(magic)) ? std::ssize(magic) : file.size();
    file.read(0, std::span(start).first(there));
    return there > 0 && magic.starts_with(as_text(start).substr(0, there));
}

ArrayLayout read_npy_header(const InputFile& file) {
    std::array<std::byte, 4> length_bytes{};
    const std::span used = std::span(length_bytes).first(read_length_size(file));
    const auto begin = static_cast<std::int64_t>(before_length + used.size());
    if (!file.holds(begin)) {
        throw FormatError(file.path(), file.size(), "the file ends in the length of its header");
    }
    file.read(before_length, used);
    std::int64_t length = 0;
    for (std::size_t i = used.size(); i-- > 0;) length = length * 256 + static_cast<int>(used[i]);
    if (length > longest_dictionary) {
        throw FormatError(
            file.path(), before_length,
            fmt::format("a header of {} bytes: at most {} are read", length, longest_dictionary));
    }
    if (!file.holds(begin + length)) {
        throw FormatError(file.path(), file.size(),
                          fmt::format("the file ends in its header of {} bytes", length));
    }
    std::vector<std::byte> bytes(length);
    file.read(begin, bytes);

    NpyDictionary dictionary = parse_npy_dictionary(as_text(bytes), begin, file.path());
    const NpyElement element = npy_element(dictionary.descr, dictionary.descr_offset, file.path());
    if (element.is_complex) {
        if (dictionary.fortran_order && dictionary.shape.size() > 1) {
            throw FormatError(file.path(), dictionary.descr_offset,
                              "complex numbers in Fortran order are not read; save "
                              "numpy.ascontiguousarray(array)");
        }
        dictionary.fortran_order = false;
        dictionary.shape.push_back(2);
    }
    return {element.dtype, element.is_big_endian, dictionary.fortran_order,
            stored_shape(dictionary.shape, file.path(), dictionary.shape_offset), begin + length};
}

}  // namespace pegen
