#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "core/clones.h"
#include "core/dtype.h"
#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/weights.h"
#include "rows/arranged.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "lengths",
                  .type = ParameterType::integers,
                  .default_value = "24,40,16,48,32",
                  .range = any_count,
                  .summary = "number of tokens of each segment",
                  .role = Role::extent},
    ParameterSpec{.name = "ids",
                  .aliases = "sample-id variate-id",
                  .type = ParameterType::path,
                  .summary = "file of whole numbers instead of --lengths, as of --positions-file: "
                             "the segment of each token",
                  .role = Role::tokens},
    ParameterSpec{.name = "tokens",
                  .aliases = "input-ids",
                  .type = ParameterType::path,
                  .summary = "likewise, the tokens themselves; a segment ends with a separator",
                  .role = Role::tokens},
    ParameterSpec{.name = "separators",
                  .type = ParameterType::integers,
                  .range = any_position,
                  .summary = "the tokens that end a segment, with --tokens"},
    ParameterSpec{
        .name = "max-within",
        .aliases = "train-scale",
        .type = ParameterType::integer,
        .range = any_count,
        .summary = "positions within a segment end at N - 1, which all further ones share"},
    ParameterSpec{.name = "causal",
                  .type = ParameterType::flag,
                  .summary = "keys after the query count as another segment"},
    heads_parameter,
    ParameterSpec{.name = "bias-table",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (2, heads), the bias of another segment, then of "
                             "the same one"},
    init_parameter,
    seed_parameter,
    rng_parameter,
};

constexpr std::int64_t most_tokens = 1 << 24;

std::vector<double> segments_of_lengths(const std::vector<std::int64_t>& lengths) {
    std::vector<double> segments;
    for (std::size_t segment = 0; segment < lengths.size(); ++segment) {
        if (lengths[segment] > most_tokens - std::ssize(segments)) {
            throw UsageError(fmt::format("--lengths {}: at most 2^24 tokens", to_string(lengths)));
        }
        segments.insert(segments.end(), lengths[segment], static_cast<double>(segment));
    }
    return segments;
}

/// Reads the numbers of a file of ids.
std::vector<double> numbers_of(const std::string& path) {
    const Positions ids = open_ids(path);
    if (ids.size() > most_tokens) {
        throw FormatError(path, fmt::format("{} tokens; at most 2^24", ids.size()));
    }
    std::vector<double> numbers(ids.size());
    for (std::int64_t i = 0; i < ids.size(); ++i) numbers[i] = ids[i];
    return numbers;
}

/// Returns the segment of each token, with the separators at the ends of segments.
std::vector<double> segments_between(const std::vector<double>& tokens,
                                     const std::vector<std::int64_t>& separators) {
    std::vector<double> segments;
    double segment = 0;
    for (const double token : tokens) {
        segments.push_back(segment);
        if (std::ranges::find(separators, static_cast<std::int64_t>(token)) != separators.end()) {
            ++segment;
        }
    }
    return segments;
}

/// Returns the segment of each token. Clears --lengths if a file gives the segments. Throws:
/// FileError; FormatError; UsageError if the parameters contradict each other.
std::vector<double> open_segments(Parameters& p) {
    if (p.given("separators") && !p.has("tokens")) {
        throw UsageError(fmt::format("--separators {}: needs --tokens, the file with the tokens",
                                     to_string(p.value("separators"))));
    }
    if (p.has("tokens") && !p.has("separators")) {
        throw UsageError("--tokens: needs --separators, the tokens that end a segment");
    }
    if (!p.has("tokens") && !p.has("ids")) return segments_of_lengths(p.integers("lengths"));
    const char* const file = p.has("tokens") ? "tokens" : "ids";
    for (const char* name : {"lengths", "ids"}) {
        if (!p.given(name) || name == std::string_view(file)) continue;
        throw UsageError(fmt::format(
            "--{}: --{} already says which segments; give one or the other", name, file));
    }
    p.resolve("lengths", {});
    const std::vector<double> numbers = numbers_of(p.word(file));
    return p.has("tokens") ? segments_between(numbers, p.integers("separators")) : numbers;
}

