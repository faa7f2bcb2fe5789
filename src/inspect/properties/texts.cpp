#include "inspect/properties/texts.h"

#include <fmt/format.h>

#include <algorithm>

namespace pegen {

std::string brief(double number) { return fmt::format("{:.3g}", number); }

std::string longer(double number) { return fmt::format("{:.6g}", number); }

std::string not_finite_text(std::int64_t count) {
    return fmt::format("{} {} not finite", count, count == 1 ? "value is" : "values are");
}

std::string text_of(const Displacement& displacement, const PositionVectors& vectors) {
    const std::string text = fmt::format("D = {}", displacement.offset);
    if (vectors.axes.size() == 1) return text;
    return fmt::format("{} along {}", text, vectors.axes[displacement.axis].name);
}

std::string extent_text(const std::vector<Displacement>& displacements,
                        const PositionVectors& vectors) {
    const std::int64_t furthest = std::ranges::max(displacements, {}, &Displacement::offset).offset;
    std::string text = displacements.size() == 1
                           ? fmt::format("offset {}", furthest)
                           : fmt::format("{} offsets up to {}", displacements.size(), furthest);
    if (vectors.axes.size() > 1) text += fmt::format(" along {} axes", vectors.axes.size());
    if (looked_at(vectors) < vectors.count()) {
        text += fmt::format(", each at {} of {} positions", looked_at(vectors), vectors.count());
    }
    return text;
}

}  // namespace pegen
