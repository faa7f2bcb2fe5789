#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/error.h"
#include "encodings/attention/mechanism.h"
#include "encodings/registry.h"
#include "rows/arranged.h"
#include "rows/kept.h"
#include "rows/rotated.h"

namespace pegen::encodings::attention {
namespace {

constexpr Borrowed borrowed{"rope", "len d layout positions reverse keep-channels view"};

/// Returns a rotary table with a row for the position of each key.
Rows waves(const Parameters& lent, std::string_view table) {
    return find_encoding(borrowed.encoding)->plan(lent, table).make_rows(DType::float64);
}

/// Returns `array`, (heads, rows, d-head), with each row rotated by its position. The rows have the
/// last of the keys' positions.
HeadArray turned(HeadArray array, const Parameters& lent) {
    const std::int64_t first = lent.integer("len") - array.rows;
    const auto from_first = [&](std::string_view table) {
        return rows::slice(waves(lent, table), {first, array.rows});
    };
    const Rows cos = from_first("cos"), sin = from_first("sin");
    const Rows source =
        rounded(rows::kept_rows(std::move(array.values), array.columns), DType::float64);
    const auto pairing =
        lent.word("pairing") == "half" ? rows::Pairing::half : rows::Pairing::interleaved;
    const Rows rows =
        rows::rotated(source, {.cos = cos, .sin = sin, .pairing = pairing}, DType::float64);
    array.values.resize(rows.count() * rows.columns());
    rows({0, rows.count()}, std::as_writable_bytes(std::span(array.values)));
    return array;
}

/// Plans the cosines for the positions of all keys. Throws: UsageError in terms of the head, since
/// --d of the rope encoding is the number of channels of a head.
Plan plan_waves(const Parameters& p, const Inputs& inputs) {
    const std::vector<Setting> settings{{"len", fmt::format("{}", inputs.size().keys)},
                                        {"d", fmt::format("{}", inputs.head_channels())},
                                        {"layout", "single", Origin::user}};
    try {
        return find_encoding(borrowed.encoding)
            ->plan(lent_parameters(p, borrowed, settings), "cos");
    } catch (const UsageError& error) {
        throw UsageError(
            fmt::format("of a head, whose --d is {}: {}", inputs.head_channels(), error.what()));
    }
}

Plan plan(Parameters p, std::string_view table) {
    const Inputs inputs(p, inputs_with_memory(), {});
    const Plan of_rope = plan_waves(p, inputs);
    const Parameters& lent = of_rope.parameters;
    if (lent.integer("d") != inputs.head_channels()) {
        throw UsageError(fmt::format("--config: says d-head = {}, but the heads have {} channels",
                                     lent.integer("d"), inputs.head_channels()));
    }
    const auto q = [=] { return turned(inputs.of_tokens("wq", "bq"), lent); };
    const auto k = [=] { return turned(inputs.of_all("wk", "bk"), lent); };
    const Attention attention{
        .inputs = inputs,
        .terms = {{"e", scale_of(p, inputs), [=] { return products(q(), k()); }}},
        .is_causal = p.flag("causal"),
        .intermediates = {{"q-rotated", q}, {"k-rotated", k}}};
    Plan plan = plan_attention(with_lent(std::move(p), borrowed, lent), attention, table);
    plan.notes.insert(plan.notes.begin(), of_rope.notes.begin(), of_rope.notes.end());
    return plan;
}

constexpr std::array tables{
    alpha_table,
    vectors_table("q-rotated", "the queries, rotated by their positions, (heads, tokens, d-head)",
                  "Queries, Rotated"),
    vectors_table("k-rotated", "the keys, rotated by their positions, (heads, keys, d-head)",
                  "Keys, Rotated"),
    scores_table("e", "q_i . k_j of the rotated vectors, scaled, (heads, tokens, keys)",
                 "RoPE: Products"),
    scores_table("score", "the scores: minus infinity for masked keys, likewise", "RoPE: Scores"),
    z_table,
    q_table,
    k_table,
    v_table,
};

}  // namespace

/// Attention with rotary positions: queries and keys are rotated by their positions, counted from
/// --start at the first key; values are not rotated. Has the parameters of `rope`, applied to the
/// channels of a head.
const Encoding& rope() {
    static const std::vector<ParameterSpec> parameters = mechanism_parameters(
        inputs_with_memory(), {memory_length_parameter, causal_parameter, no_scale_parameter},
        borrowed);
    static const Encoding encoding{
        .name = "attention rope",
        .summary = "attention with queries and keys rotated by their positions: RoPE",
        .formula =
            "score[i, j] = (T_i q_i) . (T_j k_j) / sqrt(d-head),  T_t the rotation of position t\n"
            "alpha       = softmax over j of score;  z[i] = sum over j of alpha[i, j] v_j",
        .source = "Su et al. 2021, RoFormer, arXiv:2104.09864, section 3.2.2",
        .examples =
            "attention rope --tokens 6 --d 16 --heads 2\n"
            "attention rope --tokens 64 --heads 1 --causal --png alpha.png",
        .parameters = parameters,
        .tables = tables,
        .plan = plan};
    return encoding;
}

}  // namespace pegen::encodings::attention
