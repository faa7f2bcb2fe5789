#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The content of a model's configuration, by its keys.
namespace pegen::encodings {

/// Parses the content of the file `path` as Python writes JSON: NaN and Infinity, which JSON does
/// not have, become texts. Throws: as parse_json; FormatError if it is no object.
nlohmann::ordered_json parse_config(std::string_view text, std::string_view path);

/// An object of the file. Every function throws FormatError that names the key if its value is of
/// another kind; null is as good as no value.
struct Section {
    std::string_view path;  ///< of the file
    std::string prefix;     ///< where it stands: "rope_scaling."
    const nlohmann::ordered_json* json;

    std::string place(std::string_view key) const;  ///< "rope_scaling.factor"
    bool has(std::string_view key) const;
    bool is_null(std::string_view key) const;   ///< the key is there, its value is null
    bool is_false(std::string_view key) const;  ///< false or 0
    bool is_true(std::string_view key) const;   ///< true, and no number
    bool is_list(std::string_view key) const;
    bool lists(std::string_view key, std::string_view text) const;  ///< a list with this text
    /// True if the value of the key is that of another one.
    bool has_same(std::string_view key, const Section& other, std::string_view other_key) const;
    std::vector<std::string> keys() const;

    /// Return nothing if there is no value. `example` is a key that the object may have.
    std::optional<Section> object(std::string_view key,
                                  std::string_view example = "rope_type") const;
    std::optional<Section> object_if_one(std::string_view key) const;  ///< or if it is no object
    std::optional<bool> flag(std::string_view key) const;              ///< true, false, 1 or 0
    std::optional<std::int64_t> count(std::string_view key) const;     ///< from 1 on
    std::optional<double> number(std::string_view key) const;
    std::optional<std::string> text(std::string_view key) const;
    std::optional<std::string> text_if_one(std::string_view key) const;  ///< or if it is no text
    std::vector<std::string> texts(std::string_view key) const;  ///< of a list; others are ""
    /// A number or a list of numbers, as one would type it.
    std::optional<std::string> numbers(std::string_view key) const;
    /// The numbers of a list, each as one would type it; null, a layer without a value, is "0".
    std::vector<std::string> items(std::string_view key) const;

    [[noreturn]] void refuse(std::string_view key, std::string_view failure) const;
    /// Says what the value must be, and what it is.
    [[noreturn]] void refuse_value(std::string_view key, std::string_view rule) const;
};

}  // namespace pegen::encodings
