#include "encodings/rotary/rope_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "core/error.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "numerics/remembered.h"
#include "rows/arranged.h"

namespace pegen::encodings {

void check_pairs(const Parameters& p) {
    if (p.integer("d") % 2 == 0) return;
    throw UsageError(
        fmt::format("--d {}: must be even, since channels turn in pairs", p.integer("d")));
}

namespace {

using numerics::Frequencies;
using numerics::Function;
using numerics::Real;

/// Returns the places of a function of the angles in a table of cos or sin.
std::vector<Place> places_of(Function function, std::string_view layout, std::int64_t pairs,
                             PairRun block) {
    if (layout == "single") return {{function, 0, 1}};
    if (layout == "half") return {{function, 0, 1}, {function, pairs, 1}};
    if (layout == "interleaved") return {{function, 0, 2}, {function, 1, 2}};
    return {{function, block.first, 1}, {function, block.first + block.count, 1}};
}

Term negative(const Term& term) {
    if (term.text == "0") return term;
    return {[value = term.value] { return -value(); },
            term.text.starts_with('-') ? term.text.substr(1) : "-" + term.text};
}

/// Returns the numbers of the pairs in the runs, in order.
std::vector<std::int64_t> numbers_of(const std::vector<PairRun>& runs) {
    std::vector<std::int64_t> pairs;
    for (const PairRun& run : runs) {
        for (std::int64_t i = 0; i < run.count; ++i) pairs.push_back(run.pair(i));
    }
    return pairs;
}

std::vector<Place> behind(std::vector<Place> places, std::int64_t values) {
    for (Place& place : places) place.first += values;
    return places;
}

}  // namespace

std::int64_t RotaryForm::values() const {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t RotaryForm::bytes(DType dtype) const {
    return values() * static_cast<std::int64_t>(info(dtype).size);
}

bool RotaryForm::has_negatives() const { return std::ranges::any_of(places, &Place::is_negative); }

RotaryForm rotary_form(std::string_view table, std::string_view layout, std::int64_t pairs,
                       PairRun block) {
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
    const Axis axis = channel_axis("Channel of a Head");
    if (table == "cos") return {{width}, {axis}, cos};
    if (table == "sin") return {{width}, {axis}, sin};
    if (table == "signed-sin") {
        std::vector<Place> places = sin;
        places.front().is_negative = true;
        return {{width}, {axis}, places};
    }
    std::vector<Place> both = table == "sin-cos" ? sin : cos;
    std::ranges::copy(behind(table == "sin-cos" ? cos : sin, width), std::back_inserter(both));
    return {{2 * width}, {axis}, both};
}

Real rotary_frequency(double base, std::int64_t pair, std::int64_t channels) {
    static numerics::Remembered<Real> remembered;
    std::string key;
    numerics::append_to_key(key, base);
    for (const std::int64_t number : {pair, channels, std::int64_t{numerics::Precision::bits()}}) {
        numerics::append_to_key(key, number);
    }
    if (auto known = remembered.find(key)) return *std::move(known);
    Real frequency =
        pow(base, Real(static_cast<double>(-2 * pair)) / static_cast<double>(channels));
    constexpr std::size_t bytes_of_real = 128;
    remembered.add(std::move(key), frequency, bytes_of_real);
    return frequency;
}

Frequencies turning_frequencies(const RotaryForm& form, const Frequencies& frequencies) {
    if (!form.has_negatives()) return frequencies;
    const Frequencies negatives([=] {
        std::vector<Real> all;
        for (const Real& frequency : frequencies.reals()) all.push_back(-frequency);
        return all;
    });
    return concatenated(frequencies, negatives);
}

std::vector<float> nearest_floats(const Frequencies& frequencies) {
    std::vector<float> floats;
    for (const Real& w : frequencies.reals()) {
        floats.push_back(static_cast<float>(nearest_double(w)));
    }
    return floats;
}

numerics::ChannelLayout turning_layout(const RotaryForm& form, const std::vector<PairRun>& runs) {
    std::int64_t count = 0;
    for (const PairRun& run : runs) count += run.count;
    numerics::ChannelLayout layout{form.values(), {}};
    for (const Place& place : form.places) {
        std::int64_t frequency = place.is_negative ? count : 0;
        for (const PairRun& run : runs) {
            layout.runs.push_back({.function = place.function,
                                   .first_channel = place.first + place.stride * run.first,
                                   .channel_stride = place.stride * run.stride,
                                   .first_frequency = frequency,
                                   .count = run.count});
            frequency += run.count;
        }
    }
    return layout;
}

Cell turning_cell(const RotaryForm& form, const std::vector<PairRun>& runs, std::int64_t value,
                  double factor, const std::function<Term(std::int64_t pair)>& position,
                  const FrequencyTerms& frequencies) {
    const numerics::ChannelLayout layout = turning_layout(form, runs);
    const auto content = content_of(layout, value);
    if (!content) return zero_cell("The channels are of two pairs, which do not mix.");
    const std::vector<std::int64_t> pairs = numbers_of(runs);
    const bool is_negative = content->frequency >= std::ssize(pairs);
    const std::int64_t pair = pairs[content->frequency % std::ssize(pairs)];
    Cell cell =
        wave_cell(factor, content->function,
                  is_negative ? negative(position(pair)) : position(pair), frequencies(pair));
    cell.pair = pair;
    // In a form with several axes, the channels do not hold the other function.
    if (form.extents.size() == 1) {
        cell.partner = channel_with(layout, {other(content->function), content->frequency});
    }
    return cell;
}

Rows turning_rows(const TurningPairs& pairs, const RotaryForm& form, DType dtype,
                  std::string_view options) {
    const Frequencies omega = turning_frequencies(form, pairs.frequencies);
    Waves waves{.positions = pairs.positions,
                .layout = turning_layout(form, pairs.runs),
                .frequencies = [&] { return omega; },
                .terms = nullptr,
                .options = options};
    if (!pairs.is_exact) {
        waves.float32 = [&] {
            return numerics::angle_products(pairs.positions, nearest_floats(omega));
        };
    }
    return wave_rows(waves, dtype);
}

Plan rotary_plan(Parameters p, std::int64_t tokens, Axis token_axis, RotaryForm form,
                 std::function<Rows(DType dtype)> token_rows,
                 std::function<Cell(std::int64_t token, std::int64_t value)> cell_of) {
    std::vector<std::int64_t> extents{tokens};
    std::ranges::copy(form.extents, std::back_inserter(extents));
    std::vector<Axis> axes{std::move(token_axis)};
    std::ranges::copy(form.axes, std::back_inserter(axes));
    std::function<Cell(std::span<const std::int64_t>)> cell;
    if (cell_of) {
        cell = [strides = strides_of(form.extents),
                cell_of = std::move(cell_of)](std::span<const std::int64_t> index) {
            return cell_of(index[0], std::inner_product(strides.begin(), strides.end(),
                                                        index.begin() + 1, std::int64_t{0}));
        };
    }
    return {.parameters = std::move(p),
            .shape = Shape(std::move(extents)),
            .axes = std::move(axes),
            .make_rows =
                [form = std::move(form), token_rows = std::move(token_rows)](DType dtype) {
                    return rows::reshaped(token_rows(dtype), form.extents.back());
                },
            .cell = std::move(cell)};
}

}  // namespace pegen::encodings
