#include "encodings/parameters/position_parameters.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/error.h"

namespace pegen::encodings {

void check_last_position(std::string_view count_name, double start, double step,
                         std::int64_t count) {
    // In long double, since 2^53 + 1 would be rounded to 2^53.
    const long double last =
        start + static_cast<long double>(step) * static_cast<long double>(count - 1);
    if (std::fabs(last) > static_cast<long double>(two_to_53)) {
        throw UsageError(
            fmt::format("--{} {}: the last position would be {:.0f}; positions end at 2^53",
                        count_name, count, last));
    }
}

Parameters resolve_positions(Parameters parameters) {
    if (parameters.has("positions")) {
        for (const char* name : {"len", "start", "step"}) {
            if (parameters.given(name)) {
                throw UsageError(fmt::format(
                    "--{}: --positions already says which positions; give one or the other", name));
            }
        }
        parameters.resolve("len", static_cast<std::int64_t>(parameters.reals("positions").size()));
        parameters.resolve("start", {});
        parameters.resolve("step", {});
        return parameters;
    }
    check_last_position("len", parameters.real("start"), parameters.real("step"),
                        parameters.integer("len"));
    return parameters;
}

Positions positions_of(const Parameters& parameters) {
    const Positions positions = parameters.has("positions")
                                    ? Positions(parameters.reals("positions"))
                                    : Positions(parameters.real("start"), parameters.real("step"),
                                                parameters.integer("len"));
    return parameters.flag("reverse") ? positions.reversed() : positions;
}

Axis position_axis(Positions positions, std::int64_t rows_before) {
    return {.kind = AxisKind::position,
            .name = "position",
            .label = "Sequence Position (max_len)",
            .rows_before = rows_before,
            .positions = std::move(positions)};
}

}  // namespace pegen::encodings
