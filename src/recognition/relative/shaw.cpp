#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "encodings/parameters/shared.h"
#include "recognition/evidence/distribution.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/parameters/attention_settings.h"
#include "recognition/parameters/drawn_tensor.h"
#include "recognition/relative/free_weights.h"

namespace pegen::recognition {
namespace {

using evidence::AttentionExtents;

/// The range of distances that have rows of their own, as far as the array shows it.
struct Reach {
    std::int64_t left;
    std::int64_t right;
    bool is_query_key = false;  ///< distances are query - key
    bool has_none_outside = false;
    std::int64_t shift = 0;  ///< what is added to each row of an index
};

std::vector<Setting> settings_of(const AttentionExtents& extents, const Reach& reach) {
    std::vector<Setting> settings = length_settings(extents);
    if (reach.left == reach.right) {
        settings.push_back({"max-distance", std::to_string(reach.left)});
    } else {
        settings.push_back({"left", std::to_string(reach.left)});
        settings.push_back({"right", std::to_string(reach.right)});
    }
    if (reach.has_none_outside) settings.push_back({"outside", "zero"});
    if (reach.is_query_key) settings.push_back({"sign", "query-key"});
    if (reach.shift != 0) settings.push_back({"shift", std::to_string(reach.shift)});
    return settings;
}

/// Returns what is added to the rows, smallest distance first: the first row if its end is seen,
/// because two distances have this row or distances beyond have none; 0 otherwise, where rows may
/// be missing below.
double shift_of(const std::vector<double>& rows) {
    const auto first = std::ranges::find_if(rows, [](double row) { return row >= 0; });
    const bool is_end_seen = first != rows.begin() || (rows.size() > 1 && rows.front() == rows[1]);
    return is_end_seen && first != rows.end() ? *first : 0;
}

/// Returns the reach of an index whose rows rise or fall with the distance; none if this is no such
/// index. `rows` holds the row of each distance, smallest first, and `middle` is the place of
/// distance 0. If no pair reaches one end, it is assumed to be as far as the other.
std::optional<Reach> reach_of(std::vector<double> rows, std::size_t middle) {
    Reach reach{};
    const double zero = rows[middle];
    const bool has_neighbours = rows.size() > 1;
    const double before = middle > 0 ? rows[middle - 1] : zero;
    const double after = middle + 1 < rows.size() ? rows[middle + 1] : zero;
    reach.is_query_key = before > zero || (after < zero && after >= 0);
    if (reach.is_query_key) {
        std::ranges::reverse(rows);
        middle = rows.size() - 1 - middle;
    }
    reach.has_none_outside = std::ranges::find(rows, -1.0) != rows.end();
    const auto [least, largest] = std::ranges::minmax(rows);
    constexpr double most_reach = 1 << 26;
    if (!has_neighbours || least < -1 || largest > 2 * most_reach || zero < 0) return {};
    reach.shift = static_cast<std::int64_t>(shift_of(rows));
    reach.left = static_cast<std::int64_t>(zero) - reach.shift;
    reach.right = static_cast<std::int64_t>(largest) - reach.shift - reach.left;
    // The array shows the last row if two distances have it, or if distances beyond have no row.
    const bool is_end_seen =
        rows.back() == -1 || (rows.size() >= middle + 2 && rows.back() == rows[rows.size() - 2]);
    if (!is_end_seen) reach.right = std::max(reach.right, reach.left);
    return reach;
}

std::vector<Proposal> recognize_index(const Sample& sample) {
    const auto extents = index_extents(sample);
    const auto lines = extents ? lines_of(sample, *extents) : std::nullopt;
    if (!lines || lines->is_causal) return {};
    const auto reach = reach_of(lines->heads.front(), extents->keys - 1);
    if (!reach) return {};
    return {{.table = "index", .settings = settings_of(*extents, *reach)}};
}

/// The vectors of all distances of an array (queries, keys, channels), smallest distance first.
struct Gathered {
    AttentionExtents extents;
    std::int64_t d;
    std::vector<double> vectors;

