#include "files/npy_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

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

}  // namespace pegen
