#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>

#include "core/dtype.h"
#include "core/error.h"
#include "core/shape.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/shared.h"
#include "rows/arranged.h"
#include "rows/kept.h"

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

/// The tensor, as given by the parameters.
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

/// True if NumPy draws the values in such a way that many threads can begin anywhere.
bool are_counted_normals(const Embedding& e, numpy::Generator generator) {
    return generator == numpy::Generator::modern && e.initializer.kind == Initializer::Kind::normal;
}

Rows counted_rows(const Embedding& e, DType dtype) {
    const std::int64_t count = e.len * e.d, burnt = e.burn * count;
    auto normals = std::make_shared<const numpy::Normals>(e.seed, burnt + count);
    RowSource source = [=, numbers = e.initializer.numbers, d = e.d](RowRange range,
                                                                     std::span<std::byte> out) {
        normals->read(burnt + range.first * d, range.count * d, [&](std::span<double> values) {
            for (double& value : values) value = numbers[0] + numbers[1] * value;
            const std::size_t bytes = values.size() * info(dtype).size;
            store(values, dtype, out.first(bytes));
            out = out.subspan(bytes);
        });
    };
    return {std::move(source), e.len, e.d, dtype};
}

/// Returns the rows of the table. All of it is kept in memory if the generator only runs forward.
Rows numpy_rows(const Embedding& e, numpy::Generator generator, DType dtype) {
    if (are_counted_normals(e, generator)) return counted_rows(e, dtype);
    numpy::Stream stream(generator, e.seed);
    for (std::int64_t i = 0; i < e.burn * e.len * e.d; ++i) stream.normal();
    return rounded(rows::kept_rows(drawn_by_numpy(e.initializer, stream, e.len * e.d), e.d), dtype);
}

Rows drawn_rows(const Embedding& e, DType dtype) {
    if (const auto* numpy = std::get_if<numpy::Generator>(&e.generator)) {
        return numpy_rows(e, *numpy, dtype);
    }
    if (!library_without_state(e.generator).empty()) {
        return tensor_rows(stateless_tensor(e.initializer, e.len, e.d, e.seed, e.generator), e.len,
                           e.d, dtype);
    }
    return tensor_rows(initialized_tensor(e.initializer, e.len, e.d, e.seed, e.burn,
                                          std::get<torch::CodePath>(e.generator)),
                       e.len, e.d, dtype);
}

Rows embedding_rows(const Embedding& e, DType dtype) {
    check_holds(dtype, largest_value(e.initializer), "the largest value --init can give");
    const Rows rows = drawn_rows(e, dtype);
    return e.padding_row ? rows::with_zero_row(rows, *e.padding_row) : rows;
}