/// Returns the place of each token in its segment; a segment begins where the number changes.
std::vector<double> places_within(const std::vector<double>& segments, double most) {
    std::vector<double> places;
    double place = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        place = i > 0 && segments[i] == segments[i - 1] ? place + 1 : 0;
        places.push_back(std::min(place, most));
    }
    return places;
}

/// Plans a table (position, 1) of numbers.
Plan number_plan(Parameters p, std::vector<double> numbers) {
    const std::int64_t tokens = std::ssize(numbers);
    return {.parameters = std::move(p),
            .shape = {tokens, 1},
            .axes = {position_axis(Positions(0, 1, tokens)), channel_axis()},
            .make_rows = [kept = std::make_shared<const std::vector<double>>(std::move(numbers))](
                             DType dtype) {
                const auto [lowest, highest] = std::ranges::minmax(*kept);
                check_holds(dtype, std::max(-lowest, highest), "the largest number");
                return rounded(rows::kept_rows(kept, 1), dtype);
            }};
}

template <class T>
PEGEN_CLONES void fill_by_segment(const double* __restrict segments, std::int64_t count,
                                  double segment, const T* __restrict values, T* __restrict out) {
    const T other = values[0], same = values[1];
    for (std::int64_t i = 0; i < count; ++i) out[i] = segments[i] == segment ? same : other;
}

/// Returns the rows (head, query, key) of values[head][1] for two tokens of a segment, else
/// values[head][0]; this, if `is_causal`, also for keys after the query.
Rows by_segment(const rows::KeptRows& segments, bool is_causal, const Rows& values) {
    const std::int64_t tokens = std::ssize(*segments);
    const auto fill = [=](RowRange range, std::span<std::byte> out) {
        with_element_type(values.dtype(), [&]<class T>(std::type_identity<T>) {
            std::array<T, 2> of_head{};
            T* row = reinterpret_cast<T*>(out.data());
            for (std::int64_t i = range.first; i < range.first + range.count; ++i, row += tokens) {
                const std::int64_t query = i % tokens, seen = is_causal ? query + 1 : tokens;
                values({i / tokens, 1}, std::as_writable_bytes(std::span(of_head)));
                fill_by_segment(segments->data(), seen, (*segments)[query], of_head.data(), row);
                std::fill(row + seen, row + tokens, of_head[0]);
            }
        });
    };
    return {fill, values.count() * tokens, tokens, values.dtype()};
}

Plan plan(Parameters given, std::string_view table) {
    Parameters p = without_idle_initializer(std::move(given), {"bias-table"});
    p = with_extent_of(std::move(p), "bias-table", 1, "heads");
    std::vector<double> segments = open_segments(p);
    if (table == "segment") return number_plan(std::move(p), std::move(segments));
    if (table == "within") {
        const double most = p.has("max-within") ? static_cast<double>(p.integer("max-within") - 1)
                                                : std::numeric_limits<double>::infinity();
        return number_plan(std::move(p), places_within(segments, most));
    }
    const std::int64_t tokens = std::ssize(segments), heads = p.integer("heads");
    const rows::AttentionSize size{tokens, tokens};
    const auto kept = std::make_shared<const std::vector<double>>(std::move(segments));
    if (table == "bias") {
        const Weights weights = open_weights(
            p,
            {.file_parameter = "bias-table", .extents = "(2, heads)", .rows = 2, .columns = heads});
        return {.parameters = std::move(p),
                .shape = {heads, tokens, tokens},
                .axes = {head_axis(), query_axis(size), key_axis(size)},
                .make_rows = [=](DType dtype) {
                    return by_segment(kept, false, rows::transposed(weight_rows(weights, dtype)));
                }};
    }
    const bool is_causal = p.flag("causal");
    const std::vector<double> numbers =
        table == "mask" ? std::vector{-std::numeric_limits<double>::infinity(), 0.0}
                        : std::vector{0.0, 1.0};
    return {.parameters = std::move(p),
            .shape = {tokens, tokens},
            .axes = {query_axis(size), key_axis(size)},
            .make_rows = [=](DType dtype) {
                return by_segment(kept, is_causal, rounded(rows::kept_rows(numbers, 2), dtype));
            }};
}

