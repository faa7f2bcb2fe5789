#include "recognition/sixteen_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "recognition/evidence/precision.h"
#include "recognition/kernel/rotary_kernel.h"

namespace pegen::recognition {
namespace {

/// The sine or cosine of position * frequency, times a scale, that a channel holds.
struct Wave {
    double frequency;
    bool is_cosine;
    double scale;

    double at(double angle) const {
        return scale * (is_cosine ? std::cos(angle) : std::sin(angle));
    }
};

/// The waves of a table's channels, and the positions of its rows.
struct WaveTable {
    std::vector<Wave> waves;
    std::vector<double> positions;
};

/// Which numbers are rounded to the format before the sine or cosine is taken.
struct Way {
    bool positions;
    bool frequencies;
    bool angles;
    const char* text;
};

constexpr std::array ways{
    Way{false, true, false, "the frequencies are rounded to {}"},
    Way{false, false, true, "the angles, position times frequency, are rounded to {}"},
    Way{false, true, true, "frequencies and angles are rounded to {}"},
    Way{true, false, true, "positions and angles are rounded to {}"},
    Way{true, true, true, "positions, frequencies and angles are rounded to {}"},
};
constexpr std::array formats{DType::bfloat16, DType::float16};

/// Returns the encoding's frequencies, one for each pair of channels; none if it has no such table.
std::vector<double> frequencies_of(const Candidate& candidate) {
    for (const char* const name : {"frequencies", "inv-freq"}) {
        const TableSpec* const spec = find_table(*candidate.encoding, name);
        if (!spec) continue;
        const Table table =
            make_table(*candidate.encoding, *spec, candidate.parameters, DType::float64);
        return read_rows(table, {0, table.shape.rows()});
    }
    return {};
}

/// Returns the positions of the table's rows; none if it does not have them as its first axis.
std::vector<double> positions_along(const Table& table) {
    std::vector<double> positions;
    if (table.axes.front().kind != AxisKind::position) return positions;
    for (std::int64_t row = 0; row < table.shape[0]; ++row) {
        const std::optional<double> position = position_at(table.axes.front(), row);
        if (!position) return {};
        positions.push_back(*position);
    }
    return positions;
}

/// Returns some rows, spread over all.
std::vector<std::int64_t> spread_rows(std::int64_t rows) {
    constexpr std::int64_t enough = 24;
    std::vector<std::int64_t> spread;
    const std::int64_t count = std::min(rows, enough);
    for (std::int64_t i = 0; i < count; ++i) {
        spread.push_back(count == 1 ? 0 : i * (rows - 1) / (count - 1));
    }
    return spread;
}

/// Returns the wave of this frequency that has these values at the positions.
std::optional<Wave> wave_through(const std::vector<double>& values,
                                 const std::vector<double>& positions, double frequency) {
    for (const bool is_cosine : {false, true}) {
        Wave wave{frequency, is_cosine, 1};
        double products = 0, squares = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double unscaled = wave.at(positions[i] * frequency);
            products += values[i] * unscaled;
            squares += unscaled * unscaled;
        }
        const double scale = products / squares;
        if (!std::isfinite(scale) || scale == 0) continue;
        wave.scale = scale;
        bool fits = true;
        for (std::size_t i = 0; i < values.size() && fits; ++i) {
            constexpr double error = 1e-8;
            const double apart = values[i] - wave.at(positions[i] * frequency);
            fits = std::abs(apart) <= error * std::abs(scale);
        }
        if (fits) return wave;
    }
    return {};
}

/// Returns the waves of which the candidate's table consists; nothing if it does not.
std::optional<WaveTable> waves_of(const Candidate& candidate, const Sample& array) {
    const std::vector<double> frequencies = frequencies_of(candidate);
    if (frequencies.empty()) return {};
    const Table table =
        make_table(*candidate.encoding, *candidate.table, candidate.parameters, DType::float64);
    if (table.shape.rank() != 2 || table.shape.extents() != array.extents) return {};
    WaveTable found{{}, positions_along(table)};
    if (found.positions.empty()) return {};
    std::vector<std::vector<double>> channels(table.shape.columns());
    std::vector<double> positions;
    for (const std::int64_t row : spread_rows(table.shape[0])) {
        const std::vector<double> values = read_rows(table, {row, 1});
        for (std::size_t c = 0; c < values.size(); ++c) channels[c].push_back(values[c]);
        positions.push_back(found.positions[row]);
    }
    const std::size_t count = frequencies.size();
    for (std::size_t c = 0; c < channels.size(); ++c) {
        // Channels are interleaved, in halves, or single.
        std::optional<Wave> wave;
        for (const std::size_t k : {c / 2, c % count, c}) {
            if (!wave && k < count) wave = wave_through(channels[c], positions, frequencies[k]);
        }
        if (!wave) return {};
        found.waves.push_back(*wave);
    }
    return found;
}

double angle_in(const Way& way, DType format, double position, double frequency) {
    const double p = way.positions ? rounded(position, format) : position;
    const double f = way.frequencies ? rounded(static_cast<float>(frequency), format) : frequency;
    return way.angles ? rounded(static_cast<float>(p * f), format) : p * f;
}

/// True if the table computed this way agrees with the rows of the array, and also where it differs
/// from the exact one. Float32 code that rounds to 16 bits is sometimes on the other side of a tie.
bool agrees(const WaveTable& table, const Way& way, DType format, const Sample& array,
            const std::vector<std::int64_t>& rows) {
    constexpr double most_off = 0.005, most_off_of_telling = 0.02;
    constexpr std::int64_t fewest_telling = 20;
    const std::int64_t columns = std::ssize(table.waves);
    std::int64_t off = 0, telling = 0, off_of_telling = 0;
    for (const std::int64_t row : rows) {
        const double position = table.positions[row];
        for (std::int64_t c = 0; c < columns; ++c) {
            const Wave& wave = table.waves[c];
            const double angle = angle_in(way, format, position, wave.frequency);
            const double made = wave.at(angle), exact = wave.at(position * wave.frequency);
            const double given = array.values[row * columns + c];
            const double error = evidence::unit_of(made, array.precision) +
                                 std::abs(wave.scale) * 0x1p-23 * (2 + std::abs(angle));
            const bool is_off = !(std::abs(made - given) <= error);
            off += is_off ? 1 : 0;
            if (std::abs(made - exact) <= 4 * error) continue;
            ++telling;
            off_of_telling += is_off ? 1 : 0;
        }
    }
    const auto all = static_cast<double>(std::ssize(rows) * columns);
    return telling >= fewest_telling && static_cast<double>(off) <= most_off * all + 1 &&
           static_cast<double>(off_of_telling) <=
               most_off_of_telling * static_cast<double>(telling) + 1;
}

}  // namespace

std::string rounding_in_16_bits(const Candidate& candidate, const Sample& array) {
    if (array.rank() != 2 || !array.has_all_values() || !candidate.proposal.rows.empty() ||
        !candidate.proposal.channels.empty()) {
        return "";
    }
    try {
        const std::optional<WaveTable> table = waves_of(candidate, array);
        if (!table) return "";
        std::vector<std::int64_t> all(array.extents.front());
        for (std::size_t row = 0; row < all.size(); ++row)
            all[row] = static_cast<std::int64_t>(row);
        const std::vector<std::int64_t> some = spread_rows(array.extents.front());
        for (const Way& way : ways) {
            for (const DType format : formats) {
                if (!agrees(*table, way, format, array, some)) continue;
                if (agrees(*table, way, format, array, all)) {
                    return fmt::format(fmt::runtime(way.text), info(format).name);
                }
            }
        }
    } catch (const UsageError&) {
        // An encoding that refuses its other table says nothing.
    }
    return "";
}

}  // namespace pegen::recognition
