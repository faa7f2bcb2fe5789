#include "encodings/formula/formula_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/default_floating_point.h"
#include "core/error.h"
#include "core/expression.h"
#include "core/names.h"
#include "core/number.h"
#include "core/progress.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "numerics/expression_value.h"
#include "rows/arranged.h"
#include "rows/by_distance.h"
#include "rows/kept.h"

namespace pegen::encodings {
namespace {

/// What a variable of a formula counts; also the order of the axes of its table.
enum class Counts : std::uint8_t { head, position, query, key, channel };

struct Variable {
    std::string_view name;
    Counts counts;
    char axis = 0;  ///< x, y or t for a coordinate of the token; 0 for its number
};

constexpr std::array variables{
    Variable{"pos", Counts::position},    Variable{"x", Counts::position, 'x'},
    Variable{"y", Counts::position, 'y'}, Variable{"t", Counts::position, 't'},
    Variable{"q", Counts::query},         Variable{"xq", Counts::query, 'x'},
    Variable{"yq", Counts::query, 'y'},   Variable{"tq", Counts::query, 't'},
    Variable{"k", Counts::key},           Variable{"xk", Counts::key, 'x'},
    Variable{"yk", Counts::key, 'y'},     Variable{"tk", Counts::key, 't'},
    Variable{"h", Counts::head},          Variable{"i", Counts::channel},
};

/// The parameters whose numbers a formula may use, besides the extents of --image.
constexpr std::array<std::string_view, 5> sizes{"len", "key-len", "heads", "d", "buckets"};

/// The extents of --image, the slowest first.
constexpr std::array<std::string_view, 3> grid_names{"depth", "height", "width"};

/// What people type who mean a variable.
struct OtherName {
    std::string_view typed;
    std::string_view meant;
};

constexpr std::array other_names{
    OtherName{"p", "pos"}, OtherName{"position", "pos"}, OtherName{"query", "q"},
    OtherName{"m", "q"},   OtherName{"key", "k"},        OtherName{"n", "k"},
    OtherName{"j", "k"},   OtherName{"head", "h"},       OtherName{"channel", "i"},
    OtherName{"c", "i"},   OtherName{"col", "x"},        OtherName{"column", "x"},
    OtherName{"row", "y"}, OtherName{"frame", "t"},      OtherName{"infinity", "inf"},
};

const Variable* find_variable(std::string_view name) {
    const auto found = std::ranges::find(variables, name, &Variable::name);
    return found == variables.end() ? nullptr : &*found;
}

/// Returns the parameter whose number `name` means in a formula, by its name or an alias; nullptr
/// if there is none.
const ParameterSpec* find_size(const Parameters& p, std::string_view name) {
    const std::string typed = hyphenated(name);
    for (const Parameters::Entry& entry : p.entries()) {
        if (std::ranges::find(sizes, entry.spec->name) == sizes.end()) continue;
        if (entry.spec->name == typed || has_word(entry.spec->aliases, typed)) return entry.spec;
    }
    return nullptr;
}

/// Returns "; did you mean 'pos'?", or the names that there are.
std::string meant_by(const std::string& name) {
    const auto other = std::ranges::find(other_names, name, &OtherName::typed);
    if (other != other_names.end()) return fmt::format("; did you mean '{}'?", other->meant);
    std::vector<std::string_view> known{"inf"};
    for (const Variable& variable : variables) known.push_back(variable.name);
    const std::string names = joined(known, ", ");
    std::ranges::copy(common_names(), std::back_inserter(known));
    std::ranges::copy(sizes, std::back_inserter(known));
    std::ranges::copy(grid_names, std::back_inserter(known));
    const std::string meant = did_you_mean(name, known);
    return !meant.empty() ? meant
                          : fmt::format(
                                "; names are {}, and the extents len, key_len, heads, d, "
                                "height, width and depth",
                                names);
}

/// A formula as typed, and its variables.
struct Formula {
    Expression expression;
    std::vector<std::string> names;

