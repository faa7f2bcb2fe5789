#include "encodings/rotary/rope_tables.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "numerics/sinusoid.h"
#include "rows/divided.h"

namespace pegen::encodings {
namespace {

using numerics::Function;
using numerics::Real;

/// Returns the places of a function in a table of cos or sin.
std::vector<Place> places_of(Function function, std::string_view layout, std::int64_t pairs,
                             const PairRun& block) {
    if (layout == "single") return {{function, 0, 1}};
    if (layout == "half") return {{function, 0, 1}, {function, pairs, 1}};
    if (layout == "interleaved") return {{function, 0, 2}, {function, 1, 2}};
    return {{function, block.first, 1}, {function, block.first + block.count, 1}};
}

std::vector<Place> behind(std::vector<Place> places, std::int64_t values) {
    for (Place& place : places) place.first += values;
    return places;
}

std::int64_t product(const std::vector<std::int64_t>& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace

std::int64_t RotaryForm::values() const { return product(extents); }

std::int64_t RotaryForm::rows_per_token() const { return values() / extents.back(); }

RotaryForm rotary_form(std::string_view table, std::string_view layout, std::int64_t pairs,
                       const PairRun& block) {
    if (table == "freqs-cis") {
        return {{pairs, 2},
                {frequency_axis(),
                 {.kind = AxisKind::function,
                  .name = "function",
                  .label = "Function",
                  .index_names = {"cos", "sin"}}},
                {{Function::cos, 0, 2}, {Function::sin, 1, 2}}};
    }
    if (table == "matrices") {
        return {{pairs, 2, 2},
                {frequency_axis(),
                 {.kind = AxisKind::channel, .name = "output", .label = "Output"},
                 {.kind = AxisKind::channel, .name = "input", .label = "Input"}},
                {{Function::cos, 0, 4},
                 {Function::sin, 1, 4, true},
                 {Function::sin, 2, 4},
                 {Function::cos, 3, 4}}};
    }
    const std::int64_t width = layout == "single" ? pairs : 2 * pairs;
    const std::vector<Place> sin = places_of(Function::sin, layout, pairs, block);
    const std::vector<Place> cos = places_of(Function::cos, layout, pairs, block);
    if (table == "cos") return {{width}, {channel_axis("Channel of a Head")}, cos};
    if (table == "sin") return {{width}, {channel_axis("Channel of a Head")}, sin};
    std::vector<Place> both = sin;
    std::ranges::copy(behind(cos, width), std::back_inserter(both));
    return {{2 * width}, {channel_axis("Channel of a Head")}, both};
}

RowSource turning_rows(const TurningPairs& pairs, const RotaryForm& form, DType dtype,
                       std::string_view options) {
    std::vector<Real> frequencies = pairs.frequencies;
    const std::int64_t negatives = std::ssize(frequencies);
    for (const Real& frequency : pairs.frequencies) frequencies.push_back(-frequency);

    numerics::ChannelLayout layout{form.values(), {}};
    bool has_negatives = false;
    for (const Place& place : form.places) {
        has_negatives |= place.is_negative;
        std::int64_t frequency = place.is_negative ? negatives : 0;
        for (const PairRun& run : pairs.runs) {
            layout.runs.push_back({.function = place.function,
                                   .first_channel = place.first + place.stride * run.first,
                                   .channel_stride = place.stride * run.stride,
                                   .first_frequency = frequency,
                                   .count = run.count});
            frequency += run.count;
        }
    }
    if (!has_negatives) frequencies.resize(pairs.frequencies.size());

    const numerics::Frequencies omega(std::move(frequencies));
    check_angles(pairs.positions, omega, options);
    return numerics::sinusoid_rows(pairs.positions, omega, std::move(layout), 1.0, dtype);
}

RowSource by_rows(RowSource tokens, const RotaryForm& form, DType dtype) {
    if (form.rows_per_token() == 1) return tokens;
    return rows::divided(std::move(tokens), form.rows_per_token(),
                         form.values() * static_cast<std::int64_t>(info(dtype).size));
}

}  // namespace pegen::encodings
