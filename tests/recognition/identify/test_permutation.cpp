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

/// Permutes the channels of each head, from channel `offset` on, from the half to the interleaved
/// layout; the heads are the first rows.
Array interleaved(const Array& weight, std::int64_t heads, std::int64_t head_dim,
                  std::int64_t offset = 0) {
    Array result = weight;
    const std::int64_t r = head_dim - offset;
    for (std::int64_t row = 0; row < heads * head_dim; ++row) {
        const std::int64_t i = row % head_dim - offset;
        if (i < 0) continue;
        const std::int64_t from = row - i + i % 2 * (r / 2) + i / 2;
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

TEST_CASE("permuted: the last channels of each head may be the ones that move") {
    const Array weight = random_array({4 * 12, columns}, DType::float32, 4);
    const Permutation found = asked(weight, interleaved(weight, 4, 12, 4));
    CHECK((found.kind == PermutationKind::pairing));
    CHECK(found.heads == 4);
    CHECK(found.rotary_offset == 4);
    CHECK(found.rotary_dim == 8);
    CHECK(found.heads_alike.empty());
    CHECK(!found.format);
}

TEST_CASE("permuted: a weight that was permuted twice is not taken for another order") {
    const Array weight = random_array({4 * 10, columns}, DType::float32, 5);
    const Permutation found = asked(weight, interleaved(interleaved(weight, 4, 10), 4, 10));
    CHECK((found.kind == PermutationKind::pairing));
    CHECK(found.heads == 4);
    CHECK(found.times == 2);
    CHECK(asked(weight, interleaved(weight, 4, 10)).times == 1);
}

TEST_CASE("permuted: values may be rounded on the way, to the format that is named") {
    for (const DType format : {DType::bfloat16, DType::float16}) {
        const Array weight = random_array({32, columns}, DType::float32, 6);
        const Permutation found = asked(weight, rounded_to(interleaved(weight, 4, 8), format));
        CHECK((found.kind == PermutationKind::pairing));
        CHECK(found.heads == 4);
        CHECK((found.format == format));
    }
    const Array weight = random_array({32, columns}, DType::float32, 6);
    Array other = interleaved(weight, 4, 8);
    for (double& value : other.values) value *= 1.01;
    CHECK((asked(weight, other).kind == PermutationKind::different));
}

TEST_CASE("permuted: heads of queries, keys and values go into groups and back") {
    constexpr std::int64_t groups = 3, queries = 2, head_dim = 4;
    const Array apart =
        random_array({groups * (queries + 2) * head_dim, columns}, DType::float32, 7);
    Array grouped = apart;
    std::int64_t to = 0;
    const auto append = [&](std::int64_t block) {
        for (std::int64_t row = 0; row < head_dim; ++row, ++to) {
            for (std::int64_t c = 0; c < columns; ++c) {
                grouped.at(to, c) = apart.at(block * head_dim + row, c);
            }
        }
    };
    for (std::int64_t group = 0; group < groups; ++group) {
        for (std::int64_t q = 0; q < queries; ++q) append(group * queries + q);
        append(groups * queries + group);
        append(groups * queries + groups + group);
    }
    const Permutation found = asked(apart, grouped);
    CHECK((found.kind == PermutationKind::groups));
    CHECK(found.heads == groups);
    CHECK(found.queries == queries);
    CHECK(found.block == head_dim);
    CHECK(found.to_groups);
    const Permutation back = asked(grouped, apart);
    CHECK((back.kind == PermutationKind::groups));
    CHECK(!back.to_groups);
}
