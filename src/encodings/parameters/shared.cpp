#include "encodings/parameters/shared.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/error.h"
#include "encodings/parameters/position_files.h"

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

void check_last_position(std::string_view count_name, double start, double step,
                         std::int64_t count) {
    // long double is needed: double would round 2^53 + 1 to 2^53.
    const long double last =
        start + static_cast<long double>(step) * static_cast<long double>(count - 1);
    if (std::fabs(last) > static_cast<long double>(two_to_53)) {
        throw UsageError(
            fmt::format("--{} {}: the last position would be {:.0f}; positions end at 2^53",
                        count_name, count, last));
    }
}

namespace {

/// Returns the parameter that lists the positions; "" if none is given.
std::string_view list_of_positions(const Parameters& parameters) {
    if (parameters.has("positions-file")) return "positions-file";
    return parameters.has("positions") ? "positions" : "";
}

Positions listed_positions(const Parameters& parameters) {
    return parameters.has("positions-file") ? open_positions(parameters.word("positions-file"))
                                            : Positions(parameters.reals("positions"));
}

}  // namespace

Parameters resolve_positions(Parameters parameters) {
    if (const std::string_view list = list_of_positions(parameters); !list.empty()) {
        const std::int64_t count = listed_positions(parameters).size();
        for (const char* name : {"len", "start", "step", "positions"}) {
            if (name == list || !parameters.given(name)) continue;
            // The command in the metadata of a file gives both parameters.
            if (list == "positions-file" && parameters.value(name) == Value(count)) continue;
            throw UsageError(fmt::format(
                "--{}: --{} already says which positions; give one or the other", name, list));
        }
        parameters.resolve("len", count);
        parameters.resolve("start", {});
        parameters.resolve("step", {});
        return parameters;
    }
    check_last_position("len", parameters.real("start"), parameters.real("step"),
                        parameters.integer("len"));
    return parameters;
}

Positions positions_of(const Parameters& parameters) {
    const Positions positions = !list_of_positions(parameters).empty()
                                    ? listed_positions(parameters)
                                    : Positions(parameters.real("start"), parameters.real("step"),
                                                parameters.integer("len"));
    return parameters.flag("reverse") ? positions.reversed() : positions;
}

Axis position_axis(Positions positions, std::int64_t rows_before) {
    return {.kind = AxisKind::position,
            .name = "position",
            .label = "Sequence Position(max_len)",
            .rows_before = rows_before,
            .positions = std::move(positions)};
}

Parameters without_grid(Parameters p) {
    return without(std::move(p), {"height", "width", "depth", "coords", "axes"},
                   "cannot be used with --points");
    return p;
}

Axis point_axis(std::vector<std::int64_t> extents) {
    return {
        .kind = AxisKind::point, .name = "point", .label = "Point", .extents = std::move(extents)};
}

}  // namespace pegen::encodings
