#include "inspect/overlap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/shape.h"

namespace pegen {
namespace {

/// Returns the distance from 0 of the position at an index of an axis of positions.
double distance_at(const Axis& axis, std::int64_t index) {
    if (!is_shifted_along(axis)) return 0;
    return std::fabs(axis.positions ? (*axis.positions)[index] : static_cast<double>(index));
}

/// The indices first, ..., first + count - 1 of an axis of the first table; the matching indices in
/// the second table are `shift` higher.
struct CommonPart {
    std::int64_t first;
    std::int64_t count;
    std::int64_t shift;
};

/// Returns the part that both tables have along each axis; empty if too little is left to compare.
std::vector<CommonPart> common_parts(const PositionTable& first, const PositionTable& second,
                                     std::int64_t shift) {
    std::vector<CommonPart> parts;
    for (std::size_t axis = 0; axis < first.extents.size(); ++axis) {
        const bool is_shifted =
            is_shifted_along(first.axes[axis]) && is_shifted_along(second.axes[axis]);
        const std::int64_t own_shift = is_shifted ? shift : 0;
        const std::int64_t begin = std::max<std::int64_t>(0, -own_shift);
        const std::int64_t shorter = std::min(first.extents[axis], second.extents[axis]);
        const std::int64_t count =
            std::min(first.extents[axis], second.extents[axis] - own_shift) - begin;
        if (count < std::clamp<std::int64_t>(shorter, 1, 2) || count < shorter / 2) return {};
        parts.push_back({begin, count, own_shift});
    }
    return parts;
}

}  // namespace

bool is_zero(const PositionTable& table, std::size_t position) {
    return std::ranges::all_of(
        table.channels, [&](const std::vector<double>& channel) { return channel[position] == 0; });
}

Overlap overlap_of(const PositionTable& first, const PositionTable& second,
                   const Alignment& alignment, const Closeness& closeness) {
    const std::vector<CommonPart> parts = common_parts(first, second, alignment.shift);
    if (parts.empty()) return {closeness, {}, {}, {}, {}};
    const std::vector<std::int64_t> of_first = strides_of(first.extents);
    const std::vector<std::int64_t> of_second = strides_of(second.extents);
    Overlap overlap{closeness, {}, {}, {}, {}};
    std::vector<std::int64_t> index(parts.size(), 0);
    for (bool is_done = false; !is_done;) {
        std::int64_t p = 0, q = 0;
        double position = 0;
        for (std::size_t axis = 0; axis < parts.size(); ++axis) {
            const std::int64_t i = parts[axis].first + index[axis], j = i + parts[axis].shift;
            p += i * of_first[axis];
            q += j * of_second[axis];
            if (closeness.is_exact()) continue;
            position = std::max(
                {position, distance_at(first.axes[axis], i), distance_at(second.axes[axis], j)});
        }
        if (alignment.is_without_zeros && (is_zero(first, p) || is_zero(second, q))) {
            overlap.zeros.push_back(p);
        } else {
            overlap.first.push_back(p);
            overlap.second.push_back(q);
            overlap.positions.push_back(position);
        }
        std::size_t axis = parts.size();
        while (axis > 0 && ++index[axis - 1] == parts[axis - 1].count) index[--axis] = 0;
        is_done = axis == 0;
    }
    return overlap;
}

double difference(double a, double b) {
    if (bits_of(a) == bits_of(b)) return 0;
    if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
    return std::fabs(a - b);
}

}  // namespace pegen
