#include "recognition/permuted.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <unordered_map>

#include "core/dtype.h"
#include "core/error.h"
#include "numerics/rounding.h"

namespace pegen::recognition {
namespace {

/// A number that represents a line. Different lines have the same hash with probability 2^-64 only.
using Hash = std::uint64_t;

std::uint64_t mixed(std::uint64_t h) {
    h ^= h >> 30;
    h *= 0xbf58476d1ce4e5b9U;
    h ^= h >> 27;
    h *= 0x94d049bb133111ebU;
    return h ^ h >> 31;
}

/// Returns the bits of a value; equal bits for 0 and -0, and for all NaNs.
std::uint64_t bits_of(double value) {
    if (value == 0) return 0;
    return value == value ? std::bit_cast<std::uint64_t>(value) : ~std::uint64_t{0};
}

/// The hashes of the lines along both axes of (rows, columns), found in one pass.
struct Hashes {
    std::vector<Hash> rows;
    std::vector<Hash> columns;
};

/// Returns what the value at `place` of a line adds to the hash of the line. The hash is a sum with
/// a weight for each place, so rows and columns can be hashed at the same time.
Hash share_of(std::uint64_t bits, std::int64_t place) {
    return mixed(bits + mixed(static_cast<std::uint64_t>(place) + 1));
}

Hashes hashes_of(const Table& array, std::optional<DType> format, const Progress& progress) {
    const std::int64_t columns = array.shape.columns(), rows = array.shape.size() / columns;
    Hashes hashes{std::vector<Hash>(rows), std::vector<Hash>(columns)};
    const std::int64_t at_once = rows_holding(1 << 20, columns);
    for (std::int64_t first = 0; first < rows; first += at_once) {
        const std::int64_t count = std::min(at_once, rows - first);
        std::vector<double> values = read_rows(array, {first, count});
        if (format) {
            for (double& value : values) value = numerics::rounded(value, *format);
        }
        for (std::int64_t row = 0; row < count; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                const std::uint64_t bits = bits_of(values[row * columns + column]);
                hashes.rows[first + row] += share_of(bits, column);
                hashes.columns[column] += share_of(bits, first + row);
            }
        }
        progress(first + count, rows);
    }
    return hashes;
}

/// The places where the lines of one array are in another array.
struct Order {
    std::vector<std::int64_t> from;  ///< for each line its original place; -1 if it has none
    std::int64_t repeated = 0;       ///< number of lines that equal another line
};

Order order_of(const std::vector<Hash>& original, const std::vector<Hash>& permuted) {
    std::unordered_map<Hash, std::vector<std::int64_t>> places;
    for (std::size_t i = original.size(); i-- > 0;) {
        places[original[i]].push_back(static_cast<std::int64_t>(i));
    }
    Order order;
    for (const auto& [hash, where] : places) {
        if (where.size() > 1) order.repeated += std::ssize(where);
    }
    for (const Hash hash : permuted) {
        const auto found = places.find(hash);
        if (found == places.end() || found->second.empty()) {
            order.from.push_back(-1);
            continue;
        }
        order.from.push_back(found->second.back());
        found->second.pop_back();
    }
    return order;
}

/// A change of the pairing of the channels of a head.
struct HeadOrder {
    std::int64_t head_dim;
    std::int64_t r;       ///< channels whose order changes
    std::int64_t offset;  ///< channels before them
    rows::Pairing to;
    int times;

