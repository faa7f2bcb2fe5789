#include "encodings/attention/mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parallel.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/shared.h"
#include "encodings/registry.h"
#include "files/array_file.h"
#include "numerics/matrix_product.h"
#include "numerics/softmax.h"
#include "rows/arranged.h"
#include "rows/kept.h"

namespace pegen::encodings::attention {

const Extents::Statement* Extents::find(std::string_view name) const {
    const auto found = std::ranges::find(statements_, name, &Statement::name);
    return found == statements_.end() ? nullptr : &*found;
}

void Extents::say(std::string_view name, std::int64_t value, std::string_view source,
                  std::string_view path) {
    const Statement* const earlier = find(name);
    if (!earlier) {
        const std::string_view of = path.empty() ? "" : " of ";
        statements_.push_back({name, value, fmt::format("{}{}{}", source, of, path)});
        return;
    }
    if (earlier->value == value) return;
    if (path.empty()) {
        throw UsageError(
            fmt::format("{}: {} says {} = {}", source, earlier->source, name, earlier->value));
    }
    throw FormatError(path, fmt::format("{}: says {} = {}, but {} says {}", source, name, value,
                                        earlier->source, earlier->value));
}

void Extents::assume(std::string_view name, std::int64_t value) {
    if (!has(name)) statements_.push_back({name, value, "the default"});
}

bool Extents::has(std::string_view name) const { return find(name) != nullptr; }

std::int64_t Extents::of(std::string_view name) const { return find(name)->value; }

namespace {

constexpr std::int64_t most_values = std::int64_t{1} << 28;

constexpr std::array sizes{
    ParameterSpec{.name = "tokens",
                  .aliases = "n len queries query-len",
                  .type = ParameterType::integer,
                  .range = {.lowest = 1, .highest = static_cast<double>(most_values)},
                  .summary = "number of tokens, which are the queries [of a file, else 64]",
                  .role = Role::extent},
    ParameterSpec{.name = "d",
                  .aliases = "d d-model hidden-size embed-dim",
                  .type = ParameterType::integer,
                  .range = any_channel_count,
                  .summary = "channels of a token [of a file, else 64]",
                  .role = Role::extent},
    ParameterSpec{.name = "heads",
                  .aliases = heads_parameter.aliases,
                  .type = ParameterType::integer,
                  .range = heads_parameter.range,
                  .summary = "number of attention heads [of a file, else 8]",
                  .role = Role::extent},
    ParameterSpec{.name = "d-head",
                  .aliases = "head-dim d-k d-z",
                  .type = ParameterType::integer,
                  .range = any_channel_count,
                  .summary = "channels of a head [of a file, else d / heads]",
                  .role = Role::extent},
    ParameterSpec{
        .name = "seed",
        .type = ParameterType::integer,
        .default_value = "0",
        .range = any_position,
        .summary =
            "inputs that no file gives are drawn as by PyTorch: matrices by "
            "xavier_uniform_, others by normal_(0, 1), after manual_seed(N + n), with n = 0 "
            "for x, 1 mems or x-keys, 2 wq, 3 wk, 4 wv, 5 w-kr, 6 u, 7 v, 8 position tables"},
    ParameterSpec{.name = "content",
                  .type = ParameterType::word,
                  .default_value = "random",
                  .choices = "random equal",
                  .summary = "tokens that no file gives: each drawn, or all equal to the first, so "
                             "that the weights show what the positions do",
                  .is_rare = true},
    ParameterSpec{.name = "words",
                  .type = ParameterType::text,
                  .summary = "the tokens as words, such as 'the cat sat': their number, and their "
                             "names on the axes of figures; equal words are equal tokens",
                  .is_rare = true},
};

/// The parameters that name files of position tables. Without a file, the encoding draws the table.
constexpr std::array<std::string_view, 6> position_tables{"table-k", "table-v", "bias-table",
                                                          "table-h", "table-w", "table-t"};

/// The shapes that an input may have, as text for messages, and as words: an extent for each axis.
/// A drawn input has the first shape.
struct KindInfo {
    InputKind kind;
    std::string_view shapes;
    std::array<std::string_view, 2> extents;
};

constexpr std::array kinds{
    KindInfo{InputKind::tokens, "(tokens, d)", {"tokens d"}},
    KindInfo{InputKind::memory, "(mem-len, d)", {"mem-len d"}},
    KindInfo{InputKind::weights,
             "(heads * d-head, d), as nn.Linear has it, or (heads, d, d-head)",
             {"heads*d-head d", "heads d d-head"}},
    KindInfo{InputKind::offsets,
             "(heads * d-head,) or (heads, d-head)",
             {"heads*d-head", "heads d-head"}},
    KindInfo{InputKind::vectors, "(heads, d-head)", {"heads d-head"}},
    KindInfo{InputKind::keys, "(keys, d)", {"keys d"}},
    KindInfo{InputKind::values, "(keys, d)", {"keys d"}},
};

const KindInfo& info_of(InputKind kind) { return *std::ranges::find(kinds, kind, &KindInfo::kind); }

/// Returns the extents of each axis of an input of this kind and rank; nothing if the kind has no
/// shape of that rank.
std::vector<std::string_view> extents_of(InputKind kind, int rank) {
    for (const std::string_view extents : info_of(kind).extents) {
        std::vector<std::string_view> names = words(extents);
        if (!extents.empty() && std::ssize(names) == rank) return names;
    }
    return {};
}

/// True if the rows of an input of this kind are tokens.
bool are_tokens(InputKind kind) {
    return kind == InputKind::tokens || kind == InputKind::memory || kind == InputKind::keys ||
           kind == InputKind::values;
}

bool is_product(std::string_view extent) { return extent.find('*') != extent.npos; }

ArrayFile open_input(const std::string& path, InputKind kind) {
    ArrayFile file = with_floats(open_array(path), "inputs");
    const Shape& shape = file.table.shape;
    if (extents_of(kind, shape.rank()).empty()) {
        throw FormatError(
            path, fmt::format("shape {}: must be {}", to_string(shape), info_of(kind).shapes));
    }
    if (shape.size() == 0) {
        throw FormatError(path, fmt::format("shape {}: has no values", to_string(shape)));
    }
    if (shape.size() > most_values) {
        throw FormatError(path, fmt::format("shape {}: more than 2^28 values, which are all kept "
                                            "in memory",
                                            to_string(shape)));
    }
    return file;
}

/// Records the extents that the axes of the file give: the product extents if `are_products`,
/// otherwise the single extents.
void say_extents(Extents& extents, const std::string& path, const Shape& shape, InputKind kind,
                 bool are_products) {
    const std::vector<std::string_view> names = extents_of(kind, shape.rank());
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const std::string_view name = names[axis];
        const std::int64_t extent = shape[axis];
        if (is_product(name) != are_products) continue;
        const std::string place = fmt::format("axis {}", axis);
        if (!are_products) {
            extents.say(name, extent, place, path);
            continue;
        }
        const bool has_heads = extents.has("heads");
        if (!has_heads && !extents.has("d-head")) {
            throw UsageError(fmt::format("--heads: is needed: axis 0 of {}, {}, is heads * d-head",
                                         path, extent));
        }
        const std::int64_t known = extents.of(has_heads ? "heads" : "d-head");
        if (extent % known != 0) {
            throw FormatError(path,
                              fmt::format("{}, {}: is heads * d-head, and {} = {} does not "
                                          "divide it",
                                          place, extent, has_heads ? "heads" : "d-head", known));
        }
        extents.say(has_heads ? "d-head" : "heads", extent / known, place, path);
    }
}

void say_options(Extents& extents, const Parameters& p) {
    constexpr std::array<std::string_view, 5> names{"tokens", "mem-len", "d", "heads", "d-head"};
    for (const Parameters::Entry& entry : p.entries()) {
        const std::string_view name = entry.spec->name;
        if (std::ranges::count(names, name) == 0 || !p.has(name)) continue;
        const std::int64_t value = p.integer(name);
        extents.say(name, value, fmt::format("--{} {}", name, value));
    }
}

void assume_rest(Extents& extents) {
    extents.assume("tokens", 64);
    extents.assume("mem-len", 0);
    if (!extents.has("d") && extents.has("heads") && extents.has("d-head")) {
        extents.assume("d", extents.of("heads") * extents.of("d-head"));
    }
    extents.assume("d", 64);
    const std::int64_t d = extents.of("d");
    if (!extents.has("heads")) {
        const std::int64_t d_head = extents.has("d-head") ? extents.of("d-head") : 0;
        extents.assume("heads", d_head == 0 ? 8 : std::max<std::int64_t>(d / d_head, 1));
    }
    const std::int64_t heads = extents.of("heads");
    if (extents.has("d-head")) return;
    if (d % heads != 0) {
        throw UsageError(fmt::format(
            "--heads {}: does not divide d = {}; use another number, or give --d-head", heads, d));
    }
    extents.assume("d-head", d / heads);
}

/// Returns the shape of an input that is drawn.
Shape drawn_shape(InputKind kind, const Extents& extents) {
    std::vector<std::int64_t> shape;
    for (const std::string_view name : words(info_of(kind).extents.front())) {
        shape.push_back(is_product(name)
                            ? checked_product(extents.of("heads"), extents.of("d-head"),
                                              "the channels of all heads")
                            : extents.of(name));
    }
    return Shape(std::move(shape));
}

}  // namespace

