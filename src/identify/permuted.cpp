#include "identify/permuted.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/to_size.h"

namespace pegen::identify {
namespace {

/// Stands for a line: different lines have the same one by an accident of 2^-64 only.
using Hash = std::uint64_t;

std::uint64_t mixed(std::uint64_t h) {
    h ^= h >> 30;
    h *= 0xbf58476d1ce4e5b9U;
    h ^= h >> 27;
    h *= 0x94d049bb133111ebU;
    return h ^ h >> 31;
}

/// The bits of a value; 0 and -0, and all NaNs, are alike.
std::uint64_t bits_of(double value) {
    if (value == 0) return 0;
    return value == value ? std::bit_cast<std::uint64_t>(value) : ~std::uint64_t{0};
}

/// Hashes the lines along both axes of (rows, columns) in one pass.
struct Hashes {
    std::vector<Hash> rows;
    std::vector<Hash> columns;
};

Hashes hashes_of(const Table& array, const Progress& progress) {
    const std::int64_t columns = array.shape.columns(), rows = array.shape.size() / columns;
    Hashes hashes{std::vector<Hash>(to_size(rows)), std::vector<Hash>(to_size(columns))};
    const std::int64_t at_once = rows_holding(1 << 20, columns);
    for (std::int64_t first = 0; first < rows; first += at_once) {
        const std::int64_t count = std::min(at_once, rows - first);
        const std::vector<double> values = read_rows(array, {first, count});
        for (std::int64_t row = 0; row < count; ++row) {
            Hash line = 0;
            const std::uint64_t place = mixed(static_cast<std::uint64_t>(first + row) + 1);
            for (std::int64_t column = 0; column < columns; ++column) {
                const std::uint64_t bits = bits_of(values[to_size(row * columns + column)]);
                line = mixed(line + bits + 0x9e3779b97f4a7c15U);
                // A sum, in which each row has its own weight: rows come one after the other.
                hashes.columns[to_size(column)] += mixed(bits + place);
            }
            hashes.rows[to_size(first + row)] = line;
        }
        progress(first + count, rows);
    }
    return hashes;
}

/// Where the lines of one array stand in another.
struct Order {
    std::vector<std::int64_t> from;  ///< for each line; -1 if it is not there
    std::int64_t repeated = 0;       ///< lines that equal another
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

/// Returns which channel of a head comes to place `i` of the other pairing.
std::int64_t source_of(std::int64_t i, std::int64_t r, bool to_interleaved) {
    if (i >= r) return i;
    return to_interleaved ? i % 2 * (r / 2) + i / 2 : i < r / 2 ? 2 * i : 2 * (i - r / 2) + 1;
}

/// True if each line equals the one that a change of pairing puts in its place.
bool is_order(const std::vector<Hash>& original, const std::vector<Hash>& permuted,
              std::int64_t head_dim, std::int64_t r, bool to_interleaved) {
    for (std::size_t line = 0; line < permuted.size(); ++line) {
        const auto i = static_cast<std::int64_t>(line);
        const std::int64_t from =
            i / head_dim * head_dim + source_of(i % head_dim, r, to_interleaved);
        if (permuted[line] != original[to_size(from)]) return false;
    }
    return true;
}

/// Sets what the order is, if it is a change of pairing.
bool set_pairing(Permutation& found, const std::vector<Hash>& original,
                 const std::vector<Hash>& permuted) {
    const std::int64_t lines = std::ssize(original);
    bool is_found = false;
    // Few heads and all channels first: the simplest answer.
    for (std::int64_t heads = 1; heads <= lines / 2; ++heads) {
        if (lines % heads != 0) continue;
        const std::int64_t head_dim = lines / heads;
        for (std::int64_t r = head_dim - head_dim % 2; r >= 4; r -= 2) {
            for (const bool to_interleaved : {true, false}) {
                // Most orders differ in the second line already.
                const std::int64_t second = source_of(1, r, to_interleaved);
                if (permuted[1] != original[to_size(second)] ||
                    !is_order(original, permuted, head_dim, r, to_interleaved)) {
                    continue;
                }
                if (is_found && heads != found.heads) {
                    found.heads_alike.push_back(heads);
                    continue;
                }
                if (is_found) continue;
                is_found = true;
                found.kind = PermutationKind::pairing;
                found.heads = heads;
                found.rotary_dim = r;
                found.from = to_interleaved ? rows::Pairing::half : rows::Pairing::interleaved;
                found.to = to_interleaved ? rows::Pairing::interleaved : rows::Pairing::half;
            }
        }
    }
    return is_found;
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
    if (found.missing > 0 || set_pairing(found, original, permuted)) return found;
    found.kind = PermutationKind::other;
    return found;
}

}  // namespace

Permutation find_permutation(const Table& original, const Table& permuted,
                             const Progress& progress) {
    if (original.shape != permuted.shape) {
        throw UsageError(fmt::format("the permuted array has shape {}, the other {}",
                                     to_string(permuted.shape), to_string(original.shape)));
    }
    if (original.shape.size() == 0 || original.shape.rank() < 1 || original.shape.rank() > 2) {
        throw UsageError(
            fmt::format("the arrays have shape {}; a weight has two axes with values, a bias one",
                        to_string(original.shape)));
    }
    const Hashes from = hashes_of(original, progress), to = hashes_of(permuted, progress);
    const Permutation by_rows = along(0, from.rows, to.rows);
    const bool is_vector = original.shape.rank() == 1;
    if (is_vector || by_rows.kind != PermutationKind::different) return by_rows;
    const Permutation by_columns = along(1, from.columns, to.columns);
    return by_columns.kind != PermutationKind::different ? by_columns : by_rows;
}

}  // namespace pegen::identify
