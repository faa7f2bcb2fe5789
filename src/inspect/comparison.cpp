#include "inspect/comparison.h"

#include <cassert>

#include "core/shape.h"
#include "inspect/overlap.h"

namespace pegen {
namespace {

/// Returns the axes of positions. An axis that counts heads or the like in one of the tables is
/// taken from that table, so that positions are not shifted along it.
std::vector<Axis> common_axes(const PositionTable& first, const PositionTable& second) {
    std::vector<Axis> axes = first.axes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (!is_shifted_along(second.axes[axis])) axes[axis] = second.axes[axis];
    }
    return axes;
}

}  // namespace

Comparison compare(const PositionTable& first, const PositionTable& second,
                   const Closeness& closeness) {
    assert(first.channels.size() <= second.channels.size());
    if (first.extents.size() != second.extents.size()) {
        return compare(flattened(first), flattened(second), closeness);
    }
    Comparison result{.axes = common_axes(first, second),
                      .compared = 0,
                      .differing = 0,
                      .largest = 0,
                      .place = {},
                      .channel = 0,
                      .rearrangement = find_rearrangement(first, second, {})};
    if (!result.rearrangement && !closeness.is_exact()) {
        result.rearrangement = find_rearrangement(first, second, closeness);
    }
    const Overlap overlap = overlap_of(first, second, {0, false}, {});
    for (std::size_t i = 0; i < overlap.first.size(); ++i) {
        for (std::size_t c = 0; c < first.channels.size(); ++c) {
            const double apart = difference(first.channels[c][overlap.first[i]],
                                            second.channels[c][overlap.second[i]]);
            ++result.compared;
            if (apart > 0) ++result.differing;
            if (apart > result.largest) {
                result.largest = apart;
                result.place = index_of(static_cast<std::int64_t>(overlap.first[i]), first.extents);
                result.channel = static_cast<std::int64_t>(c);
            }
        }
    }
    return result;
}

}  // namespace pegen
