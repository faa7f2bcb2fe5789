#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

namespace pegen::testing {

/// A config.json with this content in a folder of its own.
struct ConfigFile {
    explicit ConfigFile(std::string_view content) { put(path(), content); }

    std::string path() const { return folder.path("config.json"); }
    std::string command(std::string_view more) const {
        return fmt::format("rope --config {} {}", path(), more);
    }

    TemporaryFolder folder;
};

/// Returns the settings that make the table of this configuration.
inline std::string settings_of(const ConfigFile& file, std::string_view more = "") {
    const Table table = table_of(file.command(more));
    std::string settings;
    for (const Parameters::Entry& entry : table.provenance.parameters.entries()) {
        if (is_default(entry) || entry.spec->name == "rotary-dim") continue;
        settings +=
            fmt::format("{}{}={}", settings.empty() ? "" : " ", entry.spec->name, to_string(entry));
    }
    return settings;
}

inline std::string note_of(const ConfigFile& file, std::string_view more = "") {
    const Encoding& rope = *find_encoding("rope");
    Parameters parameters(rope.parameters);
    parameters.set_all(fmt::format("--config {} {}", file.path(), more), Origin::user);
    const std::string note =
        plan_table(rope, rope.tables.front(), parameters, DType::float32).notes.at(0);
    return note.substr(note.find("config.json"));
}

inline std::string refusal(std::string_view content, std::string_view more = "") {
    const ConfigFile file(content);
    try {
        table_of(file.command(more));
    } catch (const FormatError& error) {
        const std::string message = error.what();
        return message.substr(message.find("config.json") + 13);
    }
    return "accepted";
}

}  // namespace pegen::testing
