#include "encodings/parameters/point_parameters.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"

namespace pegen::encodings {

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
