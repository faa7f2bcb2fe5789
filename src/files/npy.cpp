#include "files/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace pegen {
namespace {

/// Elements that NumPy saves but a table cannot hold.
struct UnreadKind {
    char kind;  ///< the letter of the descr
    std::string_view reason;
};

constexpr std::string_view text_reason = "text is not read; save numbers";
constexpr std::string_view date_reason = "dates are not read; save array.astype('int64')";

constexpr std::array unread_kinds{
    UnreadKind{'O', "pickled Python objects are not supported; save array.astype('float64')"},
    UnreadKind{'c', "complex numbers of 8 and 16 bytes are read; save array.astype('complex128')"},
    UnreadKind{'U', text_reason},
    UnreadKind{'S', text_reason},
    UnreadKind{'a', text_reason},
    UnreadKind{'M', date_reason},
    UnreadKind{'m', date_reason},
    UnreadKind{'V', "raw bytes are read as V2 only, for bfloat16; save array.view('uint8')"},
    UnreadKind{'f', "floats of 2, 4 and 8 bytes are read; save array.astype('float64')"},
};

constexpr std::string_view readable =
    "not one of float16/32/64, bfloat16 as V2, int8 to int64, uint8 to uint64, bool";

/// Returns a string from a file, shortened and escaped to fit in a line of a message.
std::string shown(std::string_view text) {
    constexpr std::size_t most = 32;
    std::string result;
    for (const char c : text.substr(0, most)) {
        const bool is_plain = c >= ' ' && c <= '~';
        result +=
            is_plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return text.size() > most ? result + "..." : result;
}

/// True if `descr` is the letter of the kind, a size and perhaps a unit: "U2", "M8[ns]".
bool is_of_kind(std::string_view descr, const UnreadKind& unread) {
    if (!descr.starts_with(unread.kind)) return false;
    const std::string_view size = descr.substr(1, descr.find('[') - 1);
    return size.find_first_not_of("0123456789") == size.npos;
}

std::string_view reason_not_to_read(std::string_view descr) {
    const auto found = std::ranges::find_if(
        unread_kinds, [&](const UnreadKind& unread) { return is_of_kind(descr, unread); });
    return found == unread_kinds.end() ? readable : found->reason;
}

}  // namespace

NpyElement npy_element(std::string_view descr, std::int64_t offset, std::string_view path) {
    const auto refuse = [&](std::string_view reason) {
        throw FormatError(path, offset, fmt::format("dtype '{}': {}", shown(descr), reason));
    };
    const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr[0]) != descr.npos;
    const char order = has_order ? descr[0] : ' ';
    const std::string_view kind = descr.substr(has_order ? 1 : 0);
    const bool is_complex64 = kind == "c8";
    if ((is_complex64 || kind == "c16") && (order == '<' || order == '>')) {
        return {is_complex64 ? DType::float32 : DType::float64, order == '>', true};
    }
    const auto known = std::ranges::find_if(
        dtypes, [&](const DTypeInfo& candidate) { return candidate.npy.substr(1) == kind; });
    if (known == dtypes.end()) refuse(reason_not_to_read(kind));

    const bool is_one_byte = known->size == 1;
    if (order == '>') return {known->dtype, !is_one_byte};
    const bool may_lack_order = is_one_byte || known->dtype == DType::bfloat16;
    if (order != '<' && !(order == '|' && may_lack_order)) {
        refuse(fmt::format("must begin with its byte order, as in '{}'", known->npy));
    }
    return {known->dtype, false};
}

namespace {

constexpr std::string_view structured =
    "structured dtypes are not read; save each field by itself, as in array['x']";

/// A position in the text of a header, which advances as pieces are read.
class Reader {
  public:
    Reader(std::string_view text, std::int64_t offset, std::string_view path)
        : text_(text), offset_(offset), path_(path) {}

    [[noreturn]] void refuse(std::string_view expected) const {
        throw FormatError(path_, here(), fmt::format("header: {}", expected));
    }

