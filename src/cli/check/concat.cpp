#include "cli/check/concat.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "cli/behind_dashes.h"
#include "cli/generate.h"
#include "cli/help/help.h"
#include "cli/inputs.h"
#include "cli/print.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/utf8.h"
#include "encodings/registry.h"
#include "files/array_file.h"
#include "inspect/properties/concatenation.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

constexpr std::string_view example = "check concat -- sinusoid --d 16 --len 20";
constexpr std::int64_t most_products = std::int64_t{1} << 34;

constexpr std::array options{
    ParameterSpec{.name = "len",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "number of words [that of --x or --p, else 20]"},
    ParameterSpec{.name = "d",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "channels of x [those of p, else 16]"},
    ParameterSpec{.name = "n",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "channels of p [those of x]"},
    ParameterSpec{.name = "seed",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = 0xffffffff - 2.0},
                  .summary =
                      "what is not given is drawn as pe-gen learned draws it: x with seed N, p "
                      "with N + 1, W with N + 2"},
    ParameterSpec{.name = "x",
                  .type = ParameterType::path,
                  .summary = "the words (len, d), an NPY file; - is standard input"},
    ParameterSpec{.name = "p",
                  .type = ParameterType::path,
                  .summary = "the positions (len, n), likewise; or an encoding after --"},
    ParameterSpec{.name = "w",
                  .type = ParameterType::path,
                  .summary = "the weights W (any, d + n), likewise"},
    ParameterSpec{.name = "dtype",
                  .type = ParameterType::word,
                  .default_value = "float32",
                  .choices = "float32 float64 f32 f64",
                  .summary = "the arithmetic of the sums"},
    summarized(json_option, "print the report as one JSON object"),
    threads_option,
    summarized(quiet_option, "print nothing; the exit status is the answer"),
};

/// A matrix, and the file or command that it comes from.
struct NamedMatrix {
    std::string origin;
    Matrix matrix;
};

/// Returns the table as a matrix.
/// Throws: UsageError if the table does not have two axes, is empty, or has a value that is not
/// finite.
Matrix matrix_of(const Table& table, std::string_view name) {
    if (table.shape.rank() != 2 || table.shape.size() == 0) {
        throw UsageError(fmt::format("{}: shape {}: must have two axes, and values", name,
                                     to_string(table.shape)));
    }
    if (table.shape.size() > most_products) {
        throw UsageError(fmt::format("{}: shape {}: is too large for check concat", name,
                                     to_string(table.shape)));
    }
    Matrix matrix{table.shape[0], table.shape[1], read_rows(table, {0, table.shape.rows()})};
    const auto found =
        std::ranges::find_if_not(matrix.values, [](double value) { return std::isfinite(value); });
    if (found != matrix.values.end()) {
        throw UsageError(
            fmt::format("{}: holds {}; all values must be finite", name, shortest(*found)));
    }
    return matrix;
}

std::optional<NamedMatrix> opened(const Parameters& own, std::string_view option) {
    if (!own.has(option)) return {};
    const auto [path, table] = open_array(own.word(option));
    return NamedMatrix{path, matrix_of(table, path)};
}

NamedMatrix generated(Words words) {
    const Request request = parse_behind_dashes(words, "check concat", example);
    const std::string name = joined(words, " ");
    return {name, matrix_of(table_of(request, request.tables.front()), name)};
}

/// Returns the table of `pe-gen learned` in float32: normally distributed, with mean 0 and standard
/// deviation 1.
NamedMatrix drawn(std::int64_t rows, std::int64_t columns, std::int64_t seed) {
    const Encoding& learned = *find_encoding("learned");
    Parameters parameters(learned.parameters);
    parameters.set("len", fmt::format("{}", rows), Origin::user);
    parameters.set("d", fmt::format("{}", columns), Origin::user);
    parameters.set("seed", fmt::format("{}", seed), Origin::user);
    const std::string name = fmt::format("learned --len {} --d {} --seed {}", rows, columns, seed);
    return {name, matrix_of(make_table(learned, learned.tables.front(), parameters, DType::float32),
                            name)};
}

