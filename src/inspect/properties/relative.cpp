#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/parallel.h"
#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"
#include "inspect/properties/texts.h"

namespace pegen {
namespace {

constexpr std::int64_t most_values = std::int64_t{1} << 24;
constexpr std::int64_t most_parts = 1024;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A table of pairs of tokens: (groups, queries, keys, channels).
struct PairTable {
    const Table& table;
    std::int64_t groups = 1;
    std::int64_t queries = 1;
    std::int64_t keys = 1;
    std::int64_t channels = 1;
    std::int64_t rows_before = 0;         ///< tokens without a position, among queries and keys
    std::vector<std::int64_t> extents{};  ///< of the grid of the queries; one for a sequence
    std::vector<std::int64_t> key_extents{};

    std::int64_t query_positions() const { return queries - rows_before; }
    std::int64_t line_values() const { return keys * channels; }

    /// Returns all values of one query.
    std::vector<double> line(std::int64_t group, std::int64_t query) const {
        const std::int64_t rows = line_values() / table.shape.columns();
        return read_rows(table, {(group * queries + query) * rows, rows});
    }
};

std::optional<PairTable> pairs_of(const Table& table) {
    const auto query = find_axis(table.axes, AxisKind::query);
    const auto key = find_axis(table.axes, AxisKind::key);
    if (!query || !key || *key != *query + 1 || table.shape.size() == 0) return {};
    PairTable pairs{table};
    for (int axis = 0; axis < table.shape.rank(); ++axis) {
        std::int64_t& extent = axis < *query    ? pairs.groups
                               : axis == *query ? pairs.queries
                               : axis == *key   ? pairs.keys
                                                : pairs.channels;
        extent *= table.shape[axis];
    }
    const Axis& queries = table.axes[*query];
    pairs.rows_before = queries.rows_before;
    pairs.extents = queries.extents;
    if (pairs.extents.empty()) pairs.extents = {pairs.queries - pairs.rows_before};
    // A sequence may have more keys than queries.
    pairs.key_extents = pairs.extents.size() > 1 ? table.axes[*key].extents
                                                 : std::vector{pairs.keys - pairs.rows_before};
    return pairs;
}

/// The differences between the values of a query and the displaced values of another query.
struct Change {
    double largest = 0;        ///< |B(i + s, j + s) - B(i, j)|
    double from_constant = 0;  ///< the largest spread of these differences for one i
    std::int64_t query = -1;
    std::int64_t key = -1;
    std::int64_t group = 0;

    void add(const Change& later) {
        from_constant = std::max(from_constant, later.from_constant);
        if (!(later.largest > largest)) return;
        largest = later.largest, query = later.query, key = later.key, group = later.group;
    }
};

/// A step from token i to i + stride along an axis of the grid.
struct Step {
    std::int64_t extent;
    std::int64_t stride;