    /// True if a name is the number of this parameter.
    bool has_size(const Parameters& p, std::string_view parameter) const {
        return std::ranges::any_of(names, [&](const std::string& name) {
            const ParameterSpec* const size = find_variable(name) ? nullptr : find_size(p, name);
            return size && size->name == parameter;
        });
    }
    bool has_variable(auto predicate) const {
        return std::ranges::any_of(names, [&](const std::string& name) {
            const Variable* const variable = find_variable(name);
            return variable && predicate(*variable);
        });
    }
    bool counts(Counts what) const {
        return has_variable([=](const Variable& variable) { return variable.counts == what; });
    }
    bool is_of_pairs() const { return counts(Counts::query) || counts(Counts::key); }
    bool has_coordinates() const {
        return has_variable([](const Variable& variable) { return variable.axis != 0; });
    }
    /// True if the values depend on a query and a key by their distance alone, because the formula
    /// names q and k only to subtract or compare them.
    bool is_by_distance() const {
        constexpr std::array of_both{Operation::difference, Operation::less,
                                     Operation::less_or_equal, Operation::equal};
        const std::vector<ExpressionStep>& steps = expression.steps;
        const auto is_token = [&](std::size_t step) {
            return steps[step].name == "q" || steps[step].name == "k";
        };
        const auto is_of_distance = [&](const ExpressionStep& step) {
            const std::vector<std::size_t>& operands = step.operands;
            return std::ranges::none_of(operands, is_token) ||
                   (std::ranges::find(of_both, step.operation) != of_both.end() &&
                    std::ranges::all_of(operands, is_token) &&
                    steps[operands[0]].name != steps[operands[1]].name);
        };
        return is_of_pairs() && !has_coordinates() && !is_token(steps.size() - 1) &&
               std::ranges::all_of(steps, is_of_distance);
    }
};

/// Reads --value. Throws: UsageError.
Formula formula_of(const Parameters& p) {
    const std::string& text = p.word("value");
    Formula formula{parse_expression(text, "--value", "formula"), {}};
    for (const ExpressionStep& step : formula.expression.steps) {
        if (step.operation == Operation::name) formula.names.push_back(step.name);
    }
    for (const std::string& name : formula.names) {
        const bool is_of_grid = std::ranges::find(grid_names, name) != grid_names.end();
        if (find_variable(name) || name == "inf" || is_of_grid || find_size(p, name)) continue;
        throw UsageError(
            fmt::format("--value {}: '{}' has no value here{}", text, name, meant_by(name)));
    }
    if (formula.is_of_pairs() && formula.counts(Counts::position)) {
        throw UsageError(
            fmt::format("--value {}: names one token (pos, x, y, t) and a pair (q, k, "
                        "xq, xk, ...); use names of one kind",
                        text));
    }
    return formula;
}

/// The coordinates of tokens: of a list of points, or of a grid, row by row.
struct Coordinates {
    std::vector<std::vector<double>> points;  ///< a list for each axis, x last
    std::int64_t height = 1;
    std::int64_t width = 1;

    double at(std::int64_t token, char axis) const {
        if (!points.empty()) {
            const std::size_t from_last = axis == 'x' ? 1 : axis == 'y' ? 2 : 3;
            return points[points.size() - from_last][token];
        }
        if (axis == 'x') return static_cast<double>(token % width);
        if (axis == 'y') return static_cast<double>(token / width % height);
        return static_cast<double>(token / width / height);
    }
};

/// The tokens that a formula is about: their number, and where they are.
struct Tokens {
    std::int64_t queries;  ///< or positions
    std::int64_t keys;
    std::vector<std::int64_t> grid;  ///< its extents, slowest first; empty without a grid
    std::shared_ptr<const Coordinates> coordinates;

