#include "encodings/points/fourier_recognition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/dtype.h"
#include "core/to_size.h"
#include "encodings/points/fourier_channels.h"
#include "encodings/points/fourier_ends.h"
#include "encodings/points/fourier_scales.h"
#include "encodings/points/fourier_waves.h"
#include "evidence/point_grid.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::PointGrid;
using evidence::Proposal;
using evidence::Sample;
using evidence::SimpleNumber;

using Places = std::vector<Measured>;

constexpr std::array forms{BandForm::pow2, BandForm::linear, BandForm::geometric};

/// Everything that is known of an interpretation but the coordinates.
struct Features {
    const Sample& sample;
    FourierChannels channels;
};

void add_channels(Proposal& proposal, const FourierChannels& channels, const AllBands& bands,
                  const Scale& scale) {
    const auto set = [&](std::string_view name, std::string text, std::string_view usual) {
        if (text != usual) proposal.settings.push_back({name, std::move(text)});
    };
    set("freqs", freqs_text(bands, scale.unit), "pow2:10");
    set("freq-scale", scale.text, "1");
    set("order", channels.order, "akf");
    set("first", channels.is_sin_first ? "sin" : "cos", "sin");
    set("raw", channels.raw, "none");
}

/// Returns the magnitude of the frequency of each column, and its axis: for angles.
struct ColumnWave {
    std::size_t axis = 0;
    double frequency = 0;
};

std::vector<ColumnWave> column_waves(const FourierChannels& channels, const AllBands& bands) {
    std::vector<ColumnWave> columns(to_size(channels.count()));
    for (std::int64_t rank = 0; rank < channels.axes; ++rank) {
        for (const numerics::ChannelRun& run : layout(channels, rank).runs) {
            for (std::int64_t k = 0; k < run.count; ++k) {
                columns[to_size(run.first_channel + k * run.channel_stride)] = {
                    to_size(rank), std::fabs(bands[to_size(rank)].frequencies[to_size(k)])};
            }
        }
    }
    return columns;
}

/// Returns the slope of the places over the raw coordinates; none if they are not proportional.
std::optional<Measured> slope_over(const std::vector<double>& raw, const Places& places,
                                   const Sample& sample) {
    double squares = 0, products = 0, largest = 0, largest_raw = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        squares += raw[i] * raw[i];
        products += raw[i] * places[i].value;
        largest = std::max(largest, std::fabs(places[i].value));
        largest_raw = std::max(largest_raw, std::fabs(raw[i]));
    }
    if (!(squares > 0)) return std::nullopt;
    const double slope = products / squares;
    std::size_t astray = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        astray += std::fabs(places[i].value - slope * raw[i]) > 0.02 * largest ? 1 : 0;
    }
    if (8 * astray > raw.size()) return std::nullopt;
    const double share = sample.error_of(largest_raw) / largest_raw + 1e-5;
    return Measured{slope, share * std::fabs(slope)};
}

std::vector<double> raw_at(const Features& features, std::int64_t rank,
                           const std::vector<std::int64_t>& rows) {
    std::vector<double> raw;
    const std::int64_t column = raw_column(features.channels, rank);
    for (const std::int64_t row : rows) {
        raw.push_back(features.sample.values[to_size(row * features.channels.count() + column)]);
    }
    return raw;
}

std::optional<AllBands> bands_at(const Features& features, BandForm form,
                                 const std::vector<std::vector<std::int64_t>>& rows_of_axes,
                                 bool are_in_line) {
    AllBands all;
    for (std::int64_t rank = 0; rank < features.channels.axes; ++rank) {
        const std::vector<std::int64_t>& rows = rows_of_axes[to_size(rank)];
        const auto angles = fourier_angles(features.sample, features.channels, rank, rows);
        if (!angles || !is_possible(form, *angles)) return std::nullopt;
        FourierRows about{are_in_line, {}};
        if (features.channels.is_raw()) about.raw = raw_at(features, rank, rows);
        auto bands = fourier_bands(form, *angles, features.sample, about);
        if (!bands) return std::nullopt;
        all.push_back(std::move(*bands));
    }
    return all;
}

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

