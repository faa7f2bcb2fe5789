#include "encodings/corruption.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/tensor_fill.h"
#include "draws/jax/fill.h"
#include "encodings/choice.h"
#include "encodings/parameters/initializer.h"
#include "encodings/registry.h"
#include "rows/arithmetic.h"
#include "rows/arranged.h"

namespace pegen {
namespace {

using encodings::Initializer;

constexpr std::array parameters{
    ParameterSpec{.name = "crop-rows",
                  .type = ParameterType::text,
                  .summary = "keep these rows of the table only, as Python's slice: 2:100"},
    ParameterSpec{
        .name = "crop-columns", .type = ParameterType::text, .summary = "keep these columns only"},
    ParameterSpec{.name = "shuffle",
                  .type = ParameterType::word,
                  .choices = "rows columns both",
                  .summary = "put rows, columns or both in a random order"},
    ParameterSpec{.name = "noise",
                  .type = ParameterType::text,
                  .summary = "add noise: its standard deviation, normal:MEAN,STD or "
                             "uniform:LOW,HIGH"},
    ParameterSpec{
        .name = "dropout",
        .range = {.lowest = 0, .highest = 0.999},
        .summary = "set each value to 0 with probability X, and divide the others by 1 - X"},
    ParameterSpec{.name = "round-to",
                  .type = ParameterType::word,
                  .choices = "float32 float16 bfloat16 f32 f16 bf16",
                  .summary = "round the values to a coarser type; the table keeps its own"},
    ParameterSpec{
        .name = corruption_seed,
        .type = ParameterType::integer,
        .default_value = "0",
        .range = any_position,
        .summary = "the seed of --shuffle, --noise and --dropout; its low 32 bits matter"},
};

enum class Step : std::uint32_t { noise, dropout, rows, columns };

/// Returns jax.random.fold_in(key, data).
jax::Words fold_in(const jax::Words& key, std::uint32_t data) {
    return jax::threefry(key, {0, data});
}

jax::Words key_of(const Parameters& p, int table, Step step) {
    const jax::Words seed = jax::key_of(p.integer(corruption_seed));
    return fold_in(fold_in(seed, static_cast<std::uint32_t>(table)),
                   static_cast<std::uint32_t>(step));
}

jax::Draw draw_of(const jax::Words& key, std::int64_t size) {
    return {key, size, jax::Counting::elements};
}

Initializer noise_of(const std::string& text) {
    constexpr std::string_view option = "noise";
    if (text.starts_with("normal:") || text.starts_with("uniform:")) {
        return encodings::parse_initializer(text, 1, option);
    }
    double std = 0;
    try {
        std = parse_real(text, "--noise");
    } catch (const UsageError&) {
        refuse(option, text, "must be a standard deviation, normal:MEAN,STD or uniform:LOW,HIGH");
    }
    if (std < 0) refuse(option, text, "must be at least 0: it is the standard deviation");
    return {Initializer::Kind::normal, {0, std}};
}

TensorFill fill_of(const Initializer& noise, const jax::Draw& draw) {
    const double a = noise.numbers[0], b = noise.numbers[1];
    return noise.kind == Initializer::Kind::normal ? jax::normal_fill(draw, a, b)
                                                   : jax::uniform_fill(draw, a, b);
}

/// Returns rows of float64: change(x, draw) of each element x and the number drawn for it.
template <class Change>
Rows changed(const Rows& float64, TensorFill draws, Change change) {
    return rows_like(float64,
                     [=, draws = std::move(draws)](RowRange range, std::span<std::byte> out) {
                         float64(range, out);
                         auto* value = reinterpret_cast<double*>(out.data());
                         draws(range.first * float64.columns(), range.count * float64.columns(),
                               [&](std::span<const float> drawn) {
                                   for (const float number : drawn) {
                                       *value = change(*value, static_cast<double>(number));
                                       ++value;
                                   }
                               });
                     });
}

/// Returns the order in which `count` random numbers are ascending.
std::vector<std::int64_t> random_order(const jax::Words& key, std::int64_t count) {
    constexpr std::int64_t most = std::int64_t{1} << 28;
    if (count > most) {
        throw UsageError(fmt::format(
            "--shuffle: {} indices; their order is kept in memory and ends at 2^28", count));
    }
    const std::vector<float> numbers =
        elements_of<float>(jax::uniform_fill(draw_of(key, count), 0, 1), 0, count);
    std::vector<std::int64_t> order(count);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::ranges::stable_sort(order, {}, [&](std::int64_t i) { return numbers[i]; });
    return order;
}

/// What a corruption does with the indices of an axis: keep a range, then change their order.
struct IndexChange {
    RowRange kept;
    std::vector<std::int64_t> order;  ///< empty if the indices keep their order

