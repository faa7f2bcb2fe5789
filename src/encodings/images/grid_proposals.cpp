#include "encodings/images/grid_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "core/number.h"
#include "core/to_size.h"
#include "encodings/images/grid_bases.h"
#include "encodings/images/grid_waves.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Setting;
using evidence::SimpleNumber;

/// A factor of all frequencies, as --freq-scale.
struct Scale {
    std::string text;
    double value;
};

/// Which of the numbers within an error is written: the simplest, or that with all its digits.
enum class Digits { fewest, all };

SimpleNumber typed(const Measured& number, Digits digits) {
    const std::vector<SimpleNumber> numbers = evidence::simple_numbers(number);
    if (numbers.empty()) return {"0", 0, 1};
    if (digits == Digits::fewest) return numbers.front();
    return *std::ranges::max_element(
        numbers, {}, [](const SimpleNumber& candidate) { return candidate.text.size(); });
}

/// The numbers of all axes, and how they are typed.
struct TypedList {
    std::vector<double> values;  ///< as the axes of the PointGrid
    std::string text;
};

/// Returns one number for all axes.
TypedList shared(const SimpleNumber& number, std::size_t axes) {
    return {std::vector<double>(axes, number.value), number.text};
}

/// Returns one number if all may be the same, else a list. Lists name axes in the order t, y, x.
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

/// What is known of the positions along all axes, times the factor of the frequencies.
struct Places {
    std::vector<Measured> starts;
    std::vector<Measured> steps;
};

std::optional<Places> places_of(const MeasuredGrid& measured, const GridSpacing& spacing) {
    // An axis of one index has no step: that of the others will do.
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

/// Returns the factors of frequencies that may make the steps simple.
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

/// Returns the angle of each cell, for Proposal::angle.
std::function<double(std::int64_t, std::int64_t)> angle_of(const FramedGrid& framed,
                                                           const GridNesting& nesting,
                                                           const Places& places,
                                                           const GridSpacing& spacing) {
    struct Column {
        std::size_t axis = 0;
        double frequency = 0;
    };
    std::vector<Column> columns(to_size(nesting.d));
    for (std::size_t axis = 0; axis < framed.names.size(); ++axis) {
        const auto channels =
            static_cast<double>(nesting.channels[nesting.axes.find(framed.names[axis])]);
        for (const numerics::ChannelRun& run : layout_of(nesting, framed.names[axis]).runs) {
            for (std::int64_t k = 0; k < run.count; ++k) {
                const double exponent =
                    k == 0 ? 0 : -2 * static_cast<double>(k) / (channels - spacing.shift);
                columns[to_size(run.first_channel + k * run.channel_stride)] = {
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
        const auto [axis, frequency] = columns[to_size(channel)];
        const std::int64_t index = point / grid.stride(axis) % grid.extents[axis];
        return (std::fabs(places.starts[axis].value) +
                std::fabs(places.steps[axis].value) * static_cast<double>(index)) *
               frequency;
    };
}

/// What is typed for the waves of a grid.
struct TypedWaves {
    TypedList starts, steps;
    SimpleNumber radius;
    Scale scale;
    double shift;

    /// Positions are counted in radians of the fastest frequency.
    GridNumbers numbers(const std::vector<double>& bases) const {
        GridNumbers all{radius.value, shift, bases, starts.values, steps.values};
        for (double& start : all.starts) start *= scale.value;
        for (double& step : all.steps) step *= scale.value;
        return all;
    }
};

/// Returns the ways to type the bases of a spacing.
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
    const GridNesting& nesting = proposed.nesting;
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

/// About what the numbers and words of a proposal cost.
double bits_of(const Proposal& proposal) {
    double bits = 0;
    for (const Setting& setting : proposal.settings) {
        constexpr double naming = 2;
        bits += naming + (setting.name == "d" ? 0 : evidence::bits_of_number(setting.value));
    }
    return bits;
}

}  // namespace

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

}  // namespace pegen::encodings
