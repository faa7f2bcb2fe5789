#include "inspect/properties/survey.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/dtype.h"
#include "core/parallel.h"

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

}  // namespace pegen
