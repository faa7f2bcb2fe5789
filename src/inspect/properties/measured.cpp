#include "inspect/properties/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "core/dtype.h"
#include "core/error.h"
#include "core/parallel.h"
#include "encodings/registry.h"
#include "inspect/properties/texts.h"

namespace pegen {
namespace {

constexpr std::int64_t values_at_once = 1 << 16;

/// The survey of some positions, and the data needed to join it with the survey of the positions
/// behind them.
struct Part {
    Survey survey;
    std::vector<double> first_values;  ///< first value of each channel
};

Part part_of(const PositionVectors& vectors, RowRange range) {
    const std::vector<double> values = vectors.read(range);
    const std::size_t channels = vectors.channels;
    Part part{.survey = {.largest_of_channel = std::vector<double>(channels),
                         .is_constant = std::vector<bool>(channels, true)},
              .first_values = {values.begin(), values.begin() + vectors.channels}};
    Survey& survey = part.survey;
    const double* value = values.data();
    for (std::int64_t i = range.first; i < range.first + range.count; ++i) {
        const bool is_in_first_half = i % vectors.positions < (vectors.positions + 1) / 2;
        bool is_zero = true;
        for (std::size_t channel = 0; channel < channels; ++channel, ++value) {
            is_zero = is_zero && *value == 0;
            if (*value != part.first_values[channel]) survey.is_constant[channel] = false;
            const double magnitude = std::fabs(*value);
            const auto number = static_cast<std::int64_t>(channel);
            if (!std::isfinite(magnitude)) {
                if (survey.not_finite_count++ == 0) survey.not_finite = {*value, i, number};
                continue;
            }
            if (survey.largest.position < 0 || magnitude > survey.largest.value) {
                survey.largest = {magnitude, i, number};
            }
            if (is_in_first_half) {
                survey.largest_of_first_half = std::max(survey.largest_of_first_half, magnitude);
            }
            double& largest = survey.largest_of_channel[channel];
            largest = std::max(largest, magnitude);
        }
        survey.zero_vectors += is_zero;
    }
    return part;
}

void add(Part& all, const Part& later) {
    Survey& sum = all.survey;
    const Survey& more = later.survey;
    if (sum.largest.position < 0 || more.largest.value > sum.largest.value) {
        sum.largest = more.largest;
    }
    sum.largest_of_first_half = std::max(sum.largest_of_first_half, more.largest_of_first_half);
    if (sum.not_finite_count == 0) sum.not_finite = more.not_finite;
    sum.not_finite_count += more.not_finite_count;
    sum.zero_vectors += more.zero_vectors;
    for (std::size_t channel = 0; channel < sum.is_constant.size(); ++channel) {
        double& largest = sum.largest_of_channel[channel];
        largest = std::max(largest, more.largest_of_channel[channel]);
        sum.is_constant[channel] = sum.is_constant[channel] && more.is_constant[channel] &&
                                   all.first_values[channel] == later.first_values[channel];
    }
}

}  // namespace

Survey survey_of(const PositionVectors& vectors, const Progress& progress) {
    const std::int64_t count = vectors.count();
    const std::int64_t block = rows_holding(values_at_once, vectors.channels);
    std::vector<Part> parts(thread_count());
    std::optional<Part> all;
    const auto range = [&](std::int64_t item) {
        return RowRange{item * block, std::min(block, count - item * block)};
    };
    parallel_in_order(
        (count + block - 1) / block,
        [&](std::int64_t item, int worker) { parts[worker] = part_of(vectors, range(item)); },
        [&](std::int64_t item, int worker) {
            Part& part = parts[worker];
            if (all) {
                add(*all, part);
            } else {
                all = std::move(part);
            }
            progress(range(item).first + range(item).count, count);
        });
    return std::move(all->survey);
}

double half_ulp(double magnitude, DType dtype) {
    if (!is_floating(dtype) || magnitude == 0) return 0;
    const int precision = dtype == DType::float64   ? 53
                          : dtype == DType::float32 ? 24
                          : dtype == DType::float16 ? 11
                                                    : 8;
    const int smallest = dtype == DType::float64   ? -1074
                         : dtype == DType::float16 ? -24
                         : dtype == DType::float32 ? -149
                                                   : -133;
    // The exponent of the floats just below is found by frexp, which gives magnitude = f 2^e with f
    // in [1/2, 1).
    int exponent = 0;
    if (std::frexp(magnitude, &exponent) == 0.5) --exponent;
    return std::ldexp(0.5, std::max(exponent - precision, smallest));
}

namespace {

std::vector<bool> idle_pairs(const Pairing& pairing, const Survey& survey) {
    std::vector<bool> idle;
    for (const auto& [first, second] : pairing.pairs) {
        idle.push_back(survey.is_constant[first] && survey.is_constant[second]);
    }
    return idle;
}

double largest_residual(const PositionVectors& vectors, const Survey& survey,
                        const Pairing& pairing, const DisplacedVectors& displaced) {
    return turn_of(displaced, vectors.channels, pairing.pairs, idle_pairs(pairing, survey))
        .residual;
}

/// Returns the pairing that the table declares, or the usual pairing that fits best, judged by the
/// displacements by 1 and by the largest offset.
Pairing pairing_of(const PositionVectors& vectors, const Survey& survey,
                   const std::vector<Displacement>& displacements) {
    if (vectors.table.pairs) return named_pairing(vectors.table.pairs(), vectors.channels);
    std::vector<Pairing> all = usual_pairings(vectors.channels);
    const DisplacedVectors near = read_displaced(vectors, displacements.front());
    const DisplacedVectors far = read_displaced(vectors, displacements.back());
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double residual = std::max(largest_residual(vectors, survey, all[i], near),
                                         largest_residual(vectors, survey, all[i], far));
        if (residual < least) least = residual, best = i;
    }
    return std::move(all[best]);
}

/// Returns the largest magnitude in the channels of pairs.
double largest_of(const Pairing& pairing, const Survey& survey) {
    double largest = 0;
    for (const auto& [first, second] : pairing.pairs) {
        largest = std::max(
            {largest, survey.largest_of_channel[first], survey.largest_of_channel[second]});
    }
    return largest;
}

/// Returns the frequencies of the encoding's pairs in radians per position; nothing if no table has
/// them.
std::optional<std::vector<double>> frequencies_of(const Table& table) {
    const Encoding* const encoding = find_encoding(table.provenance.encoding);
    if (!encoding || !table.sibling) return {};
    for (const TableSpec& spec : encoding->tables) {
        if (!spec.has_frequencies) continue;
        try {
            const Table frequencies = table.sibling({.table = spec.name});
            return read_rows(frequencies, {0, frequencies.shape.rows()});
        } catch (const UsageError&) {  // there are no frequencies with these parameters
        }
    }
    return {};
}

/// Returns the largest deviation of an angle from the angle at equally spaced positions.
double angle_error(const PositionVectors& vectors) {
    double largest = 0;
    for (const PositionAxis& axis : vectors.axes) largest = std::max(largest, axis.step_error);
    if (largest == 0) return 0;
    double fastest = 1;
    for (const double frequency : frequencies_of(vectors.table).value_or(std::vector<double>())) {
        fastest = std::max(fastest, std::fabs(frequency));
    }
    return largest * fastest;
}

}  // namespace

