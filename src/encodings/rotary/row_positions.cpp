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

/// Returns the simplest number in the stretch.
std::optional<double> simplest(const Bounds& stretch) {
    const std::vector<SimpleNumber> numbers = numbers_within(stretch, 1);
    if (numbers.empty()) return std::nullopt;
    return numbers.front().value;
}

/// True if the row may stand at this position.
bool may_stand_at(const TurningTable& table, std::int64_t row, std::span<const double> frequencies,
                  double position) {
    for (std::int64_t pair = 0; pair < table.pairs(); ++pair) {
        if (!table.may_be(row, pair, frequencies[to_size(pair)] * position)) return false;
    }
    return true;
}

/// Returns the simplest positions of a row, `most` at most.
std::vector<double> simple_positions(const TurningTable& table, std::int64_t row,
                                     std::span<const double> frequencies, std::size_t most) {
    std::vector<double> found;
    for (const Bounds& stretch : position_of(table, row, frequencies)) {
        const std::optional<double> position = simplest(stretch);
        if (position && may_stand_at(table, row, frequencies, *position)) {
            found.push_back(*position);
        }
        if (found.size() == most) break;
    }
    return found;
}

std::optional<RowPositions> regular(const TurningTable& table,
                                    std::span<const double> frequencies) {
    const std::int64_t last = table.rows() - 1;
    const std::vector<std::int64_t> rows = some_rows(table.array());
    constexpr std::size_t most = 4;
    const std::vector<double> firsts = simple_positions(table, 0, frequencies, most);
    if (last == 0) {
        if (firsts.empty()) return std::nullopt;
        return regular_positions(firsts.front(), 1, 1);
    }
    const std::vector<double> lasts = simple_positions(table, last, frequencies, most);
    for (const double first : firsts) {
        for (const double end : lasts) {
            const double distance = (end - first) / static_cast<double>(last);
            const double error = 1e-9 * std::fabs(distance);
            const double step = simplest({distance - error, distance + error}).value_or(distance);
            const bool fits = std::ranges::all_of(rows, [&](std::int64_t row) {
                return may_stand_at(table, row, frequencies,
                                    first + step * static_cast<double>(row));
            });
            if (fits && step != 0) return regular_positions(first, step, table.array().extents[0]);
        }
    }
    return std::nullopt;
}

std::optional<RowPositions> listed(const TurningTable& table, std::span<const double> frequencies) {
    constexpr std::int64_t most = 4096;
    if (table.rows() != table.array().extents[0] || table.rows() > most) return std::nullopt;
    // Few pairs turn to any angles at one position or another.
    constexpr std::int64_t fewest_pairs = 4, fewest_for_fractions = 8;
    if (table.pairs() < fewest_pairs) return std::nullopt;
    RowPositions positions;
    std::string list;
    for (std::int64_t row = 0; row < table.rows(); ++row) {
        const std::vector<double> found = simple_positions(table, row, frequencies, 1);
        if (found.empty()) return std::nullopt;
        const bool is_whole = std::rint(found.front()) == found.front();
        if (!is_whole && table.pairs() < fewest_for_fractions) return std::nullopt;
        positions.list.push_back(found.front());
        if (!list.empty()) list += ',';
        list += shortest(found.front());
    }
    const auto [smallest, largest] = std::ranges::minmax(positions.list);
    if (smallest == largest) return std::nullopt;
    positions.settings = {{"positions", list}};
    return positions;
}

}  // namespace

double RowPositions::at(std::int64_t row) const {
    return list.empty() ? start + step * static_cast<double>(row) : list[to_size(row)];
}

RowPositions regular_positions(double start, double step, std::int64_t rows) {
    RowPositions positions{{}, {}, start, step};
    double first = start, distance = step;
    if (step < 0 && rows > 1) {
        const double last = start + step * static_cast<double>(rows - 1);
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
    // Far positions are looked for if there are no near ones: they are many.
    for (const double farthest : {0x1p12, 0x1p21}) {
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
