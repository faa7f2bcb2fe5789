#include "encodings/relative/t5_recognition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/to_size.h"
#include "encodings/parameters/attention_settings.h"
#include "encodings/parameters/drawn_tensor.h"
#include "encodings/relative/border_search.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {
namespace {

using evidence::Lines;
using evidence::Proposal;
using evidence::Sample;

/// The buckets on one side of the query.
struct Side {
    std::int64_t buckets;
    std::int64_t max_distance;

    std::int64_t exact() const { return buckets / 2; }
};

std::int64_t bucket_of(const Side& side, std::int64_t distance) {
    const std::int64_t exact = side.exact();
    if (distance < exact) return distance;
    if (distance >= side.max_distance) return side.buckets - 1;
    // Whether a step stands at the distance itself is seen up to rounding.
    constexpr double slack = 1e-9;
    const double step = step_of(distance, exact, side.max_distance, side.buckets - exact);
    return std::min(exact + static_cast<std::int64_t>(step + slack), side.buckets - 1);
}

struct Buckets {
    Side side;
    bool is_causal;

    std::int64_t in_all() const { return is_causal ? side.buckets : 2 * side.buckets; }
    std::int64_t of(std::int64_t offset) const {
        if (offset <= 0) return bucket_of(side, -offset);
        return is_causal ? 0 : side.buckets + bucket_of(side, offset);
    }
};

constexpr Side usual{16, 128};
constexpr Side usual_causal{32, 128};

/// Returns the scales of so many buckets on a side that give the distances 0, 1, 2 ... these
/// buckets. `counts` has the numbers of buckets to try.
std::vector<Side> possible_sides(const std::vector<std::int64_t>& buckets,
                                 const std::vector<std::int64_t>& counts) {
    const std::vector<Bucketed> borders = borders_of(buckets);
    std::vector<Side> sides;
    for (const std::int64_t count : counts) {
        const auto interval =
            possible_ends(borders, count / 2 + 1, [=](std::int64_t distance, std::int64_t end) {
                return bucket_of({count, end}, distance);
            });
        if (interval) sides.push_back({count, simplest(*interval, usual.max_distance)});
    }
    return sides;
}

/// Returns the numbers of buckets on a side whose exact ones are among the first `exact` buckets,
/// powers of two first.
std::vector<std::int64_t> counts_up_to(std::int64_t exact) {
    constexpr std::int64_t most = 1024;
    std::vector<std::int64_t> counts;
    for (std::int64_t n = 2; n <= std::min(2 * exact + 1, most); ++n) counts.push_back(n);
    std::ranges::stable_sort(counts, {}, [](std::int64_t n) {
        const bool is_usual = n == usual.buckets || n == usual_causal.buckets;
        return is_usual ? 0 : evidence::bits_of_number(std::to_string(n));
    });
    return counts;
}

std::vector<evidence::Setting> settings_of(const Buckets& buckets) {
    std::vector<evidence::Setting> settings;
    if (buckets.in_all() != 32) {
        settings.push_back({"num-buckets", std::to_string(buckets.in_all())});
    }
    if (buckets.side.max_distance != usual.max_distance) {
        settings.push_back({"max-distance", std::to_string(buckets.side.max_distance)});
    }
    if (buckets.is_causal) settings.push_back({"causal", "true"});
    return settings;
}

void append(Proposal& proposal, std::vector<evidence::Setting> settings) {
    for (evidence::Setting& setting : settings) proposal.settings.push_back(std::move(setting));
}

constexpr std::size_t most_proposals = 4;

/// Returns the buckets of distances 0, 1, 2 ... before the query.
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
    std::vector<Buckets> found;
    if (has_future && next != 0) {
        const auto count = static_cast<std::int64_t>(next - lines->at(0, -1));
        if (count < 2 || count > 1 << 15) return {};
        for (const Side& side : possible_sides(past, {count})) found.push_back({side, false});
    } else {
        for (const Side& side : possible_sides(past, counts_up_to(exact_buckets(past)))) {
            found.push_back({side, true});
        }
    }
    std::vector<Proposal> proposals;
    for (const Buckets& buckets : found) {
        if (proposals.size() == most_proposals) break;
        Proposal proposal{.table = "bucket", .settings = length_settings(*extents)};
        append(proposal, settings_of(buckets));
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

/// Returns runs of distances with equal biases, numbered from 0, for distance 0, 1, 2 ... before
/// the query.
std::vector<std::int64_t> runs_of(const Lines& lines) {
    std::vector<std::int64_t> runs{0};
    for (std::int64_t d = 1; d < lines.extents.keys; ++d) {
        runs.push_back(runs.back() + (are_equal(lines, -d, 1 - d) ? 0 : 1));
    }
    return runs;
}

/// True if all distances of a bucket have the same biases.
bool explains(const Buckets& buckets, const Lines& lines) {
    std::vector<std::optional<std::int64_t>> first(to_size(buckets.in_all()));
    for (std::int64_t d = lines.extents.smallest_distance(); d < lines.extents.queries; ++d) {
        std::optional<std::int64_t>& known = first[to_size(buckets.of(d))];
        if (!known) known = d;
        if (!are_equal(lines, *known, d)) return false;
    }
    return true;
}

/// Returns the weights (buckets, heads); NaN for buckets that no pair has.
std::vector<double> weights_of(const Buckets& buckets, const Lines& lines) {
    const std::int64_t heads = lines.extents.heads;
    std::vector<double> weights(to_size(buckets.in_all() * heads),
                                std::numeric_limits<double>::quiet_NaN());
    for (std::int64_t d = lines.extents.smallest_distance(); d < lines.extents.queries; ++d) {
        for (std::int64_t head = 0; head < heads; ++head) {
            weights[to_size(buckets.of(d) * heads + head)] = lines.at(head, d);
        }
    }
    return weights;
}

Proposal bias_proposal(const Buckets& buckets, const Lines& lines) {
    Proposal proposal{.table = "bias", .settings = bias_settings(lines.extents)};
    append(proposal, settings_of(buckets));
    return proposal;
}

void propose_drawn(std::vector<Proposal>& proposals, const Sample& sample, const Buckets& buckets,
                   const Lines& lines) {
    for (const DrawnBy& drawn : drawn_by({.rows = buckets.in_all(),
                                .columns = lines.extents.heads,
                                .values = weights_of(buckets, lines),
                                .precision = sample.precision,
                                .noise = sample.noise,
                                .is_later = true})) {
        Proposal proposal = bias_proposal(buckets, lines);
        append(proposal, settings_of(drawn, "normal:0,1"));
        proposals.push_back(std::move(proposal));
    }
}

void propose_table(std::vector<Proposal>& proposals, const Sample& sample, const Buckets& buckets,
                   const Lines& lines) {
    std::vector<double> weights = weights_of(buckets, lines);
    std::ranges::replace_if(
        weights, [](double x) { return std::isnan(x); }, 0.0);
    Proposal proposal = bias_proposal(buckets, lines);
    proposal.data.push_back(
        {"bias-table", "bias-table.npy",
         evidence::data_table(std::move(weights), Shape{buckets.in_all(), lines.extents.heads},
                              sample.precision)});
    proposals.push_back(std::move(proposal));
}

/// Returns the buckets whose cells are equal where the array's are. A run of distances, if there is
/// any, tells the scale; without one, only drawn weights could.
std::vector<Buckets> buckets_of(const Lines& lines, bool has_runs) {
    std::vector<Buckets> all;
    if (!has_runs) {
        all = {{usual, false}, {usual_causal, true}};
    } else {
        const std::vector<std::int64_t> runs = runs_of(lines);
        const bool has_future = lines.extents.queries > 1;
        const bool is_causal = !has_future || are_equal(lines, 0, 1);
        for (const Side& side : possible_sides(runs, counts_up_to(exact_buckets(runs)))) {
            all.push_back({side, is_causal});
        }
    }
    std::erase_if(all, [&](const Buckets& buckets) { return !explains(buckets, lines); });
    if (all.size() > most_proposals) all.resize(most_proposals);
    return all;
}

std::vector<Proposal> recognize_bias(const Sample& sample) {
    std::vector<Proposal> proposals;
    for (const evidence::AttentionExtents& extents : attention_extents(sample)) {
        constexpr std::int64_t fewest_keys = 4, most_distances = 1 << 17;
        if (extents.keys < fewest_keys || extents.distances() > most_distances) continue;
        const std::optional<Lines> lines = lines_of(sample, extents);
        if (!lines || lines->is_causal || are_equal(*lines, 0, -1)) continue;
        const std::int64_t last = extents.keys - 1;
        const bool has_runs = exact_buckets(runs_of(*lines)) < last;
        for (const Buckets& buckets : buckets_of(*lines, has_runs)) {
            propose_drawn(proposals, sample, buckets, *lines);
            if (has_runs) propose_table(proposals, sample, buckets, *lines);
        }
    }
    return proposals;
}

}  // namespace

std::vector<Proposal> recognize_t5(const Sample& sample) {
    if (sample.values.empty()) return {};
    const std::vector<Proposal> buckets = recognize_buckets(sample);
    return buckets.empty() ? recognize_bias(sample) : buckets;
}

}  // namespace pegen::encodings
