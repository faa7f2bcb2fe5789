#include "files/npy_dictionary.h"

#include <fmt/format.h>

#include <charconv>

#include "core/error.h"
#include "files/npy_header.h"

namespace pegen {
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

}  // namespace pegen