Measured::Measured(const Table& table, double slack, Progress progress)
    : table_(table), slack_(slack), progress_(std::move(progress)), vectors_(vectors_of(table)) {}

const Survey& Measured::survey() {
    if (!survey_) survey_ = survey_of(vectors(), progress_);
    return *survey_;
}

const std::string& Measured::no_displacements() {
    if (no_displacements_) return *no_displacements_;
    no_displacements_ = no_vectors();
    if (!no_vectors().empty()) return *no_displacements_;
    if (!table_.scored_by.empty()) {
        no_displacements_ = std::string(not_added_text);
        if (table_.scored_by != "none") {
            *no_displacements_ += fmt::format("; --table {} has them", table_.scored_by);
        }
        return *no_displacements_;
    }
    const bool are_spaced = std::ranges::any_of(
        vectors().axes, [](const PositionAxis& axis) { return axis.step.has_value(); });
    if (!are_spaced) {
        no_displacements_ = "its positions are not equally spaced";
    } else if (displacements_of(vectors()).empty()) {
        no_displacements_ = "there are fewer than three positions";
    } else if (survey().not_finite_count > 0) {
        no_displacements_ = not_finite_text(survey().not_finite_count);
    } else if (const double largest = survey().largest.value;
               largest > 0x1p500 || (largest > 0 && largest < 0x1p-500)) {
        no_displacements_ = "its values are too large or too small for their squares";
    }
    return *no_displacements_;
}