    /// Returns which channel of a head moves to place `i`.
    std::int64_t source_of(std::int64_t i) const {
        for (int time = 0; time < times; ++time) {
            if (i < offset || i >= offset + r) return i;
            i = offset + rows::channel_at(i - offset, r, to);
        }
        return i;
    }
};

/// True if each line equals the line that a change of pairing puts in its place.
bool is_order(std::span<const Hash> original, std::span<const Hash> permuted,
              const HeadOrder& order) {
    for (std::size_t line = 0; line < permuted.size(); ++line) {
        const auto i = static_cast<std::int64_t>(line);
        const std::int64_t from =
            i / order.head_dim * order.head_dim + order.source_of(i % order.head_dim);
        if (permuted[line] != original[from]) return false;
    }
    return true;
}

/// Returns the orders that heads of this many channels may have been put in, the likeliest first:
/// of all channels, of the first ones, of the last ones.
std::vector<HeadOrder> head_orders(std::int64_t head_dim, int times) {
    std::vector<HeadOrder> orders;
    for (std::int64_t r = head_dim - head_dim % 2; r >= 4; r -= 2) {
        for (const std::int64_t offset : {std::int64_t{0}, head_dim - r}) {
            for (const rows::Pairing to : {rows::Pairing::interleaved, rows::Pairing::half}) {
                orders.push_back({head_dim, r, offset, to, times});
            }
        }
    }
    return orders;
}

/// Describes the order in `found`, and returns true, if it is so many changes of pairing.
bool set_pairing(Permutation& found, std::span<const Hash> original, std::span<const Hash> permuted,
                 int times) {
    const std::int64_t lines = std::ssize(original);
    bool is_found = false;
    // Few heads and all channels are tried first, because they are the simplest answer.
    for (std::int64_t heads = 1; heads <= lines / 2; ++heads) {
        if (lines % heads != 0) continue;
        for (const HeadOrder& order : head_orders(lines / heads, times)) {
            // Most orders already differ in the second line that moves.
            const std::int64_t second = order.offset + 1;
            if (permuted[second] != original[order.source_of(second)] ||
                !is_order(original, permuted, order)) {
                continue;
            }
            if (is_found && heads != found.heads &&
                std::ranges::count(found.heads_alike, heads) == 0) {
                found.heads_alike.push_back(heads);
            }
            if (is_found) continue;
            is_found = true;
            found.kind = PermutationKind::pairing;
            found.count = lines;
            found.heads = heads;
            found.rotary_dim = order.r;
            found.rotary_offset = order.offset;
            found.times = times;
            found.to = order.to;
            found.from =
                order.to == rows::Pairing::half ? rows::Pairing::interleaved : rows::Pairing::half;
        }
    }
    return is_found;
}

/// Returns the block of all queries, all keys and all values that is block `place` of the groups,
/// of `queries` queries, a key and a value each.
std::int64_t block_in_group(std::int64_t place, std::int64_t groups, std::int64_t queries) {
    const std::int64_t group = place / (queries + 2), part = place % (queries + 2);
    if (part < queries) return group * queries + part;
    return (part == queries ? queries : queries + 1) * groups + group;
}

/// Describes the order in `found`, and returns true, if it puts the heads of a fused projection of
/// queries, keys and values into groups, or back.
bool set_groups(Permutation& found, std::span<const Hash> original,
                std::span<const Hash> permuted) {
    constexpr std::int64_t most_groups = 512;
    const std::int64_t lines = std::ssize(original);
    for (std::int64_t groups = 2; groups <= std::min(most_groups, lines / 3); ++groups) {
        for (std::int64_t queries = 1; groups * (queries + 2) <= lines; ++queries) {
            if (lines % (groups * (queries + 2)) != 0) continue;
            const std::int64_t block = lines / (groups * (queries + 2));
            for (const bool to_groups : {true, false}) {
                const std::span<const Hash> grouped = to_groups ? permuted : original;
                const std::span<const Hash> apart = to_groups ? original : permuted;
                bool is_it = true;
                for (std::int64_t line = 0; line < lines && is_it; ++line) {
                    const std::int64_t from = block_in_group(line / block, groups, queries);
                    is_it = grouped[line] == apart[from * block + line % block];
                }
                if (!is_it) continue;
                found.kind = PermutationKind::groups;
                found.heads = groups;
                found.queries = queries;
                found.block = block;
                found.to_groups = to_groups;
                return true;
            }
        }
    }
    return false;
}

/// Describes the order in `found`, and returns true, if the lines that have moved are heads in the
/// other pairing. The first and the last channel of a head stay in their place.
bool set_part(Permutation& found, std::span<const Hash> original, std::span<const Hash> permuted) {
    const auto [first, same] = std::ranges::mismatch(original, permuted);
    const std::int64_t begin = first - original.begin() - 1;
    std::int64_t end = std::ssize(original);
    while (original[end - 1] == permuted[end - 1]) --end;
    if (begin < 0 || ++end > std::ssize(original)) return false;
    const std::size_t from = begin, count = end - begin;
    if (!set_pairing(found, original.subspan(from, count), permuted.subspan(from, count), 1)) {
        return false;
    }
    found.kind = PermutationKind::part;
    found.first = begin;
    return true;
}

Permutation along(int axis, const std::vector<Hash>& original, const std::vector<Hash>& permuted) {
    Permutation found{.axis = axis, .lines = std::ssize(original)};
    if (original == permuted) {
        found.kind = PermutationKind::same;
        return found;
    }
    const Order order = order_of(original, permuted);
    found.ambiguous = order.repeated;
    found.missing = std::ranges::count(order.from, -1);
    const auto missing = std::ranges::find(order.from, -1);
    if (missing != order.from.end()) found.first_missing = missing - order.from.begin();
    if (found.missing > 0 || set_pairing(found, original, permuted, 1) ||
        set_part(found, original, permuted) || set_groups(found, original, permuted) ||
        set_pairing(found, original, permuted, 2)) {
        return found;
    }
    found.kind = PermutationKind::other;
    return found;
}

/// Finds the order of lines whose values are equal when both are rounded to the format.
Permutation find_order(const Table& original, const Table& permuted, bool is_transposable,
                       std::optional<DType> format, const Progress& progress) {
    const Shape& shape = original.shape;
    const Hashes from = hashes_of(original, format, progress);
    const Hashes to = hashes_of(permuted, format, progress);
    Permutation found{.lines = shape[0], .missing = shape[0], .first_missing = 0};
    if (shape == permuted.shape) {
        found = along(0, from.rows, to.rows);
        if (shape.rank() == 1 || found.kind != PermutationKind::different) return found;
        const Permutation by_columns = along(1, from.columns, to.columns);
        if (by_columns.kind != PermutationKind::different) return by_columns;
    }
    if (!is_transposable) return found;
    for (Permutation turned : {along(0, from.rows, to.columns), along(1, from.columns, to.rows)}) {
        turned.is_transposed = true;
        if (turned.kind != PermutationKind::different) return turned;
    }
    return found;
}

}  // namespace

Permutation find_permutation(const Table& original, const Table& permuted,
                             const Progress& progress) {
    const Shape &shape = original.shape, &other = permuted.shape;
    if (shape.size() == 0 || shape.rank() < 1 || shape.rank() > 2) {
        throw UsageError(
            fmt::format("the arrays have shape {}; a weight has two axes with values, a bias one",
                        to_string(shape)));
    }
    const bool is_transposable =
        shape.rank() == 2 && other.rank() == 2 && shape[0] == other[1] && shape[1] == other[0];
    if (shape != other && !is_transposable) {
        throw UsageError(fmt::format("the permuted array has shape {}, the other {}",
                                     to_string(other), to_string(shape)));
    }
    const Permutation exact = find_order(original, permuted, is_transposable, {}, progress);
    if (exact.kind != PermutationKind::different || shape.rank() == 1) return exact;
    for (const DType format : {DType::bfloat16, DType::float16}) {
        Permutation rounded = find_order(original, permuted, is_transposable, format, progress);
        rounded.format = format;
        if (rounded.kind != PermutationKind::different) return rounded;
    }
    return exact;
}

}  // namespace pegen::recognition