void add_grid(std::vector<Proposal>& proposals, const Features& features, BandForm form,
              const PointGrid& grid) {
    const FourierChannels& channels = features.channels;
    const std::size_t count = grid.extents.size();
    if (std::cmp_not_equal(channels.axes, count)) return;
    const auto axes = grid_axes(channels, grid);
    if (!axes) return;
    std::vector<std::vector<std::int64_t>> lines;
    for (const std::size_t axis : *axes) lines.push_back(grid.line(axis, features.sample));
    if (std::ranges::any_of(lines, [](const auto& line) { return line.size() < 2; })) return;
    const auto bands = bands_at(features, form, lines, true);
    if (!bands) return;
    std::vector<Ends> ends;
    std::vector<std::int64_t> extents;
    AllBands of_grid(count);  // --freqs counts axes as the grid does
    for (std::size_t rank = 0; rank < count; ++rank) {
        extents.push_back(grid.extents[(*axes)[rank]]);
        ends.push_back(ends_of((*bands)[rank].places, extents.back()));
        of_grid[(*axes)[rank]] = (*bands)[rank];
    }
    const std::string_view names = count == 3 ? "tyx" : "yx";
    std::string order_of_axes;
    for (const std::size_t axis : *axes) order_of_axes += names[axis];
    const auto angle = [columns = column_waves(channels, *bands), ends](std::int64_t,
                                                                        std::int64_t column) {
        const auto [axis, frequency] = columns[to_size(column)];
        return std::max(std::fabs(ends[axis].first.value), std::fabs(ends[axis].last.value)) *
               frequency;
    };
    std::vector<Scale> scales(usual_scales.begin(), usual_scales.end());
    if (channels.is_raw()) {
        const auto slope =
            slope_over(raw_at(features, 0, lines[0]), (*bands)[0].places, features.sample);
        if (!slope) return;
        scales = scales_of(*slope, *bands);
    } else {
        // The last coordinate is 1, or that of the cells' outer border.
        const auto n = static_cast<double>(extents[0]);
        for (const double factor : {1.0, n / (n - 1)}) {
            const auto numbers = evidence::simple_numbers(
                {ends[0].last.value * factor, ends[0].last.error * factor});
            if (numbers.empty() || !(numbers.front().value > 0)) continue;
            if (is_usual(numbers.front().value)) continue;
            scales.push_back({text_of(numbers.front()), numbers.front().value, 1});
        }
    }
    for (const Scale& scale : scales) {
        for (const std::string& coords : coords_of(ends, extents, scale.product())) {
            Proposal proposal{.settings = {}, .angle = angle};
            for (std::size_t axis = 0; axis < count; ++axis) {
                const char name = names[axis];
                proposal.settings.push_back({name == 't'   ? "depth"
                                             : name == 'y' ? "height"
                                                           : "width",
                                             fmt::format("{}", grid.extents[axis])});
            }
            if (order_of_axes != names) proposal.settings.push_back({"axes", order_of_axes});
            if (coords != "linspace:-1:1") proposal.settings.push_back({"coords", coords});
            add_channels(proposal, channels, of_grid, scale);
            proposals.push_back(std::move(proposal));
        }
    }
}

