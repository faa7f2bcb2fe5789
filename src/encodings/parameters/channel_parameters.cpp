#include "encodings/parameters/channel_parameters.h"

#include <numbers>

namespace pegen::encodings {

Parameters resolve_freq_scale(Parameters parameters) {
    if (const auto* name = std::get_if<std::string>(&parameters.value("freq-scale"))) {
        parameters.resolve("freq-scale", (*name == "pi" ? 1 : 2) * std::numbers::pi);
    }
    return parameters;
}

Axis channel_axis(std::string_view label) {
    return {.kind = AxisKind::channel, .name = "channel", .label = std::string(label)};
}

Axis frequency_axis() {
    return {.kind = AxisKind::frequency, .name = "frequency", .label = "Frequency Index"};
}

}  // namespace pegen::encodings
