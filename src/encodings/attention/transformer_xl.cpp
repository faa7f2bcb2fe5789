#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "encodings/attention/mechanism.h"
#include "encodings/registry.h"
#include "numerics/matrix_product.h"

namespace pegen::encodings::attention {
namespace {

constexpr Borrowed borrowed{"transformer-xl", "len mem-len d range keep-channels view"};

constexpr ParameterSpec causal_by_default{
    .name = causal_parameter.name,
    .aliases = causal_parameter.aliases,
    .type = ParameterType::flag,
    .default_value = "true",
    .summary = "mask keys after the query; the default, --causal=false turns it off"};

constexpr ParameterSpec score_dtype_parameter{
    .name = "score-dtype",
    .type = ParameterType::word,
    .default_value = "float64",
    .choices = "float64 float32",
    .summary = "float32 rounds the scores before the softmax, as Transformer-XL's code does"};

const std::vector<InputSpec>& input_specs() {
    static const std::vector<InputSpec> specs = with_common_inputs({
        memory_input,
        input_spec("w-kr",
                   "NPY file: W_kR, which multiplies the encoding of distances; shape as --wq",
                   InputKind::weights, 5, "wkr r-net"),
        input_spec("u", "NPY file: u, (heads, d-head)", InputKind::vectors, 6, "r-w-bias"),
        input_spec("v", "NPY file: v, likewise", InputKind::vectors, 7, "r-r-bias"),
    });
    return specs;
}

/// Returns R W_kR, (heads, queries + keys - 1, d-head); row 0 is the largest distance, keys - 1.
HeadArray distance_keys(const Inputs& inputs, const Parameters& lent) {
    const Encoding& encoding = *find_encoding(borrowed.encoding);
    const Table r = make_table(encoding, encoding.tables.front(), lent, DType::float64);
    return inputs.projected(read_rows(r, {0, r.shape.rows()}), "w-kr");
}

/// Returns q . (R_(i-j) W_kR) for every pair of a query and a key. The scores of a block's queries
/// are windows of one product; each window begins one column before the window of the previous
/// query.
Scores distance_scores(HeadArray q, const HeadArray& r, rows::AttentionSize size) {
    return [=, q = shared(std::move(q)), kept = transposed_by_head(r)](const Block& block,
                                                                       std::span<double> out) {
        const auto [first, count] = block.queries;
        const std::int64_t columns = size.keys + count - 1;
        std::vector<double> all(count * columns);
        numerics::multiply(queries_of(*q, block), (*kept)[block.head],
                           {size.queries - first - count, columns}, all);
        for (std::int64_t i = 0; i < count; ++i) {
            std::copy_n(all.begin() + i * columns + count - 1 - i, size.keys,
                        out.begin() + i * size.keys);
        }
    };
}

/// Returns the products (heads, rows) of each head's vector, in `vectors` (heads, d-head), with the
/// rows of `array` (heads, rows, d-head).
std::vector<double> vector_products(const std::vector<double>& vectors, const HeadArray& array) {
    const FactorsByHead factors = transposed_by_head(array);
    std::vector<double> products(array.heads * array.rows);
    for (std::int64_t head = 0; head < array.heads; ++head) {
        const auto own = std::span(vectors).subspan(head * array.columns, array.columns);
        numerics::multiply(own, (*factors)[head],
                           std::span(products).subspan(head * array.rows, array.rows));
    }
    return products;
}

/// Where the scores of a query's keys begin in a line of scores: at the same place for all queries,
/// or one place earlier for each further query.
enum class Window { fixed, moving };

/// Returns scores that are windows of each head's line in `line`, (heads, scores).
Scores line_scores(std::vector<double> line, rows::AttentionSize size, Window window) {
    const std::int64_t moves = window == Window::moving ? size.queries - 1 : 0;
    return [=, line = shared(std::move(line))](const Block& block, std::span<double> out) {
        for (std::int64_t i = 0; i < block.queries.count; ++i) {
            const std::int64_t query = block.queries.first + i;
            const std::int64_t first = window == Window::moving ? moves - query : 0;
            std::copy_n(line->begin() + block.head * (size.keys + moves) + first, size.keys,
                        out.begin() + i * size.keys);
        }
    };
}

std::vector<Term> terms_of(const Inputs& inputs, const Parameters& lent) {
    const rows::AttentionSize size = inputs.size();
    return {content_term("a", inputs, 1),
            {"b", 1,
             [=] {
                 return distance_scores(inputs.of_tokens("wq", "bq"), distance_keys(inputs, lent),
                                        size);
             }},
            {"c", 1,
             [=] {
                 return line_scores(vector_products(inputs.vectors("u"), inputs.of_all("wk", "bk")),
                                    size, Window::fixed);
             }},
            {"d", 1, [=] {
                 return line_scores(
                     vector_products(inputs.vectors("v"), distance_keys(inputs, lent)), size,
                     Window::moving);
             }}};
}

Plan plan(Parameters p, std::string_view table) {
    const Inputs inputs(p, input_specs(), {});
    const Parameters lent =
        lent_parameters(p, borrowed,
                        {{"len", fmt::format("{}", inputs.size().queries)},
                         {"mem-len", fmt::format("{}", inputs.size().keys - inputs.size().queries)},
                         {"d", fmt::format("{}", inputs.channels())},
                         {"range", "full"}});
    const Parameters resolved = find_encoding(borrowed.encoding)->plan(lent, "r").parameters;
    const Attention attention{.inputs = inputs,
                              .terms = terms_of(inputs, lent),
                              .divisor = scale_of(p, inputs),
                              .is_causal = p.flag("causal"),
                              .are_scores_float32 = p.word("score-dtype") == "float32"};
    return plan_attention(with_lent(std::move(p), borrowed, resolved), attention, table);
}

constexpr std::array tables{
    alpha_table,
    scores_table("a", "content: q_i . k_j, (heads, tokens, keys)", "(a) Content"),
    scores_table("b", "content and position: q_i . W_kR R_(i-j), likewise",
                 "(b) Content and Position"),
    scores_table("c", "global content bias: u . k_j, likewise", "(c) Global Content Bias"),
    relative(scores_table("d", "global position bias: v . W_kR R_(i-j), likewise",
                          "(d) Global Position Bias")),
    terms_table("Terms of the Scores"),
    scores_table("score", "(a + b + c + d) / sqrt(d-head), likewise", "Scores"),
    z_table,
    q_table,
    k_table,
    v_table,
};

constexpr std::string_view formula =
    "a[i, j] = q_i . k_j              q = W_q x, k = W_k x, v = W_v x\n"
    "b[i, j] = q_i . W_kR R_(i-j)     R_t = [sin(t w), cos(t w)]\n"
    "c[i, j] = u . k_j\n"
    "d[i, j] = v . W_kR R_(i-j)\n"
    "score   = (a + b + c + d) / sqrt(d-head)\n"
    "alpha   = softmax over j of score;  z[i] = sum over j of alpha[i, j] v_j";

}  // namespace

/// The attention of Transformer-XL. The queries are the tokens; the keys are the tokens of the
/// memory, then the tokens; i - j is the distance between query and key in tokens. The terms hold R
/// for distances of either sign. Keys after the query are masked unless --causal=false, so what the
/// original code computes for them does not matter.
const Encoding& transformer_xl() {
    static const std::vector<ParameterSpec> parameters = mechanism_parameters(
        input_specs(),
        {memory_length_parameter, causal_by_default, no_scale_parameter, score_dtype_parameter},
        borrowed);
    static const Encoding encoding{
        .name = "attention transformer-xl",
        .summary = "attention in four terms, two of which depend on the distance: Transformer-XL",
        .formula = formula,
        .source = "Dai et al. 2019, Transformer-XL, arXiv:1901.02860, section 3.3",
        .examples =
            "attention transformer-xl --tokens 6 --d 8 --heads 2 --table score\n"
            "attention transformer-xl --tokens 48 --heads 1 --table terms --png terms.png\n"
            "attention transformer-xl --x x.npy --mems mems.npy --wq wq.npy --wk wk.npy --wv "
            "wv.npy --w-kr wkr.npy --u u.npy --v v.npy -o alpha.npy",
        .parameters = parameters,
        .tables = tables,
        .plan = plan};
    return encoding;
}

/// The attention of XLNet: the attention of Transformer-XL with keys on both sides of the query,
/// without the segment term.
const Encoding& xlnet() {
    static const std::vector<ParameterSpec> parameters = mechanism_parameters(
        input_specs(),
        {memory_length_parameter, causal_parameter, no_scale_parameter, score_dtype_parameter},
        borrowed);
    static const Encoding encoding{
        .name = "attention xlnet",
        .summary = "Transformer-XL's attention with keys on both sides: XLNet",
        .formula = formula,
        .source = "Yang et al. 2019, XLNet, arXiv:1906.08237, section 2.4",
        .examples =
            "attention xlnet --tokens 6 --d 8 --heads 2 --table score\n"
            "attention xlnet --tokens 48 --mem-len 16 --heads 1 --table terms --png terms.png",
        .parameters = parameters,
        .tables = tables,
        .plan = plan};
    return encoding;
}

}  // namespace pegen::encodings::attention
