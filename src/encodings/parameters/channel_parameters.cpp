#include "encodings/parameters/channel_parameters.h"

namespace pegen::encodings {

Axis channel_axis(std::string_view label) {
    return {.kind = AxisKind::channel, .name = "channel", .label = std::string(label)};
}

Axis frequency_axis() {
    return {.kind = AxisKind::frequency, .name = "frequency", .label = "Frequency Index"};
}

}  // namespace pegen::encodings
