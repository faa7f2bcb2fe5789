#include "encodings/images/grid_recognition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/dtype.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/images/grid_nestings.h"
#include "encodings/images/grid_waves.h"
#include "evidence/point_grid.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::PointGrid;
using evidence::Proposal;
using evidence::Sample;
using evidence::Setting;
using evidence::SimpleNumber;

/// An array as points and channels, and how its grid is to be read.
struct Framed {
    const Sample& points;  ///< (points, channels)
    const PointGrid& grid;
    std::string_view names;  ///< of the axes of the grid, slowest first
    std::string_view view;   ///< --view
    bool is_by_columns;
};

/// A factor of all frequencies, as --freq-scale.
struct Scale {
    std::string text;
    double value;
};

/// Which of the numbers within an error is written: the simplest, or that with all its digits.
enum class Digits { fewest, all };

std::string number_text(const Measured& number, Digits digits) {
    const std::vector<SimpleNumber> numbers = evidence::simple_numbers(number);
    if (numbers.empty()) return "0";
    if (digits == Digits::fewest) return numbers.front().text;
    const auto longest = std::ranges::max_element(
        numbers, {}, [](const SimpleNumber& candidate) { return candidate.text.size(); });
    return longest->text;
}

/// Returns one number if all may be the same, else a list, as the parameters of axes are typed.
std::string list_text(const std::vector<Measured>& numbers, Digits digits) {
    const Measured& sharpest = *std::ranges::min_element(numbers, {}, &Measured::error);
    const bool are_same = std::ranges::all_of(numbers, [&](const Measured& number) {
        return std::fabs(number.value - sharpest.value) <= number.error + sharpest.error;
    });
    if (are_same) return number_text(sharpest, digits);
    std::vector<std::string> texts;
    for (const Measured& number : numbers) texts.push_back(number_text(number, digits));
    return fmt::format("{}", fmt::join(texts, ","));
}

/// Returns the values in the order in which lists name axes, t, y and x.
template <class T>
std::vector<T> in_order_of_lists(const std::vector<T>& values, std::string_view names) {
    std::vector<T> ordered;
    for (const char axis : std::string_view("tyx")) {
        const std::size_t at = names.find(axis);
        if (at != names.npos) ordered.push_back(values[at]);
    }
    return ordered;
}

Measured scaled(const Measured& number, double factor) {
    return {number.value * factor, std::fabs(number.error * factor)};
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
std::function<double(std::int64_t, std::int64_t)> angle_of(const Framed& framed,
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

class GridProposals {
  public:
    /// Adds what the grid may be, nested like this.
    void add(const Framed& framed, const ProposedNesting& proposed) {
        const auto measured =
            measured_grid(framed.points, framed.grid, framed.names, proposed.nesting);
        if (!measured) return;
        for (const GridSpacing& spacing : grid_spacings(*measured)) {
            const auto places = places_of(*measured, spacing);
            if (!places) continue;
            const auto angle = angle_of(framed, proposed.nesting, *places, spacing);
            for (const Scale& scale : scales_of(*places)) {
                for (const Digits digits : {Digits::fewest, Digits::all}) {
                    Proposal proposal{.settings = extents_of(framed), .angle = angle};
                    add_nesting(proposal, framed, proposed);
                    add_spacing(proposal, framed, spacing);
                    add_places(proposal, framed, *places, scale, digits);
                    set(proposal, "out-scale", number_text(measured->radius, digits), "1");
                    add(std::move(proposal));
                }
            }
        }
    }

    std::vector<Proposal> found() && { return std::move(found_); }

  private:
    static constexpr std::size_t most_ = 48;

    static void set(Proposal& proposal, std::string_view name, std::string text,
                    std::string_view usual) {
        if (text != usual) proposal.settings.push_back({name, std::move(text)});
    }

    static std::vector<Setting> extents_of(const Framed& framed) {
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

    static void add_nesting(Proposal& proposal, const Framed& framed,
                            const ProposedNesting& proposed) {
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

    static void add_spacing(Proposal& proposal, const Framed& framed, const GridSpacing& spacing) {
        std::vector<Measured> bases;
        for (const double base : in_order_of_lists(spacing.bases, framed.names)) {
            bases.push_back({base, 0});
        }
        set(proposal, "base", list_text(bases, Digits::fewest), "10000");
        set(proposal, "denom-shift", shortest(spacing.shift), "0");
    }

    static void add_places(Proposal& proposal, const Framed& framed, const Places& places,
                           const Scale& scale, Digits digits) {
        std::vector<Measured> starts, steps;
        for (const Measured& start : places.starts)
            starts.push_back(scaled(start, 1 / scale.value));
        for (const Measured& step : places.steps) steps.push_back(scaled(step, 1 / scale.value));
        set(proposal, "start", list_text(in_order_of_lists(starts, framed.names), digits), "0");
        set(proposal, "step", list_text(in_order_of_lists(steps, framed.names), digits), "1");
        set(proposal, "freq-scale", scale.text, "1");
    }

    void add(Proposal proposal) {
        const auto is_same = [&](const Proposal& other) {
            return std::ranges::equal(other.settings, proposal.settings,
                                      [](const Setting& a, const Setting& b) {
                                          return a.name == b.name && a.value == b.value;
                                      });
        };
        if (found_.size() < most_ && std::ranges::none_of(found_, is_same)) {
            found_.push_back(std::move(proposal));
        }
    }

    std::vector<Proposal> found_;
};

void add_tokens(GridProposals& proposals, const Sample& array) {
    const std::int64_t prefix = evidence::leading_zero_rows(array);
    for (const PointGrid& grid : evidence::point_grids(array, prefix)) {
        for (const bool is_by_columns : {false, true}) {
            const std::string_view names = grid.extents.size() == 3
                                               ? (is_by_columns ? "txy" : "tyx")
                                               : (is_by_columns ? "xy" : "yx");
            const Framed framed{array, grid, names, "tokens", is_by_columns};
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
