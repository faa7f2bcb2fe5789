#include "encodings/position_parameters.h"

#include <fmt/format.h>

#include "pegen/core/error.h"
#include "pegen/core/number.h"

namespace pegen::encodings {

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
    const numerics::Positions positions = positions_of(parameters);
    if (positions.largest() > two_to_53) {
        throw UsageError(
            fmt::format("--len {}: a position would be {} away from 0; they end at 2^53",
                        parameters.integer("len"), shortest(positions.largest())));
    }
    return parameters;
}

numerics::Positions positions_of(const Parameters& parameters) {
    const numerics::Positions positions =
        parameters.has("positions")
            ? numerics::Positions(parameters.reals("positions"))
            : numerics::Positions(parameters.real("start"), parameters.real("step"),
                                  parameters.integer("len"));
    return parameters.flag("reverse") ? positions.reversed() : positions;
}

}  // namespace pegen::encodings
