#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/number.h"
#include "recognition/evidence/bounds.h"
#include "recognition/evidence/point_grid.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/images/grid_nestings.h"
#include "recognition/images/grid_waves.h"

namespace pegen::recognition {
namespace {

using evidence::PointGrid;
using evidence::Proposal;
using evidence::Sample;

/// An array as points and channels, and the reading of its grid.
struct FramedGrid {
    const evidence::Sample& points;  ///< (points, channels)
    const evidence::PointGrid& grid;
    std::string_view names;  ///< names of the grid's axes, slowest first
    std::string_view view;   ///< --view
    bool is_by_columns;
};

/// The proposals for a grid, without repetitions.
class GridProposals {
  public:
    /// Adds the proposals for the grid with this nesting.
    void add(const FramedGrid& framed, const ProposedNesting& proposed);

    /// Returns the cheapest proposals, by the bits of their numbers.
    std::vector<evidence::Proposal> found() &&;

  private:
    void add(evidence::Proposal proposal);

    std::vector<evidence::Proposal> found_;
};

using evidence::Measured;
using evidence::Setting;
using evidence::SimpleNumber;

/// The numbers of a grid's waves, value = radius * sin or cos((start + step * index) * base^(-2k /
/// (channels - shift))). Lists have the order of the PointGrid's axes.
struct GridNumbers {
    double radius;
    double shift;
    std::vector<double> bases, starts, steps;
};

using numerics::ChannelRun;
using numerics::Function;

struct Wave {
    double radius;
    double position;
    double exponent;  ///< of the base
};

/// A value of the array, and the largest error of the value.
struct Cell {
    double value;
    double reach;
};

/// Narrows `allowed` to the logarithms of the base, near `log_base`, with which the wave agrees
/// with the cell. The wave is replaced by its tangent at `log_base`.
void narrow(evidence::Bounds& allowed, const Wave& wave, const Cell& cell, Function function,
            double log_base) {
    const double angle = wave.position * std::exp(wave.exponent * log_base);
    const bool is_sine = function == Function::sin;
    const double expected = wave.radius * (is_sine ? std::sin(angle) : std::cos(angle));
    const double slope =
        wave.radius * (is_sine ? std::cos(angle) : -std::sin(angle)) * angle * wave.exponent;
    // Near an extremum of the wave, the tangent gives no bounds.
    if (std::fabs(slope) < 4 * cell.reach) return;
    const double a = (cell.value - cell.reach - expected) / slope;
    const double b = (cell.value + cell.reach - expected) / slope;
    allowed.low = std::max(allowed.low, log_base + std::min(a, b));
    allowed.high = std::min(allowed.high, log_base + std::max(a, b));
}

/// Returns the bases near the given ones with which the values along all axes round to the array's
/// values: values of few digits determine a base more sharply together than by their angles. If the
/// given bases are the same, one base is found for all axes. None if there are no such bases, or if
/// no value depends on them.
std::optional<std::vector<Measured>> bases_by_rounding(const evidence::Sample& points,
                                                       const evidence::PointGrid& grid,
                                                       std::string_view names,
                                                       const encodings::GridNesting& nesting,
                                                       const GridNumbers& numbers) {
    std::vector<double> logs;
    for (const double base : numbers.bases) logs.push_back(std::log(base));
    const bool is_shared = std::ranges::adjacent_find(logs, std::not_equal_to()) == logs.end();
    std::vector<evidence::Bounds> allowed;  // of the logarithms of the bases
    // The first tangent is not yet at the final base, so the bounds are loose at first.
    for (const double slack : {4.0, 2.0, 1.0, 1.0}) {
        allowed.assign(logs.size(), {});
        for (std::size_t axis = 0; axis < names.size(); ++axis) {
            const auto channels =
                static_cast<double>(nesting.channels[nesting.axes.find(names[axis])]);
            evidence::Bounds& of_axis = allowed[is_shared ? 0 : axis];
            const std::vector<std::int64_t> rows = grid.line(axis, points);
            for (const ChannelRun& run : layout_of(nesting, names[axis]).runs) {
                for (std::int64_t k = 1; k < run.count; ++k) {
                    const std::int64_t column = run.first_channel + k * run.channel_stride;
                    if (column >= points.extents.back()) continue;
                    for (std::size_t index = 0; index < rows.size(); ++index) {
                        const Wave wave{
                            numbers.radius,
                            numbers.starts[axis] + numbers.steps[axis] * static_cast<double>(index),
                            -2 * static_cast<double>(k) / (channels - numbers.shift)};
                        const double value =
                            points.values[rows[index] * points.extents.back() + column];
                        narrow(of_axis, wave, {value, slack * points.error_of(value)}, run.function,
                               logs[axis]);
                    }
                }
            }
        }
        for (std::size_t axis = 0; axis < logs.size(); ++axis) {
            const evidence::Bounds& of_axis = allowed[is_shared ? 0 : axis];
            if (of_axis.is_empty()) return std::nullopt;
            if (of_axis.is_bounded()) logs[axis] = of_axis.middle();
        }
    }
    std::vector<Measured> bases;
    for (std::size_t axis = 0; axis < logs.size(); ++axis) {
        const evidence::Bounds& of_axis = allowed[is_shared ? 0 : axis];
        if (!of_axis.is_bounded()) return std::nullopt;
        const double base = std::exp(logs[axis]);
        bases.push_back({base, base * (of_axis.high - of_axis.low) / 2});
    }
    return bases;
}

/// A factor of all frequencies, for --freq-scale.
struct Scale {
    std::string text;
    double value;
};

/// The number chosen within an error: the simplest, or the one with all measured digits.
enum class Digits { fewest, all };

SimpleNumber typed(const Measured& number, Digits digits) {
    const std::vector<SimpleNumber> numbers = evidence::simple_numbers(number);
    if (numbers.empty()) return {"0", 0, 1};
    if (digits == Digits::fewest) return numbers.front();
    return *std::ranges::max_element(
        numbers, {}, [](const SimpleNumber& candidate) { return candidate.text.size(); });
}

/// The numbers of all axes, and their text.
struct TypedList {
    std::vector<double> values;  ///< in the order of the PointGrid's axes
    std::string text;
};

/// Returns a list in which all axes have this number.
TypedList shared(const SimpleNumber& number, std::size_t axes) {
    return {std::vector<double>(axes, number.value), number.text};
}

/// Returns one number if all axes may have the same, or else a list. The text of a list has the
/// order t, y, x.
TypedList typed_list(const std::vector<Measured>& numbers, std::string_view names, Digits digits) {
    const Measured& sharpest = *std::ranges::min_element(numbers, {}, &Measured::error);
    const bool are_same = std::ranges::all_of(numbers, [&](const Measured& number) {
        return std::fabs(number.value - sharpest.value) <= number.error + sharpest.error;
    });
    if (are_same) return shared(typed(sharpest, digits), numbers.size());
    TypedList list{std::vector<double>(numbers.size()), ""};
    for (const char axis : std::string_view("tyx")) {
        const std::size_t at = names.find(axis);
        if (at == names.npos) continue;
        const SimpleNumber number = typed(numbers[at], digits);
        list.values[at] = number.value;
        list.text += (list.text.empty() ? "" : ",") + number.text;
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

/// The numbers of a grid's waves as text and values.
struct TypedWaves {
    TypedList starts, steps;
    SimpleNumber radius;
    Scale scale;
    double shift;

    /// Returns the numbers with positions in radians of the fastest frequency.
    GridNumbers numbers(const std::vector<double>& bases) const {
        GridNumbers all{radius.value, shift, bases, starts.values, steps.values};
        for (double& start : all.starts) start *= scale.value;
        for (double& step : all.steps) step *= scale.value;
        return all;
    }
};

/// Returns the lists of bases that may be typed for a spacing.
std::vector<TypedList> bases_of(const FramedGrid& framed, const ProposedNesting& proposed,
                                const GridSpacing& spacing, const TypedWaves& waves) {
    std::vector<Measured> exact;
    for (const double base : spacing.bases) exact.push_back({base, 0});
    std::vector<TypedList> lists{typed_list(exact, framed.names, Digits::fewest)};
    constexpr int few_digits = 11;
    if (framed.points.precision.digits > few_digits) return lists;
    const auto sharper = bases_by_rounding(framed.points, framed.grid, framed.names,
                                           proposed.nesting, waves.numbers(spacing.bases));
    if (!sharper) return lists;
    lists.push_back(typed_list(*sharper, framed.names, Digits::fewest));
    for (const SimpleNumber& number : evidence::simple_numbers(sharper->front(), 2)) {
        lists.push_back(shared(number, spacing.bases.size()));
    }
    return lists;
}

void set(Proposal& proposal, std::string_view name, std::string text, std::string_view usual) {
    if (text != usual) proposal.settings.push_back({name, std::move(text)});
}

std::vector<Setting> extents_of(const FramedGrid& framed) {
    std::vector<Setting> settings;
    for (std::size_t i = 0; i < framed.names.size(); ++i) {
        const char axis = framed.names[i];
        settings.push_back({axis == 't'   ? "depth"
                            : axis == 'y' ? "height"
                                          : "width",
                            fmt::format("{}", framed.grid.extents[i])});
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

void add_waves(Proposal& proposal, const TypedList& bases, const TypedWaves& waves) {
    set(proposal, "base", bases.text, "10000");
    set(proposal, "denom-shift", shortest(waves.shift), "0");
    set(proposal, "start", waves.starts.text, "0");
    set(proposal, "step", waves.steps.text, "1");
    set(proposal, "freq-scale", waves.scale.text, "1");
    set(proposal, "out-scale", waves.radius.text, "1");
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

void GridProposals::add(const FramedGrid& framed, const ProposedNesting& proposed) {
    const auto measured = measured_grid(framed.points, framed.grid, framed.names, proposed.nesting);
    if (!measured) return;
    for (const GridSpacing& spacing : grid_spacings(*measured)) {
        const auto places = places_of(*measured, spacing);
        if (!places) continue;
        const auto angle = angle_of(framed, proposed.nesting, *places, spacing);
        for (const Scale& scale : scales_of(*places)) {
            for (const Digits digits : {Digits::fewest, Digits::all}) {
                const TypedWaves waves{
                    typed_list(divided(places->starts, scale.value), framed.names, digits),
                    typed_list(divided(places->steps, scale.value), framed.names, digits),
                    typed(measured->radius, digits), scale, spacing.shift};
                for (const TypedList& bases : bases_of(framed, proposed, spacing, waves)) {
                    Proposal proposal{.settings = extents_of(framed), .angle = angle};
                    add_nesting(proposal, framed, proposed);
                    add_waves(proposal, bases, waves);
                    add(std::move(proposal));
                }
            }
        }
    }
}

void GridProposals::add(Proposal proposal) {
    const auto is_same = [&](const Proposal& other) {
        return std::ranges::equal(other.settings, proposal.settings,
                                  [](const Setting& a, const Setting& b) {
                                      return a.name == b.name && a.value == b.value;
                                  });
    };
    if (std::ranges::none_of(found_, is_same)) found_.push_back(std::move(proposal));
}

std::vector<Proposal> GridProposals::found() && {
    std::ranges::stable_sort(found_, {}, bits_of);
    constexpr std::size_t most = 48;
    if (found_.size() > most) found_.resize(most);
    return std::move(found_);
}

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

/// Adds the proposals for a grid of these extents. `points` is (points, channels).
void add_view(GridProposals& proposals, const Sample& points, std::vector<std::int64_t> extents,
              std::string_view view) {
    const std::string_view names = extents.size() == 3 ? "tyx" : "yx";
    const auto grid = evidence::point_grid(points, 0, std::move(extents));
    if (!grid) return;
    for (const ProposedNesting& nesting : nestings_of(*grid, names)) {
        proposals.add({points, *grid, names, view, false}, nesting);
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

}  // namespace pegen::recognition
