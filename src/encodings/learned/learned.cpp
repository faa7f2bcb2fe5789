#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "core/error.h"
#include "core/shape.h"
#include "core/to_size.h"
#include "encodings/encoding.h"
#include "encodings/learned/learned_presets.h"
#include "encodings/learned/learned_recognition.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/generator.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/position_parameters.h"
#include "rows/zero_rows.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    len_parameter,
    d_parameter,
    init_parameter,
    seed_parameter,
    any_rng_parameter,
    ParameterSpec{.name = "padding-row",
                  .aliases = "padding-idx",
                  .type = ParameterType::integer,
                  .range = any_index,
                  .summary = "row N is zero, for a padding index"},
    ParameterSpec{.name = "burn",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = 1 << 20},
                  .summary = "number of normal tables drawn and discarded first: 1 for an "
                             "nn.Embedding that is initialized again"},
    keep_channels_parameter,
    view_parameter,
};

void check_padding_row(const Parameters& p) {
    if (!p.has("padding-row") || p.integer("padding-row") < p.integer("len")) return;
    throw UsageError(fmt::format("--padding-row {}: must be less than --len {}",
                                 p.integer("padding-row"), p.integer("len")));
}

/// What the parameters say of the tensor.
struct Embedding {
    std::int64_t len;
    std::int64_t d;
    Initializer initializer;
    std::int64_t seed;
    std::int64_t burn;
    Generator generator;
    std::optional<std::int64_t> padding_row;
};

Embedding embedding_of(const Parameters& p) {
    const std::int64_t d = p.integer("d");
    return {.len = p.integer("len"),
            .d = d,
            .initializer = parse_initializer(p.word("init"), d),
            .seed = p.integer("seed"),
            .burn = p.integer("burn"),
            .generator = generator_of(p),
            .padding_row =
                p.has("padding-row") ? std::optional(p.integer("padding-row")) : std::nullopt};
}

/// Returns the rows of the whole table, which is kept: NumPy's generators only go forward.
RowSource numpy_rows(const Embedding& e, numpy::Generator generator, DType dtype) {
    numpy::Stream stream(generator, e.seed);
    for (std::int64_t i = 0; i < e.burn * e.len * e.d; ++i) stream.normal();
    const auto values = std::make_shared<const std::vector<double>>(
        drawn_by_numpy(e.initializer, stream, e.len * e.d));
    return rounded(
        [values, d = e.d](RowRange range, std::span<double> out) {
            std::ranges::copy(std::span(*values).subspan(to_size(range.first * d), out.size()),
                              out.begin());
        },
        e.d, dtype);
}

RowSource drawn_rows(const Embedding& e, DType dtype) {
    if (const auto* numpy = std::get_if<numpy::Generator>(&e.generator)) {
        return numpy_rows(e, *numpy, dtype);
    }
    if (!library_without_state(e.generator).empty()) {
        return tensor_rows(stateless_tensor(e.initializer, e.len, e.d, e.seed, e.generator), e.d,
                           dtype);
    }
    return tensor_rows(initialized_tensor(e.initializer, e.len, e.d, e.seed, e.burn,
                                          std::get<torch::CodePath>(e.generator)),
                       e.d, dtype);
}

RowSource embedding_rows(const Embedding& e, DType dtype) {
    check_holds(dtype, largest_value(e.initializer), "the largest value --init can give");
    RowSource rows = drawn_rows(e, dtype);
    if (!e.padding_row) return rows;
    return rows::with_zero_row(std::move(rows), *e.padding_row,
                               e.d * static_cast<std::int64_t>(info(dtype).size));
}