/// Returns the coordinates as a table (points, axes) of float64: those of float32 where the array
/// allows them.
Table table_of(const std::vector<Places>& axes, double factor) {
    const std::size_t points = axes.front().size();
    auto values = std::make_shared<std::vector<double>>();
    for (std::size_t point = 0; point < points; ++point) {
        for (const Places& places : axes) {
            const double exact = places[point].value / factor;
            const auto single = static_cast<double>(static_cast<float>(exact));
            const bool is_single =
                std::fabs(single - exact) <= places[point].error / std::fabs(factor);
            values->push_back(is_single ? single : exact);
        }
    }
    Table table;
    const auto columns = std::ssize(axes);
    table.shape = Shape{static_cast<std::int64_t>(points), columns};
    table.dtype = DType::float64;
    table.axes.assign(2, Axis{});
    table.rows = rounded(
        [values, columns](RowRange range, std::span<double> out) {
            std::copy_n(values->begin() + range.first * columns, range.count * columns,
                        out.begin());
        },
        columns, DType::float64);
    return table;
}

void add_points(std::vector<Proposal>& proposals, const Features& features, BandForm form) {
    const Sample& sample = features.sample;
    const FourierChannels& channels = features.channels;
    if (sample.leading != sample.extents.front()) return;
    std::vector<std::int64_t> rows(to_size(sample.leading));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    const auto bands = bands_at(features, form, std::vector(to_size(channels.axes), rows), false);
    if (!bands) return;
    std::vector<Places> places, raw;
    for (std::int64_t rank = 0; rank < channels.axes; ++rank) {
        places.push_back((*bands)[to_size(rank)].places);
        if (!channels.is_raw()) continue;
        Places& of_axis = raw.emplace_back();
        for (const double value : raw_at(features, rank, rows)) of_axis.push_back({value, 0});
    }
    const auto is_whole = [](const Measured& place) {
        return std::fabs(place.value - std::rint(place.value)) < 1e-3;
    };
    // Waves at whole positions in whatever order are no Fourier features.
    const bool are_whole = std::ranges::any_of(
        places, [&](const Places& axis) { return std::ranges::all_of(axis, is_whole); });
    if (are_whole && form == BandForm::geometric) return;

    std::vector<Scale> scales{{"1", 1, 1}};
    if (channels.is_raw()) {
        const auto slope = slope_over(raw_at(features, 0, rows), places[0], sample);
        if (!slope) return;
        scales = scales_of(*slope, *bands);
    }
    const auto angle = [columns = column_waves(channels, *bands), places](std::int64_t row,
                                                                          std::int64_t column) {
        const auto [axis, frequency] = columns[to_size(column)];
        return std::fabs(places[axis][to_size(row)].value) * frequency;
    };
    for (const Scale& scale : scales) {
        for (const bool is_raw : {true, false}) {
            if (is_raw && raw.empty()) continue;
            Proposal proposal{.settings = {}, .angle = angle};
            proposal.data.push_back(
                {"points", "points.npy",
                 is_raw ? table_of(raw, 1) : table_of(places, scale.product())});
            add_channels(proposal, channels, *bands, scale);
            proposals.push_back(std::move(proposal));
        }
    }
}

/// Returns rows from all over the array, few enough for a quick look.
std::vector<std::int64_t> probe_rows(const Sample& sample) {
    constexpr std::int64_t most = 40;
    const std::int64_t step = std::max<std::int64_t>(1, sample.leading / most);
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < sample.leading; row += step) rows.push_back(row);
    return rows;
}

/// True if the array may have these channels and frequencies of this form, by a few rows.
bool is_possible(const Features& features, BandForm form, const std::vector<std::int64_t>& rows) {
    for (std::int64_t rank = 0; rank < features.channels.axes; ++rank) {
        const auto angles = fourier_angles(features.sample, features.channels, rank, rows);
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
        const Features features{array, channels};
        for (const BandForm form : forms) {
            if (proposals.size() >= most_proposals) break;
            if (form == BandForm::geometric && channels.axes == 1) continue;
            if (!is_possible(features, form, rows)) continue;
            if (!grids) grids = evidence::point_grids(array, 0);
            const std::size_t before = proposals.size();
            for (const PointGrid& grid : *grids) add_grid(proposals, features, form, grid);
            if (proposals.size() == before) add_points(proposals, features, form);
        }
    }
    return proposals;
}

}  // namespace pegen::encodings
