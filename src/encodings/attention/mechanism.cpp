#include "encodings/attention/mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/shared.h"
#include "encodings/registry.h"
#include "numerics/matrix_product.h"
#include "numerics/softmax.h"
#include "rows/arranged.h"
#include "rows/kept.h"

namespace pegen::encodings::attention {
namespace {

/// Returns the number of queries in a block, such that the scores of the block fit into the cache.
std::int64_t queries_at_once(std::int64_t keys) {
    constexpr std::int64_t group = numerics::rows_at_once, most = 8 * group, scores = 1 << 16;
    return std::clamp(scores / keys / group * group, group, most);
}

/// Fills `out`, of shape (queries of the block, columns).
using Fill = std::function<void(const Block& block, std::span<double> out)>;

/// Whether a table may hold minus infinity, for masked keys.
enum class Hidden { none, some };

/// Checks the values. Throws: UsageError for a value that `dtype` cannot hold, or that is not
/// finite because an earlier product exceeded the largest double.
void check_values(std::span<const double> values, DType dtype, Hidden hidden) {
    const auto is_held = [&](double value) {
        const bool is_hidden = hidden == Hidden::some && std::isinf(value) && value < 0;
        return std::fabs(value) <= info(dtype).largest || is_hidden;
    };
    const auto found = std::ranges::find_if_not(values, is_held);
    if (found == values.end()) return;
    check_holds(dtype, std::isfinite(*found) ? *found : 0, "a value");
    throw UsageError("attention: a product is beyond the largest double; the inputs are too large");
}

/// Returns the rows of a table (heads, queries, columns) that `fill` fills, each value rounded
/// once. The rows throw UsageError for values that `dtype` cannot hold.
Rows block_rows(Fill fill, std::int64_t heads, rows::AttentionSize size, std::int64_t columns,
                DType dtype, Hidden hidden = Hidden::none) {
    const std::int64_t most = queries_at_once(size.keys);
    const std::size_t element = info(dtype).size;
    return {[=, fill = std::move(fill)](RowRange range, std::span<std::byte> out) {
                std::vector<double> values(std::min(most, range.count) * columns);
                for (std::int64_t row = range.first, end = row + range.count; row < end;) {
                    const std::int64_t head = row / size.queries, query = row % size.queries;
                    const std::int64_t count = std::min({most, end - row, size.queries - query});
                    const auto some = std::span(values).first(count * columns);
                    fill({head, {query, count}}, some);
                    check_values(some, dtype, hidden);
                    store(some, dtype, out.first(some.size() * element));
                    out = out.subspan(some.size() * element);
                    row += count;
                }
            },
            heads * size.queries, columns, dtype};
}

void divide(std::span<double> values, double divisor) {
    if (divisor == 1) return;
    for (double& value : values) value /= divisor;
}

Scores scores_of(const Term& term) {
    return
        [scores = term.make(), divisor = term.divisor](const Block& block, std::span<double> out) {
            scores(block, out);
            divide(out, divisor);
        };
}

/// Sets the scores of the keys after each query to minus infinity.
void hide_later_keys(const Block& block, rows::AttentionSize size, std::span<double> scores) {
    for (std::int64_t i = 0; i < block.queries.count; ++i) {
        const auto row = scores.subspan(i * size.keys, size.keys);
        std::ranges::fill(row.subspan(size.seen_by(block.queries.first + i)),
                          -std::numeric_limits<double>::infinity());
    }
}

/// Returns the function that computes the scores: the sum of all terms, added in their order.
Scores all_scores(const Attention& attention) {
    std::vector<Scores> terms;
    for (const Term& term : attention.terms) terms.push_back(scores_of(term));
    return [=, size = attention.inputs.size(), divisor = attention.divisor,
            is_causal = attention.is_causal,
            are_rounded = attention.are_scores_float32](const Block& block, std::span<double> out) {
        terms.front()(block, out);
        std::vector<double> more(terms.size() > 1 ? out.size() : 0);
        for (std::size_t term = 1; term < terms.size(); ++term) {
            terms[term](block, more);
            for (std::size_t i = 0; i < out.size(); ++i) out[i] += more[i];
        }
        divide(out, divisor);
        if (are_rounded) {
            for (double& score : out) score = static_cast<float>(score);
        }
        // From here on, minus infinity marks a masked key.
        check_values(out, DType::float64, Hidden::none);
        if (is_causal) hide_later_keys(block, size, out);
    };
}

Scores weights_of(const Attention& attention) {
    return [scores = all_scores(attention), keys = attention.inputs.size().keys](
               const Block& block, std::span<double> out) {
        scores(block, out);
        for (std::int64_t i = 0; i < block.queries.count; ++i) {
            numerics::softmax(out.subspan(i * keys, keys));
        }
    };
}

HeadArray values_of(const Attention& attention) { return attention.inputs.of_all("wv", "bv"); }

Mixture content_values(const Attention& attention) {
    const HeadArray v = values_of(attention);
    std::vector<numerics::Factor> factors;
    for (std::int64_t head = 0; head < v.heads; ++head) {
        factors.emplace_back(v.of(head), v.rows, v.columns);
    }
    return [kept = shared(std::move(factors))](const Block& block, std::span<const double> alpha,
                                               std::span<double> out) {
        numerics::multiply(alpha, (*kept)[block.head], out);
    };
}

/// Returns the function that fills the table z, or only the parts of z that the mixtures in `parts`
/// give.
Fill mixed(const Attention& attention, std::vector<Mixture> parts) {
    if (parts.empty()) {
        return [](const Block&, std::span<double> out) { std::ranges::fill(out, 0.0); };
    }
    return [weights = weights_of(attention), parts = std::move(parts),
            keys = attention.inputs.size().keys](const Block& block, std::span<double> out) {
        std::vector<double> alpha(block.queries.count * keys);
        weights(block, alpha);
        parts.front()(block, alpha, out);
        if (parts.size() == 1) return;
        std::vector<double> more(out.size());
        parts[1](block, alpha, more);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += more[i];
    };
}

Fill filler_of_z(const Attention& attention, std::string_view table) {
    std::vector<Mixture> parts;
    if (table != "z-position") parts.push_back(content_values(attention));
    if (table != "z-content" && attention.position_values) {
        parts.push_back(attention.position_values());
    }
    return mixed(attention, std::move(parts));
}

Scores scores_named(const Attention& attention, std::string_view table) {
    for (const Term& term : attention.terms) {
        if (term.table == table) return scores_of(term);
    }
    return table == "alpha" ? weights_of(attention) : all_scores(attention);
}

/// Returns the rows of a table (heads, queries, keys).
Rows score_rows(const Attention& attention, std::string_view table, DType dtype) {
    const rows::AttentionSize size = attention.inputs.size();
    const bool is_term = std::ranges::count(attention.terms, table, &Term::table) > 0;
    const Hidden hidden = attention.is_causal && !is_term ? Hidden::some : Hidden::none;
    return block_rows(scores_named(attention, table), attention.inputs.heads(), size, size.keys,
                      dtype, hidden);
}

Plan scores_plan(Parameters p, const Attention& attention, std::string_view table) {
    const rows::AttentionSize size = attention.inputs.size();
    return {.parameters = std::move(p),
            .shape = {attention.inputs.heads(), size.queries, size.keys},
            .axes = {head_axis(), attention.inputs.queries(), attention.inputs.keys()},
            .make_rows = [=](DType dtype) { return score_rows(attention, table, dtype); },
            .is_before_mask = attention.is_causal && table == "alpha"};
}

/// Returns the rows of a table (heads, parts, queries, keys), each part of which is a table (heads,
/// queries, keys).
Rows beside_each_other(const std::vector<Rows>& parts, std::int64_t heads, std::int64_t queries) {
    std::vector<Rows> blocks;
    for (std::int64_t head = 0; head < heads; ++head) {
        for (const Rows& part : parts) {
            blocks.push_back(rows::slice(part, {head * queries, queries}));
        }
    }
    return rows::concatenated(blocks);
}

Plan terms_plan(Parameters p, const Attention& attention) {
    const rows::AttentionSize size = attention.inputs.size();
    Axis axis{.kind = AxisKind::function, .name = "term", .label = "Term"};
    for (const Term& term : attention.terms) axis.index_names.emplace_back(term.table);
    return {
        .parameters = std::move(p),
        .shape = {attention.inputs.heads(), std::ssize(axis.index_names), size.queries, size.keys},
        .axes = {head_axis(), axis, attention.inputs.queries(), attention.inputs.keys()},
        .make_rows = [=](DType dtype) {
            std::vector<Rows> parts;
            for (const std::string& name : axis.index_names) {
                parts.push_back(score_rows(attention, name, dtype));
            }
            return beside_each_other(parts, attention.inputs.heads(), size.queries);
        }};
}

Plan z_plan(Parameters p, const Attention& attention, std::string_view table) {
    const rows::AttentionSize size = attention.inputs.size();
    const std::int64_t width = attention.inputs.head_channels();
    return {.parameters = std::move(p),
            .shape = {attention.inputs.heads(), size.queries, width},
            .axes = {head_axis(), attention.inputs.queries(), channel_axis()},
            .make_rows = [=](DType dtype) {
                return block_rows(filler_of_z(attention, table), attention.inputs.heads(), size,
                                  width, dtype);
            }};
}

Plan kept_plan(Parameters p, const Attention& attention, std::function<HeadArray()> make,
               bool is_of_queries) {
    const rows::AttentionSize size = attention.inputs.size();
    const std::int64_t width = attention.inputs.head_channels();
    return {
        .parameters = std::move(p),
        .shape = {attention.inputs.heads(), is_of_queries ? size.queries : size.keys, width},
        .axes = {head_axis(), is_of_queries ? attention.inputs.queries() : attention.inputs.keys(),
                 channel_axis()},
        .make_rows = [=, make = std::move(make)](DType dtype) {
            const auto kept = shared(make().values);
            check_values(*kept, dtype, Hidden::none);
            return rounded(rows::kept_rows(kept, width), dtype);
        }};
}

Plan plan_of(Parameters p, const Attention& attention, std::string_view table) {
    const Inputs& inputs = attention.inputs;
    if (table == "terms") return terms_plan(std::move(p), attention);
    if (table.starts_with('z')) return z_plan(std::move(p), attention, table);
    if (table == "q") {
        return kept_plan(
            std::move(p), attention, [=] { return inputs.of_tokens("wq", "bq"); }, true);
    }
    if (table == "k") {
        return kept_plan(
            std::move(p), attention, [=] { return inputs.of_all("wk", "bk"); }, false);
    }
    if (table == "v") {
        return kept_plan(
            std::move(p), attention, [=] { return values_of(attention); }, false);
    }
    for (const Intermediate& kept : attention.intermediates) {
        if (kept.table == table) {
            return kept_plan(std::move(p), attention, kept.make, table.starts_with('q'));
        }
    }
    return scores_plan(std::move(p), attention, table);
}

}  // namespace

Plan plan_attention(Parameters p, const Attention& attention, std::string_view table) {
    const std::string note = attention.inputs.note(p);
    Plan plan = plan_of(attention.inputs.resolved(std::move(p)), attention, table);
    if (!note.empty()) plan.notes.push_back(note);
    return plan;
}

double scale_of(const Parameters& p, const Inputs& inputs) {
    return p.flag("no-scale") ? 1 : std::sqrt(static_cast<double>(inputs.head_channels()));
}

std::span<const double> queries_of(const HeadArray& q, const Block& block) {
    return q.of(block.head)
        .subspan(block.queries.first * q.columns, block.queries.count * q.columns);
}

FactorsByHead transposed_by_head(const HeadArray& array) {
    std::vector<numerics::Factor> factors;
    for (std::int64_t head = 0; head < array.heads; ++head) {
        factors.push_back(numerics::transposed(array.of(head), array.columns, array.rows));
    }
    return shared(std::move(factors));
}

Scores products(HeadArray q, const HeadArray& k) {
    return [q = shared(std::move(q)), kept = transposed_by_head(k)](const Block& block,
                                                                    std::span<double> out) {
        numerics::multiply(queries_of(*q, block), (*kept)[block.head], out);
    };
}

Term content_term(std::string_view table, const Inputs& inputs, double divisor) {
    return {table, divisor,
            [=] { return products(inputs.of_tokens("wq", "bq"), inputs.of_all("wk", "bk")); }};
}

namespace {

bool is_lent(const Borrowed& borrowed, std::string_view name) {
    return !has_word(borrowed.left_out, name);
}

}  // namespace

std::vector<InputSpec> with_common_inputs(std::initializer_list<InputSpec> more) {
    std::vector<InputSpec> inputs(common_inputs.begin(), common_inputs.end());
    inputs.insert(inputs.end(), more);
    return inputs;
}

const std::vector<InputSpec>& inputs_with_memory() {
    static const std::vector<InputSpec> inputs = with_common_inputs({memory_input});
    return inputs;
}

std::vector<ParameterSpec> mechanism_parameters(std::span<const InputSpec> inputs,
                                                std::initializer_list<ParameterSpec> own,
                                                const Borrowed& borrowed) {
    const std::span<const ParameterSpec> sizes = size_parameters();
    std::vector<ParameterSpec> all(sizes.begin(), sizes.end());
    for (const InputSpec& input : inputs) all.push_back(input.parameter);
    all.insert(all.end(), own);
    if (borrowed.encoding.empty()) return all;
    for (const ParameterSpec& spec : find_encoding(borrowed.encoding)->parameters) {
        if (is_lent(borrowed, spec.name)) all.push_back(spec);
    }
    return all;
}

Parameters lent_parameters(const Parameters& p, const Borrowed& borrowed,
                           const std::vector<Setting>& settings) {
    Parameters lent(find_encoding(borrowed.encoding)->parameters);
    for (const Parameters::Entry& entry : p.entries()) {
        const std::string_view name = entry.spec->name;
        const bool is_known = std::ranges::any_of(
            lent.entries(), [&](const auto& own) { return own.spec->name == name; });
        if (is_known && is_lent(borrowed, name) && entry.origin != Origin::specification) {
            lent.set(name, to_string(entry), entry.origin);
        }
    }
    for (const Setting& setting : settings) {
        lent.set(setting.name, setting.text, setting.origin);
    }
    return lent;
}

Parameters with_lent(Parameters p, const Borrowed& borrowed, const Parameters& lent) {
    for (const Parameters::Entry& entry : lent.entries()) {
        if (is_lent(borrowed, entry.spec->name)) p.resolve(entry.spec->name, entry.value);
    }
    return p;
}

std::vector<Setting> settings_of(const Inputs& inputs) {
    return {{"len", fmt::format("{}", inputs.size().queries)},
            {"key-len", fmt::format("{}", inputs.size().keys)}};
}

Setting table_seed(const Parameters& p) {
    return {"seed", fmt::format("{}", p.integer("seed") + table_seed_after)};
}

}  // namespace pegen::encodings::attention
