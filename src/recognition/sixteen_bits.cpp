#include "recognition/sixteen_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "recognition/candidate.h"
#include "recognition/evidence/precision.h"

namespace pegen::recognition {
namespace {

/// A choice of --rounded, in words.
struct Way {
    const char* rounded;
    const char* text;
};

constexpr std::array ways{
    Way{"frequencies", "the frequencies are rounded to {}"},
    Way{"angles", "the angles, position times frequency, are rounded to {}"},
    Way{"frequencies-angles", "frequencies and angles are rounded to {}"},
    Way{"positions-angles", "positions and angles are rounded to {}"},
    Way{"all", "positions, frequencies and angles are rounded to {}"},
    Way{"positions", "the positions are rounded to {}"},
    Way{"positions-frequencies", "positions and frequencies are rounded to {}"},
};

/// True if the first rows are nearly the exact ones: rounding moves small angles little.
bool starts_as(const Table& exact, const Sample& array) {
    constexpr std::int64_t most_rows = 3;
    constexpr double most_off = 0x1p-5;
    const std::vector<double> values =
        read_rows(exact, {0, std::min(most_rows, array.extents.front())});
    const double amplitude = evidence::largest_magnitude(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(std::abs(values[i] - array.values[i]) <= most_off * amplitude)) return false;
    }
    return true;
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

/// The counts of values that tell whether an array is one table or another.
struct Counts {
    std::int64_t all = 0;
    std::int64_t off = 0;             ///< values that the table does not have
    std::int64_t telling = 0;         ///< values in which the table is not the exact one
    std::int64_t off_of_telling = 0;  ///< both
};

bool agrees(const Counts& counts) {
    constexpr double most_off = 0.005, most_off_of_telling = 0.02;
    constexpr std::int64_t fewest_telling = 20;
    return counts.telling >= fewest_telling &&
           static_cast<double>(counts.off) <= most_off * static_cast<double>(counts.all) + 1 &&
           static_cast<double>(counts.off_of_telling) <=
               most_off_of_telling * static_cast<double>(counts.telling) + 1;
}

Counts counts_of(const Table& made, const Table& exact, const Sample& array,
                 const std::vector<std::int64_t>& rows) {
    Counts counts;
    const std::int64_t columns = made.shape.columns();
    for (const std::int64_t row : rows) {
        const std::vector<double> values = read_rows(made, {row, 1});
        const std::vector<double> exact_values = read_rows(exact, {row, 1});
        const double position = position_at(made.axes.front(), row).value_or(0);
        const double largest_angle_error = 0x1p-23 * (2 + std::abs(position));
        const double amplitude = evidence::largest_magnitude(values);
        for (std::size_t c = 0; c < values.size(); ++c) {
            const double error =
                evidence::unit_of(values[c], array.precision) + largest_angle_error * amplitude;
            const double given = array.values[row * columns + static_cast<std::int64_t>(c)];
            const bool is_off = !(std::abs(values[c] - given) <= error);
            const bool is_telling = std::abs(values[c] - exact_values[c]) > 4 * error;
            ++counts.all;
            counts.off += is_off ? 1 : 0;
            counts.telling += is_telling ? 1 : 0;
            counts.off_of_telling += is_off && is_telling ? 1 : 0;
        }
    }
    return counts;
}

}  // namespace

std::optional<Candidate16> in_16_bits(const Candidate& candidate, const Sample& array) {
    const bool is_plain = candidate.proposal.rows.empty() && candidate.proposal.channels.empty();
    if (array.rank() != 2 || !array.has_all_values() || !is_plain ||
        !candidate.parameters.knows("rounded")) {
        return {};
    }
    const std::optional<Table> exact = table_of(candidate, array.precision);
    if (!exact || exact->shape.extents() != array.extents || !starts_as(*exact, array)) return {};
    const std::vector<std::int64_t> some = spread_rows(array.extents.front());
    std::vector<std::int64_t> all(array.extents.front());
    std::iota(all.begin(), all.end(), 0);
    for (const Way& way : ways) {
        for (const DType format : {DType::bfloat16, DType::float16}) {
            Candidate narrow = candidate;
            narrow.parameters.set("arith", info(format).name, Origin::user);
            narrow.parameters.set("rounded", way.rounded, Origin::user);
            narrow.presets.clear();
            narrow.bits = price_of(narrow);
            const std::optional<Table> made = table_of(narrow, array.precision);
            if (!made || !agrees(counts_of(*made, *exact, array, some)) ||
                !agrees(counts_of(*made, *exact, array, all))) {
                continue;
            }
            return Candidate16{std::move(narrow),
                               fmt::format(fmt::runtime(way.text), info(format).name)};
        }
    }
    return {};
}

}  // namespace pegen::recognition
