#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/encoding.h"

// What --keep-channels chooses, the same in every encoding.
namespace pegen {

/// Reads a choice of `count` channels, numbers and slices as Python has them: "0:16", "::-1",
/// "0:4,0:4", "-1". Throws: UsageError with the forms there are, or if a channel is not there.
std::vector<std::int64_t> parse_channels(std::string_view text, std::int64_t count);

/// Returns the text that chooses these channels: "0:16", "0:8,32:40". Precondition: there are some.
std::string channels_text(const std::vector<std::int64_t>& channels);

/// Returns the text of --keep-channels; nothing if it has no value, or if there is no such
/// parameter.
std::optional<std::string> channel_choice(const Parameters& parameters);

/// Returns the parameters with all channels kept.
Parameters without_channel_choice(Parameters parameters);

/// Returns the plan of the chosen channels, if its parameters have a --keep-channels with a value
/// and the table has channels. Throws: UsageError, also if the channels are not the last axis.
Plan with_chosen_channels(Plan plan);

}  // namespace pegen
