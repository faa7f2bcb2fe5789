#include "encodings/rotary/config/grid_config.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "encodings/rotary/config/model_config.h"
#include "encodings/rotary/config/other_positions.h"
#include "encodings/rotary/config/unrotated_models.h"

namespace pegen::encodings {
namespace {

/// Returns the object with the vision encoder of the file; the file itself if it has none.
Section vision_part(Section section) {
    for (const char* key : {"thinker_config", "vision_config"}) {
        if (const std::optional<Section> part = section.object(key, "hidden_size")) section = *part;
    }
    return section;
}

/// Older files call the vision encoder by the name of the whole model.
constexpr std::array ends_of_names{"", "_vision", "_vision_model"};

/// Returns the commands of these patterns, which semicolons separate. Throws: FormatError if one
/// makes no table.
std::string commands_of(const Section& part, std::string_view patterns) {
    std::vector<std::string> commands;
    for (const std::string_view pattern : fields(patterns, ';')) {
        const std::string command = sized_command(part, "", pattern).text;
        check_makes_table(command, part.path);
        commands.push_back("pe-gen " + command);
    }
    return joined(commands, ", ");
}

}  // namespace

SizedCommand read_grid_config(std::string_view path) {
    const Json json = read_config(path);
    const Section file{path, "", &json};
    const Section part = vision_part(file);
    const bool is_of_diffusers = file.has("_class_name");
    const std::string name =
        is_of_diffusers ? file.text("_class_name").value()
                        : part.text("model_type").value_or(file.text("model_type").value_or(""));
    check_condition(part, name);
    for (const char* end : ends_of_names) {
        const std::string full = name + end;
        const std::string_view command = grid_command(full);
        if (!command.empty()) return sized_command(part, full, command);
    }
    part.refuse(is_of_diffusers ? "_class_name" : "model_type",
                fmt::format("'{:.60}' is not known to have rotary positions on a grid; give the "
                            "parameters in the place of --config",
                            name));
}

std::string vision_commands(const Section& file) try {
    const Section part = vision_part(file);
    if (!part.prefix.ends_with("vision_config.")) return "";
    const std::optional<std::string> own = part.text("model_type");
    for (const std::string_view end : ends_of_names) {
        const std::string name = own.value_or(file.text("model_type").value_or("")) + end.data();
        const std::string_view grid = grid_command(name);
        if (!grid.empty()) return commands_of(part, grid);
        const bool is_of_vision = own || !end.empty();
        const UnrotatedPositions* other = is_of_vision ? find_unrotated(part, name) : nullptr;
        if (other) return commands_of(part, other->commands);
    }
    return "";
} catch (const FormatError&) {
    return "";  // a fault of a part that nobody asked for
}

}  // namespace pegen::encodings