void check_generator(const Embedding& e) {
    constexpr std::int64_t most_kept = std::int64_t{1} << 27;
    constexpr const char* what = "the values";
    const std::int64_t values = checked_product(e.len, e.d, what);
    check_draws(e.generator, e.initializer, values);
    if (const std::string_view library = library_without_state(e.generator);
        !library.empty() && e.burn > 0) {
        throw UsageError(
            fmt::format("--burn {}: {} draws each array from a seed of its own; leave --burn out",
                        e.burn, library));
    }
    if (!std::holds_alternative<numpy::Generator>(e.generator)) return;
    const std::int64_t drawn = checked_product(values, e.burn + 1, what);
    if (drawn > most_kept) {
        throw UsageError(
            fmt::format("--rng numpy: {} values; they end at 2^27, as the generator "
                        "only goes forward",
                        drawn));
    }
}

Plan plan(Parameters p, std::string_view) {
    const Embedding embedding = embedding_of(p);
    check_padding_row(p);
    check_generator(embedding);
    return {.parameters = std::move(p),
            .shape = {embedding.len, embedding.d},
            .axes = {position_axis(Positions(0, 1, embedding.len)), channel_axis()},
            .make_rows = [embedding](DType dtype) { return embedding_rows(embedding, dtype); },
            .terms = static_cast<double>(embedding.burn + 1) * static_cast<double>(embedding.len) *
                     static_cast<double>(embedding.d)};
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the table before training, (len, d)",
                                      .title = "Learned Embedding (d_model={d}, max_len={len})",
                                      .value_label = "Values",
                                      .is_initial = true}};

}  // namespace

/// A table of learned positions before its first step of training, bit for bit as PyTorch makes it
/// on the CPU in float32. init is normal_(m, s), uniform_(a, b), nn.init.trunc_normal_(m, s, a, b),
/// nn.init.constant_(x) or nn.init.xavier_uniform_. Making an nn.Embedding(len, d) calls normal_
/// itself: a fresh one is burn 0 and normal:0,1; one that is initialized again, burn 1.
///
/// Table: encoding (len, d), axes (position, channel); rows count from 0.
/// float32 has the very bits, float64 the same values, the narrower types those values rounded.
/// --rng torch is PyTorch with AVX2 and FMA, the usual one on x86-64; torch-scalar is PyTorch
/// without them, with glibc 2.28 to 2.40. trunc_normal_ is that of builds without MKL and with such
/// a glibc. Checked with PyTorch 1.13. --rng numpy is np.random.default_rng(seed).normal(m, s,
/// (len, d)) or uniform(a, b, (len, d)), numpy-legacy the same of np.random.RandomState(seed), in
/// float64 with the very bits of NumPy 1.24, other types those values rounded; the table is kept.
/// --rng jax is std * jax.random.normal(jax.random.key(seed), (len, d)) + mean and the like, in
/// float32, jax-legacy the same without jax_threefry_partitionable: uniform values with the bits of
/// JAX, normal ones within some units in the last place, as XLA's versions differ. --rng tensorflow
/// is tf.random.stateless_normal((len, d), seed=[seed, 0], mean, std) and the like on a CPU, in
/// float32, with glibc as above.
/// The generator is sequential: rows far behind those asked for before take the time of those
/// between.
extern constinit const Encoding learned{
    .name = "learned",
    .summary = "a learned embedding as initialized by PyTorch, NumPy or JAX",
    .formula =
        "torch.manual_seed(seed)\n"
        "for _ in range(burn): torch.empty(len, d).normal_()\n"
        "PE = torch.empty(len, d); init(PE); PE[padding_row] = 0",
    .source = "Devlin et al. 2018, BERT, arXiv:1810.04805, section 3.2; PyTorch's torch.nn.init",
    .examples =
        "learned --len 50 --d 256\n"
        "learned --len 197 --d 768 --init trunc-normal:0,0.02,-2,2 --seed 7\n"
        "learned --len 128 --d 64 --init uniform:0,1 --burn 1 --png learned.png",
    .parameters = parameters,
    .tables = tables,
    .presets = learned_presets,
    .plan = plan,
    .recognize = recognize_learned};

}  // namespace pegen::encodings
