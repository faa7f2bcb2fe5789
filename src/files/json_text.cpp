#include "files/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"

namespace pegen {
namespace {

using Library = nlohmann::ordered_json;

constexpr std::size_t deepest = 32;
// The number of keys is limited, because each new key is searched for among all others of its
// object.
constexpr std::size_t most_keys = 1000;

std::ptrdiff_t line_of(std::string_view text, std::size_t position) {
    return 1 + std::ranges::count(text.substr(0, position), '\n');
}

/// A builder of the value from the parser's events, which refuses texts that the parser itself
/// would accept.
class Builder {
  public:
    using number_integer_t = Library::number_integer_t;
    using number_unsigned_t = Library::number_unsigned_t;
    using number_float_t = Library::number_float_t;
    using string_t = Library::string_t;
    using binary_t = Library::binary_t;

    Builder(std::string_view text, std::string_view path) : text_(text), path_(path) {}

    Json result() && { return std::move(result_); }

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(number_integer_t value) { return add(value); }
    bool number_unsigned(number_unsigned_t value) { return add(value); }
    bool number_float(number_float_t value, const string_t& text) {
        const std::string_view digits = std::string_view(text).substr(0, text.find_first_of("eE"));
        const bool is_zero = digits.find_first_of("123456789") == digits.npos;
        if (value == 0 && !is_zero) refuse(fmt::format("number underflow parsing '{}'", text));
        return add(value);
    }
    bool binary(binary_t&) { return false; }

    bool string(string_t& value) {
        check_text(value);
        return add(std::move(value));
    }

    bool key(string_t& value) {
        check_text(value);
        if (open_.back()->contains(value)) {
            refuse(fmt::format("the key \"{}\" is there twice", value));
        }
        if (open_.back()->size() == most_keys) refuse(fmt::format("more than {} keys", most_keys));
        key_ = std::move(value);
        return true;
    }

    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& e) {
        const std::string_view what = e.what();  // "[json.exception.parse_error.101] ..."
        const std::string_view reason = what.substr(what.find("] ") + 2);
        if (reason.starts_with("parse error at ")) throw FormatError(path_, reason.substr(15));
        throw FormatError(path_, fmt::format("line {}: {}", line_of(text_, position), reason));
    }

  private:
    Json* add(Json value, std::string name) {
        if (open_.empty()) return &(result_ = std::move(value));
        Json& parent = *open_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        return &parent.add(std::move(name), std::move(value));
    }

    bool add(Json value) {
        add(std::move(value), std::move(key_));
        return true;
    }

    bool open(Json value) {
        if (open_.size() == deepest) refuse(fmt::format("nested deeper than {}", deepest));
        open_.push_back(add(std::move(value), std::move(key_)));
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    void check_text(const std::string& value) const {
        if (value.find('\0') != value.npos) refuse("a text has the character \\u0000 in it");
    }

    /// Returns the place of the parser in the value: "jobs[3].sweep".
    std::string place() const {
        std::string result;
        for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
            const Json& parent = *open_[i];
            if (parent.is_array()) {
                result += fmt::format("[{}]", parent.size() - 1);
            } else {
                result +=
                    fmt::format("{}{}", result.empty() ? "" : ".", parent.items().back().name);
            }
        }
        return result.empty() ? "top level" : result;
    }

    [[noreturn]] void refuse(std::string_view failure) const {
        throw FormatError(path_, fmt::format("{}: {}", place(), failure));
    }

    std::string_view text_;
    std::string_view path_;
    Json result_;
    std::vector<Json*> open_;  ///< the objects and arrays that are not closed yet
    std::string key_;          ///< the key of the next value
};

Library library_value(const Json& json) {
    if (json.is_null()) return nullptr;
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_unsigned()) return json.get<std::uint64_t>();
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (json.is_number_float()) return json.get<double>();
    if (json.is_string()) return json.get<std::string>();
    Library value = json.is_array() ? Library::array() : Library::object();
    if (json.is_array()) {
        for (const Json& item : json) value.push_back(library_value(item));
    } else {
        for (const auto& [name, member] : json.items()) {
            value.get_ref<Library::object_t&>().emplace_back(name, library_value(member));
        }
    }
    return value;
}

std::string text_of(const Json& json, int indent, bool is_ascii) {
    return library_value(json).dump(indent, ' ', is_ascii, Library::error_handler_t::replace);
}

}  // namespace

Json parse_json(std::string_view text, std::string_view path, Comments comments) {
    if (text.empty()) throw FormatError(path, "is empty, and no JSON text");
    // The parser would take a zero byte for the end of the text.
    if (const std::size_t zero = text.find('\0'); zero != text.npos) {
        throw FormatError(
            path, fmt::format("line {}: a zero byte, which no JSON text has", line_of(text, zero)));
    }
    Builder builder(text, path);
    Library::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, true,
                       comments == Comments::ignored);
    return std::move(builder).result();
}

Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

std::string json_line(const Json& json) { return text_of(json, -1, true); }
std::string utf8_json_line(const Json& json) { return text_of(json, -1, false); }
std::string indented_json(const Json& json, int blanks) { return text_of(json, blanks, false); }

}  // namespace pegen
