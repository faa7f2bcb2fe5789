#include "encodings/rotary/grid_turning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/to_size.h"
#include "encodings/rotary/turn_solver.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;

/// Some of many places will do: whoever believes in a grid compares all.
constexpr std::int64_t most_places = 256;

Measured cell_of(const TurningTable& table, const std::vector<std::int64_t>& columns,
                 std::int64_t row, std::int64_t pair) {
    if (columns.empty()) return {0, std::numeric_limits<double>::infinity()};
    return cell(table.array(), row, columns[to_size(pair)]);
}

bool agrees(const Measured& value, double wave, double units, double room) {
    return std::fabs(value.value - wave) <= units * value.error + room;
}

}  // namespace

GridTurning::GridTurning(const TurningTable& table, const GridFrame& frame, const Blocks& blocks)
    : table_(&table), frame_(&frame), blocks_(&blocks) {
    for (std::int64_t pair = 0; pair < table.pairs(); ++pair) {
        const char axis = blocks.axis_of(pair);
        std::vector<Cell>& cells = cells_.emplace_back();
        for (std::int64_t place = 0; place < std::min(frame.extent(axis), most_places); ++place) {
            cells.push_back({cell_of(table, table.columns().cosines, row(axis, place), pair),
                             cell_of(table, table.columns().sines, row(axis, place), pair)});
        }
    }
}

std::int64_t GridTurning::row(char axis, std::int64_t place) const {
    return frame_->row_of[to_size(frame_->point(axis, place))];
}

bool GridTurning::may_stand_at(const GridLines& lines) const {
    for (std::size_t rank = 0; rank < blocks_->axes.size(); ++rank) {
        if (blocks_->pairs[rank] == 0) continue;
        const Line line = lines.along(*frame_, blocks_->axes[rank]);
        const std::int64_t pair = blocks_->first(rank);
        std::vector<TurnEquation> equations;
        for (std::int64_t place = 0; place < std::ssize(cells_[to_size(pair)]); ++place) {
            equations.push_back(
                {line.at(place), table_->angle(row(blocks_->axes[rank], place), pair)});
        }
        // All usual coordinates are whole quarters of the step, so nothing new is beyond 4 turns.
        const double farthest = line.step == 0 ? 8 : 8 * std::numbers::pi / line.step;
        if (solve({0, farthest}, equations, table_->drift()).empty()) return false;
    }
    return true;
}

bool GridTurning::may_turn(std::int64_t pair, double frequency, const Line& line,
                           Closeness closeness) const {
    const bool is_rounded = closeness == Closeness::rounded;
    const bool is_float32 = table_->array().precision.digits >= 24;
    const double units = is_rounded ? 1.01 : is_float32 ? 6 : 2;
    const double drift = is_rounded ? 0x1p-50 : 0x1p-20;
    const std::vector<Cell>& cells = cells_[to_size(pair)];
    const auto count = std::ssize(cells);
    for (std::int64_t i = 1; i <= count; ++i) {
        // At the first place many pairs are not turned, whatever their frequency.
        const std::int64_t place = i % count;
        const double angle = frequency * line.at(place);
        const double room =
            drift * frequency * (std::fabs(line.first) + line.step * static_cast<double>(place)) +
            0x1p-50;
        // Anything would agree with angles that are too large for float32.
        constexpr double most_room = 0x1p-6;
        if (room > most_room) return false;
        const auto& [cosine, sine] = cells[to_size(place)];
        if (!agrees(cosine, std::cos(angle), units, room)) return false;
        if (!agrees(sine, std::sin(angle), units, room)) return false;
    }
    return true;
}

std::optional<Measured> GridTurning::frequency(std::int64_t pair, const Line& line) const {
    std::vector<std::int64_t> rows;
    std::vector<double> places;
    for (std::int64_t place = 0; place < std::ssize(cells_[to_size(pair)]); ++place) {
        rows.push_back(row(blocks_->axis_of(pair), place));
        places.push_back(line.at(place));
    }
    // Most turn by 1 radian at most, and a sine alone leaves open what is beyond pi / 2. Two
    // frequencies whose steps differ by a turn are not told apart.
    const double fastest = line.step == 0 ? 1 : std::numbers::pi / line.step;
    constexpr double slack = 1 + 1e-6;
    if (const auto slow = frequency_of(*table_, pair, rows, places, {0, slack})) return slow;
    return frequency_of(*table_, pair, rows, places, {0, fastest * slack});
}

std::optional<std::vector<AxisTurning>> GridTurning::measured(const GridLines& lines) const {
    std::vector<AxisTurning> axes;
    for (const char axis : blocks_->axes) axes.push_back({axis, frame_->extent(axis), {}});
    for (std::int64_t pair = 0; pair < blocks_->count(); ++pair) {
        const std::size_t rank = blocks_->rank_of(pair);
        const auto one = frequency(pair, lines.along(*frame_, blocks_->axes[rank]));
        if (!one) return std::nullopt;
        axes[rank].frequencies.push_back(*one);
    }
    return axes;
}

}  // namespace pegen::encodings
