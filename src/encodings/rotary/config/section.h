#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

// Access to the values of a model's configuration, by their keys.
namespace pegen::encodings {

/// Parses the content of the file `path` like Python's json module: NaN and Infinity, which are not
/// valid JSON, become texts. Throws: as parse_json; FormatError if the content is not an object.
Json parse_config(std::string_view text, std::string_view path);

/// An object of the file. Every function throws FormatError, naming the key, if the value has
/// another type than the function returns. A null value counts as no value.
struct Section {
    std::string_view path;  ///< of the file
    std::string prefix;     ///< its place in the file: "rope_scaling."
    const Json* json;

    std::string place(std::string_view key) const;  ///< "rope_scaling.factor"
    bool has(std::string_view key) const;
    bool is_null(std::string_view key) const;   ///< the key exists and its value is null
    bool is_false(std::string_view key) const;  ///< the value is false or 0
    bool is_true(std::string_view key) const;   ///< the value is true; not for a number
    bool is_list(std::string_view key) const;
    bool lists(std::string_view key, std::string_view text) const;  ///< a list containing the text
    /// True if the key has the same value as another key.
    bool has_same(std::string_view key, const Section& other, std::string_view other_key) const;
    std::vector<std::string> keys() const;

    /// Each of these functions returns nothing if the key has no value. `example` names a key that
    /// the object may have.
    std::optional<Section> object(std::string_view key,
                                  std::string_view example = "rope_type") const;
    std::optional<Section> object_if_one(std::string_view key) const;  ///< nothing for other types
    std::optional<bool> flag(std::string_view key) const;              ///< true, false, 1 or 0
    std::optional<std::int64_t> count(std::string_view key) const;     ///< at least 1
    std::optional<double> number(std::string_view key) const;
    std::optional<std::string> text(std::string_view key) const;
    std::optional<std::string> text_if_one(std::string_view key) const;  ///< nothing for non-texts
    std::vector<std::string> texts(std::string_view key) const;  ///< of a list; "" for non-texts
    /// Returns a number or a list of numbers, as a user would type it.
    std::optional<std::string> numbers(std::string_view key) const;
    /// Returns the numbers of a list, each as a user would type it; "0" for null, which marks a
    /// layer without a value.
    std::vector<std::string> items(std::string_view key) const;

    [[noreturn]] void refuse(std::string_view key, std::string_view failure) const;
    /// Refuses the value of the key. `rule` says what the value must be. Throws: FormatError,
    /// always, with the rule and the value.
    [[noreturn]] void refuse_value(std::string_view key, std::string_view rule) const;
};

}  // namespace pegen::encodings
