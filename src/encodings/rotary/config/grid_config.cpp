#include "encodings/rotary/config/grid_config.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/json.h"
#include "encodings/rotary/config/model_config.h"
#include "encodings/rotary/config/other_positions.h"

namespace pegen::encodings {
namespace {

/// Returns the object with the vision encoder of the file; the file itself if it has none.
Section vision_part(Section section) {
    for (const char* key : {"thinker_config", "vision_config"}) {
        if (const std::optional<Section> part = section.object(key, "hidden_size")) section = *part;
    }
    return section;
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
    // Older files call the vision encoder by the name of the whole model.
    for (const char* end : {"", "_vision", "_vision_model"}) {
        const std::string full = name + end;
        const std::string_view command = grid_command(full);
        if (!command.empty()) return sized_command(part, full, command);
    }
    part.refuse(is_of_diffusers ? "_class_name" : "model_type",
                fmt::format("'{:.60}' is not known to have rotary positions on a grid; give the "
                            "parameters in the place of --config",
                            name));
}

}  // namespace pegen::encodings