    bool changes(std::int64_t extent) const { return kept.count != extent || !order.empty(); }
};

IndexChange change_of(const Parameters& p, std::int64_t extent, std::string_view crop,
                      std::string_view word, const jax::Words& key) {
    IndexChange change{{0, extent}, {}};
    if (p.has(crop)) change.kept = parse_range(p.word(crop), extent, crop);
    if (p.has("shuffle") && (p.word("shuffle") == word || p.word("shuffle") == "both")) {
        change.order = random_order(key, change.kept.count);
    }
    return change;
}

/// Returns the axis after the change. Indices in another order are no positions or channels any
/// more.
Axis changed(const Axis& axis, const IndexChange& change, bool is_first) {
    if (change.order.empty() && is_first) return part_of(axis, change.kept);
    // Channels, and other indices of columns, are numbers that count from 0.
    if (change.order.empty()) return {.kind = axis.kind, .name = axis.name, .label = axis.label};
    const std::string name = is_first ? "row" : "column";
    return {.name = name, .label = is_first ? "Shuffled Row" : "Shuffled Column"};
}

/// Returns the rows after changes of the first axis, whose extent is `extent`, and of the last.
Rows rearranged(const Rows& rows, std::int64_t extent, const IndexChange& first,
                const IndexChange& last) {
    Rows result = rows;
    const std::int64_t group = rows.count() / extent;
    if (first.kept.count != extent) {
        result = rows::slice(result, {first.kept.first * group, first.kept.count * group});
    }
    if (!first.order.empty()) result = rows::permuted_rows(result, first.order, group);
    if (last.changes(rows.columns())) {
        std::vector<std::int64_t> columns = last.order;
        if (columns.empty()) {
            columns.resize(last.kept.count);
            std::iota(columns.begin(), columns.end(), std::int64_t{0});
        }
        for (std::int64_t& column : columns) column += last.kept.first;
        result = rows::chosen_columns(result, columns);
    }
    return result;
}

/// Returns the rows after noise, dropout and rounding.
Rows with_flaws(const Rows& rows, const Parameters& p, int table) {
    const DType dtype = rows.dtype();
    const std::int64_t size = rows.count() * rows.columns();
    Rows result = rows::as_float64(rows);
    if (p.has("noise")) {
        result = changed(
            result,
            fill_of(noise_of(p.word("noise")), draw_of(key_of(p, table, Step::noise), size)),
            [](double x, double noise) { return x + noise; });
        result = rows::as_float64(rows::rounded(result, dtype));
    }
    if (p.has("dropout")) {
        // Code in float32 has this number in float32.
        const auto narrow = static_cast<double>(static_cast<float>(1 - p.real("dropout")));
        const double keep = dtype == DType::float64 ? 1 - p.real("dropout") : narrow;
        result =
            changed(result, jax::uniform_fill(draw_of(key_of(p, table, Step::dropout), size), 0, 1),
                    [=](double x, double drawn) { return drawn < narrow ? x / keep : 0; });
        result = rows::as_float64(rows::rounded(result, dtype));
    }
    if (p.has("round-to")) {
        const auto named = std::ranges::find_if(dtypes, [&](const DTypeInfo& known) {
            return p.word("round-to") == known.name || p.word("round-to") == known.alias;
        });
        result = rows::as_float64(rows::rounded(result, named->dtype));
    }
    return rows::rounded(result, dtype);
}

/// Returns "noise 0.01, dropout 0.1", without the seed.
std::string text_of(const Parameters& corruption) {
    std::string text;
    for (const Parameters::Entry& entry : corruption.entries()) {
        if (is_default(entry) || entry.spec->name == corruption_seed) continue;
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", entry.spec->name, to_string(entry));
    }
    return text;
}

/// Returns "; --table NAME holds reals" for the first such table of the encoding; "" if it has
/// none.
std::string other_table(std::string_view encoding) {
    const Encoding* const found = find_encoding(encoding);
    if (!found) return "";
    const auto reals = std::ranges::find_if(
        found->tables, [](const TableSpec& table) { return is_floating(table.dtype); });
    return reals == found->tables.end() ? "" : fmt::format("; --table {} holds reals", reals->name);
}

}  // namespace

std::span<const ParameterSpec> corruption_parameters() { return parameters; }

Parameters effective(Parameters p) {
    p.evaluate_expressions();
    if (p.has("noise") && p.word("noise") == "none") p.resolve("noise", Value());
    if (p.has("noise")) {
        const Initializer noise = noise_of(p.word("noise"));
        if (noise.numbers[0] == 0 && noise.numbers[1] == 0) p.resolve("noise", Value());
    }
    if (p.has("dropout") && p.real("dropout") == 0) p.resolve("dropout", Value());
    const auto is_there = [&](std::string_view flaw) { return p.has(flaw); };
    if (std::ranges::none_of(random_flaws, is_there)) p.resolve(corruption_seed, std::int64_t{0});
    return p;
}

bool is_corruption(const Parameters& corruption) {
    return std::ranges::any_of(corruption.entries(),
                               [](const Parameters::Entry& entry) { return !is_default(entry); });
}

PlannedTable corrupted(PlannedTable planned, const Parameters& p, int number) {
    Table& table = planned.table;
    const bool has_flaws = p.has("noise") || p.has("dropout") || p.has("round-to");
    if (has_flaws && !is_floating(table.dtype)) {
        throw UsageError(fmt::format("--{}: the table {} holds integers{}",
                                     p.has("noise")     ? "noise"
                                     : p.has("dropout") ? "dropout"
                                                        : "round-to",
                                     table.name, other_table(table.provenance.encoding)));
    }
    if (table.shape.rank() == 0) {
        if (p.has("crop-rows") || p.has("crop-columns") || p.has("shuffle")) {
            throw UsageError(
                "--crop-rows, --crop-columns, --shuffle: the table is a single number");
        }
    }
    std::vector<std::int64_t> extents = table.shape.extents();
    const std::int64_t rows = extents.empty() ? 1 : extents.front();
    const IndexChange first =
        change_of(p, rows, "crop-rows", "rows", key_of(p, number, Step::rows));
    IndexChange last{{0, table.shape.columns()}, {}};
    if (extents.size() > 1) {
        last = change_of(p, extents.back(), "crop-columns", "columns",
                         key_of(p, number, Step::columns));
    } else if (p.has("crop-columns") || (p.has("shuffle") && p.word("shuffle") != "rows")) {
        throw UsageError(fmt::format("--{}: the table {} has rows only, of one value each",
                                     p.has("crop-columns") ? "crop-columns" : "shuffle",
                                     table.name));
    }
    if (first.changes(rows)) {
        extents.front() = first.kept.count;
        table.axes.front() = changed(table.axes.front(), first, true);
    }
    if (extents.size() > 1 && last.changes(extents.back())) {
        extents.back() = last.kept.count;
        table.axes.back() = changed(table.axes.back(), last, false);
        table.pairs = nullptr;
    }
    table.shape = Shape(std::move(extents));
    table.title += fmt::format("{}{}", table.title.empty() ? "" : ", ", text_of(p));
    table.has_whole_values = table.has_whole_values && !has_flaws;
    table.has_shares = table.has_shares && !has_flaws;
    table.masked_title = {};
    if (!table.scored_by.empty()) table.scored_by = "none";
    table.sibling = nullptr;
    table.provenance.corruption = p;
    planned.make_rows = [=, make_rows = std::move(planned.make_rows)](const Progress& progress) {
        const Rows arranged = rearranged(make_rows(progress), rows, first, last);
        return has_flaws ? with_flaws(arranged, p, number) : arranged;
    };
    return planned;
}

}  // namespace pegen
