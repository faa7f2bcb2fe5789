#include "encodings/images/grid_recognition.h"

#include <string_view>
#include <utility>

#include "core/dtype.h"
#include "core/to_size.h"
#include "encodings/images/grid_nestings.h"
#include "encodings/images/grid_proposals.h"
#include "evidence/point_grid.h"

namespace pegen::encodings {
namespace {

using evidence::PointGrid;
using evidence::Proposal;
using evidence::Sample;

void add_tokens(GridProposals& proposals, const Sample& array) {
    const std::int64_t prefix = evidence::leading_zero_rows(array);
    for (const PointGrid& grid : evidence::point_grids(array, prefix)) {
        for (const bool is_by_columns : {false, true}) {
            const std::string_view names = grid.extents.size() == 3
                                               ? (is_by_columns ? "txy" : "tyx")
                                               : (is_by_columns ? "xy" : "yx");
            const FramedGrid framed{array, grid, names, "tokens", is_by_columns};
            for (const ProposedNesting& nesting : nestings_of(grid, names)) {
                proposals.add(framed, nesting);
            }
        }
    }
}

/// Adds what a grid of these extents may be. `points` is (points, channels).
void add_view(GridProposals& proposals, const Sample& points, std::vector<std::int64_t> extents,
              std::string_view view) {
    const std::string_view names = extents.size() == 3 ? "tyx" : "yx";
    const auto grid = evidence::point_grid(points, 0, std::move(extents));
    if (!grid) return;
    for (const ProposedNesting& nesting : nestings_of(*grid, names)) {
        proposals.add({points, *grid, names, view, false}, nesting);
    }
}

/// Returns the values of an array with the channels last as (points, channels).
Sample channels_last(const Sample& array) {
    Sample points = array;
    const std::int64_t d = array.extents.back();
    const auto in_memory = static_cast<std::int64_t>(array.values.size()) / d;
    points.leading = in_memory;
    points.extents = {in_memory / array.leading * array.extents.front(), d};
    return points;
}

/// Returns the values of an array with the channels first as (points, channels). Precondition: all
/// are in memory.
Sample channels_first(const Sample& array) {
    Sample points = array;
    const std::int64_t d = array.extents.front();
    const auto count = static_cast<std::int64_t>(array.values.size()) / d;
    points.extents = {count, d};
    points.leading = count;
    for (std::int64_t point = 0; point < count; ++point) {
        for (std::int64_t channel = 0; channel < d; ++channel) {
            points.values[to_size(point * d + channel)] =
                array.values[to_size(channel * count + point)];
        }
    }
    return points;
}

}  // namespace

std::vector<Proposal> recognize_grid(const Sample& array) {
    constexpr std::int64_t most_channels = 1 << 16;
    if (!is_floating(array.table.dtype) || array.leading < 1 || array.values.empty()) return {};
    const std::vector<std::int64_t>& extents = array.extents;
    GridProposals proposals;
    if (array.rank() == 2 && extents.back() >= 4 && extents.back() <= most_channels) {
        add_tokens(proposals, array);
    }
    if (array.rank() == 3 || array.rank() == 4) {
        if (extents.back() >= 4 && extents.back() <= most_channels) {
            add_view(proposals, channels_last(array), {extents.begin(), extents.end() - 1}, "grid");
        }
        if (extents.front() >= 4 && extents.front() <= most_channels &&
            array.leading == extents.front()) {
            add_view(proposals, channels_first(array), {extents.begin() + 1, extents.end()},
                     "channels-first");
        }
    }
    return std::move(proposals).found();
}

}  // namespace pegen::encodings