constexpr std::array tables{
    TableSpec{.name = "same",
              .summary = "1 for two tokens of a segment, else 0, (tokens, tokens), whole numbers",
              .title = "Tokens of the Same Segment",
              .value_label = "Same Segment",
              .dtype = DType::int64,
              .idle_parameters = "max-within heads bias-table init seed rng"},
    TableSpec{.name = "mask",
              .summary = "what is added to the scores: 0 within a segment, else -inf, likewise",
              .title = "Mask of Packed Sequences",
              .value_label = "Bias",
              .idle_parameters = "max-within heads bias-table init seed rng"},
    TableSpec{.name = "bias",
              .summary = "the learned bias of the same and of other segments, (heads, tokens, "
                         "tokens)",
              .title = "Bias by Segments (heads={heads})",
              .value_label = "Bias",
              .is_initial = true,
              .idle_parameters = "max-within causal"},
    TableSpec{.name = "segment",
              .summary = "the segment of each token, (tokens, 1), whole numbers",
              .title = "Segments of Tokens",
              .value_label = "Segment",
              .dtype = DType::int64,
              .idle_parameters = "max-within causal heads bias-table init seed rng"},
    TableSpec{.name = "within",
              .summary = "the position of each token in its segment, likewise",
              .title = "Positions within Segments",
              .value_label = "Position",
              .dtype = DType::int64,
              .idle_parameters = "causal heads bias-table init seed rng"},
};

constexpr std::array segments_presets{
    PresetSpec{.name = "bipe",
               .settings = "--separators 869,13 --max-within 1024",
               .summary = "BiPE: positions within a sentence, and the number of the sentence",
               .source = "zhenyuhe00/BiPE, my_modeling_llama_bipe_rope.py, get_bilevel_ids",
               .note =
                   "The separators are Llama's tokens for a full stop and a new line. A learned "
                   "vector for --table within is added to the tokens; --table segment has the "
                   "positions of RoPE or ALiBi."},
    PresetSpec{.name = "moirai",
               .aliases = "uni2ts",
               .settings = "--heads 6",
               .summary = "Moirai: a bias for two tokens of the same variate, another for others",
               .source = "SalesforceAIResearch/uni2ts, src/uni2ts/module/position/attn_bias.py, "
                         "BinaryAttentionBias",
               .note = "--table bias with --ids variate_id. --table same with sample_id is "
                       "packed_attention_mask. --heads is 6, 12 or 16 in the small, base and large "
                       "model."},
};

}  // namespace

/// A sequence of segments: sentences, packed samples, the variates of a time series. Segments
/// count from 0, or have the numbers of --ids. A separator is the last token of its segment. Within
/// a segment positions count from 0.
///
/// Tables: same (tokens, tokens), axes (query, key), integers; mask, likewise, 0 and -inf; bias
/// (heads, tokens, tokens), axes (head, query, key), weights rounded once, from --bias-table or
/// drawn by PyTorch as the tensor (2, heads) right after seeding; segment, within (tokens, 1), axes
/// (position, channel), integers. Keeps a number for each token, of which there are at most 2^24.
extern constinit const Encoding segments{
    .name = "segments",
    .summary =
        "bias, mask and positions by the segments of packed sequences or texts: Moirai, BiPE",
    .formula =
        "same[q, k]    = 1 if segment[q] = segment[k], else 0;  --causal: 0 if k > q\n"
        "mask[q, k]    = 0 if same[q, k] = 1, else -inf\n"
        "bias[h, q, k] = weights[1 if segment[q] = segment[k], else 0; h]\n"
        "within[i]     = min(i - s, max-within - 1),  s: the first token of the segment",
    .source =
        "Woo et al. 2024, Moirai, arXiv:2402.02592, section 3.2; He et al. 2024, BiPE, "
        "arXiv:2401.16421, section 3",
    .examples =
        "segments --lengths 2,3\n"
        "segments --lengths 24,40 --causal --table mask --png mask.png\n"
        "segments --table bias --heads 6 --seed 1 --npy bias.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = segments_presets,
    .plan = plan};

}  // namespace pegen::encodings
