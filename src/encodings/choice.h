#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/axis.h"
#include "core/table.h"
#include "encodings/encoding.h"

namespace pegen {

// The choice of a range of indices along an axis, FROM:TO.

/// Reads a range among `extent` indices as Python's slice with both, one or no end: "2:8", ":-1".
/// Throws: UsageError, naming `option`, unless it has such a form and an index in it.
RowRange parse_range(std::string_view text, std::int64_t extent, std::string_view option);

/// Returns the axis of the indices in `range`. It keeps names, as of heads, and positions that are
/// a progression; others it counts from 0.
Axis part_of(const Axis& axis, RowRange range);

// The choice of channels by --keep-channels, the same in every encoding.

/// Reads a choice among `count` channels, numbers and slices as in Python: "0:16", "::-1",
/// "0:4,0:4", "-1"; "0:16x2" has each of them twice in succession. Throws: UsageError that lists
/// the valid forms, or if a channel does not exist.
std::vector<std::int64_t> parse_channels(std::string_view text, std::int64_t count);

/// Returns the text that chooses these channels: "0:16", "0:8,32:40", "0:16x2".
/// Precondition: `channels` is not empty.
std::string channels_text(const std::vector<std::int64_t>& channels);

/// Returns the text of --keep-channels; nothing if the parameter has no value or does not exist.
std::optional<std::string> channel_choice(const Parameters& parameters);

/// Returns the parameters with all channels kept.
Parameters without_channel_choice(Parameters parameters);

/// Returns the plan reduced to the channels that --keep-channels chooses, or the plan unchanged if
/// that parameter has no value or the table has no channel axis. Throws: UsageError, also if the
/// channels are not the last axis.
Plan with_chosen_channels(Plan plan);

}  // namespace pegen
