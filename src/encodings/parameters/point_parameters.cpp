#include "encodings/parameters/point_parameters.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"

namespace pegen::encodings {

Parameters without_grid(Parameters p) {
    for (const char* name : {"height", "width", "depth", "coords", "axes"}) {
        if (p.given(name)) {
            throw UsageError(fmt::format("--{} {}: cannot be used with --points; leave --{} out",
                                         name, to_string(p.value(name)), name));
        }
        p.resolve(name, {});
    }
    return p;
}

Axis point_axis(std::vector<std::int64_t> extents) {
    return {
        .kind = AxisKind::point, .name = "point", .label = "Point", .extents = std::move(extents)};
}

}  // namespace pegen::encodings