/// Returns the number given by `option` or, without the option, by the matrix; nothing if neither
/// is given.
/// Throws: UsageError if option and matrix differ.
std::optional<std::int64_t> agreed(const Parameters& own, std::string_view option,
                                   std::optional<std::int64_t> of_matrix, std::string_view matrix) {
    if (!own.has(option)) return of_matrix;
    const std::int64_t given = own.integer(option);
    if (of_matrix && *of_matrix != given) {
        throw UsageError(
            fmt::format("--{} {}: {} has {}; leave it out", option, given, matrix, *of_matrix));
    }
    return given;
}

struct Inputs {
    NamedMatrix x;
    NamedMatrix p;
    NamedMatrix w;
};

void check_shapes(const Inputs& in) {
    const Matrix &x = in.x.matrix, &p = in.p.matrix, &w = in.w.matrix;
    if (x.rows != p.rows) {
        throw UsageError(
            fmt::format("check concat: {} has {} rows, {} has {}; each word needs a "
                        "position",
                        in.x.origin, x.rows, in.p.origin, p.rows));
    }
    if (w.columns != x.columns + p.columns) {
        throw UsageError(fmt::format("check concat: {} has {} columns; must have {} + {} = {}",
                                     in.w.origin, w.columns, x.columns, p.columns,
                                     x.columns + p.columns));
    }
}

void check_work(double len, double d, double n, double rows) {
    if (len * rows * (d + n) > static_cast<double>(most_products)) {
        throw UsageError(
            fmt::format("check concat: {} x {} x {} products; 2^34 at most, so take "
                        "fewer",
                        len, rows, d + n));
    }
}

Inputs inputs_of(const Parameters& own, std::span<const Words> behind) {
    if (behind.size() > 1 || (behind.size() == 1 && own.has("p"))) {
        throw UsageError("check concat: the positions are --p FILE or one encoding after '--'");
    }
    std::optional<NamedMatrix> x = opened(own, "x"), p = opened(own, "p"), w = opened(own, "w");
    if (!behind.empty()) p = generated(behind.front());
    const auto of = [](const std::optional<NamedMatrix>& matrix, std::int64_t Matrix::*extent) {
        return matrix ? std::optional(matrix->matrix.*extent) : std::nullopt;
    };
    const auto len_of_x = agreed(own, "len", of(x, &Matrix::rows), "x");
    const auto len = agreed(own, "len", of(p, &Matrix::rows), "p");
    auto d = agreed(own, "d", of(x, &Matrix::columns), "x");
    auto n = agreed(own, "n", of(p, &Matrix::columns), "p");
    if (w && !d && !n) d = std::clamp<std::int64_t>(w->matrix.columns - 1, 1, w->matrix.rows);
    if (w && !d && n) d = std::max<std::int64_t>(w->matrix.columns - *n, 1);
    if (w && d && !n) n = std::max<std::int64_t>(w->matrix.columns - *d, 1);
    const std::int64_t words = len_of_x.value_or(len.value_or(20));
    const std::int64_t x_columns = d.value_or(n.value_or(16));
    const std::int64_t p_columns = n.value_or(x_columns);
    check_work(static_cast<double>(words), static_cast<double>(x_columns),
               static_cast<double>(p_columns), static_cast<double>(w ? w->matrix.rows : x_columns));
    const std::int64_t seed = own.integer("seed");
    if (!x) x = drawn(words, x_columns, seed);
    if (!p) p = drawn(len.value_or(words), p_columns, seed + 1);
    if (!w) w = drawn(x_columns, x_columns + p_columns, seed + 2);
    Inputs inputs{std::move(*x), std::move(*p), std::move(*w)};
    check_shapes(inputs);
    return inputs;
}

/// The result of `pe-gen check concat`.
struct ConcatReport {
    const Inputs& inputs;
    DType dtype;
    BlockSums blocks;
    std::optional<BlockSums> identity;  ///< empty unless d = n

    bool holds() const { return blocks.beyond == 0 && (!identity || identity->differing == 0); }
};

std::string shape_of(const NamedMatrix& named) {
    return fmt::format("{}: ({}, {})", one_line(named.origin), named.matrix.rows,
                       named.matrix.columns);
}

