#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json.h"

namespace pegen::encodings {

// Access to the values of a model's configuration, by their keys.

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

/// A value that a configuration gives for a parameter of rope.
struct ConfigSetting {
    std::string parameter;    ///< "factor"
    std::string text;         ///< as a user would type it
    std::string source;       ///< "rope_scaling.factor 8"
    std::string place = "";   ///< "rope_scaling.factor"; "" for several keys
    bool is_default = false;  ///< from the model's code, not the file
};

/// The settings read from a configuration.
class ConfigSettings {
  public:
    /// Sets a parameter to the value of a key, unless the key is missing. Throws: FormatError if
    /// another key has set the parameter to another value.
    void take(const Section& section, std::string_view key, std::string_view parameter);
    /// Sets a parameter to the value of a key, unless the key is missing, replacing the value of
    /// other keys.
    void take_instead(const Section& section, std::string_view key, std::string_view parameter);

    /// Sets a parameter, replacing the value of other keys.
    void set(ConfigSetting setting);
    void drop(std::string_view parameter);

    /// Records that a key was read but has no effect, with the reason.
    void ignore(const Section& section, std::string_view key, std::string_view why = "");
    /// Records that a key is unknown and was not read, but may change the table.
    void doubt(const Section& section, std::string_view key);
    /// Records all unread keys of a section as doubted keys.
    void doubt_rest(const Section& section);
    /// Drops a parameter, and records that its source has no effect, with the reason.
    void ignore_setting(std::string_view parameter, std::string_view why);
    /// Records that a key was read, without listing it as ignored or doubted.
    void mark(const Section& section, std::string_view key);
    /// True if a setting comes from the key, or if the key was ignored, doubted or marked.
    bool was_read(const Section& section, std::string_view key) const;

    const ConfigSetting* find(std::string_view parameter) const;  ///< nullptr if it is not set
    const std::vector<ConfigSetting>& all() const { return settings_; }
    const std::vector<std::string>& ignored() const { return ignored_; }
    const std::vector<std::string>& doubted() const { return doubted_; }

    /// Records the sections of the frequencies, for mrope.
    void set_sections(ConfigSetting sections, std::optional<bool> are_interleaved) {
        sections_ = std::move(sections);
        are_interleaved_ = are_interleaved;
    }
    const std::optional<ConfigSetting>& sections() const { return sections_; }
    std::optional<bool> are_interleaved() const { return are_interleaved_; }

    /// Records that the layer type has chosen one of several values.
    void choose_layers() { has_chosen_layers_ = true; }
    bool has_chosen_layers() const { return has_chosen_layers_; }

  private:
    std::vector<ConfigSetting> settings_;
    std::vector<std::string> ignored_;
    std::vector<std::string> doubted_;
    std::optional<ConfigSetting> sections_;
    std::optional<bool> are_interleaved_;
    bool has_chosen_layers_ = false;
    std::set<std::string> read_;  ///< paths of the keys
};

}  // namespace pegen::encodings
