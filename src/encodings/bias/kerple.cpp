#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/number.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "numerics/ziv_loop.h"

namespace pegen::encodings {
namespace {

using numerics::Real;

constexpr std::array parameters{
    heads_parameter,
    queries_parameter,
    keys_parameter,
    ParameterSpec{.name = "kind",
                  .aliases = "kernel",
                  .type = ParameterType::word,
                  .default_value = "log",
                  .choices = "log power",
                  .summary = "-p log(1 + a distance), or -a distance^p"},
    ParameterSpec{.name = "p",
                  .aliases = "bias-p",
                  .type = ParameterType::reals,
                  .default_value = "1",
                  .range = positive,
                  .summary = "one number per head, or one for all; at most 2 with --kind power"},
    ParameterSpec{.name = "a",
                  .aliases = "bias-a",
                  .type = ParameterType::reals,
                  .default_value = "0.5",
                  .range = positive,
                  .summary = "one number per head, or one for all"},
    mask_parameter,
};

/// The kernels of all heads; each list has one number for each head.
struct Kernels {
    bool is_power;
    std::vector<double> p;
    std::vector<double> a;
};

/// Returns the values of the parameter `name`, one for each head; a single value is repeated.
std::vector<double> for_each_head(const Parameters& p, std::string_view name) {
    const std::vector<double>& list = p.reals(name);
    const std::int64_t heads = p.integer("heads");
    if (list.size() == 1) return std::vector<double>(heads, list.front());
    if (std::ssize(list) == heads) return list;
    throw UsageError(fmt::format("--{} {}: must be one number, or one for each of --heads {}", name,
                                 to_string(p.value(name)), heads));
}

Kernels kernels_of(const Parameters& p) {
    Kernels kernels{p.word("kind") == "power", for_each_head(p, "p"), for_each_head(p, "a")};
    const double largest = std::ranges::max(kernels.p);
    if (kernels.is_power && largest > 2) {
        throw UsageError(
            fmt::format("--p {}: must be at most 2 with --kind power; beyond that, it is not a "
                        "kernel of distances",
                        shortest(largest)));
    }
    return kernels;
}

/// Returns the bias of a key at `offset` = key - query: as a Real, or nearly as a double, where a
/// product beyond the doubles makes it infinite. Keys after the query have distance 0 and bias 0.
template <class Number>
Number bias(const Kernels& kernels, std::int64_t head, std::int64_t offset) {
    using std::log1p, std::pow;
    if (offset >= 0) return 0;
    const Number p = kernels.p[head], a = kernels.a[head];
    const Number d = -static_cast<double>(offset);
    return kernels.is_power ? -(a * pow(d, p)) : -(p * log1p(a * d));
}

double largest_bias(const Kernels& kernels, std::int64_t distance) {
    double largest = 0;
    for (std::int64_t head = 0; head < std::ssize(kernels.p); ++head) {
        largest = std::max(largest, -nearest_double(bias<Real>(kernels, head, -distance)));
    }
    return largest;
}

/// Returns the bias of each head by offset.
Rows lines(const Kernels& kernels, rows::AttentionSize size, DType dtype) {
    const std::int64_t first = size.smallest_distance();
    return numerics::real_rows(
        [=](std::int64_t head, std::int64_t i) { return bias<Real>(kernels, head, first + i); },
        [=](std::int64_t head, std::int64_t i) { return bias<double>(kernels, head, first + i); },
        std::ssize(kernels.p), size.distances(), dtype);
}

Plan plan(Parameters given, std::string_view) {
    Parameters p = resolve_keys(std::move(given));
    const rows::AttentionSize size = attention_size(p);
    const Kernels kernels = kernels_of(p);
    return bias_plan(std::move(p), size, [=](DType dtype) {
        check_holds(dtype, largest_bias(kernels, size.keys - 1), "the bias of the first key");
        return rows::by_distance(lines(kernels, size, dtype), size);
    });
}

constexpr std::array tables{
    TableSpec{.name = "bias",
              .summary = "the bias added to the scores, (heads, len, key-len)",
              .title = "KERPLE (heads={heads}, kind={kind})",
              .value_label = "Bias",
              .promises = "relative"}};

}  // namespace

/// A bias that falls with the logarithm or a power of the distance, learned for each head. Key k is
/// at position k; the queries are at the last of the keys' positions; keys after the query have
/// distance 0.
///
/// Table: bias (heads, len, key-len), axes (head, query, key).
/// Correctly rounded, with p and a as nearest doubles; the original code computes in float32.
/// Kept in memory: a line of len + key-len - 1 values for each head. Each value takes some
/// microseconds in float64.
extern constinit const Encoding kerple{
    .name = "kerple",
    .summary = "a bias that falls with the logarithm or a power of the distance: KERPLE",
    .formula =
        "bias[h, q, k] = -p[h] * ln(1 + a[h] * distance)    --kind log\n"
        "bias[h, q, k] = -a[h] * distance^p[h]              --kind power\n"
        "distance = max(q - k, 0)",
    .source =
        "Chi et al. 2022, KERPLE: Kernelized Relative Positional Embedding for Length "
        "Extrapolation, arXiv:2205.09921",
    .examples =
        "kerple --heads 8 --len 512\n"
        "kerple --heads 4 --p 0.5,1,1.5,2 --a 1 --len 256\n"
        "kerple --heads 2 --kind power --p 0.5 --a 0.5,0.1 --png kerple.png",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
