#include "recognition/permuted.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <unordered_map>

#include "core/error.h"

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

Hashes hashes_of(const Table& array, const Progress& progress) {
    const std::int64_t columns = array.shape.columns(), rows = array.shape.size() / columns;
    Hashes hashes{std::vector<Hash>(rows), std::vector<Hash>(columns)};
    const std::int64_t at_once = rows_holding(1 << 20, columns);
    for (std::int64_t first = 0; first < rows; first += at_once) {
        const std::int64_t count = std::min(at_once, rows - first);
        const std::vector<double> values = read_rows(array, {first, count});
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

/// Returns which channel of a head moves to place `i` when the pairing changes.
std::int64_t source_of(std::int64_t i, std::int64_t r, bool to_interleaved) {
    if (i >= r) return i;
    return to_interleaved ? i % 2 * (r / 2) + i / 2 : i < r / 2 ? 2 * i : 2 * (i - r / 2) + 1;
}

/// True if each line equals the line that a change of pairing puts in its place.
bool is_order(std::span<const Hash> original, std::span<const Hash> permuted, std::int64_t head_dim,
              std::int64_t r, bool to_interleaved) {
    for (std::size_t line = 0; line < permuted.size(); ++line) {
        const auto i = static_cast<std::int64_t>(line);
        const std::int64_t from =
            i / head_dim * head_dim + source_of(i % head_dim, r, to_interleaved);
        if (permuted[line] != original[from]) return false;
    }
    return true;
}

/// Describes the order in `found`, and returns true, if it is a change of pairing.
bool set_pairing(Permutation& found, std::span<const Hash> original,
                 std::span<const Hash> permuted) {
    const std::int64_t lines = std::ssize(original);
    bool is_found = false;
    // Few heads and all channels are tried first, because they are the simplest answer.
    for (std::int64_t heads = 1; heads <= lines / 2; ++heads) {
        if (lines % heads != 0) continue;
        const std::int64_t head_dim = lines / heads;
        for (std::int64_t r = head_dim - head_dim % 2; r >= 4; r -= 2) {
            for (const bool to_interleaved : {true, false}) {
                // Most orders already differ in the second line.
                const std::int64_t second = source_of(1, r, to_interleaved);
                if (permuted[1] != original[second] ||
                    !is_order(original, permuted, head_dim, r, to_interleaved)) {
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
                found.rotary_dim = r;
                found.from = to_interleaved ? rows::Pairing::half : rows::Pairing::interleaved;
                found.to = to_interleaved ? rows::Pairing::interleaved : rows::Pairing::half;
            }
        }
    }
    return is_found;
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
    if (!set_pairing(found, original.subspan(from, count), permuted.subspan(from, count))) {
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
    if (found.missing > 0 || set_pairing(found, original, permuted) ||
        set_part(found, original, permuted)) {
        return found;
    }
    found.kind = PermutationKind::other;
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
    const Hashes from = hashes_of(original, progress), to = hashes_of(permuted, progress);
    Permutation found{.lines = shape[0], .missing = shape[0], .first_missing = 0};
    if (shape == other) {
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

}  // namespace pegen::recognition
