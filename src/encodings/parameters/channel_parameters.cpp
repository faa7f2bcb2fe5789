#include "encodings/parameters/channel_parameters.h"

#include "core/error.h"

namespace pegen::encodings {

Axis channel_axis(std::string_view label) {
    return {.kind = AxisKind::channel, .name = "channel", .label = std::string(label)};
}

void check_pairs(bool has_halves, bool is_per_channel) {
    if (!has_halves || !is_per_channel) return;
    throw UsageError(
        "--layout halves: there are no pairs to take apart with --pairing per-channel; use "
        "--layout interleaved");
}

Axis frequency_axis() {
    return {.kind = AxisKind::frequency, .name = "frequency", .label = "Frequency Index"};
}

}  // namespace pegen::encodings