std::string text_of(const BlockSums& blocks) {
    std::string text = fmt::format(
        "|W [x; p] - (Wx x + Wp p)| is at most {:.3g}, where rounding allows {:.3g}, "
        "at row {}, channel {}; values reach {:.3g}; {} of {} differ",
        blocks.largest, blocks.bound, blocks.position, blocks.channel, blocks.largest_value,
        blocks.differing, blocks.values);
    if (blocks.beyond > 0) text += fmt::format(", {} by more than rounding allows", blocks.beyond);
    return text;
}

std::string as_text(const ConcatReport& report) {
    const auto line = [](std::string_view name, bool holds, std::string_view text) {
        return two_columns(fmt::format("{:<10}{}", name, holds ? "holds" : "fails"), text, 20,
                           report_width());
    };
    std::string text = two_columns("x", shape_of(report.inputs.x), 10, report_width()) +
                       two_columns("p", shape_of(report.inputs.p), 10, report_width()) +
                       two_columns("W", shape_of(report.inputs.w), 10, report_width());
    text += line("blocks", report.blocks.beyond == 0,
                 fmt::format("in {}, {}", info(report.dtype).name, text_of(report.blocks)));
    if (report.identity) {
        text += line("identity", report.identity->differing == 0,
                     fmt::format("with W = [I I], W [x; p] is x + p in {} of {} values",
                                 report.identity->values - report.identity->differing,
                                 report.identity->values));
    } else {
        text += two_columns("identity  -", "x + p needs as many channels in p as in x", 20,
                            report_width());
    }
    return text + two_columns("verdict",
                              report.holds() ? "holds: concatenating is adding" : "fails", 10,
                              report_width());
}

Json json_of(const NamedMatrix& named) {
    return {{"origin", named.origin}, {"shape", {named.matrix.rows, named.matrix.columns}}};
}

Json json_of(const BlockSums& sums) {
    return {{"largest", sums.largest},
            {"bound", sums.bound},
            {"row", sums.position},
            {"channel", sums.channel},
            {"largest_value", sums.largest_value},
            {"differing", sums.differing},
            {"beyond", sums.beyond},
            {"values", sums.values}};
}

Json as_json(const ConcatReport& report) {
    return {{"holds", report.holds()},
            {"dtype", info(report.dtype).name},
            {"x", json_of(report.inputs.x)},
            {"p", json_of(report.inputs.p)},
            {"w", json_of(report.inputs.w)},
            {"blocks", json_of(report.blocks)},
            {"identity", report.identity ? json_of(*report.identity) : Json()}};
}

}  // namespace

Usage check_concat_usage() {
    return {.name = "check concat",
            .summary =
                "test that concatenating positions to words is adding them: W [x; p] = Wx x + Wp p",
            .arguments = "[options] [-- NAME [parameters]]",
            .examples = {"check concat", std::string(example),
                         "check concat --x words.npy --p table.npy --dtype float64"},
            .options = {option_group("Options", options)}};
}

ExitStatus check_concat(Words arguments) {
    const std::vector<Words> parts = parts_of(arguments);
    const OptionGroup group = option_group("Options", options);
    const Arguments given = parse_arguments(parts.front(), group.specs, "check concat");
    const Parameters own = set_options(options, given.options);
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("unexpected argument '{}'; an encoding stands after '--', as in pe-gen {}",
                        given.positionals.front(), example));
    }
    check_standard_input(inputs_among(given.options, options), 1);
    if (own.has("threads")) limit_threads(own.integer("threads"));
    numerics::self_test();
    const Inputs inputs = inputs_of(own, std::span(parts).subspan(1));
    const Matrix &x = inputs.x.matrix, &p = inputs.p.matrix;
    const DType dtype = dtype_named(own.word("dtype"));
    ConcatReport report{inputs, dtype, compare_blocks(x, p, inputs.w.matrix, dtype), {}};
    if (x.columns == p.columns) {
        report.identity = compare_blocks(x, p, two_identities(x.columns), dtype);
    }
    if (!own.flag("quiet")) {
        print(cli::report(own.flag("json"), "check-concat", as_json(report), as_text(report)));
    }
    return report.holds() ? ExitStatus::done : ExitStatus::no;
}

}  // namespace pegen::cli
