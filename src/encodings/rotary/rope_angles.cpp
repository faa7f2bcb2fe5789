#include "encodings/rotary/rope_angles.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/to_size.h"
#include "encodings/rotary/frequency_settings.h"
#include "encodings/rotary/rope_proposal.h"
#include "encodings/rotary/turning_table.h"

namespace pegen::encodings {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;

std::vector<Proposal> propose_angles(const Sample& array) {
    std::vector<Proposal> proposals;
    const std::int64_t last = array.leading - 1, pairs = array.extents[1];
    if (last < 1 || pairs > 1 << 16) return proposals;
    for (const double drift : {exact_arithmetic.drift, float32_arithmetic.drift}) {
        std::vector<Measured> advances;
        for (std::int64_t pair = 0; pair < pairs; ++pair) {
            const Measured first = cell(array, 0, pair), end = cell(array, last, pair);
            const Measured half = cell(array, last / 2, pair);
            const double advance = (end.value - first.value) / static_cast<double>(last);
            const double room =
                first.error + end.error + drift * (std::fabs(first.value) + std::fabs(end.value));
            const double there = first.value + advance * static_cast<double>(last / 2);
            if (!(std::fabs(there - half.value) <= 2 * room + half.error)) return proposals;
            advances.push_back({advance, room / static_cast<double>(last)});
        }
        const double fastest = advances.front().value;
        if (fastest == 0) return proposals;
        const Measured first = cell(array, 0, 0);
        for (const double sign : {1.0, -1.0}) {
            std::vector<double> steps{sign};
            for (const evidence::SimpleNumber& step : numbers_within(bounds_of(advances[0]), 2)) {
                if (std::fabs(step.value) != 1) steps.push_back(step.value);
            }
            for (const double step : steps) {
                if (fastest / step <= 0) continue;
                const double per_position = fastest / step;
                const Bounds start{(first.value - first.error) / per_position,
                                   (first.value + first.error) / per_position};
                const auto starts = numbers_within({start.low - drift * std::fabs(start.low),
                                                    start.high + drift * std::fabs(start.high)},
                                                   1);
                if (starts.empty()) continue;
                for (RopeSettings& settings : rope_settings({times(advances, 1 / step)})) {
                    RotaryColumns columns{.table = "angles"};
                    for (std::int64_t pair = 0; pair < pairs; ++pair) {
                        columns.pair_of_column.push_back(pair);
                    }
                    propose(proposals, columns,
                            {std::move(settings.settings),
                             regular_positions(starts.front().value, step, array.extents[0]),
                             values_of(times(advances, 1 / step)), drift},
                            array.extents[0]);
                }
            }
        }
    }
    return proposals;
}

std::vector<Proposal> propose_vectors(const Sample& array) {
    std::vector<Proposal> proposals;
    const std::vector<double>& values = array.values;
    if (array.leading != array.extents[0] || values.size() > 1 << 16) return proposals;
    const bool falls = std::ranges::is_sorted(values, std::greater<>());
    const bool rises = std::ranges::is_sorted(values);
    if ((!falls && !rises) || !(values.front() >= 0) || !(values.back() >= 0)) return proposals;
    for (const double drift : {exact_arithmetic.drift, float32_arithmetic.drift}) {
        std::vector<Measured> frequencies;
        for (const double value : values) {
            const double error = array.error_of(value) + drift * value;
            if (falls) frequencies.push_back({value, error});
            if (!falls && !(value > error)) return proposals;
            if (!falls) {
                const double frequency = 2 * std::numbers::pi / value;
                frequencies.push_back({frequency, frequency * error / (value - error)});
            }
        }
        for (RopeSettings& settings : rope_settings({frequencies})) {
            Proposal proposal{.table = falls ? "inv-freq" : "wavelengths",
                              .settings = std::move(settings.settings)};
            proposal.angle = [values](std::int64_t row, std::int64_t) {
                return values[to_size(row)];
            };
            proposals.push_back(proposal);
            proposal.settings.push_back({"arith", "float32"});
            if (falls) proposals.push_back(proposal);
        }
    }
    return proposals;
}

}  // namespace pegen::encodings