void check_generator(const Embedding& e) {
    constexpr const char* what = "the values";
    const std::int64_t values = checked_product(e.len, e.d, what);
    check_draws(e.generator, e.initializer, values);
    if (const std::string_view library = library_without_state(e.generator);
        !library.empty() && e.burn > 0) {
        throw UsageError(
            fmt::format("--burn {}: {} draws each array from a seed of its own; leave --burn out",
                        e.burn, library));
    }
    const auto* numpy = std::get_if<numpy::Generator>(&e.generator);
    if (!numpy) return;
    const std::int64_t drawn = checked_product(values, e.burn + 1, what);
    const bool are_counted = are_counted_normals(e, *numpy);
    const int limit = are_counted ? 36 : 27;
    if (drawn > std::int64_t{1} << limit) {
        throw UsageError(
            fmt::format("--rng numpy: {} values; they end at 2^{}, as {}", drawn, limit,
                        are_counted ? "all are counted first" : "they are kept in memory"));
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

constexpr std::array learned_presets{
    PresetSpec{.name = "bart",
               .settings = "--len 1026 --d 1024 --init normal:0,0.02 --burn 1",
               .summary = "BART's learned positions, as initialized: 1026 rows for 1024 tokens",
               .source = "huggingface/transformers, src/transformers/models/bart/modeling_bart.py",
               .note =
                   "The first token uses row 2; rows 0 and 1 are never used. OPT is alike, with "
                   "2050 rows."},
    PresetSpec{.name = "bert",
               .settings = "--len 512 --d 768 --init normal:0,0.02 --burn 1",
               .summary = "BERT's learned positions, as initialized",
               .source = "huggingface/transformers, src/transformers/models/bert/modeling_bert.py",
               .note = "google-research/bert truncates the normals at two deviations, with "
                       "TensorFlow's generator."},
    PresetSpec{.name = "clip-text",
               .settings = "--len 77 --d 512 --init normal:0,0.01",
               .summary = "CLIP's text encoder, as initialized",
               .source = "openai/CLIP, clip/model.py, CLIP.initialize_parameters",
               .note = "Half the deviation of BERT's and of Hugging Face's GPT-2."},
    PresetSpec{.name = "clip-vision",
               .settings = "--len 50 --d 768 --init normal:0,1/sqrt(d)",
               .summary = "CLIP ViT-B/32's image encoder, as initialized",
               .source = "openai/CLIP, clip/model.py, VisionTransformer",
               .note = "Row 0 is the class token's, the others are the 7 x 7 patches."},
    PresetSpec{
        .name = "fairseq-learned",
        .settings = "--len 1026 --d 512 --init normal:0,1/sqrt(d) --padding-row 1 --burn 1",
        .summary = "fairseq's LearnedPositionalEmbedding, as initialized, with its padding row",
        .source = "facebookresearch/fairseq, fairseq/modules/positional_embedding.py",
        .note = "Rows are max_positions + padding_idx + 1; the first token uses row padding_idx "
                "+ 1 = 2."},
    PresetSpec{.name = "gpt2",
               .settings = "--len 1024 --d 768 --init normal:0,0.02 --burn 1",
               .summary = "GPT-2's learned positions, as initialized",
               .source = "huggingface/transformers, src/transformers/models/gpt2/modeling_gpt2.py",
               .note = "OpenAI's own code has a deviation of 0.01: --init normal:0,0.01."},
    PresetSpec{.name = "nanogpt",
               .settings = "--len 1024 --d 768 --init normal:0,0.02 --burn 1",
               .summary = "nanoGPT's wpe, as initialized on its own",
               .source = "karpathy/nanoGPT, model.py",
               .note = "--len is block_size, --d is n_embd."},
    PresetSpec{
        .name = "timm-vit",
        .aliases = "deit dinov2 hf-vit",
        .settings = "--len 197 --d 768 --init trunc-normal:0,0.02,-2,2",
        .summary = "timm's ViT, DeiT and DINOv2, as initialized",
        .source = "huggingface/pytorch-image-models, timm/models/vision_transformer.py",
        .note =
            "The ends, -2 and 2, are not in units of the deviation: one value in 2^24 is -2, the "
            "others are far within. Older versions drew normals before: --burn 1."},
    PresetSpec{.name = "vit",
               .settings = "--len 197 --d 768 --init normal:0,0.02",
               .summary = "the Vision Transformer's learned positions, as initialized",
               .source = "pytorch/vision, torchvision/models/vision_transformer.py",
               .note =
                   "Row 0 is the class token's. google-research/vision_transformer has the same "
                   "deviation and JAX's generator; timm's table is timm-vit."},
    PresetSpec{
        .name = "vit-pytorch",
        .settings = "--len 65 --d 1024 --init normal:0,1",
        .summary = "vit-pytorch's ViT, as initialized: standard deviation 1",
        .source = "lucidrains/vit-pytorch, vit_pytorch/vit.py",
        .note = "Row 0 is the class token's; 65 rows are its README's 256 / 32 squared and one."},
};

}  // namespace

/// A table of learned positions before the first training step, bit for bit as PyTorch makes it on
/// the CPU in float32. init is normal_(m, s), uniform_(a, b), nn.init.trunc_normal_(m, s, a, b),
/// nn.init.constant_(x) or nn.init.xavier_uniform_. Making an nn.Embedding(len, d) calls normal_
/// itself: a new embedding is burn 0 with normal:0,1; an embedding that is initialized again is
/// burn 1.
///
/// float32 has the same bits as PyTorch, float64 the same values, narrower dtypes its values
/// rounded. --rng torch is PyTorch with AVX2 and FMA, as usual on x86-64; torch-scalar is PyTorch
/// without them, with glibc 2.28 to 2.40. trunc_normal_ matches builds without MKL and with such a
/// glibc. Checked with PyTorch 1.13.
/// --rng numpy is np.random.default_rng(seed).normal(m, s, (len, d)) or uniform(a, b, (len, d)),
/// numpy-legacy the same with np.random.RandomState(seed). Their float64 has the same bits as NumPy
/// 1.24, other dtypes have these values rounded; the table is kept in memory.
/// --rng jax is std * jax.random.normal(jax.random.key(seed), (len, d)) + mean and the like, in
/// float32, jax-legacy the same without jax_threefry_partitionable. Uniform values have the same
/// bits as JAX; normal values differ by some units in the last place, as they do between versions
/// of XLA.
/// --rng tensorflow is tf.random.stateless_normal((len, d), seed=[seed, 0], mean, std) and the like
/// on a CPU, in float32, with glibc as above.
/// The generator is sequential: reading rows far beyond the rows read before takes the time of all
/// rows in between.
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
    .plan = plan};

}  // namespace pegen::encodings
