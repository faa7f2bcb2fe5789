#include "encodings/points/fourier_grids.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/to_size.h"
#include "encodings/points/coordinates.h"
#include "encodings/points/fourier_ends.h"
#include "encodings/points/fourier_fits.h"
#include "encodings/points/fourier_scales.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::PointGrid;
using evidence::Proposal;

/// Returns for each axis of the channels the axis of the grid that its columns depend on; none if
/// they depend on several.
std::optional<std::vector<std::size_t>> grid_axes(const FourierChannels& channels,
                                                  const PointGrid& grid) {
    std::vector<std::size_t> axes;
    for (std::int64_t rank = 0; rank < channels.axes; ++rank) {
        int axis = PointGrid::no_axis;
        for (const numerics::ChannelRun& run : layout(channels, rank).runs) {
            for (std::int64_t k = 0; k < run.count; ++k) {
                const int of_column =
                    grid.axis_of_column[to_size(run.first_channel + k * run.channel_stride)];
                if (of_column == PointGrid::no_axis) continue;
                if (axis != PointGrid::no_axis && axis != of_column) return std::nullopt;
                axis = of_column;
            }
        }
        if (axis == PointGrid::no_axis) return std::nullopt;
        if (std::ranges::count(axes, static_cast<std::size_t>(axis)) > 0) return std::nullopt;
        axes.push_back(static_cast<std::size_t>(axis));
    }
    return axes;
}

/// The grid as the axes of the channels see it, by rank.
struct Lines {
    std::vector<std::size_t> grid_axes;
    std::vector<std::vector<std::int64_t>> rows;  ///< of the array
    std::vector<FourierLine> waves;
};

std::optional<Lines> lines_of(const FourierArray& array, BandForm form, const PointGrid& grid) {
    if (std::cmp_not_equal(array.channels.axes, grid.extents.size())) return std::nullopt;
    auto axes = grid_axes(array.channels, grid);
    if (!axes) return std::nullopt;
    Lines lines{std::move(*axes), {}, {}};
    for (std::size_t rank = 0; rank < lines.grid_axes.size(); ++rank) {
        const std::size_t axis = lines.grid_axes[rank];
        std::vector<std::int64_t> rows = grid.line(axis, array.sample);
        if (rows.size() < 2) return std::nullopt;
        auto angles = fourier_angles(array.sample, array.channels, std::ssize(lines.rows), rows);
        if (!angles || !is_possible(form, *angles)) return std::nullopt;
        auto line = fourier_line(form, std::move(*angles), grid.extents[axis], array.sample);
        if (!line) return std::nullopt;
        lines.rows.push_back(std::move(rows));
        lines.waves.push_back(std::move(*line));
    }
    return lines;
}

std::vector<std::int64_t> extents_of(const Lines& lines) {
    std::vector<std::int64_t> extents;
    for (const FourierLine& line : lines.waves) extents.push_back(line.extent);
    return extents;
}

/// Returns what --coords the raw channels may show.
std::vector<std::string> raw_coords(const FourierArray& array, const Lines& lines) {
    std::vector<Ends> ends;
    for (std::size_t rank = 0; rank < lines.rows.size(); ++rank) {
        std::vector<Measured> places;
        for (const double value :
             raw_at(array, static_cast<std::int64_t>(rank), lines.rows[rank])) {
            places.push_back({value, array.sample.error_of(value)});
        }
        ends.push_back(ends_of(places, lines.waves[rank].extent));
    }
    return coords_of(ends, extents_of(lines), 1);
}

/// Returns the --coords that are usual, and those that waves of a usual --freq-scale show.
std::vector<std::string> tried_coords(const Lines& lines, std::size_t first) {
    std::vector<std::string> coords{"linspace:-1:1",     "linspace:0:1", "center:1",
                                    "linspace:-0.5:0.5", "center:0.5",   "center:512"};
    std::vector<Ends> ends;
    for (const FourierLine& line : lines.waves) {
        const evidence::Turning& turning = line.turnings[first];
        const auto last = static_cast<double>(line.extent - 1);
        const double turns = 2 * std::numbers::pi *
                             std::rint((turning.phase.value + turning.advance.value * last / 2) /
                                       (2 * std::numbers::pi));
        const Measured begin{turning.phase.value - turns, turning.phase.error};
        ends.push_back({begin,
                        {begin.value + turning.advance.value * last,
                         begin.error + turning.advance.error * last}});
    }
    for (const Scale& scale : usual_scales) {
        for (std::string& text : coords_of(ends, extents_of(lines), scale.value)) {
            if (std::ranges::count(coords, text) == 0) coords.push_back(std::move(text));
        }
    }
    return coords;
}

