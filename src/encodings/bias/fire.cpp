#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <utility>

#include "core/clones.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/tensor_fill.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "files/array_file.h"
#include "numerics/ziv_loop.h"

namespace pegen::encodings {
namespace {

using numerics::Real;

constexpr std::array parameters{
    heads_parameter,
    queries_parameter,
    keys_parameter,
    ParameterSpec{.name = "c",
                  .aliases = "init-c",
                  .default_value = "0.1",
                  .range = positive,
                  .summary = "factor for distances before their logarithm is taken"},
    ParameterSpec{.name = "threshold",
                  .aliases = "init-l",
                  .default_value = "512",
                  .range = positive,
                  .summary = "normalize queries before position X like the one at X"},
    ParameterSpec{.name = "form",
                  .type = ParameterType::word,
                  .default_value = "causal",
                  .choices = "causal symmetric",
                  .summary = "the distance of keys after the query: 0, or their actual distance"},
    ParameterSpec{.name = "width",
                  .aliases = "mlp-width",
                  .type = ParameterType::integer,
                  .default_value = "32",
                  .range = {.lowest = 1, .highest = 1 << 16},
                  .summary = "hidden units of the MLP"},
    ParameterSpec{.name = "w1",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (width, 1), the weights of the first layer"},
    ParameterSpec{.name = "b1",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (width), bias of the first layer"},
    ParameterSpec{.name = "w2",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (heads, width), weights of the second layer"},
    ParameterSpec{.name = "b2",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (heads), bias of the second layer"},
    seed_parameter,
    rng_parameter,
    mask_parameter,
};

/// A weight or bias tensor of the MLP.
struct Tensor {
    std::string_view name;  ///< the parameter that names its file
    Shape shape;
    double fan_in;  ///< number of inputs of its layer
};

/// Returns the tensors in the order in which they are drawn.
std::array<Tensor, 4> tensors_of(std::int64_t width, std::int64_t heads) {
    const auto inputs = static_cast<double>(width);
    return {{{"w1", {width, 1}, 1},
             {"b1", {width}, 1},
             {"w2", {heads, width}, inputs},
             {"b2", {heads}, inputs}}};
}

/// Opens the file that the parameter of the tensor names.
ArrayFile open_tensor(const Parameters& p, const Tensor& tensor) {
    const std::string& path = p.word(tensor.name);
    ArrayFile file = with_floats({path, read_array(path)}, "weights");
    if (file.table.shape == tensor.shape) return file;
    throw FormatError(path, fmt::format("shape {}: --{} must be {}", to_string(file.table.shape),
                                        tensor.name, to_string(tensor.shape)));
}

/// Returns the opened files of all tensors; nothing if the tensors are drawn.
std::vector<ArrayFile> open_files(const Parameters& p, const std::array<Tensor, 4>& tensors) {
    std::vector<ArrayFile> files;
    for (const Tensor& tensor : tensors) {
        if (p.has(tensor.name)) files.push_back(open_tensor(p, tensor));
    }
    if (files.empty() || files.size() == tensors.size()) return files;
    throw UsageError("--w1, --b1, --w2, --b2: give all four files, or none to draw the weights");
}

/// A network of two layers: 1 -> width -> heads.
struct Mlp {
    std::vector<double> w1, b1, w2, b2;  ///< w2 row by row
};

/// Draws the tensors as torch.nn.Linear(1, width) and torch.nn.Linear(width, heads) do.
Mlp drawn(const std::array<Tensor, 4>& tensors, std::int64_t seed, torch::CodePath path) {
    const auto draws = std::make_shared<torch::Draws>(seed);
    std::array<std::vector<double>, 4> values;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const double bound = 1 / std::sqrt(tensors[i].fan_in);
        const std::int64_t count = tensors[i].shape.size();
        values[i] = elements_of(torch::uniform_fill(draws, first, -bound, bound, path), 0, count);
        first += count;
    }
    return {values[0], values[1], values[2], values[3]};
}

/// Returns an upper bound of the magnitude of the bias for inputs from 0 to `largest_input`.
double largest_bias(const Mlp& mlp, double largest_input) {
    const std::size_t width = mlp.w1.size();
    double largest = 0;
    for (std::size_t head = 0; head < mlp.b2.size(); ++head) {
        double sum = std::fabs(mlp.b2[head]);
        for (std::size_t j = 0; j < width; ++j) {
            sum += std::fabs(mlp.w2[head * width + j]) *
                   (std::fabs(mlp.w1[j]) * largest_input + std::fabs(mlp.b1[j]));
        }
        largest = std::max(largest, sum);
    }
    return largest;
}

/// Adds w2 * relu(w1 * x + b1) to each sum.
PEGEN_CLONES void add_unit(std::span<double> sums, const double* x, double w1, double b1,
                           double w2) {
    for (std::size_t k = 0; k < sums.size(); ++k) {
        const double inner = w1 * x[k] + b1;
        sums[k] += w2 * (inner > 0 ? inner : 0);
    }
}

/// What is needed to compute the bias in any dtype.
struct Fire {
    Mlp mlp;
    rows::AttentionSize size;
    bool is_symmetric;
    double threshold;
    double log_of_threshold;
    std::vector<double> logs;  ///< ln(c d + 1) for each distance d

    /// Returns ln(c max(position, threshold) + 1) + 1e-6.
    double normalizer(std::int64_t position) const {
        const bool is_beyond = static_cast<double>(position) > threshold;
        return (is_beyond ? logs[position] : log_of_threshold) + 1e-6;
    }

    /// Returns ln(c distance + 1).
    double log_of_distance(std::int64_t query, std::int64_t key) const {
        const std::int64_t distance = is_symmetric ? std::abs(query - key) : query - key;
        return distance > 0 ? logs[distance] : 0;
    }

    /// Returns the largest input of the MLP: the input for the first query and the last key if the
    /// first query sees keys after it, otherwise 1.
    double largest_input() const {
        return is_symmetric ? std::max(1.0, logs.back() / normalizer(0)) : 1;
    }
};

void fill_row(const Fire& fire, std::int64_t head, std::int64_t position, std::span<double> out,
              std::vector<double>& x) {
    const double normalizer = fire.normalizer(position);
    for (std::int64_t k = 0; k < fire.size.keys; ++k) {
        x[k] = fire.log_of_distance(position, k) / normalizer;
    }
    const std::size_t width = fire.mlp.w1.size();
    std::ranges::fill(out, fire.mlp.b2[head]);
    for (std::size_t j = 0; j < width; ++j) {
        report_work(fire.size.keys);
        add_unit(out, x.data(), fire.mlp.w1[j], fire.mlp.b1[j], fire.mlp.w2[head * width + j]);
    }
}

Rows bias_rows(std::shared_ptr<const Fire> fire, DType dtype) {
    const rows::AttentionSize size = fire->size;
    return rounded(
        {[=](RowRange range, std::span<double> out) {
             std::vector<double> x(size.keys);
             for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
                 fill_row(*fire, row / size.queries, row % size.queries + size.keys - size.queries,
                          out.first(x.size()), x);
                 out = out.subspan(x.size());
             }
         },
         std::ssize(fire->mlp.b2) * size.queries, size.keys},
        dtype);
}

double log_of(double c, double distance) {
    return numerics::ziv_loop(DType::float64, numerics::Midpoints::possible,
                              [=] { return log1p(Real(c) * distance); });
}

std::vector<double> logs_of(double c, std::int64_t keys) {
    std::vector<double> logs(keys);
    constexpr std::int64_t block = 256;
    std::atomic<std::int64_t> done = 0;
    parallel_for((keys + block - 1) / block, [&](std::int64_t i) {
        const std::int64_t first = i * block, end = std::min(first + block, keys);
        for (std::int64_t d = first; d < end; ++d) {
            logs[d] = log_of(c, static_cast<double>(d));
        }
        report(done += end - first, keys);
    });
    return logs;
}

void check_size(std::int64_t width, std::int64_t heads) {
    constexpr std::int64_t most_weights = 1 << 26;
    if (width <= most_weights / heads) return;
    throw UsageError(
        fmt::format("--width {}: with --heads {} at most {}", width, heads, most_weights / heads));
}

void check_draws(const Parameters& p) {
    for (const char* name : {"seed", "rng"}) {
        if (!p.given(name)) continue;
        throw UsageError(
            fmt::format("--{} {}: nothing is drawn where --w1, --b1, --w2 and --b2 "
                        "are given; leave it out",
                        name, to_string(p.value(name))));
    }
}

Plan plan(Parameters given, std::string_view) {
    Parameters p = resolve_keys(std::move(given));
    check_size(p.integer("width"), p.integer("heads"));
    const auto tensors = tensors_of(p.integer("width"), p.integer("heads"));
    const std::vector<ArrayFile> files = open_files(p, tensors);
    if (!files.empty()) check_draws(p);
    const std::int64_t seed = p.integer("seed");
    const torch::CodePath path = code_path(p);
    const rows::AttentionSize size = attention_size(p);
    const double c = p.real("c"), threshold = p.real("threshold");
    const bool is_symmetric = p.word("form") == "symmetric";
    const double terms = static_cast<double>(p.integer("heads")) *
                         static_cast<double>(size.queries) * static_cast<double>(size.keys) *
                         static_cast<double>(p.integer("width"));
    Plan plan = bias_plan(std::move(p), size, [=](DType dtype) {
        const auto weights = [&](std::size_t i) { return finite_elements(files[i], "weights"); };
        Mlp mlp = files.empty() ? drawn(tensors, seed, path)
                                : Mlp{weights(0), weights(1), weights(2), weights(3)};
        const auto fire =
            std::make_shared<const Fire>(Fire{std::move(mlp), size, is_symmetric, threshold,
                                              log_of(c, threshold), logs_of(c, size.keys)});
        check_holds(dtype, largest_bias(fire->mlp, fire->largest_input()),
                    "the largest bias there may be");
        return bias_rows(fire, dtype);
    });
    plan.terms = terms;
    if (is_symmetric) plan.is_before_mask = false;
    return plan;
}

constexpr std::array tables{
    TableSpec{.name = "bias",
              .summary = "the bias added to the scores, (heads, len, key-len)",
              .title = "FIRE (heads={heads}, c={c}, threshold={threshold})",
              .value_label = "Bias",
              .is_initial = true}};

}  // namespace

/// A small network of the logarithm of the distance, relative to the logarithm of the largest
/// possible distance, which is the query's position. Key k is at position k; the queries are at the
/// last of the keys' positions. Keys after the query have distance 0, so their bias is MLP(0); with
/// --form symmetric they have the same bias as keys equally far before the query.
///
/// Table: bias (heads, len, key-len), axes (head, query, key).
/// The weights are read from files, or are the weights of torch.nn.Linear(1, width) and
/// torch.nn.Linear(width, heads) after torch.manual_seed(seed), bit for bit. Computed in double
/// from logarithms that are nearest doubles, and rounded once. The error is less than (width + 6)
/// 2^-52 times the sum of magnitudes |b2| + sum of |w2| (|w1| x + |b1|), where x is the input of
/// the MLP.
/// Kept in memory: the weights, and a logarithm for each key, which takes some microseconds to
/// compute.
extern constinit const Encoding fire{
    .name = "fire",
    .summary = "a bias computed by a small network from the normalized distance: FIRE",
    .formula =
        "bias[:, q, k] = MLP(ln(c * distance + 1) / (ln(c * max(q, threshold) + 1) + 1e-6))\n"
        "distance = max(q - k, 0);  --form symmetric: |q - k|\n"
        "MLP(x) = w2 relu(w1 x + b1) + b2, 1 -> width -> heads",
    .source =
        "Li et al. 2024, Functional Interpolation for Relative Positions Improves Long "
        "Context Transformers, arXiv:2310.04418",
    .examples =
        "fire --heads 12 --len 1024\n"
        "fire --heads 4 --c 1 --threshold 16 --len 64 --seed 7\n"
        "fire --heads 4 --len 256 --mask causal --png fire.png",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