std::span<const ParameterSpec> size_parameters() { return sizes; }

std::span<const double> HeadArray::of(std::int64_t head) const {
    return std::span(values).subspan(head * rows * columns, rows * columns);
}

std::span<double> HeadArray::of(std::int64_t head) {
    return std::span(values).subspan(head * rows * columns, rows * columns);
}

Inputs::Inputs(const Parameters& p, std::span<const InputSpec> specs, Extents more)
    : extents_(std::move(more)),
      seed_(p.integer("seed")),
      are_tokens_equal_(p.word("content") == "equal") {
    say_options(extents_, p);
    if (p.has("words")) {
        for (const std::string_view word : words(p.word("words"))) words_.emplace_back(word);
        if (words_.empty()) throw UsageError("--words: has no word");
        extents_.say("tokens", std::ssize(words_), fmt::format("--words '{}'", p.word("words")));
    }
    if (are_tokens_equal_ && p.has("x")) {
        throw UsageError("--content equal: --x has the tokens; leave one of the two out");
    }
    for (const InputSpec& spec : specs) {
        inputs_.push_back({&spec, std::nullopt});
        if (p.has(spec.name())) inputs_.back().file = open_input(p.word(spec.name()), spec.kind);
    }
    // Products last: splitting a product needs one of its factors.
    for (const bool are_products : {false, true}) {
        for (const Input& input : inputs_) {
            if (!input.file) continue;
            say_extents(extents_, input.file->path, input.file->table.shape, input.spec->kind,
                        are_products);
        }
    }
    assume_rest(extents_);
    for (const Input& input : inputs_) {
        const Shape shape = drawn_shape(input.spec->kind, extents_);
        if (input.file || shape.size() <= most_values) continue;
        throw UsageError(
            fmt::format("--{}: has shape {}, more than 2^28 values, which are all "
                        "kept in memory",
                        input.spec->name(), to_string(shape)));
    }
}

