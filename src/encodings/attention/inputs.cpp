#include "encodings/attention/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parallel.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/shared.h"
#include "files/array_file.h"
#include "numerics/matrix_product.h"

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

}  // namespace pegen::encodings::attention