const Turns& Measured::turns() {
    if (turns_) return *turns_;
    const std::vector<Displacement> all = displacements_of(vectors());
    Turns found{.pairing = pairing_of(vectors(), survey(), all), .displacements = {}, .turns = {}};
    const std::vector<bool> idle = idle_pairs(found.pairing, survey());
    found.idle_pairs = std::ranges::count(idle, true);
    std::vector<Turn> turns(all.size());
    parallel_for(std::ssize(all), [&](std::int64_t i) {
        turns[i] = turn_of(read_displaced(vectors(), all[i]), vectors().channels,
                           found.pairing.pairs, idle);
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (turns[i].looked_at < 2) continue;
        found.displacements.push_back(all[i]);
        found.turns.push_back(turns[i]);
        if (turns[i].residual > found.turns[found.worst].residual) {
            found.worst = found.turns.size() - 1;
        }
    }
    const double radius = largest_of(found.pairing, survey());
    const double error = half_ulp(radius, table_.dtype);
    if (radius > 0) {
        found.bound = 4 * std::numbers::sqrt2 * error * (1 + 4 * error / radius) +
                      radius * (0x1p-49 + 4 * angle_error(vectors())) + slack_;
    }
    return turns_.emplace(std::move(found));
}

const AllProducts& Measured::products() {
    if (products_) return *products_;
    AllProducts found;
    if (vectors().channels > 1 && turns().hold()) {
        for (const auto& [first, second] : turns().pairing.pairs) {
            found.channels.push_back(first);
            found.channels.push_back(second);
        }
        std::ranges::sort(found.channels);
    } else {
        for (std::int64_t i = 0; i < vectors().channels; ++i) found.channels.push_back(i);
    }
    const std::vector<Displacement> all = displacements_of(vectors());
    std::vector<Products> products(all.size());
    parallel_for(std::ssize(all), [&](std::int64_t i) {
        products[i] =
            products_of(read_displaced(vectors(), all[i]), vectors().channels, found.channels);
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (products[i].looked_at < 2) continue;
        found.displacements.push_back(all[i]);
        found.products.push_back(products[i]);
    }
    const double of_angle = 2 * angle_error(vectors());
    double squares = 0, errors = 0, error_squares = 0;
    for (const std::int64_t channel : found.channels) {
        const double largest = survey().largest_of_channel[channel];
        const double error = half_ulp(largest, table_.dtype) + largest * of_angle;
        squares += largest * largest;
        errors += 2 * error * largest + error * error;
        error_squares += 4 * error * error;
    }
    const auto terms = static_cast<double>(found.channels.size() + 3);
    found.dot_error = errors + terms * 0x1p-53 * squares;
    found.distance_error = std::sqrt(error_squares) + terms * 0x1p-53 * 2 * std::sqrt(squares);
    return products_.emplace(std::move(found));
}

std::optional<std::vector<double>> Measured::angles() {
    if (vectors().axes.size() != 1 || vectors().channels < 2 || !turns().hold()) return {};
    std::optional<std::vector<double>> angles = frequencies_of(table_);
    if (!angles) return {};
    const std::int64_t pairs = std::ssize(products().channels) / 2;
    // If the number of channels is odd, the last frequency has no cosine.
    if (std::ssize(*angles) == pairs + 1) angles->pop_back();
    if (std::ssize(*angles) != pairs) return {};
    for (double& angle : *angles) angle *= *vectors().axes.front().step;
    return angles;
}

}  // namespace pegen
