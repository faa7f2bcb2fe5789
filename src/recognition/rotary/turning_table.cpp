#include "recognition/rotary/turning_table.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "recognition/evidence/lone_wave.h"

namespace pegen::recognition {
namespace {

constexpr double pi = std::numbers::pi;

/// Returns the part of the value's bounds that a sine or cosine can have, [-1, 1].
evidence::Bounds wave_bounds(const Measured& value) {
    const auto [low, high] = evidence::bounds_of(value);
    return {std::clamp(low, -1.0, 1.0), std::clamp(high, -1.0, 1.0)};
}

/// Adds the stretches of x within `bounds` for which scale * x is within the arc, modulo 2 pi.
/// False if there are more than `most`.
bool add_stretches(std::vector<evidence::Bounds>& found, const evidence::Bounds& bounds,
                   double scale, const evidence::Bounds& arc, double drift, std::size_t most) {
    const evidence::Bounds angles{std::min(bounds.low * scale, bounds.high * scale),
                                  std::max(bounds.low * scale, bounds.high * scale)};
    const double room = drift * std::max(std::fabs(angles.low), std::fabs(angles.high));
    const double first = std::ceil((angles.low - arc.high - room) / (2 * pi));
    const double last = std::floor((angles.high - arc.low + room) / (2 * pi));
    if (!(last - first < static_cast<double>(most))) return false;
    for (double turn = first; turn <= last; ++turn) {
        const double slack = drift * (std::fabs(arc.middle() + turn * 2 * pi)) + 1e-15;
        const double low = arc.low + turn * 2 * pi - slack;
        const double high = arc.high + turn * 2 * pi + slack;
        const evidence::Bounds stretch = evidence::both(
            bounds, {std::min(low / scale, high / scale), std::max(low / scale, high / scale)});
        if (!stretch.is_empty()) found.push_back(stretch);
    }
    return found.size() <= most;
}

/// Sorts the stretches, and joins overlapping ones.
std::vector<evidence::Bounds> joined(std::vector<evidence::Bounds> stretches) {
    std::ranges::sort(stretches, {}, &evidence::Bounds::low);
    std::vector<evidence::Bounds> result;
    for (const evidence::Bounds& stretch : stretches) {
        if (!result.empty() && stretch.low <= result.back().high) {
            result.back().high = std::max(result.back().high, stretch.high);
        } else {
            result.push_back(stretch);
        }
    }
    return result;
}

}  // namespace

ShownAngle angle_of_cosine(const Measured& cosine) {
    const auto [low, high] = wave_bounds(cosine);
    const evidence::Bounds angle{std::acos(high), std::acos(low)};
    return {angle, evidence::Bounds{-angle.high, -angle.low}};
}

ShownAngle angle_of_sine(const Measured& sine) {
    const auto [low, high] = wave_bounds(sine);
    const evidence::Bounds angle{std::asin(low), std::asin(high)};
    return {angle, evidence::Bounds{pi - angle.high, pi - angle.low}};
}

ShownAngle angle_of_both(const Measured& cosine, const Measured& sine) {
    // The smaller of the two values determines the angle more sharply. Squares of the errors are
    // included.
    const double error = std::fabs(sine.value) * cosine.error +
                         std::fabs(cosine.value) * sine.error + cosine.error * cosine.error +
                         sine.error * sine.error;
    const double angle = std::atan2(sine.value, cosine.value);
    return {{angle - error, angle + error}};
}

std::vector<evidence::Bounds> solve(const evidence::Bounds& bounds,
                                    std::span<const TurnEquation> equations, double drift,
                                    std::size_t most) {
    std::vector<evidence::Bounds> stretches{bounds};
    for (const TurnEquation& equation : equations) {
        if (equation.scale == 0) continue;
        std::vector<evidence::Bounds> next;
        bool is_few = true;
        for (const evidence::Bounds& stretch : stretches) {
            const auto& [scale, angle, drifts] = equation;
            is_few = is_few && add_stretches(next, stretch, scale, angle.arc, drifts * drift, most);
            if (!angle.other) continue;
            is_few =
                is_few && add_stretches(next, stretch, scale, *angle.other, drifts * drift, most);
        }
        if (!is_few) continue;
        if (next.empty()) return {};
        stretches = joined(std::move(next));
    }
    return stretches;
}

TurningTable::TurningTable(const Sample& array, RotaryColumns columns, Measured radius,
                           TableErrors errors)
    : array_(&array), columns_(std::move(columns)), radius_(radius), errors_(errors) {
    // In float32 code whose values were rounded to fewer bits, this rounding outweighs the other
    // errors.
    if (array.precision.digits < 24) errors_.units = 1;
}

Measured TurningTable::part(std::int64_t row, std::int64_t column) const {
    const Measured value = cell(*array_, row, column);
    const double part = value.value / radius_.value;
    return {part, (errors_.units * value.error + std::fabs(part) * radius_.error) / radius_.value};
}

ShownAngle TurningTable::angle(std::int64_t row, std::int64_t pair) const {
    const auto at = [&](const std::vector<std::int64_t>& columns) {
        return part(row, columns[pair]);
    };
    if (columns_.sines.empty()) return angle_of_cosine(at(columns_.cosines));
    if (columns_.cosines.empty()) return angle_of_sine(at(columns_.sines));
    return angle_of_both(at(columns_.cosines), at(columns_.sines));
}

ShownAngle TurningTable::angle_beyond_first(std::int64_t row, std::int64_t pair) const {
    const evidence::Bounds here = angle(row, pair).arc, first = angle(0, pair).arc;
    return {{here.low - first.high, here.high - first.low}};
}

bool TurningTable::may_be(std::int64_t row, std::int64_t pair, double angle) const {
    const double room = 2 * drift() * std::fabs(angle) + 1e-14;
    const auto agrees = [&](const std::vector<std::int64_t>& columns, double wave) {
        if (columns.empty()) return true;
        const Measured value = part(row, columns[pair]);
        return std::fabs(value.value - wave) <= 2 * value.error + room;
    };
    return agrees(columns_.cosines, std::cos(angle)) && agrees(columns_.sines, std::sin(angle));
}

bool TurningTable::may_be_unturned(std::int64_t row) const {
    for (std::int64_t pair = 0; pair < pairs(); ++pair) {
        if (!may_be(row, pair, 0)) return false;
    }
    return true;
}

bool TurningTable::may_turn() const {
    constexpr std::int64_t some_pairs = 32;
    const auto is_on_circle = [&](std::int64_t row, std::int64_t pair) {
        if (has_both()) {
            const Measured c = part(row, columns_.cosines[pair]);
            const Measured s = part(row, columns_.sines[pair]);
            return std::fabs(std::hypot(c.value, s.value) - 1) <= 2 * (c.error + s.error) + 1e-6;
        }
        const std::vector<std::int64_t>& columns =
            columns_.cosines.empty() ? columns_.sines : columns_.cosines;
        const Measured wave = part(row, columns[pair]);
        return std::fabs(wave.value) <= 1 + 2 * wave.error + 1e-6;
    };
    std::int64_t all = 0, on_circle = 0;
    for (const std::int64_t row : some_rows(*array_)) {
        for (std::int64_t pair = 0; pair < pairs(); pair += 1 + pairs() / some_pairs) {
            ++all;
            on_circle += is_on_circle(row, pair) ? 1 : 0;
        }
    }
    // Two thirds of normal random numbers are 1 at most; hardly any two are a cosine and its sine.
    const double least = has_both() ? 0.5 : 0.875;
    return static_cast<double>(on_circle) >= least * static_cast<double>(all);
}

namespace {

/// Returns the wave in a column whose rows have equal distances; none if there is no such wave.
/// Errors grow with the row, like the errors of angles in float32 code.
std::optional<evidence::LoneWave> wave_in(const Sample& array, std::int64_t column,
                                          const evidence::KnownOfWave& known) {
    constexpr std::int64_t most_rows = 512;
    std::vector<double> values, errors;
    for (std::int64_t row = 0; row < std::min(array.leading, most_rows); ++row) {
        const Measured value = cell(array, row, column);
        values.push_back(value.value);
        errors.push_back(value.error + 0x1p-22 * static_cast<double>(row));
    }
    return evidence::lone_wave(values, errors, known);
}

std::optional<std::vector<Measured>> lone_advances(const TurningTable& table) {
    const RotaryColumns& columns = table.columns();
    std::vector<Measured> advances;
    for (const std::int64_t column : columns.cosines.empty() ? columns.sines : columns.cosines) {
        const auto wave = wave_in(table.array(), column, {.amplitude = table.radius().value});
        if (!wave) return std::nullopt;
        // The fit is unreliable for a wave that hardly turns.
        constexpr double caution = 3;
        advances.push_back({wave->advance.value, caution * wave->advance.error});
    }
    return advances;
}

/// Returns the common value of the cosines in row 0; none if they differ, or if other rows have
/// larger cosines.
std::optional<Measured> first_cosines(const Sample& array, const RotaryColumns& columns) {
    const Measured first = cell(array, 0, columns.cosines.front());
    if (!(first.value > 0)) return std::nullopt;
    for (const std::int64_t row : some_rows(array)) {
        for (const std::int64_t column : columns.cosines) {
            const Measured other = cell(array, row, column);
            const double room = first.error + other.error;
            if (row == 0 && std::fabs(other.value - first.value) > room) return std::nullopt;
            if (std::fabs(other.value) > first.value + room) return std::nullopt;
        }
    }
    return first;
}

/// Returns the only x with scale * x = angle for all equations, modulo 2 pi; none if there is no x,
/// or several.
std::optional<Measured> solved(const evidence::Bounds& bounds, std::vector<TurnEquation> equations,
                               double drift) {
    std::ranges::stable_sort(equations, {},
                             [](const TurnEquation& e) { return std::fabs(e.scale); });
    const std::vector<evidence::Bounds> stretches = solve(bounds, equations, drift);
    if (stretches.size() != 1) return std::nullopt;
    return stretches.front().measured();
}

}  // namespace

std::optional<Measured> radius_of(const Sample& array, const RotaryColumns& columns) {
    if (!columns.cosines.empty() && !columns.sines.empty()) {
        const Measured c = cell(array, 0, columns.cosines.front());
        const Measured s = cell(array, 0, columns.sines.front());
        const double radius = std::hypot(c.value, s.value);
        if (!(radius > 0)) return std::nullopt;
        const double error = (std::fabs(c.value) * c.error + std::fabs(s.value) * s.error) / radius;
        // The cosines of float32 code are themselves off by a unit.
        return Measured{radius, 2 * error};
    }
    if (!columns.cosines.empty()) {
        if (const std::optional<Measured> first = first_cosines(array, columns)) return first;
    }
    const auto wave =
        wave_in(array, (columns.cosines.empty() ? columns.sines : columns.cosines).front(), {});
    return wave ? std::optional(wave->amplitude) : std::nullopt;
}

std::optional<Measured> frequency_of(const TurningTable& table, std::int64_t pair,
                                     std::span<const std::int64_t> rows,
                                     std::span<const double> places,
                                     const evidence::Bounds& bounds) {
    std::vector<TurnEquation> equations;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        equations.push_back({places[i], table.angle(rows[i], pair)});
    }
    return solved(bounds, std::move(equations), table.drift());
}

