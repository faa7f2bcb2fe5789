#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

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