rows::AttentionSize Inputs::size() const {
    const std::int64_t tokens = extents_.of("tokens");
    if (extents_.has("keys")) return {tokens, extents_.of("keys"), 0};
    return {tokens, extents_.of("mem-len") + tokens};
}

Axis Inputs::queries() const {
    Axis axis = query_axis(size());
    axis.index_names = words_;
    if (are_tokens_equal_) axis.label += ", Equal Tokens";
    return axis;
}

Axis Inputs::keys() const {
    Axis axis = key_axis(size());
    if (are_tokens_equal_) axis.label += ", Equal Tokens";
    if (words_.empty() || extents_.has("keys")) return axis;
    axis.index_names.resize(size().keys - size().queries);  // the memory has no words
    axis.index_names.insert(axis.index_names.end(), words_.begin(), words_.end());
    return axis;
}

Parameters Inputs::resolved(Parameters p) const {
    for (const Parameters::Entry& entry : std::vector(p.entries())) {
        const std::string_view name = entry.spec->name;
        if (extents_.has(name)) p.resolve(name, extents_.of(name));
    }
    return p;
}

std::string Inputs::note(const Parameters& p) const {
    std::vector<std::string_view> names;
    for (const Input& input : inputs_) {
        const bool is_empty = drawn_shape(input.spec->kind, extents_).size() == 0;
        const InputKind kind = input.spec->kind;
        const bool is_drawn =
            !input.file && !is_empty && kind != InputKind::offsets && kind != InputKind::values;
        if (is_drawn) names.push_back(input.spec->name());
    }
    bool is_any_read =
        std::ranges::any_of(inputs_, [](const Input& input) { return input.file.has_value(); });
    for (const Parameters::Entry& entry : p.entries()) {
        const std::string_view name = entry.spec->name;
        if (std::ranges::count(position_tables, name) == 0) continue;
        const bool is_left_out = (name == "table-v" && p.has("table-k")) ||  // shaw: no a^V then
                                 (name == "table-t" && !p.has("depth"));
        is_any_read |= p.has(name);
        if (!p.has(name) && !is_left_out) names.push_back(name);
    }
    // Without any file, the user expects all inputs to be drawn.
    if (names.empty() || !is_any_read) return "";
    return fmt::format("drawn with --seed {}: {}", seed_, joined(names, ", "));
}