    rows::AttentionSize size() const {
        return {queries, keys, std::max<std::int64_t>(keys - queries, 0)};
    }
};

/// Reads --image. Throws: UsageError.
std::vector<std::int64_t> grid_of(const std::string& text) {
    std::vector<std::int64_t> grid;
    for (const std::string_view extent : fields(text, 'x')) {
        grid.push_back(parse_integer(extent, "--image"));
        if (!any_count.contains_whole(grid.back())) {
            refuse("image", text, fmt::format("{} {}", extent, describe(any_count)));
        }
    }
    if (grid.size() != 2 && grid.size() != 3) {
        refuse("image", text, "must be ROWSxCOLUMNS, as in 14x10, or FRAMESxROWSxCOLUMNS");
    }
    return grid;
}

Tokens tokens_of(const Parameters& p, const Formula& formula) {
    if (!formula.has_coordinates()) {
        const std::int64_t queries = p.has("len") ? p.integer("len") : 0;
        return {queries, p.has("key-len") ? p.integer("key-len") : queries, {}, nullptr};
    }
    if (p.has("points")) {
        const PointsFile file = open_points(p.word("points"));
        return {file.points(),
                file.points(),
                {},
                std::make_shared<const Coordinates>(Coordinates{.points = read_points(file)})};
    }
    Tokens tokens{1, 1, grid_of(p.word("image")), nullptr};
    for (const std::int64_t extent : tokens.grid) {
        tokens.queries = checked_product(tokens.queries, extent, "the image");
    }
    tokens.keys = tokens.queries;
    tokens.coordinates = std::make_shared<const Coordinates>(
        Coordinates{.points = {}, .height = tokens.grid.end()[-2], .width = tokens.grid.back()});
    return tokens;
}

/// An axis of the table of a formula.
struct CountedAxis {
    Counts counts;
    std::int64_t extent;
    Axis axis;
};

Axis token_axis(AxisKind kind, const Tokens& tokens) {
    const bool is_query = kind == AxisKind::query;
    if (!tokens.coordinates) return is_query ? query_axis(tokens.size()) : key_axis(tokens.size());
    return {.kind = kind,
            .name = is_query ? "query" : "key",
            .label = is_query ? "Query Token" : "Key Token",
            .extents = tokens.grid};
}

std::vector<CountedAxis> axes_of(const Formula& formula, const Parameters& p,
                                 const Tokens& tokens) {
    std::vector<CountedAxis> axes;
    if (formula.counts(Counts::head)) {
        axes.push_back({Counts::head, p.integer("heads"), head_axis()});
    }
    if (formula.counts(Counts::position) && tokens.grid.empty()) {
        axes.push_back(
            {Counts::position, tokens.queries,
             tokens.coordinates ? point_axis({}) : position_axis(Positions(0, 1, tokens.queries))});
    } else if (formula.counts(Counts::position)) {
        constexpr std::array<const char*, 3> labels{"Depth", "Height", "Width"};
        for (std::size_t i = 0; i < tokens.grid.size(); ++i) {
            const std::size_t axis = i + grid_names.size() - tokens.grid.size();
            axes.push_back({Counts::position,
                            tokens.grid[i],
                            {.kind = AxisKind::pixel,
                             .name = std::string(grid_names[axis]),
                             .label = labels[axis]}});
        }
    }
    if (formula.is_of_pairs()) {
        axes.push_back({Counts::query, tokens.queries, token_axis(AxisKind::query, tokens)});
        axes.push_back({Counts::key, tokens.keys, token_axis(AxisKind::key, tokens)});
    }
    if (formula.counts(Counts::channel)) {
        axes.push_back({Counts::channel, p.integer("d"), channel_axis()});
    }
    if (axes.empty()) {
        throw UsageError(fmt::format(
            "--value {}: is one number; a table needs a name of an axis: pos, q, k, h, i, x ...",
            formula.expression.text));
    }
    return axes;
}

/// A name in the formula: a variable, or a size with its value.
struct NamedStep {
    const Variable* variable = nullptr;
    std::size_t axis = 0;  ///< of the table, which the variable counts; the first of a grid
    double value = 0;
};

/// Returns the number of a token of a grid from its index along each axis.
std::int64_t number_in(const std::vector<std::int64_t>& grid, std::span<const std::int64_t> index) {
    std::int64_t number = 0;
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
        number = number * grid[axis] + index[axis];
    }
    return number;
}

/// Returns the value of a name that is no variable. Throws: UsageError if it has none.
double constant_of(const std::string& name, const Parameters& p, const Tokens& tokens) {
    if (name == "inf") return std::numeric_limits<double>::infinity();
    const auto of_grid = std::ranges::find(grid_names, name);
    if (of_grid != grid_names.end()) {
        const auto from_last = static_cast<std::size_t>(grid_names.end() - of_grid);
        if (from_last <= tokens.grid.size()) {
            return static_cast<double>(tokens.grid[tokens.grid.size() - from_last]);
        }
        throw UsageError(fmt::format("--value {}: {} has no value; give {} in --image",
                                     p.word("value"), name,
                                     name == "depth" ? "FRAMESxROWSxCOLUMNS" : "ROWSxCOLUMNS"));
    }
    const std::string_view size = find_size(p, name)->name;
    if (size == "len" && tokens.queries > 0) return static_cast<double>(tokens.queries);
    if (size == "key-len" && tokens.keys > 0) return static_cast<double>(tokens.keys);
    if (p.has(size)) return static_cast<double>(p.integer(size));
    throw UsageError(
        fmt::format("--value {}: {} has no value; give --{}", p.word("value"), name, size));
}

std::vector<NamedStep> named_steps(const Formula& formula, const std::vector<CountedAxis>& axes,
                                   const Parameters& p, const Tokens& tokens) {
    std::vector<NamedStep> steps;
    for (const ExpressionStep& step : formula.expression.steps) {
        NamedStep& named = steps.emplace_back();
        if (step.operation != Operation::name) continue;
        named.variable = find_variable(step.name);
        if (!named.variable) {
            named.value = constant_of(step.name, p, tokens);
            continue;
        }
        const auto found = std::ranges::find(axes, named.variable->counts, &CountedAxis::counts);
        named.axis = static_cast<std::size_t>(found - axes.begin());
    }
    return steps;
}

/// Returns the value of each name at a place.
std::vector<double> values_at(const std::vector<NamedStep>& steps, const Tokens& tokens,
                              std::span<const std::int64_t> index) {
    const std::int64_t first_query = tokens.coordinates ? 0 : tokens.size().before;
    std::vector<double> values;
    values.reserve(steps.size());
    for (const NamedStep& step : steps) {
        const Variable* const variable = step.variable;
        if (!variable) {
            values.push_back(step.value);
            continue;
        }
        const bool is_in_grid = variable->counts == Counts::position && !tokens.grid.empty();
        const std::int64_t number =
            is_in_grid ? number_in(tokens.grid, index.subspan(step.axis)) : index[step.axis];
        const std::int64_t before = variable->counts == Counts::query ? first_query : 0;
        values.push_back(variable->axis != 0 ? tokens.coordinates->at(number, variable->axis)
                                             : static_cast<double>(number + before));
    }
    return values;
}

/// Returns the text of the formula with the numbers at a place in it.
std::string text_with(const Expression& expression, std::span<const double> values) {
    std::string text;
    std::size_t done = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const ExpressionStep& step = expression.steps[i];
        if (step.operation != Operation::name) continue;
        text += expression.text.substr(done, step.begin - done);
        text += values[i] < 0 ? fmt::format("({})", shortest(values[i])) : shortest(values[i]);
        done = step.begin + step.name.size();
    }
    return text + expression.text.substr(done);
}

