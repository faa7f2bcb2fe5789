#include <fmt/format.h>

#include <array>
#include <utility>

#include "encodings/attention/mechanism.h"
#include "encodings/registry.h"

// The attention mechanisms that add a bias (heads, queries, keys) to the scores.
namespace pegen::encodings::attention {
namespace {

Plan bias_plan(const Borrowed& borrowed, const Parameters& lent) {
    return find_encoding(borrowed.encoding)->plan(lent, "bias");
}

Term bias_term(const Borrowed& borrowed, const Parameters& lent) {
    return {"bias", 1, [=] {
                const Plan plan = bias_plan(borrowed, lent);
                const std::int64_t queries = plan.shape[1];
                return Scores([=, rows = plan.make_rows(DType::float64)](const Block& block,
                                                                         std::span<double> out) {
                    const auto [first, count] = block.queries;
                    rows({block.head * queries + first, count}, std::as_writable_bytes(out));
                });
            }};
}

/// Records the heads, and for an image the tokens, that the parameters of the bias say, if one of
/// `sources` is given.
void say_sizes(Extents& extents, const Parameters& p, const Borrowed& borrowed,
               std::initializer_list<std::string_view> sources) {
    for (const std::string_view name : sources) {
        if (!p.has(name)) continue;
        const Plan plan = bias_plan(borrowed, lent_parameters(p, borrowed, {}));
        const std::string source = fmt::format("--{} {}", name, to_string(p.value(name)));
        extents.say(name == "image" ? "tokens" : "heads", plan.shape[name == "image" ? 1 : 0],
                    source);
    }
}

/// What defines a mechanism that adds a bias, apart from the bias itself.
struct Biased {
    Inputs inputs;
    double divisor;  ///< of q . k
    bool is_causal;
};

Plan plan_biased(Parameters p, const Borrowed& borrowed, const std::vector<Setting>& settings,
                 const Biased& biased, std::string_view table) {
    const Parameters lent = lent_parameters(p, borrowed, settings);
    const Attention attention{
        .inputs = biased.inputs,
        .terms = {content_term("content", biased.inputs, biased.divisor),
                  bias_term(borrowed, lent)},
        .is_causal = biased.is_causal,
    };
    p = with_lent(std::move(p), borrowed, bias_plan(borrowed, lent).parameters);
    return plan_attention(std::move(p), attention, table);
}

Setting heads_setting(const Inputs& inputs) { return {"heads", fmt::format("{}", inputs.heads())}; }

constexpr Borrowed of_alibi{"alibi", "heads len key-len mask"};

Plan plan_alibi(Parameters p, std::string_view table) {
    // Only the symmetric form and those of images also penalize keys after the query.
    if (!p.given("causal")) p.resolve("causal", p.word("form") != "symmetric" && !p.has("image"));
    Extents extents;
    say_sizes(extents, p, of_alibi, {"slope-list", "slopes-file", "image"});
    const Inputs inputs(p, inputs_with_memory(), std::move(extents));
    std::vector<Setting> settings = settings_of(inputs);
    settings.push_back(heads_setting(inputs));
    const Biased biased{inputs, scale_of(p, inputs), p.flag("causal")};
    return plan_biased(std::move(p), of_alibi, settings, biased, table);
}

constexpr Borrowed of_t5{"t5", "heads len key-len causal mask seed"};

Plan plan_t5(Parameters p, std::string_view table) {
    Extents extents;
    say_sizes(extents, p, of_t5, {"bias-table"});
    const Inputs inputs(p, inputs_with_memory(), std::move(extents));
    std::vector<Setting> settings = settings_of(inputs);
    settings.push_back(heads_setting(inputs));
    if (p.flag("causal")) settings.push_back({"causal", "true"});
    if (!p.has("bias-table")) settings.push_back(table_seed(p));
    const Biased biased{inputs, 1, p.flag("causal")};
    return plan_biased(std::move(p), of_t5, settings, biased, table);
}

constexpr Borrowed of_swin{"swin", "heads seed query-stride key-height key-width"};

Plan plan_swin(Parameters p, std::string_view table) {
    const std::int64_t height = p.integer("height"), width = p.integer("width");
    const std::int64_t depth = p.has("depth") ? p.integer("depth") : 1;
    const bool has_class_token = p.word("prefix") == "cls";
    Extents extents;
    extents.say("tokens", depth * height * width + has_class_token,
                fmt::format("{}--height {} --width {}{}",
                            depth > 1 ? fmt::format("--depth {} ", depth) : "", height, width,
                            has_class_token ? " --prefix cls" : ""));
    say_sizes(extents, p, of_swin, {"bias-table"});
    static const std::vector<InputSpec> specs = with_common_inputs({});
    const Inputs inputs(p, specs, std::move(extents));
    std::vector<Setting> settings{heads_setting(inputs)};
    if (!p.has("bias-table")) settings.push_back(table_seed(p));
    const Biased biased{inputs, scale_of(p, inputs), false};
    return plan_biased(std::move(p), of_swin, settings, biased, table);
}

constexpr std::array tables{
    alpha_table,
    scores_table("content", "q_i . k_j, scaled, (heads, tokens, keys)", "Content"),
    scores_table("bias", "the bias added for the positions, (heads, tokens, keys)",
                 "Position Bias"),
    scores_table("score", "their sum, (heads, tokens, keys)", "Scores"),
    terms_table("Terms of the Scores"),
    z_table,
    q_table,
    k_table,
    v_table,
};

}  // namespace

/// Attention with ALiBi's penalty for the distance, causal unless --form is symmetric or --causal
/// says otherwise. Has the parameters of `alibi`.
const Encoding& alibi() {
    static const std::vector<ParameterSpec> parameters = mechanism_parameters(
        inputs_with_memory(), {memory_length_parameter, causal_parameter, no_scale_parameter},
        of_alibi);
    static const Encoding encoding{
        .name = "attention alibi",
        .summary = "attention with a bias that falls with the distance: ALiBi",
        .formula =
            "score[i, j] = q_i . k_j / sqrt(d-head) + slope[h] * distance\n"
            "alpha       = softmax over j of score;  z[i] = sum over j of alpha[i, j] v_j",
        .source = "Press et al. 2022, Train Short, Test Long, arXiv:2108.12409, section 3",
        .examples =
            "attention alibi --tokens 6 --d 16 --heads 2\n"
            "attention alibi --tokens 64 --heads 4 --form causal --png alpha.png",
        .parameters = parameters,
        .tables = tables,
        .plan = plan_alibi};
    return encoding;
}

/// T5's self-attention, whose scores are not divided by sqrt(d-head). With --causal the decoder's
/// self-attention: with the decoder's buckets, and with keys after the query masked. Has the
/// parameters of `t5`.
const Encoding& t5() {
    static const std::vector<ParameterSpec> parameters = mechanism_parameters(
        inputs_with_memory(), {memory_length_parameter, causal_parameter}, of_t5);
    static const Encoding encoding{
        .name = "attention t5",
        .summary = "unscaled attention with a bias for each bucket of distances: T5",
        .formula =
            "score[i, j] = q_i . k_j + weights[bucket(j - i), h]\n"
            "alpha       = softmax over j of score;  z[i] = sum over j of alpha[i, j] v_j",
        .source = "Raffel et al. 2020, T5, arXiv:1910.10683, section 2.1",
        .examples =
            "attention t5 --tokens 6 --d 16 --heads 2\n"
            "attention t5 --tokens 64 --heads 4 --causal --table bias --png bias.png",
        .parameters = parameters,
        .tables = tables,
        .plan = plan_t5};
    return encoding;
}

/// The attention within a window of the Swin Transformer. Has the parameters of `swin`.
const Encoding& swin() {
    static const std::vector<ParameterSpec> parameters =
        mechanism_parameters(with_common_inputs({}), {no_scale_parameter}, of_swin);
    static const Encoding encoding{
        .name = "attention swin",
        .summary = "attention in a window, with a bias for each offset: Swin Transformer",
        .formula =
            "score[i, j] = q_i . k_j / sqrt(d-head) + table[index[i, j], h]\n"
            "alpha       = softmax over j of score;  z[i] = sum over j of alpha[i, j] v_j",
        .source = "Liu et al. 2021, Swin Transformer, arXiv:2103.14030, equation 4",
        .examples =
            "attention swin --height 2 --width 3 --d 16 --heads 2\n"
            "attention swin --heads 4 --table bias --png bias.png",
        .parameters = parameters,
        .tables = tables,
        .plan = plan_swin};
    return encoding;
}

}  // namespace pegen::encodings::attention