const Inputs::Input& Inputs::input(std::string_view name) const {
    return *std::ranges::find(inputs_, name, [](const Input& input) { return input.spec->name(); });
}

std::vector<double> Inputs::drawn(const Input& input) const {
    const Shape shape = drawn_shape(input.spec->kind, extents_);
    const bool is_matrix = input.spec->kind == InputKind::weights;
    const Initializer initializer =
        parse_initializer(is_matrix ? "xavier-uniform" : "normal:0,1", shape[1]);
    return elements_of(
        initialized_tensor(initializer, shape[0], shape[1], seed_ + input.spec->seed_after, 0,
                           torch::CodePath::vectors),
        0, shape.size());
}

std::vector<double> Inputs::drawn_tokens(const Input& input) const {
    std::vector<double> tokens = drawn(are_tokens_equal_ ? this->input("x") : input);
    const auto d = static_cast<std::ptrdiff_t>(channels());
    const auto token = [&](std::ptrdiff_t i) { return tokens.begin() + i * d; };
    if (are_tokens_equal_) {
        std::vector<double> equal;
        for (std::int64_t i = 0; i < drawn_shape(input.spec->kind, extents_)[0]; ++i) {
            equal.insert(equal.end(), token(0), token(1));
        }
        return equal;
    }
    if (input.spec->kind != InputKind::tokens) return tokens;
    for (std::ptrdiff_t i = 0; i < std::ssize(words_); ++i) {
        const auto first = std::ranges::find(words_, words_[i]) - words_.begin();
        std::copy(token(first), token(first + 1), token(i));
    }
    return tokens;
}

std::vector<double> Inputs::values(const Input& input) const {
    if (!input.file) return are_tokens(input.spec->kind) ? drawn_tokens(input) : drawn(input);
    return finite_elements(*input.file, "inputs");
}

HeadArray Inputs::projected(std::span<const double> rows, std::string_view weights,
                            std::string_view offsets) const {
    const Input& matrix = input(weights);
    const bool is_by_head = matrix.file && matrix.file->table.shape.rank() == 3;
    const std::int64_t d = channels(), width = head_channels();
    HeadArray result{heads(), std::ssize(rows) / d, width, {}};
    result.values.resize(checked_product(result.heads, result.rows * width, "a projection"));
    const std::vector<double> all = values(matrix);
    std::vector<double> added(heads() * width);
    if (!offsets.empty() && input(offsets).file) added = values(input(offsets));

    parallel_for(heads(), [&](std::int64_t head) {
        const auto own = std::span(all).subspan(head * d * width, d * width);
        const numerics::Factor factor =
            is_by_head ? numerics::Factor(own, d, width) : numerics::transposed(own, d, width);
        const std::span<double> out = result.of(head);
        numerics::multiply(rows, factor, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] += added[head * width + i % width];
        }
    });
    return result;
}

HeadArray Inputs::of_tokens(std::string_view weights, std::string_view offsets) const {
    return projected(values(input("x")), weights, offsets);
}

HeadArray Inputs::of_all(std::string_view weights, std::string_view offsets) const {
    if (extents_.has("keys")) {
        const bool has_own_values = weights == "wv" && input("x-values").file;
        return projected(values(input(has_own_values ? "x-values" : "x-keys")), weights, offsets);
    }
    std::vector<double> rows;
    if (size().keys > size().queries) rows = values(input("mems"));
    const std::vector<double> tokens = values(input("x"));
    rows.insert(rows.end(), tokens.begin(), tokens.end());
    return projected(rows, weights, offsets);
}

std::vector<double> Inputs::vectors(std::string_view name) const { return values(input(name)); }

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
    const std::span<const ParameterSpec> extents = size_parameters();
    std::vector<ParameterSpec> all(extents.begin(), extents.end());
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