    std::span<const double> at(std::int64_t place) const {
        return std::span(vectors).subspan(place * d, d);
    }
    bool are_equal(std::int64_t a, std::int64_t b) const {
        return std::ranges::equal(at(a), at(b));
    }
    bool is_zero(std::int64_t place) const {
        return std::ranges::all_of(at(place), [](double x) { return x == 0; });
    }
};

std::optional<Gathered> gathered_of(const Sample& sample) {
    const std::vector<std::int64_t>& e = sample.extents;
    if (sample.rank() != 3 || e[1] < e[0] || sample.leading != e[0] ||
        e[2] > encodings::most_channels) {
        return {};
    }
    Gathered gathered{{{e[0], e[1]}, 1}, e[2], {}};
    const AttentionExtents& extents = gathered.extents;
    gathered.vectors.resize(extents.distances() * gathered.d);
    const auto query = [&](std::int64_t q) {
        return std::span(sample.values).subspan(q * e[1] * e[2], e[1] * e[2]);
    };
    const auto line_of = [&](std::int64_t q) {
        const std::int64_t first = extents.distance(q, 0) - extents.smallest_distance();
        return std::span(gathered.vectors).subspan(first * e[2], e[1] * e[2]);
    };
    for (const std::int64_t q : {std::int64_t{0}, e[0] - 1}) {
        std::ranges::copy(query(q), line_of(q).begin());
    }
    for (std::int64_t q = 0; q < e[0]; ++q) {
        if (!std::ranges::equal(query(q), line_of(q))) return {};
    }
    return gathered;
}

/// The distances that have vectors of their own, as places in `Gathered`.
struct Own {
    std::int64_t first;
    std::int64_t last;
    bool has_none_outside;
};

/// Returns the distances without those at both ends that share a vector or have none.
Own own_vectors(const Gathered& gathered) {
    std::int64_t first = 0, last = gathered.extents.distances() - 1;
    const bool has_none_outside = gathered.is_zero(first) || gathered.is_zero(last);
    const auto is_outside = [&](std::int64_t place, std::int64_t inner) {
        return has_none_outside ? gathered.is_zero(place) : gathered.are_equal(place, inner);
    };
    while (first < last && is_outside(first, first + 1)) ++first;
    while (last > first && is_outside(last, last - 1)) --last;
    return Own{first, last, has_none_outside};
}

/// A table of vectors as the array shows it, with rows in the order of --sign.
struct Vectors {
    Reach reach;
    std::vector<double> values;  ///< (left + right + 1, d); NaN if no pair shows it
};

/// Returns the table of vectors. `unseen` is the reach of a side whose end no pair shows.
Vectors vectors_of(const Gathered& gathered, const Own& own, bool is_query_key,
                   std::int64_t unseen) {
    const std::int64_t zero = gathered.extents.keys - 1;
    const std::int64_t shown_left = zero - own.first, shown_right = own.last - zero;
    const bool is_left_seen = own.first > 0;
    const bool is_right_seen = own.last < gathered.extents.distances() - 1;
    const std::int64_t left = is_left_seen ? shown_left : std::max(shown_left, unseen);
    const std::int64_t right = is_right_seen ? shown_right : std::max(shown_right, unseen);
    Vectors vectors{{left, right, is_query_key, own.has_none_outside},
                    std::vector<double>((left + right + 1) * gathered.d,
                                        std::numeric_limits<double>::quiet_NaN())};
    for (std::int64_t distance = -shown_left; distance <= shown_right; ++distance) {
        const std::int64_t row = is_query_key ? right - distance : left + distance;
        std::ranges::copy(gathered.at(zero + distance),
                          vectors.values.begin() + static_cast<std::ptrdiff_t>(row * gathered.d));
    }
    if (is_query_key) std::swap(vectors.reach.left, vectors.reach.right);
    return vectors;
}

void propose_drawn(std::vector<Proposal>& proposals, const Sample& sample, const Gathered& gathered,
                   const Vectors& vectors, std::span<const std::int64_t> seeds) {
    const std::int64_t rows = vectors.reach.left + vectors.reach.right + 1;
    for (const bool is_of_values : {false, true}) {
        const DrawnTensor tensor{.rows = rows,
                                 .columns = gathered.d,
                                 .values = vectors.values,
                                 .precision = sample.precision,
                                 .noise = sample.noise,
                                 .before = is_of_values ? 1 : 0,
                                 .is_later = true};
        const std::optional<DrawnBy> drawn = drawn_by(tensor, seeds);
        if (!drawn) continue;
        Proposal proposal{.table = is_of_values ? "value-gathered" : "key-gathered",
                          .settings = settings_of(gathered.extents, vectors.reach)};
        proposal.settings.push_back({"d", std::to_string(gathered.d)});
        append(proposal.settings, settings_of(*drawn, "normal:0,1"));
        proposals.push_back(std::move(proposal));
    }
}

std::vector<Proposal> recognize_gathered(const Sample& sample) {
    const std::optional<Gathered> gathered = gathered_of(sample);
    if (!gathered || gathered->extents.distances() < 4) return {};
    const Own own = own_vectors(*gathered);
    const std::int64_t zero = gathered->extents.keys - 1;
    if (own.first > zero || own.last < zero) return {};
    std::vector<Proposal> proposals;
    // An unseen end is usually as far as the other end, or at some usual reach.
    const std::int64_t shown = std::max(zero - own.first, own.last - zero);
    for (const std::int64_t unseen : {shown, std::int64_t{16}, std::int64_t{20}, std::int64_t{32},
                                      std::int64_t{64}, std::int64_t{128}}) {
        if (!proposals.empty() || unseen < shown) continue;
        const auto seeds = unseen == shown ? evidence::usual_seeds() : evidence::popular_seeds();
        for (const bool is_query_key : {false, true}) {
            const Vectors vectors = vectors_of(*gathered, own, is_query_key, unseen);
            propose_drawn(proposals, sample, *gathered, vectors, seeds);
        }
    }
    // The array shows clipping only if several distances share a vector at both ends.
    const bool is_clipped = own.first > 0 && own.last < gathered->extents.distances() - 1;
    if (!is_clipped) return proposals;
    // Vectors that were not drawn are proposed as vectors of the keys, in a table with as many rows
    // as the array shows.
    Vectors vectors = vectors_of(*gathered, own, false, shown);
    // A bias that depends on the clipped distance looks the same, with heads in place of channels,
    // but heads are fewer.
    constexpr std::int64_t fewest_channels = 32;
    if (gathered->d < fewest_channels || !may_be_trained(vectors.values, gathered->d))
        return proposals;
    Proposal proposal{.table = "key-gathered",
                      .settings = settings_of(gathered->extents, vectors.reach)};
    proposal.settings.push_back({"d", std::to_string(gathered->d)});
    const std::int64_t rows = vectors.reach.left + vectors.reach.right + 1;
    proposal.data.push_back({"key-table", "key-table.npy",
                             evidence::data_table(std::move(vectors.values),
                                                  Shape{rows, gathered->d}, sample.precision)});
    proposals.push_back(std::move(proposal));
    return proposals;
}

/// Returns the proposals for an array (rows, d) as the vectors of the values, which are drawn after
/// the vectors of the keys. Normal draws are left out: they may also be a learned table that is
/// drawn second. Vectors of the keys are like a learned table, too.
std::vector<Proposal> recognize_values(const Sample& sample) {
    constexpr std::int64_t most_rows = 2 * 128 + 1;  // the largest reach in use is 128
    if (sample.rank() != 2 || sample.extents[1] > encodings::most_channels ||
        sample.extents[0] > most_rows ||
        !may_be_draws(sample.values, sample.extents[1], sample.precision)) {
        return {};
    }
    const std::int64_t rows = sample.extents[0], d = sample.extents[1];
    const std::optional<DrawnBy> drawn = drawn_by({.rows = rows,
                                                   .columns = d,
                                                   .values = sample.values,
                                                   .precision = sample.precision,
                                                   .noise = sample.noise,
                                                   .before = 1,
                                                   .is_later = true});
    if (!drawn || drawn->init.starts_with("normal")) return {};
    Proposal proposal{.table = "value",
                      .settings = settings_of({{1, 1}, 1}, {rows / 2, (rows - 1) / 2})};
    proposal.settings.push_back({"d", std::to_string(d)});
    append(proposal.settings, settings_of(*drawn, "normal:0,1"));
    return {std::move(proposal)};
}

}  // namespace

/// Returns the proposals for an array as the index, or as gathered vectors, drawn or in a file.
std::vector<Proposal> recognize_shaw(const Sample& sample) {
    if (sample.values.empty()) return {};
    if (sample.rank() == 3) return recognize_gathered(sample);
    return index_extents(sample) ? recognize_index(sample) : recognize_values(sample);
}

}  // namespace pegen::recognition
