#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

/// A value that a configuration gives for a parameter of rope.
struct ConfigSetting {
    std::string parameter;    ///< "factor"
    std::string text;         ///< as one would type it
    std::string source;       ///< "rope_scaling.factor 8"
    std::string place = "";   ///< of the key: "rope_scaling.factor"; "" if there are several
    bool is_default = false;  ///< of the model's code: the file is silent
};

/// What has been read of a configuration.
class ConfigSettings {
  public:
    /// Takes the value of a key, unless it is missing. Throws: FormatError if another key has set
    /// the parameter to another value.
    void take(const Section& section, std::string_view key, std::string_view parameter);
    /// The same in the place of what other keys have set.
    void take_instead(const Section& section, std::string_view key, std::string_view parameter);

    /// Sets a parameter, whatever other keys say.
    void set(ConfigSetting setting);
    void drop(std::string_view parameter);

    /// Says that a key was read and has no effect, and why.
    void ignore(const Section& section, std::string_view key, std::string_view why = "");
    /// Says that a key was not read, is not known, and may change the table.
    void doubt(const Section& section, std::string_view key);
    /// Doubts the keys of a section that were not read.
    void doubt_rest(const Section& section);
    /// Drops a parameter and says why what it was set by has no effect.
    void ignore_setting(std::string_view parameter, std::string_view why);
    /// Says that a key was read, and has no effect by a value of its own.
    void mark(const Section& section, std::string_view key);
    /// True if a setting stems from the key, or if it was ignored or marked.
    bool was_read(const Section& section, std::string_view key) const;

    const ConfigSetting* find(std::string_view parameter) const;  ///< nullptr if it is not set
    const std::vector<ConfigSetting>& all() const { return settings_; }
    const std::vector<std::string>& ignored() const { return ignored_; }
    const std::vector<std::string>& doubted() const { return doubted_; }

    /// Says that the layer type has chosen one of several values.
    void choose_layers() { has_chosen_layers_ = true; }
    bool has_chosen_layers() const { return has_chosen_layers_; }

  private:
    std::vector<ConfigSetting> settings_;
    std::vector<std::string> ignored_;
    std::vector<std::string> doubted_;
    bool has_chosen_layers_ = false;
    std::set<std::string> read_;  ///< places of keys
};

}  // namespace pegen::encodings