    std::int64_t here() const { return offset_ + static_cast<std::int64_t>(at_); }

    void skip_space() {
        while (at_ < text_.size() && std::string_view(" \t\r\n\f").find(text_[at_]) != text_.npos) {
            ++at_;
        }
    }

    bool at_end() {
        skip_space();
        return at_ == text_.size();
    }

    /// Skips `symbol` and returns true if it comes next.
    bool found(char symbol) {
        skip_space();
        if (at_ == text_.size() || text_[at_] != symbol) return false;
        ++at_;
        return true;
    }

    void expect(char symbol) {
        if (!found(symbol)) refuse(fmt::format("expected '{}'", symbol));
    }

    std::string string() {
        const char quote = found('\'') ? '\'' : '"';
        if (quote == '"' && !found('"')) refuse("expected a string");
        const std::size_t end = text_.find(quote, at_);
        const std::string_view content = text_.substr(at_, end - at_);
        if (end == text_.npos) refuse("a string without an end");
        if (content.find('\\') != content.npos) refuse("a string with a backslash");
        at_ = end + 1;
        return std::string(content);
    }

    bool boolean() {
        skip_space();
        for (const std::string_view word : {"True", "False"}) {
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return word == "True";
            }
        }
        refuse("expected True or False");
    }

    std::int64_t extent() {
        skip_space();
        const char* const begin = text_.data() + at_;
        const char* const end = text_.data() + text_.size();
        if (begin == end || *begin < '0' || *begin > '9') {
            refuse("expected an extent: a whole number from 0 on");
        }
        std::int64_t number = 0;
        const auto [rest, error] = std::from_chars(begin, end, number);
        if (error != std::errc()) refuse("an extent beyond 2^63 - 1");
        if (rest != end && *rest == 'L')
            refuse("an extent with Python 2's L; save it with Python 3");
        if (*begin == '0' && rest > begin + 1) refuse("an extent with leading zeros");
        at_ += rest - begin;
        return number;
    }

    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> extents;
        expect('(');
        while (!found(')')) {
            extents.push_back(extent());
            if (extents.size() > npy_largest_rank) {
                refuse(fmt::format("more than {} extents", npy_largest_rank));
            }
            // Python's (3) is a number; only (3,) is a tuple.
            if (found(',')) continue;
            if (extents.size() == 1) refuse("expected ','");
            expect(')');
            break;
        }
        return extents;
    }

  private:
    std::string_view text_;
    std::int64_t offset_;
    std::string_view path_;
    std::size_t at_ = 0;
};

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text, std::int64_t offset,
                                   std::string_view path) {
    Reader reader(text, offset, path);
    NpyDictionary dictionary;
    std::vector<std::string> missing{"descr", "fortran_order", "shape"};
    reader.expect('{');
    while (!reader.found('}')) {
        reader.skip_space();
        const Reader before_key = reader;
        const std::string key = reader.string();
        if (std::erase(missing, key) == 0) {
            before_key.refuse("expected each of 'descr', 'fortran_order' and 'shape' once");
        }
        reader.expect(':');
        reader.skip_space();
        if (key == "descr") {
            dictionary.descr_offset = reader.here();
            if (Reader(reader).found('[')) reader.refuse(structured);
            dictionary.descr = reader.string();
        } else if (key == "fortran_order") {
            dictionary.fortran_order = reader.boolean();
        } else {
            dictionary.shape_offset = reader.here();
            dictionary.shape = reader.tuple();
        }
        if (reader.found(',')) continue;
        reader.expect('}');
        break;
    }
    if (!missing.empty()) reader.refuse(fmt::format("'{}' is missing", missing.front()));
    if (!reader.at_end()) reader.refuse("more after the closing '}'");
    return dictionary;
}

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

StoredArray read_npy(std::shared_ptr<const InputFile> file) {
    const ArrayLayout layout = read_npy_header(*file);
    return stored_array(std::move(file), layout);
}

Table read_npy(std::string_view path) {
    return read_npy(std::make_shared<const InputFile>(path)).table;
}

}  // namespace pegen
