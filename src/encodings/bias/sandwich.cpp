#include <fmt/format.h>

#include <array>

#include "core/error.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/shared.h"
#include "numerics/cosine_sums.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;

constexpr std::array parameters{
    heads_parameter,
    queries_parameter,
    keys_parameter,
    ParameterSpec{.name = "d",
                  .aliases = "d d-bar",
                  .type = ParameterType::integer,
                  .default_value = "128",
                  .range = {.lowest = 2, .highest = most_channels},
                  .summary = "channels of the sinusoidal encoding, twice the number of cosines"},
    base_parameter,
    mask_parameter,
};

void check_channels(std::int64_t d) {
    if (d % 2 == 0) return;
    throw UsageError(fmt::format("--d {}: must be even; use {} or {}", d, d - 1, d + 1));
}

Rows line(const Positions& distances, const Frequencies& omega, std::int64_t heads, DType dtype) {
    std::vector<numerics::Ratio> scales;
    for (std::int64_t head = 0; head < heads; ++head) {
        scales.push_back({static_cast<double>(heads), 8.0 * static_cast<double>(head + 1)});
    }
    return numerics::cosine_sum_rows(distances, omega, scales, dtype);
}

Plan plan(Parameters p, std::string_view) {
    p = resolve_keys(std::move(p));
    const std::int64_t d = p.integer("d");
    check_channels(d);
    const std::int64_t heads = p.integer("heads");
    const rows::AttentionSize size = attention_size(p);
    const auto frequencies = numerics::paired_progression(p.real("base"), d);
    Plan plan = bias_plan(std::move(p), size, [=](DType dtype) {
        const Positions distances(static_cast<double>(size.smallest_distance()), 1,
                                  size.distances());
        const Frequencies omega(frequencies);
        check_angles(distances, omega, "--base");
        check_holds(dtype, static_cast<double>(d) * static_cast<double>(heads) / 16,
                    "the bias of distance 0");
        return rows::by_distance(line(distances, omega, heads, dtype), size);
    });
    plan.terms =
        static_cast<double>(heads) * static_cast<double>(size.distances()) * static_cast<double>(d);
    return plan;
}

constexpr std::array tables{
    TableSpec{.name = "bias",
              .summary = "the bias added to the scores, (heads, len, key-len)",
              .title = "Sandwich (heads={heads}, d={d})",
              .value_label = "Bias",
              .promises = "relative"}};

}  // namespace

/// The dot products of sinusoidal encodings, without the words, as a bias: largest on the diagonal,
/// symmetric, and falling with the distance overall but not steadily. Key k is at position k; the
/// queries are at the last of the keys' positions; heads count from 0.
///
/// Table: bias (heads, len, key-len), axes (head, query, key).
/// Correctly rounded: the sum of cosines and its scale are kept exact and rounded together.
/// Kept in memory: a line of len + key-len - 1 values for each head.
extern constinit const Encoding sandwich{
    .name = "sandwich",
    .summary = "dot products of sinusoidal encodings, as a bias: Sandwich",
    .formula =
        "bias[h, q, k] = heads / (8 (h + 1)) * sum over m < d/2 of cos((q - k) * w_m)\n"
        "w_m = base^(-2m / d)",
    .source =
        "Chi et al. 2023, Dissecting Transformer Length Extrapolation via the Lens of "
        "Receptive Field Analysis, arXiv:2212.10356",
    .examples =
        "sandwich --heads 8 --len 1024\n"
        "sandwich --heads 12 --len 1 --key-len 4096 --npy row.npy\n"
        "sandwich --heads 4 --len 64 --mask causal --png sandwich.png",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