std::optional<std::vector<Measured>> frequencies_at(const TurningTable& table, double first,
                                                    double step, const evidence::Bounds& bounds) {
    const std::vector<std::int64_t> rows = some_rows(table.array());
    std::vector<double> places;
    for (const std::int64_t row : rows) places.push_back(first + step * static_cast<double>(row));
    std::vector<Measured> frequencies;
    for (std::int64_t pair = 0; pair < table.pairs(); ++pair) {
        const auto frequency = frequency_of(table, pair, rows, places, bounds);
        if (!frequency) return std::nullopt;
        frequencies.push_back(*frequency);
    }
    return frequencies;
}

std::optional<std::vector<Measured>> advances(const TurningTable& table,
                                              const evidence::Bounds& bounds, double farthest) {
    if (!table.has_both()) return lone_advances(table);
    std::vector<Measured> all;
    for (std::int64_t pair = 0; pair < table.pairs(); ++pair) {
        std::vector<TurnEquation> equations;
        for (const std::int64_t row : some_rows(table.array())) {
            if (row == 0) continue;
            const auto rows = static_cast<double>(row);
            equations.push_back(
                {rows, table.angle_beyond_first(row, pair), 1 + 2 * farthest / rows});
        }
        const auto advance = solved(bounds, std::move(equations), table.drift());
        if (!advance) return std::nullopt;
        all.push_back(*advance);
    }
    return all;
}

}  // namespace pegen::recognition
