#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/shape.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/attention_settings.h"

namespace pegen::recognition {
namespace {

using evidence::AttentionExtents;

/// The slope of a head, with the error of float32 code.
struct Slope {
    double value;
    double relative_error;
};

/// The form of an array.
struct Shape {
    std::string form;
    bool is_masked = false;
};

constexpr double code_error = 0x1p-22;

Slope slope_of(const Sample& sample, double value, std::int64_t distance) {
    return {std::fabs(value) / static_cast<double>(distance),
            sample.error_of(value) / std::fabs(value) + code_error};
}

/// True if most values are on the line through the first and the last: a few may be spoiled.
bool is_nearly_linear(const Sample& sample, const std::vector<double>& values) {
    const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
    const double largest = std::max(std::fabs(values.front()), std::fabs(values.back()));
    const double error = 2 * sample.error_of(largest) + largest * code_error;
    std::int64_t on_line = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double line = values.front() + step * static_cast<double>(i);
        if (std::fabs(values[i] - line) <= error) ++on_line;
    }
    return 2 * on_line >= std::ssize(values);
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
    if (!is_nearly_linear(sample, end)) return std::nullopt;
    Shape shape{.form = is_by_key ? "key" : "signed"};
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

using Settings = std::vector<Setting>;

/// A rule for slopes: slope[h] = --out-scale * 2^(-exponents[h] * --max-bias), for each head of a
/// group.
struct Rule {
    std::string name;
    std::vector<double> exponents;
};

std::vector<Rule> rules_for(std::int64_t heads) {
    const auto n = static_cast<std::int64_t>(std::bit_floor(to_size(heads)));
    const auto below = static_cast<double>(n), all = static_cast<double>(heads);
    Rule nearest_power{"nearest-power", {}}, geometric{"geometric", {}};
    for (std::int64_t h = 0; h < heads; ++h) {
        const auto head = static_cast<double>(h);
        nearest_power.exponents.push_back(h < n ? (head + 1) / below
                                                : (2 * (head - below) + 1) / (2 * below));
        geometric.exponents.push_back((head + 1) / all);
    }
    if (n == heads) return {nearest_power};
    return {nearest_power, geometric};
}

/// True if the rule gives all heads their slopes, or nearly.
bool agrees(const Rule& rule, const std::vector<Slope>& slopes, const Measured& max_bias,
            double scale) {
    for (std::size_t h = 0; h < slopes.size(); ++h) {
        const double exponent = rule.exponents[h % rule.exponents.size()];
        const double apart = std::log2(slopes[h].value / scale) + max_bias.value * exponent;
        if (!(std::fabs(apart) <= 0.03 + max_bias.error * exponent)) return false;
    }
    return true;
}

/// Returns the settings of --max-bias and --out-scale with which a rule gives the heads these
/// slopes. One head in a group shows only one of the two.
std::vector<Settings> settings_of(const Rule& rule, const std::vector<Slope>& slopes) {
    std::vector<Settings> all;
    const auto add = [&](const SimpleNumber& max_bias, const std::string& scale) {
        Settings settings;
        if (rule.name != "nearest-power") settings.push_back({"slopes", rule.name});
        if (max_bias.value != 8) settings.push_back({"max-bias", max_bias.text});
        if (scale != "1") settings.push_back({"out-scale", scale});
        all.push_back(std::move(settings));
    };
    const Slope& first = slopes.front();
    const Slope& last = slopes[rule.exponents.size() - 1];
    const double nearest = rule.exponents.front(), farthest = rule.exponents.back();
    const Measured unscaled{-std::log2(first.value) / nearest, 2 * first.relative_error / nearest};
    if (unscaled.value > 0 && agrees(rule, slopes, unscaled, 1)) {
        for (const auto& number : evidence::simple_numbers(unscaled, 2)) add(number, "1");
    }
    const double between = farthest - nearest;
    const Measured max_bias = between == 0 ? Measured{8, 0}
                                           : Measured{std::log2(first.value / last.value) / between,
                                                      4 * first.relative_error / between};
    const double scale = first.value * std::exp2(max_bias.value * nearest);
    if (!(max_bias.value > 0) || !agrees(rule, slopes, max_bias, scale)) return all;
    for (const auto& number : evidence::simple_numbers(max_bias, 1)) {
        const double factor = first.value * std::exp2(number.value * nearest);
        const double error = 2 * factor * first.relative_error;
        if (std::fabs(factor - 1) <= error) continue;
        for (const auto& out_scale : evidence::simple_numbers({factor, error}, 2)) {
            add(number, out_scale.text);
        }
    }
    return all;
}

/// Returns the settings of all rules and numbers of groups that give the heads these slopes.
std::vector<Settings> slope_settings(const std::vector<Slope>& slopes) {
    std::vector<Settings> all;
    const std::int64_t heads = std::ssize(slopes);
    constexpr std::int64_t most_groups = 8;
    for (std::int64_t groups = 1; groups <= std::min(heads, most_groups); ++groups) {
        if (heads % groups != 0) continue;
        for (const Rule& rule : rules_for(heads / groups)) {
            for (Settings& settings : settings_of(rule, slopes)) {
                if (groups > 1) settings.push_back({"groups", std::to_string(groups)});
                all.push_back(std::move(settings));
            }
        }
    }
    return all;
}

void propose_bias(std::vector<Proposal>& proposals, const Sample& sample,
                  const AttentionExtents& extents) {
    const std::optional<Shape> shape = shape_of(sample, extents);
    if (!shape) return;
    std::vector<Slope> slopes;
    for (std::int64_t head = 0; head < extents.heads; ++head) {
        const std::vector<double> end = read_query(sample, extents, head, extents.queries - 1);
        slopes.push_back(
            slope_of(sample, shape->form == "key" ? end.back() : end.front(), extents.keys - 1));
    }
    const bool is_row = extents.queries == 1;
    for (const Settings& settings : slope_settings(slopes)) {
        Proposal proposal{
            .table = is_row ? "row" : "bias",
            .settings = is_row ? bias_settings({{extents.keys, extents.keys}, extents.heads})
                               : bias_settings(extents)};
        if (shape->form != "signed") proposal.settings.push_back({"form", shape->form});
        append(proposal.settings, settings);
        if (shape->is_masked) proposal.settings.push_back({"mask", "causal"});
        proposals.push_back(std::move(proposal));
    }
}

void propose_slopes(std::vector<Proposal>& proposals, const Sample& sample) {
    const auto is_slope = [](double x) { return x > 0 && x < 1; };
    if (sample.rank() != 1 || !std::ranges::all_of(sample.values, is_slope)) return;
    std::vector<Slope> slopes;
    for (const double slope : sample.values) slopes.push_back(slope_of(sample, slope, 1));
    for (const Settings& settings : slope_settings(slopes)) {
        Proposal proposal{.table = "slopes",
                          .settings = {{"heads", std::to_string(sample.extents[0])}}};
        append(proposal.settings, settings);
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
