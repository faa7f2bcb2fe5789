#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/number.h"
#include "encodings/parameters/grid_axes.h"
#include "recognition/evidence/point_grid.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/images/grid_waves.h"

namespace pegen::recognition {
namespace {

using evidence::PointGrid;

/// An array as points and channels, and the reading of its grid.
struct FramedGrid {
    const Sample& points;  ///< (points, channels)
    const evidence::PointGrid& grid;
    std::string_view names;  ///< names of the grid's axes, slowest first
    std::string_view view;   ///< --view
    bool is_by_columns;
};

/// A factor of all frequencies, for --freq-scale.
struct Scale {
    std::string text;
    double value;
};

/// Returns the simplest number within the error, as text.
std::string simplest(const Measured& number) {
    const std::vector<SimpleNumber> numbers = evidence::simple_numbers(number);
    return numbers.empty() ? "0" : numbers.front().text;
}

/// Returns one number if all axes may have the same, or else a list in the order t, y, x.
std::string typed_list(const std::vector<Measured>& numbers, std::string_view names) {
    const Measured& sharpest = *std::ranges::min_element(numbers, {}, &Measured::error);
    const bool are_same = std::ranges::all_of(numbers, [&](const Measured& number) {
        return std::fabs(number.value - sharpest.value) <= number.error + sharpest.error;
    });
    if (are_same) return simplest(sharpest);
    std::string list;
    for (const char axis : std::string_view("tyx")) {
        const std::size_t at = names.find(axis);
        if (at == names.npos) continue;
        list += (list.empty() ? "" : ",") + simplest(numbers[at]);
    }
    return list;
}

std::vector<Measured> divided(std::vector<Measured> numbers, double divisor) {
    for (Measured& number : numbers) {
        number = {number.value / divisor, std::fabs(number.error / divisor)};
    }
    return numbers;
}

/// The positions along all axes, multiplied by the factor of the frequencies.
struct Places {
    std::vector<Measured> starts;
    std::vector<Measured> steps;
};

std::optional<Places> places_of(const MeasuredGrid& measured, const GridSpacing& spacing) {
    // An axis of one index shows no step, so the step of another axis is used.
    Measured any_step{1, 0};
    for (const MeasuredAxis& axis : measured.axes) any_step = axis.advance.value_or(any_step);
    Places places;
    for (std::size_t i = 0; i < measured.axes.size(); ++i) {
        const auto start = start_of(measured.axes[i], spacing.bases[i], spacing.shift);
        if (!start) return std::nullopt;
        places.starts.push_back(*start);
        places.steps.push_back(measured.axes[i].advance.value_or(any_step));
    }
    return places;
}

/// Returns the factors of the frequencies that may make the steps simple.
std::vector<Scale> scales_of(const Places& places) {
    std::vector<Scale> scales{{"1", 1}};
    const auto is_one = [](const Measured& step) {
        return std::fabs(step.value - 1) <= step.error;
    };
    if (std::ranges::all_of(places.steps, is_one)) return scales;
    scales.push_back({"pi", std::numbers::pi});
    scales.push_back({"2*pi", 2 * std::numbers::pi});
    const Measured& sharpest = *std::ranges::min_element(places.steps, {}, &Measured::error);
    const SimpleNumber number =
        evidence::simple_numbers({std::fabs(sharpest.value), sharpest.error}).front();
    if (number.value > 0) scales.push_back({number.text, number.value});
    return scales;
}

/// Returns a function for the absolute angle of a cell, for Proposal::angle.
std::function<double(std::int64_t, std::int64_t)> angle_of(const FramedGrid& framed,
                                                           const encodings::GridNesting& nesting,
                                                           const Places& places,
                                                           const GridSpacing& spacing) {
    struct Column {
        std::size_t axis = 0;
        double frequency = 0;
    };
    std::vector<Column> columns(nesting.d);
    for (std::size_t axis = 0; axis < framed.names.size(); ++axis) {
        const auto channels =
            static_cast<double>(nesting.channels[nesting.axes.find(framed.names[axis])]);
        for (const numerics::ChannelRun& run : layout_of(nesting, framed.names[axis]).runs) {
            for (std::int64_t k = 0; k < run.count; ++k) {
                const double exponent =
                    k == 0 ? 0 : -2 * static_cast<double>(k) / (channels - spacing.shift);
                columns[run.first_channel + k * run.channel_stride] = {
                    axis, std::pow(spacing.bases[axis], exponent)};
            }
        }
    }
    const bool is_channels_first = framed.view == "channels-first";
    const std::int64_t points_of_row = framed.view == "grid" ? framed.grid.stride(0) : 1;
    return [columns = std::move(columns), places, grid = framed.grid, is_channels_first,
            points_of_row](std::int64_t row, std::int64_t column) {
        const std::int64_t d = std::ssize(columns);
        const std::int64_t channel = is_channels_first ? row : column % d;
        const std::int64_t point =
            is_channels_first ? column : row * points_of_row + column / d - grid.first_row;
        if (point < 0) return 0.0;
        const auto [axis, frequency] = columns[channel];
        const std::int64_t index = point / grid.stride(axis) % grid.extents[axis];
        return (std::fabs(places.starts[axis].value) +
                std::fabs(places.steps[axis].value) * static_cast<double>(index)) *
               frequency;
    };
}

void set(Proposal& proposal, std::string_view name, std::string text, std::string_view usual) {
    if (text != usual) proposal.settings.push_back({name, std::move(text)});
}

std::vector<Setting> extents_of(const FramedGrid& framed) {
    std::vector<Setting> settings;
    for (std::size_t i = 0; i < framed.names.size(); ++i) {
        const char axis = framed.names[i];
        settings.push_back(
            {encodings::extent_name(axis), fmt::format("{}", framed.grid.extents[i])});
    }
    settings.push_back({"d", fmt::format("{}", framed.grid.axis_of_column.size())});
    return settings;
}

void add_nesting(Proposal& proposal, const FramedGrid& framed, const ProposedNesting& proposed) {
    const encodings::GridNesting& nesting = proposed.nesting;
    set(proposal, "order", nesting.order, "akf");
    set(proposal, "axes", nesting.axes, framed.names.size() == 3 ? "tyx" : "yx");
    set(proposal, "first", nesting.first == numerics::Function::sin ? "sin" : "cos", "sin");
    set(proposal, "split", proposed.split, "equal");
    set(proposal, "odd", proposed.odd, "error");
    set(proposal, "tokens", framed.is_by_columns ? "column" : "row", "row");
    set(proposal, "view", std::string(framed.view), "tokens");
    set(proposal, "prefix-rows", fmt::format("{}", framed.grid.first_row), "0");
}

/// Returns the approximate bits of the numbers and words of a proposal.
double bits_of(const Proposal& proposal) {
    double bits = 0;
    for (const Setting& setting : proposal.settings) {
        constexpr double naming = 2;
        bits += naming + (setting.name == "d" ? 0 : evidence::bits_of_number(setting.value));
    }
    return bits;
}

/// Adds the proposals for the grid with this nesting, unless they are there.
void add(std::vector<Proposal>& proposals, const FramedGrid& framed,
         const ProposedNesting& proposed) {
    const auto measured = measured_grid(framed.points, framed.grid, framed.names, proposed.nesting);
    if (!measured) return;
    for (const GridSpacing& spacing : grid_spacings(*measured)) {
        const auto places = places_of(*measured, spacing);
        if (!places) continue;
        const auto angle = angle_of(framed, proposed.nesting, *places, spacing);
        std::vector<Measured> bases;
        for (const double base : spacing.bases) bases.push_back({base, 0});
        for (const Scale& scale : scales_of(*places)) {
            Proposal proposal{.settings = extents_of(framed), .angle = angle};
            add_nesting(proposal, framed, proposed);
            const auto list = [&](const std::vector<Measured>& numbers, double divisor) {
                return typed_list(divided(numbers, divisor), framed.names);
            };
            set(proposal, "base", list(bases, 1), "10000");
            set(proposal, "denom-shift", shortest(spacing.shift), "0");
            set(proposal, "start", list(places->starts, scale.value), "0");
            set(proposal, "step", list(places->steps, scale.value), "1");
            set(proposal, "freq-scale", scale.text, "1");
            // Values whose last digits are cut off, not rounded, are smaller by half a unit.
            const bool is_1 = std::fabs(measured->radius.value - 1) <=
                              evidence::unit_of(1, framed.points.precision);
            set(proposal, "out-scale", is_1 ? "1" : simplest(measured->radius), "1");
            const bool is_new = std::ranges::find(proposals, proposal.settings,
                                                  &Proposal::settings) == proposals.end();
            if (is_new) proposals.push_back(std::move(proposal));
        }
    }
}

void add_tokens(std::vector<Proposal>& proposals, const Sample& array) {
    const std::int64_t prefix = evidence::leading_zero_rows(array);
    for (const PointGrid& grid : evidence::point_grids(array, prefix)) {
        for (const bool is_by_columns : {false, true}) {
            const std::string_view names = grid.extents.size() == 3
                                               ? (is_by_columns ? "txy" : "tyx")
                                               : (is_by_columns ? "xy" : "yx");
            const FramedGrid framed{array, grid, names, "tokens", is_by_columns};
            for (const ProposedNesting& nesting : nestings_of(grid, names)) {
                add(proposals, framed, nesting);
            }
        }
    }
}

/// Adds the proposals for a grid of these extents. `points` is (points, channels).
void add_view(std::vector<Proposal>& proposals, const Sample& points,
              std::vector<std::int64_t> extents, std::string_view view) {
    const std::string_view names = extents.size() == 3 ? "tyx" : "yx";
    const auto grid = evidence::point_grid(points, 0, std::move(extents));
    if (!grid) return;
    for (const ProposedNesting& nesting : nestings_of(*grid, names)) {
        add(proposals, {points, *grid, names, view, false}, nesting);
    }
}

/// Returns an array whose last axis is the channels as (points, channels).
Sample channels_last(const Sample& array) {
    Sample points = array;
    const std::int64_t d = array.extents.back();
    const auto in_memory = static_cast<std::int64_t>(array.values.size()) / d;
    points.leading = in_memory;
    points.extents = {in_memory / array.leading * array.extents.front(), d};
    return points;
}

/// Returns an array whose first axis is the channels as (points, channels). Precondition: all
/// values are in memory.
Sample channels_first(const Sample& array) {
    Sample points = array;
    const std::int64_t d = array.extents.front();
    const auto count = static_cast<std::int64_t>(array.values.size()) / d;
    points.extents = {count, d};
    points.leading = count;
    for (std::int64_t point = 0; point < count; ++point) {
        for (std::int64_t channel = 0; channel < d; ++channel) {
            points.values[point * d + channel] = array.values[channel * count + point];
        }
    }
    return points;
}

}  // namespace

/// Returns the proposals for an array as a table of a grid: as tokens, behind rows of zeros, as a
/// grid, or with its channels first.
std::vector<Proposal> recognize_grid(const Sample& array) {
    constexpr std::int64_t most_channels = 1 << 16;
    if (!is_floating(array.table.dtype) || array.leading < 1 || array.values.empty()) return {};
    const std::vector<std::int64_t>& extents = array.extents;
    std::vector<Proposal> proposals;
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
    std::ranges::stable_sort(proposals, {}, bits_of);
    constexpr std::size_t most = 48;
    if (proposals.size() > most) proposals.resize(most);
    return proposals;
}

}  // namespace pegen::recognition
