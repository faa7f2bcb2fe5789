#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/attention_settings.h"
#include "recognition/parameters/drawn_tensor.h"
#include "recognition/relative/border_search.h"
#include "recognition/relative/free_weights.h"

namespace pegen::recognition {
namespace {

using evidence::Lines;

// T5's buckets of distances, and the search for buckets that explain an array of buckets or of
// biases.

/// The buckets on one side of the query.
struct T5Side {
    std::int64_t buckets;
    std::int64_t max_distance;

    std::int64_t exact() const { return buckets / 2; }
    /// Returns the bucket of a distance, 0 or more.
    std::int64_t of(std::int64_t distance) const;
};

struct T5Buckets {
    T5Side side;
    bool is_causal;

    std::int64_t in_all() const { return is_causal ? side.buckets : 2 * side.buckets; }
    /// Returns the bucket of an offset, key - query.
    std::int64_t of(std::int64_t offset) const {
        if (offset <= 0) return side.of(-offset);
        return is_causal ? 0 : side.buckets + side.of(offset);
    }
};

constexpr T5Side usual_t5_side{16, 128};
constexpr T5Side usual_causal_t5_side{32, 128};

std::int64_t T5Side::of(std::int64_t distance) const {
    if (distance < exact()) return distance;
    if (distance >= max_distance) return buckets - 1;
    // A distance exactly at a step of the scale is tested with a tolerance for rounding.
    constexpr double slack = 1e-9;
    const double step = step_of(distance, exact(), max_distance, buckets - exact());
    return std::min(exact() + static_cast<std::int64_t>(step + slack), buckets - 1);
}

/// Returns the sides, with the numbers of buckets in `counts`, that give the distances 0, 1, 2, ...
/// these buckets.
std::vector<T5Side> possible_sides(const std::vector<std::int64_t>& buckets,
                                   const std::vector<std::int64_t>& counts) {
    const std::vector<Bucketed> borders = borders_of(buckets);
    const std::int64_t last = *std::ranges::max_element(buckets);
    std::vector<T5Side> sides;
    for (const std::int64_t count : counts) {
        if (last >= count) continue;
        const auto interval =
            possible_ends(borders, count / 2 + 1, [=](std::int64_t distance, std::int64_t end) {
                return T5Side{count, end}.of(distance);
            });
        if (interval) sides.push_back({count, simplest(*interval, usual_t5_side.max_distance)});
    }
    return sides;
}

/// Returns the numbers of buckets on a side, powers of two first, for which the exact buckets, half
/// of all, are among the first `exact` buckets.
std::vector<std::int64_t> counts_up_to(std::int64_t exact) {
    constexpr std::int64_t most = 1024;
    std::vector<std::int64_t> counts;
    for (std::int64_t n = 2; n <= std::min(2 * exact + 1, most); ++n) counts.push_back(n);
    std::ranges::stable_sort(counts, {}, [](std::int64_t n) {
        const bool is_usual = n == usual_t5_side.buckets || n == usual_causal_t5_side.buckets;
        return is_usual ? 0 : evidence::bits_of_number(std::to_string(n));
    });
    return counts;
}

/// Returns the parameters of `t5` that differ from their defaults.
std::vector<Setting> settings_of(const T5Buckets& buckets) {
    std::vector<Setting> settings;
    if (buckets.in_all() != 32) {
        settings.push_back({"num-buckets", std::to_string(buckets.in_all())});
    }
    if (buckets.side.max_distance != usual_t5_side.max_distance) {
        settings.push_back({"max-distance", std::to_string(buckets.side.max_distance)});
    }
    if (buckets.is_causal) settings.push_back({"causal", "true"});
    return settings;
}

constexpr std::size_t most_proposals = 4;

/// Returns the buckets of distances 0, 1, 2, ... before the query.
std::vector<std::int64_t> past_of(const Lines& lines) {
    std::vector<std::int64_t> past;
    for (std::int64_t d = 0; d < lines.extents.keys; ++d) {
        past.push_back(static_cast<std::int64_t>(lines.at(0, -d)));
    }
    return past;
}

std::vector<Proposal> recognize_buckets(const Sample& sample) {
    const auto extents = index_extents(sample);
    const auto lines = extents ? lines_of(sample, *extents) : std::nullopt;
    if (!lines || lines->at(0, 0) != 0 || extents->keys < 2 || lines->is_causal) return {};
    const std::vector<std::int64_t> past = past_of(*lines);
    const bool has_future = extents->queries > 1;
    const double next = has_future ? lines->at(0, 1) : 0;
    std::vector<T5Buckets> found;
    if (has_future && next != 0) {
        const auto count = static_cast<std::int64_t>(next - lines->at(0, -1));
        if (count < 2 || count > 1 << 15) return {};
        for (const T5Side& side : possible_sides(past, {count})) found.push_back({side, false});
    } else {
        for (const T5Side& side : possible_sides(past, counts_up_to(exact_buckets(past)))) {
            // A single query does not show whether keys after it have buckets of their own.
            if (!has_future) found.push_back({side, false});
            found.push_back({side, true});
        }
    }
    std::vector<Proposal> proposals;
    for (const T5Buckets& buckets : found) {
        if (proposals.size() == most_proposals) break;
        Proposal proposal{.table = "bucket", .settings = length_settings(*extents)};
        append(proposal.settings, settings_of(buckets));
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

/// True if two distances have the same biases in all heads.
bool are_equal(const Lines& lines, std::int64_t a, std::int64_t b) {
    for (std::int64_t head = 0; head < lines.extents.heads; ++head) {
        if (lines.at(head, a) != lines.at(head, b)) return false;
    }
    return true;
}

/// Returns the number of the run for each distance 0, 1, 2, ... before the query. A run is a
/// stretch of distances with equal biases; runs are numbered from 0.
std::vector<std::int64_t> runs_of(const Lines& lines) {
    std::vector<std::int64_t> runs{0};
    for (std::int64_t d = 1; d < lines.extents.keys; ++d) {
        runs.push_back(runs.back() + (are_equal(lines, -d, 1 - d) ? 0 : 1));
    }
    return runs;
}

/// True if all distances in a bucket have the same biases.
bool explains(const T5Buckets& buckets, const Lines& lines) {
    std::vector<std::optional<std::int64_t>> first(buckets.in_all());
    for (std::int64_t d = lines.extents.smallest_distance(); d < lines.extents.queries; ++d) {
        std::optional<std::int64_t>& known = first[buckets.of(d)];
        if (!known) known = d;
        if (!are_equal(lines, *known, d)) return false;
    }
    return true;
}

/// Returns the weights (buckets, heads); NaN for buckets that no pair of query and key has.
std::vector<double> weights_of(const T5Buckets& buckets, const Lines& lines) {
    const std::int64_t heads = lines.extents.heads;
    std::vector<double> weights(buckets.in_all() * heads, std::numeric_limits<double>::quiet_NaN());
    for (std::int64_t d = lines.extents.smallest_distance(); d < lines.extents.queries; ++d) {
        for (std::int64_t head = 0; head < heads; ++head) {
            weights[buckets.of(d) * heads + head] = lines.at(head, d);
        }
    }
    return weights;
}

/// Gives the keys that a causal mask hides the bias at distance 0, as the buckets of --causal do.
void fill_hidden(Lines& lines) {
    for (std::vector<double>& line : lines.heads) {
        const auto at_0 =
            line.begin() - static_cast<std::ptrdiff_t>(lines.extents.smallest_distance());
        std::fill(at_0 + 1, line.end(), *at_0);
    }
}

Proposal bias_proposal(const T5Buckets& buckets, const Lines& lines) {
    Proposal proposal{.table = "bias", .settings = bias_settings(lines.extents)};
    append(proposal.settings, settings_of(buckets));
    if (lines.is_causal) proposal.settings.push_back({"mask", "causal"});
    return proposal;
}

void propose_drawn(std::vector<Proposal>& proposals, const Sample& sample, const T5Buckets& buckets,
                   const Lines& lines) {
    const std::vector<double> weights = weights_of(buckets, lines);
    const std::optional<DrawnBy> drawn = drawn_by({.rows = buckets.in_all(),
                                                   .columns = lines.extents.heads,
                                                   .values = weights,
                                                   .precision = sample.precision,
                                                   .noise = sample.noise,
                                                   .is_later = true});
    if (!drawn) return;
    proposals.push_back(bias_proposal(buckets, lines));
    append(proposals.back().settings, settings_of(*drawn, "normal:0,1"));
}

/// True if the array shows that distances share biases on a logarithmic scale, and not only that
/// biases depend on the distance: at least three buckets hold several distances each and end within
/// the array, and neighbouring buckets differ by more than the rounding of a smooth function.
bool shows_scale(const Lines& lines, const evidence::Precision& precision) {
    const std::vector<Bucketed> borders = borders_of(runs_of(lines));
    int shared = 0, steps = 0, clear_steps = 0;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        const std::int64_t distance = -borders[i].distance;
        const bool is_step = borders[i].bucket != borders[i + 1].bucket;
        if (!is_step) {
            shared += i + 2 < borders.size() ? 1 : 0;
            continue;
        }
        ++steps;
        for (std::int64_t head = 0; head < lines.extents.heads; ++head) {
            const double bias = lines.at(head, distance), next = lines.at(head, distance - 1);
            if (std::fabs(next - bias) <= 2 * evidence::unit_of(bias, precision)) continue;
            ++clear_steps;
            break;
        }
    }
    constexpr int fewest_shared = 3;
    return shared >= fewest_shared && 4 * clear_steps >= 3 * steps;
}

/// Returns the number of buckets with a known weight.
std::int64_t known_buckets(std::span<const double> weights, std::int64_t heads) {
    return std::ranges::count_if(weights, [](double x) { return !std::isnan(x); }) / heads;
}

void propose_table(std::vector<Proposal>& proposals, const Sample& sample, const T5Buckets& buckets,
                   const Lines& lines) {
    std::vector<double> weights = weights_of(buckets, lines);
    const std::int64_t heads = lines.extents.heads;
    // A free weight for nearly every distance would explain any biases by distance.
    const std::int64_t distances =
        buckets.is_causal ? lines.extents.keys : lines.extents.distances();
    if (3 * known_buckets(weights, heads) > 2 * distances || !may_be_trained(weights, heads) ||
        !shows_scale(lines, sample.precision)) {
        return;
    }
    Proposal proposal = bias_proposal(buckets, lines);
    if (const std::int64_t unseen = buckets.in_all() - known_buckets(weights, heads); unseen > 0) {
        proposal.is_complete = false;
        proposal.notes.push_back(
            fmt::format("{} of the {} rows of bias-table.npy are 0: the array has no pair that "
                        "reads them",
                        unseen, buckets.in_all()));
    }
    std::ranges::replace_if(
        weights, [](double x) { return std::isnan(x); }, 0.0);
    proposal.data.push_back(
        {"bias-table", "bias-table.npy",
         evidence::data_table(std::move(weights), Shape{buckets.in_all(), heads},
                              sample.precision)});
    proposals.push_back(std::move(proposal));
}

/// Returns the buckets whose distances have equal biases in the array. A run of distances, if there
/// is any, shows the scale; without runs, only drawn weights can confirm the buckets.
std::vector<T5Buckets> buckets_of(const Lines& lines, bool has_runs) {
    const bool has_future = lines.extents.queries > 1;
    const bool may_be_causal = !has_future || are_equal(lines, 0, 1);
    const bool may_have_future = !has_future || !may_be_causal;
    std::vector<T5Side> sides;
    if (has_runs) {
        const std::vector<std::int64_t> runs = runs_of(lines);
        sides = possible_sides(runs, counts_up_to(exact_buckets(runs)));
    } else {
        for (const std::int64_t buckets : {16, 32, 64, 128}) {
            sides.push_back({buckets, usual_t5_side.max_distance});
        }
    }
    std::vector<T5Buckets> all;
    for (const T5Side& side : sides) {
        if (may_have_future) all.push_back({side, false});
        if (may_be_causal) all.push_back({side, true});
    }
    std::erase_if(all, [&](const T5Buckets& buckets) { return !explains(buckets, lines); });
    if (all.size() > most_proposals) all.resize(most_proposals);
    return all;
}

std::vector<Proposal> recognize_bias(const Sample& sample) {
    std::vector<Proposal> proposals;
    for (const evidence::AttentionExtents& extents : attention_extents(sample)) {
        constexpr std::int64_t fewest_keys = 4, most_distances = 1 << 17;
        if (extents.keys < fewest_keys || extents.distances() > most_distances) continue;
        std::optional<Lines> lines = lines_of(sample, extents);
        if (!lines || are_equal(*lines, 0, -1)) continue;
        if (lines->is_causal) fill_hidden(*lines);
        const std::int64_t last = extents.keys - 1;
        const bool has_runs = exact_buckets(runs_of(*lines)) < last;
        for (const T5Buckets& buckets : buckets_of(*lines, has_runs)) {
            propose_drawn(proposals, sample, buckets, *lines);
            if (has_runs) propose_table(proposals, sample, buckets, *lines);
        }
    }
    return proposals;
}

}  // namespace

/// Returns the proposals for an array as buckets, or as biases by bucket, drawn or in a file.
std::vector<Proposal> recognize_t5(const Sample& sample) {
    if (sample.values.empty()) return {};
    const std::vector<Proposal> buckets = recognize_buckets(sample);
    return buckets.empty() ? recognize_bias(sample) : buckets;
}

}  // namespace pegen::recognition
