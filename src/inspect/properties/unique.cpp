#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/parallel.h"
#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"

namespace pegen {
namespace {

constexpr std::int64_t most_positions = std::int64_t{1} << 26;
constexpr std::int64_t values_at_once = 1 << 16;

/// Returns the bits of a value, the same for values that count as equal: +0 and -0, all NaN.
std::uint64_t canonical_bits(double value) {
    if (std::isnan(value)) return ~std::uint64_t{0};
    return value == 0 ? 0 : std::bit_cast<std::uint64_t>(value);
}

/// Mixes `bits` into a hash. Source: the finalizer of SplitMix64, Steele, Lea and Flood 2014.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t bits) {
    hash = (hash ^ bits) + 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
    return hash ^ (hash >> 31);
}

struct HashedVector {
    std::uint64_t hash;
    std::int64_t position;

    auto operator<=>(const HashedVector&) const = default;
};

/// Returns the hash of every vector; vectors of different groups never count as equal.
std::vector<HashedVector> hashes_of(const PositionVectors& vectors, const Progress& progress) {
    const std::int64_t count = vectors.count();
    const std::int64_t block = rows_holding(values_at_once, vectors.channels);
    std::vector<HashedVector> hashes(count);
    parallel_for((count + block - 1) / block, [&](std::int64_t item) {
        const RowRange range{item * block, std::min(block, count - item * block)};
        const std::vector<double> values = vectors.read(range);
        const double* value = values.data();
        for (std::int64_t i = range.first; i < range.first + range.count; ++i) {
            std::uint64_t hash = static_cast<std::uint64_t>(i / vectors.positions);
            for (std::int64_t k = 0; k < vectors.channels; ++k) {
                hash = mixed(hash, canonical_bits(*value++));
            }
            hashes[i] = {hash, i};
        }
        progress(range.first + range.count, count);
    });
    std::ranges::sort(hashes);
    return hashes;
}

bool are_equal(const PositionVectors& vectors, std::int64_t a, std::int64_t b) {
    if (a / vectors.positions != b / vectors.positions) return false;
    return std::ranges::equal(vectors.read({a, 1}), vectors.read({b, 1}), {}, canonical_bits,
                              canonical_bits);
}

/// The equal vectors of a table.
struct Repetition {
    std::int64_t pairs = 0;
    std::int64_t first = -1;   ///< the first vector that equals a later one
    std::int64_t second = -1;  ///< the first later vector that equals it
};

/// Adds the equal pairs among vectors of one hash, which are in ascending order.
void add_repetitions(const PositionVectors& vectors, std::span<const HashedVector> alike,
                     Repetition& all) {
    // Different vectors hardly ever have the same hash, so there is nearly always one class.
    std::vector<std::vector<std::int64_t>> classes;
    for (const HashedVector& vector : alike) {
        const auto found = std::ranges::find_if(classes, [&](const auto& members) {
            return are_equal(vectors, members.front(), vector.position);
        });
        if (found == classes.end()) {
            classes.push_back({vector.position});
        } else {
            found->push_back(vector.position);
        }
    }
    for (const std::vector<std::int64_t>& members : classes) {
        const std::int64_t count = std::ssize(members);
        if (count < 2) continue;
        all.pairs += count * (count - 1) / 2;
        if (all.first < 0 || members[0] < all.first)
            all.first = members[0], all.second = members[1];
    }
}

Repetition repetition_in(const PositionVectors& vectors, const Progress& progress) {
    const std::vector<HashedVector> hashes = hashes_of(vectors, progress);
    Repetition all;
    for (auto begin = hashes.begin(); begin != hashes.end();) {
        const auto end = std::find_if(begin, hashes.end(),
                                      [&](const HashedVector& v) { return v.hash != begin->hash; });
        if (end - begin > 1) add_repetitions(vectors, {begin, end}, all);
        begin = end;
    }
    return all;
}

Finding measure(Measured& measured) {
    if (!measured.no_vectors().empty()) {
        return {Verdict::not_applicable, measured.no_vectors()};
    }
    const PositionVectors& vectors = measured.vectors();
    if (vectors.count() > most_positions) {
        return {Verdict::not_applicable,
                fmt::format("{} positions are too many to keep track of; 2^26 at most",
                            vectors.count())};
    }
    const Repetition found = repetition_in(vectors, measured.progress());
    Finding finding{found.pairs == 0 ? Verdict::holds : Verdict::fails,
                    fmt::format("{} positions, no two are equal", vectors.count()),
                    {{"positions", vectors.count()}, {"equal_pairs", found.pairs}}};
    if (found.pairs > 0) {
        finding.text = fmt::format("{} equal pair{} among {} positions, first {} and {}",
                                   found.pairs, found.pairs == 1 ? "" : "s", vectors.count(),
                                   vectors.place(found.first), vectors.place(found.second));
        finding.add("first", found.first);
        finding.add("second", found.second);
    }
    return finding;
}

}  // namespace

constinit const Property properties::unique{
    .name = "unique",
    .formula = "PE(s) != PE(t) for s != t",
    .summary = "every position has an encoding of its own",
    .source = "Kazemnejad 2019, Transformer Architecture: The Positional Encoding",
    .measure = measure,
};

}  // namespace pegen