    bool is_within(std::int64_t token) const { return token / stride % extent + 1 < extent; }
};

/// Returns the step along each axis, the last axis first.
std::vector<Step> steps_of(const std::vector<std::int64_t>& extents) {
    std::vector<Step> steps;
    std::int64_t stride = 1;
    for (std::size_t axis = extents.size(); axis-- > 0; stride *= extents[axis]) {
        steps.push_back({extents[axis], stride});
    }
    return steps;
}

Change change_of(const PairTable& pairs, const Step& step, const Step& key_step, std::int64_t group,
                 std::int64_t query) {
    const std::int64_t before = pairs.rows_before;
    const std::vector<double> near = pairs.line(group, before + query);
    const std::vector<double> far = pairs.line(group, before + query + step.stride);
    Change change{.query = before + query, .group = group};
    double lowest = infinity, highest = -infinity;
    for (std::int64_t key = 0; key + key_step.stride < pairs.keys - before; ++key) {
        if (!key_step.is_within(key)) continue;
        for (std::int64_t channel = 0; channel < pairs.channels; ++channel) {
            const double a = near[(before + key) * pairs.channels + channel];
            const double b = far[(before + key + key_step.stride) * pairs.channels + channel];
            if (a == b && !std::isfinite(a)) continue;  // both masked
            const double difference = std::isfinite(a) && std::isfinite(b) ? b - a : infinity;
            lowest = std::min(lowest, difference);
            highest = std::max(highest, difference);
            if (std::fabs(difference) > change.largest) {
                change.largest = std::fabs(difference);
                change.key = before + key;
            }
        }
    }
    if (lowest <= highest) {
        change.from_constant = highest == infinity ? infinity : highest - lowest;
    }
    return change;
}

/// The largest changes, and the number of queries that were measured.
struct Changes {
    Change all{};
    std::int64_t looked_at = 0;
    std::int64_t queries = 0;
};

/// Returns the i-th of `count` lines that are spread evenly over all but the last line, or of all
/// lines.
std::int64_t nth_line(std::int64_t i, std::int64_t count, std::int64_t lines) {
    if (count == lines) return i;
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    return static_cast<std::int64_t>(share * static_cast<double>(lines - 2));
}

Changes changes_of(const PairTable& pairs) {
    const std::vector<Step> steps = steps_of(pairs.extents),
                            key_steps = steps_of(pairs.key_extents);
    const std::int64_t lines = pairs.groups * pairs.query_positions();
    const std::int64_t most = std::max<std::int64_t>(most_values / pairs.line_values(), 64);
    const std::int64_t looked_at = std::min(lines, most);
    std::vector<Change> found(std::min(looked_at, most_parts));
    const auto parts = std::ssize(found);
    parallel_for(parts, [&](std::int64_t part) {
        for (std::int64_t i = looked_at * part / parts; i < looked_at * (part + 1) / parts; ++i) {
            const std::int64_t line = nth_line(i, looked_at, lines);
            const std::int64_t query = line % pairs.query_positions();
            for (std::size_t axis = 0; axis < steps.size(); ++axis) {
                if (!steps[axis].is_within(query)) continue;
                found[part].add(change_of(pairs, steps[axis], key_steps[axis],
                                          line / pairs.query_positions(), query));
            }
        }
    });
    Changes changes{.looked_at = looked_at, .queries = lines};
    for (const Change& change : found) changes.all.add(change);
    return changes;
}

/// Returns the largest finite |value| in the lines of the first and the last query of each group,
/// which hold the largest values if values depend on the distance.
double largest_of(const PairTable& pairs) {
    double largest = 0;
    for (std::int64_t group = 0; group < pairs.groups; ++group) {
        for (const std::int64_t query : {std::int64_t{0}, pairs.queries - 1}) {
            for (const double value : pairs.line(group, query)) {
                if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
            }
        }
    }
    return largest;
}

Finding measure(Measured& measured) {
    const std::optional<PairTable> pairs = pairs_of(measured.table());
    if (!pairs) return {Verdict::not_applicable, "it has no axes of queries and keys"};
    if (pairs->query_positions() < 2) {
        return {Verdict::not_applicable, "there is one query only"};
    }
    const Changes changes = changes_of(*pairs);
    const double error = half_ulp(largest_of(*pairs), measured.table().dtype);
    const double bound = 2 * error + measured.slack();
    const bool holds = changes.all.largest <= bound;
    const bool holds_for_softmax = changes.all.from_constant <= 2 * bound;
    Finding finding{
        holds || holds_for_softmax ? Verdict::holds : Verdict::fails,
        fmt::format("largest change {}, bound {}", brief(changes.all.largest), brief(bound)),
        {{"change", changes.all.largest},
         {"change_beside_constants", changes.all.from_constant},
         {"bound", bound},
         {"queries", changes.queries},
         {"looked_at", changes.looked_at}}};
    if (!holds) {
        finding.text += fmt::format(", at query {}, key {}", changes.all.query, changes.all.key);
        if (pairs->groups > 1) finding.text += fmt::format(" of {}", changes.all.group);
        finding.text += holds_for_softmax ? fmt::format(
                                                "; but {} beside a constant of each query, which "
                                                "softmax does not see, bound {}",
                                                brief(changes.all.from_constant), brief(2 * bound))
                                          : fmt::format("; {} beside a constant of each query",
                                                        brief(changes.all.from_constant));
    }
    finding.text += changes.looked_at < changes.queries
                        ? fmt::format("; {} of {} queries", changes.looked_at, changes.queries)
                        : fmt::format("; {} queries", changes.queries);
    return finding;
}

}  // namespace

constinit const Property properties::relative{
    .name = "relative",
    .formula = "B(i + 1, j + 1) = B(i, j)",
    .summary = "an entry for query i and key j depends on j - i only",
    .source =
        "Shaw et al. 2018, Self-Attention with Relative Position Representations, "
        "arXiv:1803.02155",
    .measure = measure,
};

}  // namespace pegen
