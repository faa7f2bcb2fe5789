#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/to_size.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/attention_settings.h"

namespace pegen::recognition {
namespace {

using evidence::AttentionExtents;
using evidence::Proposal;
using evidence::Sample;

/// The slope of a head, with the error of float32 code.
struct Slope {
    double value;
    double relative_error;
};

/// The form of an array, and the slope of its first head.
struct Shape {
    std::string form;
    bool is_masked = false;
    Slope first;  ///< the slope of head 0
};

constexpr double code_error = 0x1p-22;

Slope slope_of(const Sample& sample, double value, std::int64_t distance) {
    return {std::fabs(value) / static_cast<double>(distance),
            sample.error_of(value) / std::fabs(value) + code_error};
}

/// Returns the form, read from the first and the last query of head 0; none if the values have no
/// such form.
std::optional<Shape> shape_of(const Sample& sample, const AttentionExtents& extents) {
    const std::int64_t last = extents.keys - 1;
    if (last < 1) return std::nullopt;
    const std::vector<double> end = read_query(sample, extents, 0, extents.queries - 1);
    const bool is_by_key = end.front() == 0 && end.back() > 0;
    const bool is_by_distance = end.back() == 0 && end.front() < 0;
    if (!is_by_key && !is_by_distance) return std::nullopt;
    Shape shape{.form = is_by_key ? "key" : "signed",
                .first = slope_of(sample, is_by_key ? end.back() : end.front(), last)};
    if (extents.queries == 1) return shape;
    const std::vector<double> start = read_query(sample, extents, 0, 0);
    const std::int64_t position = extents.keys - extents.queries;
    shape.is_masked = start.back() == -std::numeric_limits<double>::infinity();
    if (is_by_key) return shape;
    if (start[position] != 0) {
        shape.form = "last-key";
    } else if (!shape.is_masked) {
        const double slope = start.back() / static_cast<double>(last - position);
        shape.form = slope == 0 ? "causal" : slope > 0 ? "signed" : "symmetric";
    }
    return shape;
}

/// A rule for slopes, with the exponents of head 0 and of the last head for a --max-bias of 1.
struct Rule {
    const char* name;
    double first;
    double last;
};

std::vector<Rule> rules_for(std::int64_t heads) {
    const auto n = static_cast<std::int64_t>(std::bit_floor(to_size(heads)));
    const auto below = static_cast<double>(n), all = static_cast<double>(heads);
    if (n == heads) return {{"nearest-power", 1 / all, 1}};
    const auto last = static_cast<double>(2 * (heads - n) - 1);
    return {{"nearest-power", 1 / below, last / (2 * below)}, {"geometric", 1 / all, 1}};
}

/// Returns the settings of the rules that give the first and the last head these slopes.
std::vector<std::vector<evidence::Setting>> slope_settings(std::int64_t heads, const Slope& first,
                                                           double last) {
    std::vector<std::vector<evidence::Setting>> all;
    for (const Rule& rule : rules_for(heads)) {
        const double exponent = -std::log2(first.value);
        const evidence::Measured max_bias{exponent / rule.first,
                                          2 * first.relative_error / rule.first};
        const double apart = std::fabs(std::log2(last) + max_bias.value * rule.last);
        if (!(exponent > 0) || !(apart <= 0.03 + max_bias.error * rule.last)) continue;
        for (const evidence::SimpleNumber& number : evidence::simple_numbers(max_bias, 2)) {
            std::vector<evidence::Setting> settings;
            if (rule.name != std::string("nearest-power"))
                settings.push_back({"slopes", rule.name});
            if (number.value != 8) settings.push_back({"max-bias", number.text});
            all.push_back(std::move(settings));
        }
    }
    return all;
}

void propose_bias(std::vector<Proposal>& proposals, const Sample& sample,
                  const AttentionExtents& extents) {
    const std::optional<Shape> shape = shape_of(sample, extents);
    if (!shape) return;
    const std::vector<double> end =
        read_query(sample, extents, extents.heads - 1, extents.queries - 1);
    const double last = std::max(std::fabs(end.front()), std::fabs(end.back())) /
                        static_cast<double>(extents.keys - 1);
    const bool is_row = extents.queries == 1;
    for (const auto& slopes : slope_settings(extents.heads, shape->first, last)) {
        Proposal proposal{
            .table = is_row ? "row" : "bias",
            .settings = is_row ? bias_settings({{extents.keys, extents.keys}, extents.heads})
                               : bias_settings(extents)};
        if (shape->form != "signed") proposal.settings.push_back({"form", shape->form});
        proposal.settings.insert(proposal.settings.end(), slopes.begin(), slopes.end());
        if (shape->is_masked) proposal.settings.push_back({"mask", "causal"});
        proposals.push_back(std::move(proposal));
    }
}

void propose_slopes(std::vector<Proposal>& proposals, const Sample& sample) {
    const std::vector<double>& slopes = sample.values;
    const auto is_slope = [](double x) { return x > 0 && x < 1; };
    if (sample.rank() != 1 || !std::ranges::all_of(slopes, is_slope)) return;
    const std::int64_t heads = sample.extents[0];
    for (const auto& settings :
         slope_settings(heads, slope_of(sample, slopes.front(), 1), slopes.back())) {
        Proposal proposal{.table = "slopes", .settings = {{"heads", std::to_string(heads)}}};
        proposal.settings.insert(proposal.settings.end(), settings.begin(), settings.end());
        proposals.push_back(std::move(proposal));
    }
}

}  // namespace

/// Returns the proposals for all forms, masks and rules of slopes; --max-bias is found from the
/// slopes.
std::vector<Proposal> recognize_alibi(const Sample& sample) {
    if (sample.values.empty()) return {};
    std::vector<Proposal> proposals;
    propose_slopes(proposals, sample);
    for (const AttentionExtents& extents : attention_extents(sample)) {
        propose_bias(proposals, sample, extents);
    }
    return proposals;
}

}  // namespace pegen::recognition