/// Returns the coordinates of each axis; none if they do not differ.
std::optional<std::vector<std::vector<double>>> coordinates_of(const std::string& coords,
                                                               const Lines& lines) {
    std::vector<std::vector<double>> all;
    for (const FourierLine& line : lines.waves) {
        const numerics::Coordinates along = grid_coordinates(coords, line.extent);
        std::vector<double>& of_axis = all.emplace_back();
        for (std::size_t i = 0; i < line.angles.front().size(); ++i) {
            of_axis.push_back(along.for_rounding_to(DType::float64, static_cast<std::int64_t>(i)));
        }
        if (of_axis[0] == of_axis[1]) return std::nullopt;
    }
    return all;
}

/// The settings that name points and axes.
std::vector<evidence::Setting> point_settings(const PointGrid& grid, const Lines& lines,
                                              const std::string& coords) {
    const std::string_view names = grid.extents.size() == 3 ? "tyx" : "yx";
    std::vector<evidence::Setting> settings;
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
        const char name = names[axis];
        settings.push_back({name == 't'   ? "depth"
                            : name == 'y' ? "height"
                                          : "width",
                            fmt::format("{}", grid.extents[axis])});
    }
    std::string order;
    for (const std::size_t axis : lines.grid_axes) order += names[axis];
    if (order != names) settings.push_back({"axes", order});
    if (coords != "linspace:-1:1") settings.push_back({"coords", coords});
    return settings;
}

struct Priced {
    double bits;
    Proposal proposal;
};

/// Adds the features of these coordinates.
void add_features(std::vector<Priced>& found, const FourierArray& array, const PointGrid& grid,
                  const Lines& lines, BandForm form, const std::string& coords) {
    const auto coordinates = coordinates_of(coords, lines);
    if (!coordinates) return;
    const double bits_of_coords = coords == "linspace:-1:1" ? 0 : 10;
    for (const FourierFit& fit : fourier_fits(form, lines.waves, *coordinates, array.sample)) {
        std::vector<std::vector<double>> frequencies;
        std::vector<double> reaches;
        AllBands of_grid(fit.bands.size());  // --freqs counts axes as the grid does
        for (std::size_t rank = 0; rank < fit.bands.size(); ++rank) {
            of_grid[lines.grid_axes[rank]] = fit.bands[rank];
            frequencies.push_back(fit.bands[rank].frequencies);
            const std::vector<double>& along = (*coordinates)[rank];
            const auto extent = static_cast<double>(lines.waves[rank].extent);
            reaches.push_back(fit.scale.product() *
                              (std::fabs(along[0]) + std::fabs(along[1] - along[0]) * extent));
        }
        const auto angle = [columns = column_waves(array.channels, frequencies), reaches](
                               std::int64_t, std::int64_t column) {
            const auto [rank, frequency] = columns[to_size(column)];
            return reaches[rank] * frequency;
        };
        Proposal proposal{.settings = point_settings(grid, lines, coords), .angle = angle};
        add_channels(proposal, array.channels, freqs_text(of_grid, fit.scale.unit), fit.scale.text);
        found.push_back({bits_of_coords + fit.bits, std::move(proposal)});
    }
}

}  // namespace

std::vector<Proposal> fourier_of_grid(const FourierArray& array, BandForm form,
                                      const PointGrid& grid) {
    const auto lines = lines_of(array, form, grid);
    if (!lines) return {};
    const std::size_t first = is_still(lines->waves.front().angles.front()) ? 1 : 0;
    std::vector<Priced> found;
    for (const std::string& coords :
         array.channels.is_raw() ? raw_coords(array, *lines) : tried_coords(*lines, first)) {
        add_features(found, array, grid, *lines, form, coords);
    }
    std::ranges::stable_sort(found, {}, &Priced::bits);
    constexpr std::size_t most = 24;
    std::vector<Proposal> proposals;
    for (Priced& priced : found) {
        if (proposals.size() == most) break;
        proposals.push_back(std::move(priced.proposal));
    }
    return proposals;
}

}  // namespace pegen::encodings
