#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/wave_table.h"
#include "recognition/parameters/position_proposals.h"

namespace pegen::recognition {
namespace {

constexpr std::int64_t longest_list = 1024;

/// Returns the equal steps from the first value to the last; none if some value is off these steps.
std::optional<evidence::WaveSteps> steps_of(const Sample& array) {
    const std::vector<double>& values = array.values;
    const auto last = static_cast<double>(values.size() - 1);
    const double step = (values.back() - values.front()) / last;
    const double error = 2 * (array.error_of(values.front()) + array.error_of(values.back()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = values.front() + step * static_cast<double>(i);
        if (std::fabs(values[i] - expected) > error + 2 * array.error_of(values[i])) return {};
    }
    return evidence::WaveSteps{{values.front(), array.error_of(values.front())},
                               {step, error / last}};
}

}  // namespace

std::vector<Proposal> recognize_index(const Sample& array) {
    if (array.rank() != 1 || array.values.size() < 2) return {};
    const bool is_finite =
        std::ranges::all_of(array.values, [](double v) { return std::isfinite(v); });
    if (!is_finite) return {};
    evidence::WaveTable table{.circle = {}, .log_ratio = {}, .steps = steps_of(array)};
    if (!table.steps) {
        const bool is_long = array.extents[0] > longest_list;
        if (is_long && position_list_text(array.values).empty()) return {};
        for (const double value : array.values) {
            table.positions.push_back({value, array.error_of(value)});
        }
    }
    std::vector<Proposal> proposals;
    const std::string step_of_normalized = fmt::format("1/{}", array.extents[0] - 1);
    for (PricedSettings& priced : position_proposals(table, array.extents[0])) {
        const bool is_other = std::ranges::any_of(priced.settings, [&](const auto& setting) {
            return setting.name == "freq-scale" || setting.value == step_of_normalized;
        });
        if (!is_other) proposals.push_back({.settings = std::move(priced.settings)});
    }
    return proposals;
}

}  // namespace pegen::recognition
