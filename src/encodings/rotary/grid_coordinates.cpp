#include "encodings/rotary/grid_coordinates.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace pegen::encodings {
namespace {

using numerics::Real;

/// Returns what the cells of the axis are counted by.
std::int64_t cells_of(const Parameters& p, char axis) {
    const std::string& normalize = p.word("normalize");
    if (normalize == "separate") return extent(p, axis);
    std::int64_t least = extent(p, 'x'), most = least;
    for (const char other : axes_of(p)) {
        least = std::min(least, extent(p, other));
        most = std::max(most, extent(p, other));
    }
    return normalize == "max" ? most : least;
}

Coordinates unresized(const Parameters& p, char axis) {
    const std::int64_t count = extent(p, axis);
    if (p.word("coords") == "linspace") {
        if (count == 1) return {Positions(-1, 0, 1), {}};
        const auto last = static_cast<double>(count - 1);
        return {Positions(-last, 2, count), {1, last}};
    }
    if (p.word("coords") == "cells") {
        const auto cells = static_cast<double>(cells_of(p, axis));
        return {Positions(1 - cells, 2, count), {1, cells}};
    }
    return {Positions(p.real("start"), p.real("step"), count), {}};
}

void check_effect(const Parameters& p, std::string_view name, std::string_view only) {
    if (!p.given(name) || p.word("coords") == only) return;
    throw UsageError(fmt::format("--{}: has no effect with --coords {}, only with {}", name,
                                 p.word("coords"), only));
}

}  // namespace

Coordinates coordinates_of(const Parameters& p, char axis) {
    Coordinates coordinates = unresized(p, axis);
    if (p.has("ref-extent")) {
        coordinates.unit = {of_axis(p, "ref-extent", axis),
                            coordinates.unit.denominator * static_cast<double>(extent(p, axis))};
    }
    return coordinates;
}

void check_coordinates(const Parameters& p) {
    check_effect(p, "start", "index");
    check_effect(p, "step", "index");
    check_effect(p, "normalize", "cells");
    if (p.has("ref-extent")) check_of_axes(p, "ref-extent");
    for (const char axis : axes_of(p)) {
        check_last_position(extent_name(axis), p.real("start"), p.real("step"), extent(p, axis));
    }
}

}  // namespace pegen::encodings
