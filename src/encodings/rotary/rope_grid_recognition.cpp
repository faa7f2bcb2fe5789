#include "encodings/rotary/rope_grid_recognition.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "core/to_size.h"
#include "encodings/rotary/grid_turning.h"
#include "encodings/rotary/grid_vectors.h"
#include "encodings/rotary/usual_spectra.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::Setting;

/// Adds the settings of how the table holds its values.
void add_form(Proposal& proposal, const RotaryColumns& columns) {
    if (columns.table != "sin-cos") {
        proposal.settings.insert(proposal.settings.end(), columns.settings.begin(),
                                 columns.settings.end());
        return;
    }
    if (columns.layout.empty()) {
        proposal.settings.push_back({"layout", "single"});
        proposal.channels = columns.channels;
        return;
    }
    if (columns.layout != "half") {
        proposal.settings.push_back({"layout", std::string(columns.layout)});
    }
    if (!columns.has_cosines_first) return;
    const auto width = std::ssize(columns.pair_of_column);
    for (std::int64_t column = 0; column < width; ++column) {
        proposal.channels.push_back((column + width / 2) % width);
    }
}

/// A table, a grid that its rows may be, and the order of its pairs.
struct Grid {
    const TurningTable& table;
    std::shared_ptr<const GridFrame> frame;
    const Blocks& blocks;
};

/// Returns the magnitude of the angle of each cell.
std::function<double(std::int64_t, std::int64_t)> angles_of(
    const Grid& grid, const GridLines& lines, const std::vector<double>& frequencies) {
    std::vector<Line> line_of_block;
    for (const char axis : grid.blocks.axes)
        line_of_block.push_back(lines.along(*grid.frame, axis));
    return [frame = grid.frame, blocks = grid.blocks, line_of_block,
            pairs = grid.table.columns().pair_of_column,
            frequencies](std::int64_t row, std::int64_t column) {
        const std::int64_t point = frame->point_of[to_size(row)];
        if (point < 0) return 0.0;
        const std::int64_t pair = pairs[to_size(column)];
        const std::size_t rank = blocks.rank_of(pair);
        const double place = line_of_block[rank].at(frame->place(blocks.axes[rank], point));
        return std::fabs(place * frequencies[to_size(pair)]);
    };
}

Proposal proposal_of(const Grid& grid, const GridLines& lines, const GridSpectrum& spectrum) {
    const RotaryColumns& columns = grid.table.columns();
    Proposal proposal{.table = columns.table, .settings = grid.frame->settings()};
    proposal.settings.push_back({"d", std::to_string(2 * grid.table.pairs())});
    if (grid.blocks.axes != grid.frame->axes()) {
        proposal.settings.push_back({"axes", grid.blocks.axes});
    }
    const std::string split = grid.blocks.split(grid.frame->axes());
    if (!split.empty()) proposal.settings.push_back({"split", split});
    for (const auto* const more : {&spectrum.settings.settings, &lines.settings}) {
        proposal.settings.insert(proposal.settings.end(), more->begin(), more->end());
    }
    add_form(proposal, columns);
    proposal.angle = angles_of(grid, lines, spectrum.frequencies);
    return proposal;
}

/// Returns the spectra of usual numbers, as closely as the table has one.
std::vector<GridSpectrum> usual_spectra_at(const GridTurning& turning, const GridLines& lines) {
    std::vector<Line> line_of_block;
    ShownPairs shown{turning.blocks(), {}, {}, turning.is_noisy()};
    for (const char axis : turning.blocks().axes) {
        line_of_block.push_back(lines.along(turning.frame(), axis));
        shown.extents.push_back(static_cast<double>(turning.frame().extent(axis)));
    }
    for (const Closeness closeness : {Closeness::rounded, Closeness::float32}) {
        shown.may_turn = [&](std::int64_t pair, double frequency) {
            const Line& line = line_of_block[turning.blocks().rank_of(pair)];
            return turning.may_turn(pair, frequency, line, closeness);
        };
        const std::vector<GridSpectrum> spectra = usual_spectra(shown);
        if (!spectra.empty()) return spectra;
    }
    return {};
}

/// Returns the spectra of other numbers, of frequencies that are measured.
std::vector<GridSpectrum> fitted_spectra_at(const GridTurning& turning, const GridLines& lines) {
    std::vector<GridSpectrum> spectra;
    const auto axes = turning.measured(lines);
    if (!axes) return spectra;
    std::vector<double> frequencies;
    for (const AxisTurning& axis : *axes) {
        for (const Measured& frequency : axis.frequencies) frequencies.push_back(frequency.value);
    }
    for (RopeSettings& settings : grid_settings(*axes)) {
        spectra.push_back({std::move(settings), frequencies});
    }
    return spectra;
}

/// A proposal and what its numbers cost.
struct Priced {
    Proposal proposal;
    double bits;
};

/// Adds the proposals of all coordinates at which the points may stand. True if there are any.
template <typename SpectraAt>
bool add_spectra(std::vector<Priced>& proposals, const Grid& grid, const SpectraAt& spectra_at) {
    const GridTurning turning(grid.table, *grid.frame, grid.blocks);
    const std::size_t before = proposals.size();
    for (const GridLines& lines : usual_lines()) {
        if (!turning.may_stand_at(lines)) continue;
        constexpr double bits_of_setting = 6;
        const double bits = bits_of_setting * static_cast<double>(lines.settings.size());
        for (const GridSpectrum& spectrum : spectra_at(turning, lines)) {
            proposals.push_back(
                {proposal_of(grid, lines, spectrum), spectrum.settings.bits + bits});
        }
    }
    return proposals.size() != before;
}

void add_columns(std::vector<Priced>& proposals, const Sample& array,
                 const RotaryColumns& columns) {
    const TurningTable exact(array, columns, {1, 0}, exact_arithmetic);
    const TurningTable float32(array, columns, {1, 0}, float32_arithmetic);
    bool is_found = false;
    for (const TokenOrder order : {TokenOrder::rows, TokenOrder::blocks}) {
        for (const GridFrame& frame : grid_frames(float32, order)) {
            const auto shared = std::make_shared<const GridFrame>(frame);
            for (const Blocks& blocks : blocks_of(frame)) {
                const Grid grid{float32, shared, blocks};
                // Fitted numbers are no rivals of usual ones.
                is_found = add_spectra(proposals, grid, usual_spectra_at) || is_found;
                if (is_found) continue;
                is_found = add_spectra(proposals, grid, fitted_spectra_at);
                is_found =
                    add_spectra(proposals, {exact, shared, blocks}, fitted_spectra_at) || is_found;
            }
        }
        if (is_found) return;
    }
}

}  // namespace

std::vector<Proposal> recognize_rope_grid(const Sample& array) {
    if (array.rank() == 1) return recognize_grid_frequencies(array);
    std::vector<Priced> priced;
    for (const RotaryColumns& columns : rotary_columns(array, "half")) {
        constexpr std::int64_t most_pairs = 1024;
        const bool has_axes = columns.pairs() >= 2 && columns.pairs() <= most_pairs;
        if (columns.table == "rotation" || !has_axes) continue;
        add_columns(priced, array, columns);
    }
    std::ranges::stable_sort(priced, {}, &Priced::bits);
    constexpr std::size_t most = 40;
    std::vector<Proposal> proposals;
    for (Priced& one : priced) {
        if (proposals.size() < most) proposals.push_back(std::move(one.proposal));
    }
    return proposals;
}

}  // namespace pegen::encodings
