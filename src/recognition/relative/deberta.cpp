#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/attention_settings.h"
#include "recognition/relative/border_search.h"

namespace pegen::recognition {
namespace {

constexpr std::int64_t usual_buckets = 256;
constexpr std::int64_t usual_positions = 512;

/// A longer scale has all distances of a table in one bucket, as clipped distances do, which have
/// no scale.
constexpr std::int64_t longest_scale = 1 << 17;

/// The scale of buckets for keys before the query: `last` is --max-position - 1, `most` the highest
/// bucket.
struct Scale {
    std::int64_t middle;
    std::int64_t last;
    std::int64_t most;
};

std::int64_t bucket_of(const Scale& scale, std::int64_t distance) {
    if (distance <= scale.middle) return std::min(distance, scale.most);
    constexpr double slack = 1e-9;
    const double step = step_of(distance, scale.middle, scale.last, scale.middle - 1);
    return std::min(scale.middle + static_cast<std::int64_t>(std::ceil(step - slack)), scale.most);
}

/// Observations from an array of buckets, or from an index of their rows in a table.
struct Observed {
    evidence::AttentionExtents extents;
    bool is_index;
    std::vector<std::int64_t> past;  ///< buckets of distances 0, 1, 2, ... before the query
    std::int64_t zero;               ///< the row of distance 0 in an index; 0 in buckets
    std::int64_t last;               ///< the row of two distances at the end of an index; or -1
};

/// Returns the last row of the table, if the index shows it: distances beyond have this row, too.
std::int64_t last_row(const std::vector<double>& rows) {
    const bool is_seen = rows.size() > 1 && rows[0] == rows[1];
    return is_seen ? static_cast<std::int64_t>(rows[0]) : -1;
}

std::optional<Observed> observed(const Sample& sample) {
    auto extents = index_extents(sample);
    if (extents) extents->before = 0;
    const auto lines = extents ? lines_of(sample, *extents) : std::nullopt;
    if (!lines || lines->is_causal || extents->keys < 4) return {};
    const auto zero = static_cast<std::int64_t>(lines->at(0, 0));
    Observed found{*extents, zero != 0, {}, zero, last_row(lines->heads.front())};
    if (zero != 0 && (zero < 4 || zero > 1 << 16)) return {};
    for (std::int64_t d = 0; d < extents->keys; ++d) {
        // Distances beyond the first key are read from keys after the query, which have the
        // opposite buckets; the index has one more row for these.
        const std::int64_t bucket = d < extents->queries
                                        ? static_cast<std::int64_t>(lines->at(0, -d)) - zero
                                        : zero - static_cast<std::int64_t>(lines->at(0, d));
        found.past.push_back(zero == 0 ? bucket : std::min(bucket, zero - 1));
    }
    if (found.past[1] != 1) return {};
    return found;
}

/// Returns the values of --position-buckets to try: for an index, the row of distance 0, and half
/// the number of rows, which are not the same if the index is shifted; for buckets, all numbers
/// whose exact half is among the distances with their own buckets.
std::vector<std::int64_t> counts_for(const Observed& array) {
    const std::int64_t half_of_rows = (array.last + 1) / 2;
    const bool may_be_shifted = array.last % 2 == 1 && half_of_rows != array.zero;
    if (array.is_index && may_be_shifted) return {array.zero, half_of_rows};
    if (array.is_index) return {array.zero};
    constexpr std::int64_t most = 2048;
    const std::int64_t exact = exact_buckets(array.past);
    std::vector<std::int64_t> counts;
    for (std::int64_t n = 4; n <= std::min(2 * exact, most); n += 2) counts.push_back(n);
    std::ranges::stable_sort(counts, {}, [](std::int64_t n) {
        return n == usual_buckets ? 0 : evidence::bits_of_number(std::to_string(n));
    });
    return counts;
}

}  // namespace

/// Returns the proposals for an array as the table of buckets or the index.
std::vector<Proposal> recognize_deberta(const Sample& sample) {
    const std::optional<Observed> array = observed(sample);
    if (!array) return {};
    const std::vector<Bucketed> borders = borders_of(array->past);
    std::vector<Proposal> proposals;
    for (const std::int64_t count : counts_for(*array)) {
        const std::int64_t middle = count / 2, shift = array->is_index ? array->zero - count : 0;
        for (const bool is_clamped : {false, true}) {
            const std::int64_t unbounded = std::int64_t{1} << 40;
            const std::int64_t most = std::min(is_clamped ? 2 * middle - 1 : unbounded,
                                               array->is_index ? count - 1 - shift : unbounded);
            const auto interval =
                possible_ends(borders, middle + 1, [=](std::int64_t distance, std::int64_t end) {
                    return bucket_of({middle, end, most}, distance);
                });
            if (!interval || interval->lowest > longest_scale) continue;
            const std::int64_t last =
                simplest({interval->lowest + 1, interval->highest + 1}, usual_positions);
            Proposal proposal{.table = array->is_index ? "index" : "bucket",
                              .settings = length_settings(array->extents)};
            if (count != usual_buckets) {
                proposal.settings.push_back({"position-buckets", std::to_string(count)});
            }
            if (last != usual_positions) {
                proposal.settings.push_back({"max-position", std::to_string(last)});
            }
            if (is_clamped) proposal.settings.push_back({"clamp", "true"});
            if (shift != 0) proposal.settings.push_back({"shift", std::to_string(shift)});
            proposals.push_back(std::move(proposal));
        }
        constexpr std::size_t most_proposals = 8;
        if (proposals.size() >= most_proposals) break;
    }
    return proposals;
}

}  // namespace pegen::recognition