/// The number of axes that the formula needs of its points or its grid: t needs three.
std::int64_t axes_needed(const Formula& formula) {
    const auto names = [&](char axis) {
        return formula.has_variable([=](const Variable& v) { return v.axis == axis; });
    };
    return names('t') ? 3 : names('y') ? 2 : 1;
}

Parameters resolve_tokens(Parameters p, const Formula& formula) {
    if (!formula.has_coordinates()) {
        p = without(std::move(p), {"image", "points"},
                    "the formula has no coordinates: x, y, t, xq, xk ...");
        if (formula.is_of_pairs()) return with_keys(std::move(p));
        p = without(std::move(p), {"key-len"}, "the formula has no queries and keys: q, k");
        if (formula.counts(Counts::position) || formula.has_size(p, "len")) return p;
        return without(std::move(p), {"len"}, "the formula has no positions: pos");
    }
    p = without(std::move(p), {"len", "key-len"}, "--image or --points has the number of tokens");
    const std::int64_t needed = axes_needed(formula);
    if (p.has("points")) {
        p = without(std::move(p), {"image"}, "cannot be used with --points");
        const std::int64_t axes = open_points(p.word("points")).axes();
        if (axes > 3 || axes < needed) {
            throw FormatError(p.word("points"),
                              fmt::format("its columns are {}; the formula names {}",
                                          axes == 1   ? "x alone"
                                          : axes == 2 ? "y and x"
                                                      : "more than t, y and x",
                                          needed == 3   ? "t"
                                          : needed == 2 ? "y"
                                                        : "x"));
        }
        return p;
    }
    const bool is_video = needed == 3;
    if (!p.has("image") || (is_video && std::ranges::count(p.word("image"), 'x') < 2)) {
        throw UsageError(fmt::format("--value {}: coordinates need --image {}, or --points FILE",
                                     p.word("value"),
                                     is_video ? "FRAMESxROWSxCOLUMNS" : "ROWSxCOLUMNS"));
    }
    return p;
}

