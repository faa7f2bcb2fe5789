#include <doctest/doctest.h>

#include <algorithm>

#include "recognition/identify/kernels.h"
#include "recognition/permuted.h"

using namespace pegen;
using namespace pegen::recognition;
using pegen::testing::random_array;
using pegen::trials::Array;

namespace {

constexpr std::int64_t columns = 6;

/// Permutes the channels of each head from the half to the interleaved layout; the heads are the
/// first rows.
Array interleaved(const Array& weight, std::int64_t heads, std::int64_t head_dim) {
    Array result = weight;
    for (std::int64_t row = 0; row < heads * head_dim; ++row) {
        const std::int64_t i = row % head_dim, from = row - i + i % 2 * (head_dim / 2) + i / 2;
        for (std::int64_t c = 0; c < columns; ++c) result.at(row, c) = weight.at(from, c);
    }
    return result;
}

Permutation asked(const Array& original, const Array& permuted) {
    return find_permutation(table_of(original), table_of(permuted));
}

}  // namespace

TEST_CASE("permuted: the permuted heads of a fused projection are found") {
    const Array fused = random_array({48, columns}, DType::float32, 1);
    const Permutation found = asked(fused, interleaved(fused, 4, 8));
    CHECK((found.kind == PermutationKind::part));
    CHECK(found.first == 0);
    CHECK(found.count == 32);
    CHECK(found.heads == 4);
}

TEST_CASE("permuted: a transposed weight is recognised, permuted or not") {
    const Array weight = random_array({32, columns}, DType::float32, 2);
    const Permutation same = asked(weight, transposed(weight));
    CHECK(same.is_transposed);
    CHECK((same.kind == PermutationKind::same));
    const Permutation turned = asked(weight, transposed(interleaved(weight, 4, 8)));
    CHECK(turned.is_transposed);
    CHECK((turned.kind == PermutationKind::pairing));
    CHECK(turned.heads == 4);
}

TEST_CASE("permuted: rows that swap places are no heads") {
    const Array weight = random_array({32, columns}, DType::float32, 3);
    Array other = weight;
    for (std::int64_t c = 0; c < columns; ++c) std::swap(other.at(3, c), other.at(9, c));
    CHECK((asked(weight, other).kind == PermutationKind::other));
}
