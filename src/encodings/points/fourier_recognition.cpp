#include "encodings/points/fourier_recognition.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/dtype.h"
#include "encodings/points/fourier_angles.h"
#include "encodings/points/fourier_channels.h"
#include "encodings/points/fourier_grids.h"
#include "encodings/points/fourier_points.h"
#include "evidence/point_grid.h"

namespace pegen::encodings {
namespace {

using evidence::PointGrid;
using evidence::Proposal;
using evidence::Sample;

constexpr std::array forms{BandForm::pow2, BandForm::linear, BandForm::geometric};

/// Returns rows from all over the array, few enough for a quick look.
std::vector<std::int64_t> probe_rows(const Sample& sample) {
    constexpr std::int64_t most = 40;
    const std::int64_t step = std::max<std::int64_t>(1, sample.leading / most);
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < sample.leading; row += step) rows.push_back(row);
    return rows;
}

/// True if the array may have these channels and frequencies of this form, by a few rows.
bool is_possible(const FourierArray& array, BandForm form, const std::vector<std::int64_t>& rows) {
    for (std::int64_t rank = 0; rank < array.channels.axes; ++rank) {
        const auto angles = fourier_angles(array.sample, array.channels, rank, rows);
        if (!angles || !is_possible(form, *angles)) return false;
    }
    return true;
}

/// Returns all ways in which so many channels may be nested, the usual ones first.
std::vector<FourierChannels> possible_channels(std::int64_t count) {
    constexpr std::int64_t most_axes = 6, most_frequencies = 1 << 12;
    std::vector<FourierChannels> found;
    for (const char* raw : {"none", "before", "after", "after-each"}) {
        const bool is_raw = std::string_view(raw) != "none";
        for (std::int64_t axes = 1; axes <= most_axes; ++axes) {
            const std::int64_t waves = count - (is_raw ? axes : 0);
            if (waves < 4 * axes || waves % (2 * axes) != 0) continue;
            if (waves / (2 * axes) > most_frequencies) continue;
            for (const char* order : {"akf", "afk", "fak", "kaf", "kfa", "fka"}) {
                if (axes == 1 && order[0] != 'a') continue;
                if (order[0] != 'a' && std::string_view(raw) == "after-each") continue;
                for (const bool is_sin_first : {true, false}) {
                    found.push_back({axes, waves / (2 * axes), order, raw, is_sin_first});
                }
            }
        }
    }
    return found;
}

}  // namespace

std::vector<Proposal> recognize_fourier(const Sample& array) {
    if (array.rank() != 2 || !is_floating(array.table.dtype) || array.leading < 2) return {};
    constexpr std::size_t most_proposals = 32;
    const std::vector<std::int64_t> rows = probe_rows(array);
    std::optional<std::vector<PointGrid>> grids;
    std::vector<Proposal> proposals;
    for (const FourierChannels& channels : possible_channels(array.extents.back())) {
        const FourierArray features{array, channels};
        for (const BandForm form : forms) {
            if (proposals.size() >= most_proposals) break;
            if (form == BandForm::geometric && channels.axes == 1) continue;
            if (!is_possible(features, form, rows)) continue;
            if (!grids) grids = evidence::point_grids(array, 0);
            std::vector<Proposal> more;
            for (const PointGrid& grid : *grids) {
                std::ranges::move(fourier_of_grid(features, form, grid), std::back_inserter(more));
            }
            if (more.empty()) more = fourier_of_points(features, form);
            std::ranges::move(more, std::back_inserter(proposals));
        }
    }
    return proposals;
}

}  // namespace pegen::encodings
