#include "encodings/rotary/row_positions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/number.h"
#include "core/to_size.h"

namespace pegen::encodings {
namespace {

using evidence::SimpleNumber;

/// True if the row may stand at this position.
bool may_stand_at(const TurningTable& table, std::int64_t row, std::span<const double> frequencies,
                  double position) {
    for (std::int64_t pair = 0; pair < table.pairs(); ++pair) {
        if (!table.may_be(row, pair, frequencies[to_size(pair)] * position)) return false;
    }
    return true;
}

/// Returns the simplest numbers in the stretch. One of several digits is only a fit where values
/// have 16 bits.
std::vector<SimpleNumber> simple_within(const TurningTable& table, const Bounds& stretch) {
    constexpr std::size_t most = 4, longest = 5;
    std::vector<SimpleNumber> numbers = numbers_within(stretch, most);
    if (table.array().precision.digits < 24) {
        std::erase_if(numbers,
                      [](const SimpleNumber& number) { return number.text.size() > longest; });
    }
    return numbers;
}

/// True if row i may stand at start + i * step.
bool may_advance(const TurningTable& table, std::span<const double> frequencies, double start,
                 double step) {
    return std::ranges::all_of(some_rows(table.array()), [&](std::int64_t row) {
        return may_stand_at(table, row, frequencies, start + step * static_cast<double>(row));
    });
}

std::vector<Bounds> first_ones(std::vector<Bounds> stretches, std::size_t most) {
    if (stretches.size() > most) stretches.resize(most);
    return stretches;
}

/// Row 0 stands in one of these stretches, and the others at steps that people choose.
std::optional<RowPositions> usual_steps(const TurningTable& table,
                                        std::span<const double> frequencies,
                                        const std::vector<Bounds>& firsts) {
    for (const Bounds& first : firsts) {
        for (const SimpleNumber& start : simple_within(table, first)) {
            for (const double step : {1.0, -1.0, 0.5, 2.0}) {
                if (!may_advance(table, frequencies, start.value, step)) continue;
                return regular_positions(start.value, step, table.array().extents[0]);
            }
        }
    }
    return std::nullopt;
}

/// Rows stand at equal distances, row 0 in one of these stretches.
std::optional<RowPositions> any_steps(const TurningTable& table,
                                      std::span<const double> frequencies,
                                      const std::vector<Bounds>& firsts) {
    constexpr std::size_t most = 4;
    const std::int64_t last = table.rows() - 1;
    const std::vector<Bounds> ends = first_ones(position_of(table, last, frequencies), most);
    const auto distance = static_cast<double>(last);
    for (const Bounds& first : first_ones(firsts, most)) {
        for (const Bounds& end : ends) {
            const Bounds steps{(end.low - first.high) / distance,
                               (end.high - first.low) / distance};
            for (const SimpleNumber& step : simple_within(table, steps)) {
                if (step.value == 0) continue;
                const Bounds starts = both(
                    first, {end.low - step.value * distance, end.high - step.value * distance});
                for (const SimpleNumber& start : simple_within(table, starts)) {
                    if (!may_advance(table, frequencies, start.value, step.value)) continue;
                    return regular_positions(start.value, step.value, table.array().extents[0]);
                }
            }
        }
    }
    return std::nullopt;
}

std::optional<RowPositions> regular(const TurningTable& table,
                                    std::span<const double> frequencies) {
    constexpr std::size_t most = 16;
    const std::vector<Bounds> firsts = first_ones(position_of(table, 0, frequencies), most);
    std::optional<RowPositions> positions = usual_steps(table, frequencies, firsts);
    return positions || table.rows() == 1 ? positions : any_steps(table, frequencies, firsts);
}

/// Returns the only multiple of 1 / parts in the stretch; none if there are several.
std::optional<double> only_multiple(const Bounds& stretch, double parts) {
    const double multiple = std::rint(stretch.middle() * parts) / parts;
    const bool is_only = (stretch.high - stretch.low) * parts < 1 && stretch.contains(multiple);
    return is_only ? std::optional(multiple) : std::nullopt;
}

/// Returns where rows stand, all of them at multiples of 1 / parts. `stretches` is where each may
/// be.
std::optional<std::vector<double>> positions_in(double parts, const TurningTable& table,
                                                std::span<const double> frequencies,
                                                const std::vector<std::vector<Bounds>>& stretches) {
    std::vector<double> positions;
    for (std::int64_t row = 0; row < table.rows(); ++row) {
        std::optional<double> position;
        for (const Bounds& stretch : stretches[to_size(row)]) {
            position = only_multiple(stretch, parts);
            if (position && may_stand_at(table, row, frequencies, *position)) break;
            position.reset();
        }
        if (!position) return std::nullopt;
        positions.push_back(*position);
    }
    return positions;
}

RowPositions as_list(std::vector<double> list) {
    std::string text;
    for (const double position : list) {
        if (!text.empty()) text += ',';
        text += shortest(position);
    }
    return {.settings = {{"positions", text}}, .list = std::move(list)};
}

/// Numbers of which each has digits of its own are no positions of a list, but a poor fit.
std::optional<RowPositions> listed(const TurningTable& table, std::span<const double> frequencies) {
    constexpr std::int64_t most = 4096;
    if (table.rows() != table.array().extents[0] || table.rows() > most) return std::nullopt;
    // Few pairs turn to any angles at one position or another.
    constexpr std::int64_t fewest_pairs = 4, fewest_for_fractions = 8;
    if (table.pairs() < fewest_pairs) return std::nullopt;
    std::vector<std::vector<Bounds>> stretches;
    for (std::int64_t row = 0; row < table.rows(); ++row) {
        stretches.push_back(position_of(table, row, frequencies));
        if (stretches.back().empty()) return std::nullopt;
    }
    for (const double parts : {1.0, 2.0, 4.0, 10.0, 100.0}) {
        if (parts > 1 && table.pairs() < fewest_for_fractions) break;
        auto list = positions_in(parts, table, frequencies, stretches);
        if (!list) continue;
        const auto [smallest, largest] = std::ranges::minmax(*list);
        if (smallest == largest) return std::nullopt;
        return as_list(std::move(*list));
    }
    return std::nullopt;
}

}  // namespace

double RowPositions::at(std::int64_t row) const {
    return list.empty() ? start + step * static_cast<double>(row) : list[to_size(row)];
}

RowPositions regular_positions(double start, double step, std::int64_t rows) {
    RowPositions positions{{}, {}, start, step};
    double first = start, distance = step;
    if (step < 0 && rows > 1) {
        double last = start + step * static_cast<double>(rows - 1);
        if (std::fabs(last) < 1e-9 * std::fabs(start)) last = 0;
        // Counted down to 0 or 1, or from there: 0, -1, -2.
        if (last >= 0) {
            first = last;
            distance = -step;
            positions.settings.push_back({"reverse", "true"});
        }
    }
    if (first != 0) positions.settings.push_back({"start", shortest(first)});
    if (distance != 1) positions.settings.push_back({"step", shortest(distance)});
    return positions;
}

std::vector<Bounds> position_of(const TurningTable& table, std::int64_t row,
                                std::span<const double> frequencies) {
    std::vector<std::int64_t> order(frequencies.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(
        order, {}, [&](std::int64_t pair) { return std::fabs(frequencies[to_size(pair)]); });
    std::vector<TurnEquation> equations;
    for (const std::int64_t pair : order) {
        equations.push_back({frequencies[to_size(pair)], table.angle(row, pair)});
    }
    // Far positions are looked for if there are no near ones: they are many, and too many where few
    // pairs show them.
    constexpr std::size_t enough_pairs = 4;
    for (const double farthest : {0x1p12, 0x1p21}) {
        if (farthest > 0x1p12 && frequencies.size() < enough_pairs) break;
        // Of cosines, a position and its negative are the same.
        const Bounds bounds{table.columns().sines.empty() ? 0 : -farthest, farthest};
        std::vector<Bounds> stretches = solve(bounds, equations, table.drift(), 2048);
        std::ranges::stable_sort(stretches, {},
                                 [](const Bounds& stretch) { return std::fabs(stretch.middle()); });
        if (!stretches.empty()) return stretches;
    }
    return {};
}

std::optional<RowPositions> positions_at(const TurningTable& table,
                                         std::span<const double> frequencies) {
    if (table.rows() < 1) return std::nullopt;
    std::optional<RowPositions> positions = regular(table, frequencies);
    return positions ? positions : listed(table, frequencies);
}

}  // namespace pegen::encodings
