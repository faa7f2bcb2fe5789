#include "recognition/evidence/wave_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "recognition/evidence/circle.h"
#include "recognition/evidence/geometric.h"

namespace pegen::evidence {
namespace {

constexpr std::size_t most_tables = 8;
constexpr std::size_t enough_cells = std::size_t{1} << 17;

/// The longest list of positions that is proposed.
constexpr std::int64_t longest_list = 1 << 17;

std::vector<Measured> angles_of_row(const Angles& angles, std::int64_t row) {
    std::vector<Measured> result;
    for (std::int64_t pair = 0; pair < angles.pairs; ++pair) {
        const std::size_t i = pair * angles.rows + row;
        result.push_back({angles.values[i], angles.errors[i]});
    }
    return result;
}

/// True if no angle of the row is known, as in a row of zeros.
bool is_unknown(std::span<const Measured> angles) {
    return std::ranges::none_of(angles, [](const Measured& a) { return std::isfinite(a.error); });
}

/// True if `number` is certainly a whole number of steps.
bool is_multiple(const Measured& number, const Measured& step) {
    const double count = number.value / step.value;
    const double error = (number.error + std::fabs(count) * step.error) / std::fabs(step.value);
    return error < 0.01 && std::fabs(count - std::rint(count)) <= error + 1e-9;
}

void add_steps(std::vector<WaveTable>& found, const Circle& circle,
               const std::vector<Turning>& turnings) {
    if (turnings.size() == 1) {
        found.push_back({circle, {}, WaveSteps{turnings[0].phase, turnings[0].advance}});
        return;
    }
    std::vector<Measured> advances, phases;
    for (const Turning& turning : turnings) {
        advances.push_back(turning.advance);
        phases.push_back(turning.phase);
    }
    for (const GeometricSeries& series : geometric_series(advances)) {
        constexpr std::size_t most_starts = 64;
        const auto starts = firsts_of_series(phases, series.log_ratio, most_starts);
        for (const Measured& start : starts) {
            // If several starts differ by whole turns, the least turned start and whole steps are
            // likely.
            const bool is_likely = &start == starts.data() || is_multiple(start, series.first);
            if (is_likely) found.push_back({circle, series.log_ratio, {{start, series.first}}});
        }
    }
}

/// Returns the rows sorted by the size of their slowest angle, smallest first, without rows of
/// zeros. The slowest angle is the least likely to have turned.
std::vector<std::int64_t> least_turned_rows(const Angles& angles) {
    std::vector<std::pair<double, std::int64_t>> sizes;
    for (std::int64_t row = 0; row < angles.rows; ++row) {
        const std::size_t i = (angles.pairs - 1) * angles.rows + row;
        const double size = std::fabs(angles.values[i]);
        if (std::isfinite(angles.errors[i]) && size > 8 * angles.errors[i]) {
            sizes.emplace_back(size, row);
        }
    }
    std::ranges::sort(sizes);
    std::vector<std::int64_t> rows;
    for (const auto& [size, row] : sizes) rows.push_back(row);
    return rows;
}

/// Returns the position of every row. A row without angles has the position of the row before. None
/// if a row has no position.
std::vector<Measured> positions_of(const Angles& angles, const Measured& log_ratio) {
    std::vector<Measured> positions;
    for (std::int64_t row = 0; row < angles.rows; ++row) {
        const std::vector<Measured> of_row = angles_of_row(angles, row);
        const Measured before = positions.empty() ? Measured{0, 0} : positions.back();
        const auto position =
            is_unknown(of_row) ? std::optional(before) : first_of_series(of_row, log_ratio);
        if (!position) return {};
        positions.push_back(*position);
    }
    return positions;
}

void add_lists(std::vector<WaveTable>& found, const Circle& circle, const Angles& angles) {
    if (angles.pairs == 1) {
        WaveTable table{circle, {}, {}};
        for (std::int64_t row = 0; row < angles.rows; ++row) {
            table.positions.push_back(angles_of_row(angles, row).front());
        }
        const bool is_known = std::ranges::all_of(
            table.positions, [](const Measured& m) { return std::isfinite(m.error); });
        if (is_known) found.push_back(std::move(table));
        return;
    }
    const std::vector<std::int64_t> rows = least_turned_rows(angles);
    constexpr std::size_t most_leads = 3;
    for (std::size_t lead = 0; lead < std::min(rows.size(), most_leads); ++lead) {
        const std::size_t before = found.size();
        for (const GeometricSeries& series : geometric_series(angles_of_row(angles, rows[lead]))) {
            std::vector<Measured> positions = positions_of(angles, series.log_ratio);
            if (!positions.empty()) {
                found.push_back({circle, series.log_ratio, {}, std::move(positions)});
            }
        }
        if (found.size() > before) return;
    }
}

/// True if a few rows and columns are on a circle, which is quick to test.
bool is_on_circle(const Sample& sample, std::span<const std::int64_t> rows,
                  std::span<const WaveColumns> columns) {
    constexpr std::size_t some = 48;
    constexpr double share = 0.7;
    std::vector<std::int64_t> some_rows;
    std::vector<WaveColumns> some_columns;
    for (std::size_t i = 0; i < std::min(some, rows.size()); ++i) {
        some_rows.push_back(rows[i * rows.size() / std::min(some, rows.size())]);
    }
    for (std::size_t i = 0; i < std::min(some, columns.size()); ++i) {
        some_columns.push_back(columns[i * columns.size() / std::min(some, columns.size())]);
    }
    // Spoiled cells weigh more among few cells. All cells are judged later.
    return common_circle(pairs_of(sample, some_rows, some_columns), share).has_value();
}

/// True if rows at equal distances, from the first to the last, turn by equal steps, too.
bool turn_evenly(const Sample& sample, std::span<const std::int64_t> rows,
                 std::span<const WaveColumns> columns, const Circle& circle) {
    constexpr std::size_t some = 64;
    const std::size_t step = std::max<std::size_t>(1, rows.size() / some);
    std::vector<std::int64_t> spread;
    for (std::size_t i = 0; i < rows.size(); i += step) spread.push_back(rows[i]);
    const auto turnings = turnings_of(angles_of(pairs_of(sample, spread, columns), circle));
    return turnings && std::ranges::all_of(*turnings, &Turning::is_straight);
}

}  // namespace

std::vector<WaveTable> wave_tables(const Sample& sample, std::span<const std::int64_t> rows,
                                   std::span<const WaveColumns> columns) {
    if (rows.empty() || columns.empty() || !is_on_circle(sample, rows, columns)) return {};
    // More rows would make the answer more precise, but take long.
    const std::size_t some =
        std::min(rows.size(), std::max<std::size_t>(64, enough_cells / columns.size()));
    const WavePairs pairs = pairs_of(sample, rows.first(some), columns);
    const auto circle = common_circle(pairs);
    if (!circle) return {};
    const Angles angles = angles_of(pairs, *circle);
    std::vector<WaveTable> found;
    bool is_regular = false;
    if (const auto turnings = turnings_of(angles)) {
        add_steps(found, *circle, *turnings);
        is_regular = rows.size() > 2 && std::ranges::all_of(*turnings, &Turning::is_straight) &&
                     (some == rows.size() || turn_evenly(sample, rows, columns, *circle));
    }
    if (!(is_regular && !found.empty()) && std::ssize(rows) <= longest_list) {
        const Angles all = angles_of(pairs_of(sample, rows, columns), *circle);
        add_lists(found, *circle, all);
    }
    if (found.size() > most_tables) found.resize(most_tables);
    return found;
}

std::function<double(std::int64_t, std::int64_t)> wave_angle(
    const WaveTable& table, std::int64_t first_row, std::vector<std::int64_t> pair_of_column) {
    std::vector<double> frequencies;
    const double log_ratio = table.log_ratio ? table.log_ratio->value : 0;
    for (const std::int64_t pair : pair_of_column) {
        frequencies.push_back(pair < 0 ? 0 : std::exp(-log_ratio * static_cast<double>(pair)));
    }
    std::function<double(std::int64_t)> position;
    if (table.steps) {
        position = [steps = *table.steps](std::int64_t row) {
            return steps.start.value + steps.step.value * static_cast<double>(row);
        };
    } else {
        position = [list = table.positions](std::int64_t row) {
            return list[std::clamp<std::int64_t>(row, 0, std::ssize(list) - 1)].value;
        };
    }
    return [=](std::int64_t row, std::int64_t column) {
        return std::fabs(position(row - first_row)) * frequencies[column];
    };
}

}  // namespace pegen::evidence