/// Returns rows of value(index) for all indices of this shape.
RealRows values_of(const Shape& shape, ValueAt value) {
    const std::int64_t columns = shape.columns();
    return {[=, value = std::move(value)](RowRange range, std::span<double> out) {
                const DefaultFloatingPoint arithmetic;
                std::vector<std::int64_t> index;
                for (std::size_t i = 0; i < out.size(); ++i) {
                    const auto element = static_cast<std::int64_t>(i);
                    if (element % columns == 0) {
                        index = index_of(range.first * columns + element, shape.extents());
                        report_work(100 * columns);
                    } else {
                        ++index.back();
                    }
                    out[i] = value(index);
                }
            },
            shape.rows(), columns};
}

}  // namespace

Parameters resolve_places(Parameters p, FormulaOf what) {
    const Formula formula = formula_of(p);
    if (what == FormulaOf::row_numbers) {
        if (formula.counts(Counts::head) || formula.counts(Counts::channel) ||
            formula.has_size(p, "heads") || formula.has_size(p, "d")) {
            throw UsageError(
                fmt::format("--value {}: is the number of a row, which has all heads "
                            "and channels: no h, i, heads or d",
                            p.word("value")));
        }
    } else {
        if (!formula.counts(Counts::head) && !formula.has_size(p, "heads")) {
            p = without(std::move(p), {"heads"}, "the formula has no h");
        }
        if (!formula.counts(Counts::channel) && !formula.has_size(p, "d")) {
            p = without(std::move(p), {"d"}, "the formula has no i");
        }
    }
    return resolve_tokens(std::move(p), formula);
}

FormulaTable formula_table(const Parameters& p) {
    const Formula formula = formula_of(p);
    const Tokens tokens = tokens_of(p, formula);
    std::vector<CountedAxis> counted = axes_of(formula, p, tokens);
    const std::vector<NamedStep> steps = named_steps(formula, counted, p, tokens);
    std::vector<std::int64_t> extents;
    std::vector<Axis> axes;
    for (CountedAxis& axis : counted) {
        extents.push_back(axis.extent);
        axes.push_back(std::move(axis.axis));
    }
    const auto values = [=](std::span<const std::int64_t> index) {
        return values_at(steps, tokens, index);
    };
    return {
        .shape = Shape(std::move(extents)),
        .axes = std::move(axes),
        .is_of_pairs = formula.is_of_pairs(),
        .is_by_distance = formula.is_by_distance(),
        .value =
            [=, expression = formula.expression](std::span<const std::int64_t> index, DType dtype) {
                return numerics::exact_value(expression, values(index), dtype);
            },
        .text =
            [=, expression = formula.expression](std::span<const std::int64_t> index) {
                return text_with(expression, values(index));
            },
        .cell =
            [=, expression = formula.expression](std::span<const std::int64_t> index) {
                return Cell{.value = {[=, at = values(index)] {
                                          return numerics::real_value(expression, at);
                                      },
                                      text_with(expression, values(index))}};
            }};
}

Rows rows_of(const FormulaTable& table, const ValueAt& value,
             const std::function<Rows(const RealRows& values)>& made_of) {
    const Rows all = made_of(values_of(table.shape, value));
    if (!table.is_by_distance) return all;
    const std::size_t query =
        std::ranges::find(table.axes, AxisKind::query, &Axis::kind) - table.axes.begin();
    std::vector<std::int64_t> extents = table.shape.extents();
    const rows::AttentionSize size{extents[query], extents[query + 1]};
    extents[query] = size.distances();
    extents[query + 1] = 1;
    const auto at_distance = [=](std::span<const std::int64_t> index) {
        std::vector<std::int64_t> place(index.begin(), index.end());
        const std::int64_t distance = index[query] - (size.queries - 1);
        place[query] = std::max<std::int64_t>(0, -distance);
        place[query + 1] = std::max<std::int64_t>(0, distance);
        return value(place);
    };
    const Rows of_distances = made_of(values_of(Shape(std::move(extents)), at_distance));
    const std::int64_t channels = of_distances.columns();
    constexpr std::int64_t most_values = 1 << 24;
    if (of_distances.count() > most_values / channels) return all;
    try {
        const Rows lines = rows::reshaped(rows::kept(of_distances), size.distances() * channels);
        return rows::reshaped(rows::by_distance(lines, size), all.columns());
    } catch (const UsageError&) {
        return all;  // which names the first place without a value, if its row is asked for
    }
}

}  // namespace pegen::encodings
