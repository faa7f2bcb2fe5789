#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/help/help.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/process.h"
#include "cli/progress_line.h"
#include "cli/subject.h"
#include "cli/table_command.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/parameters.h"
#include "core/signals.h"
#include "core/table.h"
#include "core/utf8.h"
#include "encodings/registry.h"
#include "figure/figure.h"
#include "files/array_file.h"
#include "files/target.h"
#include "formats/png.h"
#include "formats/write.h"
#include "inspect/properties/concatenation.h"
#include "inspect/properties/position_vectors.h"
#include "inspect/properties/property.h"
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

/// Returns the usage that `pe-gen check concat --help` prints.
Usage check_concat_usage() {
    return {.name = "check concat",
            .summary =
                "test that concatenating positions to words is adding them: W [x; p] = Wx x + Wp p",
            .arguments = "[options] [-- NAME [parameters]]",
            .examples = {"check concat", std::string(example),
                         "check concat --x words.npy --p table.npy --dtype float64"},
            .options = {option_group("Options", options)}};
}

/// Runs `pe-gen check concat arguments...`. Throws: UsageError, FileError, FormatError.
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

/// The result of `pe-gen check`.
struct CheckReport {
    std::string name;  ///< name of the table, as it was typed
    const Table& table;
    PropertyReport found;

    bool holds() const;
};

constexpr std::size_t name_width = 10;
constexpr std::size_t text_column = 20;

template <class Predicate>
std::vector<std::string_view> names_where(const CheckReport& report, Predicate is_meant) {
    std::vector<std::string_view> names;
    for (const Checked& checked : report.found.properties) {
        if (std::invoke(is_meant, checked)) names.push_back(checked.property->name);
    }
    return names;
}

std::string line_of(const Checked& checked) {
    std::string text = checked.finding.text;
    if (checked.finding.verdict == Verdict::fails && !checked.is_asked) text += " (not asked for)";
    return two_columns(
        fmt::format("{:<10}{}", checked.property->name, name_of(checked.finding.verdict)), text,
        text_column, report_width());
}

/// Returns lines on the properties that do not apply, one for each reason: "-  rotation, offset:
/// there is ...".
std::string senseless(const CheckReport& report) {
    std::vector<std::string_view> reasons;
    std::string text;
    for (const Checked& first : report.found.properties) {
        const std::string& reason = first.finding.text;
        const auto is_alike = [&](const Checked& checked) {
            return checked.finding.verdict == Verdict::not_applicable &&
                   checked.finding.text == reason;
        };
        if (!is_alike(first) || std::ranges::count(reasons, reason) > 0) continue;
        reasons.push_back(reason);
        text += two_columns(
            "-", fmt::format("{}: {}", joined(names_where(report, is_alike), ", "), reason),
            name_width, report_width());
    }
    return text;
}

std::string verdict(const CheckReport& report) {
    std::vector<std::string> failed;
    for (const Checked& checked : report.found.properties) {
        if (!checked.has_failed()) continue;
        const bool applies = checked.finding.verdict != Verdict::not_applicable;
        failed.push_back(
            fmt::format("{}{}", checked.property->name, applies ? "" : " (does not apply)"));
    }
    if (!failed.empty()) return fmt::format("fails: {}", joined(failed, ", "));
    const auto kept = names_where(report, [](const Checked& checked) {
        return checked.is_asked && checked.finding.verdict == Verdict::holds;
    });
    if (kept.empty()) return "nothing is promised or asked for that applies";
    return fmt::format("holds: {}", joined(kept, ", "));
}

/// Returns a number as JSON; infinities and NaN become texts, since JSON has none.
Json json_of(double number) {
    return std::isfinite(number) ? Json(number) : Json(shortest(number));
}

Json json_of(const ReportValue& value) {
    return std::visit(
        []<class T>(const T& some) -> Json {
            if constexpr (std::is_same_v<T, double>) {
                return json_of(some);
            } else if constexpr (std::is_same_v<T, std::vector<double>>) {
                Json list = Json::array();
                for (const double number : some) list.push_back(json_of(number));
                return list;
            } else {
                return some;
            }
        },
        value);
}

Json json_of(const Checked& checked) {
    Json json{{"name", checked.property->name},
              {"formula", checked.property->formula},
              {"source", checked.property->source},
              {"verdict", checked.finding.verdict == Verdict::not_applicable
                              ? "does not apply"
                              : name_of(checked.finding.verdict)},
              {"asked", checked.is_asked},
              {"text", checked.finding.text}};
    Json numbers = Json::object();
    for (const auto& [name, value] : checked.finding.numbers) {
        numbers[std::string(name)] = json_of(value);
    }
    json["numbers"] = std::move(numbers);
    return json;
}

bool CheckReport::holds() const {
    return std::ranges::none_of(found.properties, &Checked::has_failed);
}

std::string as_text(const CheckReport& report) {
    std::string text =
        two_columns("table",
                    fmt::format("{}: {}, {}", one_line(report.name), to_string(report.table.shape),
                                info(report.table.dtype).name),
                    name_width, report_width());
    if (!report.found.left_out.empty()) {
        text += two_columns("left out", report.found.left_out, name_width, report_width());
    }
    for (const Checked& checked : report.found.properties) {
        if (checked.finding.verdict != Verdict::not_applicable) text += line_of(checked);
    }
    return text + senseless(report) +
           two_columns("verdict", verdict(report), name_width, report_width());
}

Json as_json(const CheckReport& report) {
    Json properties = Json::array();
    for (const Checked& checked : report.found.properties) properties.push_back(json_of(checked));
    return {{"name", report.name},
            {"shape", report.table.shape.extents()},
            {"dtype", info(report.table.dtype).name},
            {"left_out", report.found.left_out},
            {"holds", report.holds()},
            {"failed", names_where(report, &Checked::has_failed)},
            {"properties", std::move(properties)}};
}

/// The options of `check` itself, without options of the table.
constexpr std::array own_options{
    ParameterSpec{.name = "require",
                  .type = ParameterType::text,
                  .summary = "the properties, a,b, that must hold [those the encoding "
                             "promises; of a file, all]"},
    ParameterSpec{.name = "tolerance",
                  .default_value = "0",
                  .range = {.lowest = 0},
                  .summary = "allow deviations beyond the bound of rounding by X"},
    summarized(json_option, "print the report as one JSON object"),
    threads_option,
    summarized(quiet_option, "print nothing; the exit status is the answer"),
};

/// The formats in which `check` writes figures.
constexpr std::array figure_formats{"png", "svg", "pdf"};

const Property& property_named(std::string_view name, std::string_view list) {
    if (const Property* property = find_property(name)) return *property;
    std::vector<std::string_view> names;
    for (const Property* property : all_properties()) names.push_back(property->name);
    throw UsageError(fmt::format("--require {}: must name some of {}{}", list, joined(names, ", "),
                                 did_you_mean(name, names)));
}

/// Returns all options of a check, in the groups of the help. `subject` is checked; it is nullptr
/// for a file.
std::vector<OptionGroup> check_options(const Subject* subject) {
    std::vector<OptionGroup> groups{{"Options", {}}};
    for (const ParameterSpec& spec : own_options) groups[0].specs.push_back(&spec);
    groups.push_back({"Figures: the similarity of positions, unless --plot names another", {}});
    for (const ParameterSpec& spec : output_options()) {
        if (std::ranges::count(figure_formats, spec.name) > 0) groups[1].specs.push_back(&spec);
    }
    groups.push_back({"Figure options", {}, false});
    for (const ParameterSpec& spec : figure_parameters()) {
        const bool is_idle = has_word(formats::png.idle_parameters, spec.name);
        if (!is_idle) groups[2].specs.push_back(&spec);
    }
    if (!subject) return groups;
    groups.push_back(option_group("Table", table_options()));
    groups.push_back(option_group("Parameters", subject->encoding->parameters));
    return groups;
}

/// Returns which properties the table must have: the properties in --require, else the properties
/// in `promises`. If `promises` is nullptr, every property is checked. Throws: UsageError.
Demands demands_of(const Parameters& own, const std::string_view* promises) {
    Demands demands{.slack = own.real("tolerance")};
    if (own.has("require")) {
        demands.are_required = true;
        demands.asked.emplace();
        const std::string& list = own.word("require");
        for (const std::string_view name : fields(list, ',')) {
            const Property& property = property_named(name, list);
            if (!property.has_verdict) {
                throw UsageError(fmt::format(
                    "--require {}: {} is a measurement and has no verdict; leave it out", list,
                    name));
            }
            demands.asked->push_back(&property);
        }
    } else if (promises) {
        demands.asked.emplace();
        for (const std::string_view name : words(*promises)) {
            demands.asked->push_back(find_property(name));
        }
    }
    return demands;
}

/// A table to check, and the properties that it must have.
struct Checking {
    std::string name;
    Table table;
    Demands demands;
    std::vector<Target> figures;
};

Arguments parse(const Words& arguments, const Subject* subject) {
    Arguments given = parse_arguments(arguments, options_in(check_options(subject)),
                                      subject ? subject->name() : "check");
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("unexpected argument '{}'; check takes one table",
                                     given.positionals.front()));
    }
    return given;
}

/// True if a row of the table is the vector of a position. False for tables of pairs of positions,
/// and for tables whose first axes are channels.
bool has_rows_of_positions(const Table& table) {
    const VectorsOrReason found = vectors_of(table);
    return found.vectors && found.vectors->first_channels == 1;
}

/// Returns the figures to draw. If rows are positions and the user chose no plot, similarities are
/// plotted.
/// Throws: UsageError if a figure would go to standard output, which has the report.
std::vector<Target> figures_of(std::vector<Target> targets, const Table& table) {
    for (Target& target : targets) {
        if (same_file(target.path, "-")) {
            throw UsageError(fmt::format("--{} {}: standard output has the report; name a file",
                                         target.format->name, target.path));
        }
        if (!target.parameters.given("plot") && has_rows_of_positions(table)) {
            target.parameters.resolve("plot", std::string("similarity"));
        }
    }
    return targets;
}

/// Returns the table as it is typed on a command line, without options of `check` itself or of
/// figures.
std::string command_of(const Subject& subject, const Arguments& given) {
    std::string command(subject.name());
    for (const GivenOption& option : given.options) {
        const bool is_of_table = is_among(subject.encoding->parameters, option.spec) ||
                                 is_among(table_options(), option.spec);
        const bool is_flag = option.spec->type == ParameterType::flag;
        if (!is_of_table || (is_flag && option.text != "true")) continue;
        command += fmt::format(" --{}", option.spec->name);
        if (!is_flag) command += fmt::format(" {}", option.text);
    }
    return command;
}

/// Returns the table to check. Unless the user chose a table, rotary cosines are checked together
/// with their sines, since both together rotate queries and keys.
const TableSpec& checked_table(const Subject& subject, const TableSpec& wanted,
                               const Arguments& given) {
    const bool is_chosen = std::ranges::any_of(given.options, [](const GivenOption& option) {
        return option.spec->name == "table" || option.spec->name == "keep-channels";
    });
    const TableSpec* const scored = find_table(*subject.encoding, wanted.scored_by);
    return scored && !is_chosen ? *scored : wanted;
}

Checking checking_of(const Subject& subject, const Arguments& given, const Parameters& own,
                     ProgressLine& line) {
    const Request request = make_request(subject, given.options);
    if (request.tables.size() != 1 || !request.tables.front().others.empty()) {
        throw UsageError("--table: check takes one table; name one");
    }
    const RequestedTable& wanted = request.tables.front();
    const TableSpec& spec = checked_table(subject, *wanted.spec, given);
    PlannedTable planned = plan_table(*subject.encoding, spec, request.parameters, wanted.dtype,
                                      subject.preset ? subject.preset->name : "");
    const Verbosity verbosity = own.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    print_notes(planned.notes, verbosity);
    if (&spec != wanted.spec) {
        print_notes(
            std::array{fmt::format("checks the table {}: {} alone turns no pair of channels",
                                   spec.name, wanted.spec->name)},
            verbosity);
    }
    line.begin(fmt::format("check {}: preparing", subject.name()));
    planned.table.rows = planned.make_rows(line.progress());
    planned.table.other = other_table;
    std::vector<Target> figures = figures_of(wanted.targets, planned.table);
    const std::string chosen = &spec == wanted.spec ? "" : fmt::format(" --table {}", spec.name);
    return {command_of(subject, given) + chosen, std::move(planned.table),
            demands_of(own, &spec.promises), std::move(figures)};
}

/// Makes the last two axes of an array the axes of queries and keys.
/// Throws: UsageError if the array has fewer than two axes.
void set_pair_axes(Table& table) {
    const std::size_t rank = table.axes.size();
    if (rank < 2) {
        throw UsageError(fmt::format("--require relative: shape {}: needs axes of queries and keys",
                                     to_string(table.shape)));
    }
    table.axes[rank - 2].kind = AxisKind::query;
    table.axes[rank - 1].kind = AxisKind::key;
}

Checking checking_of_file(const std::string& path, const Arguments& given, const Parameters& own) {
    auto [name, table] = open_array(path);
    Demands demands = demands_of(own, nullptr);
    const auto is_relative = [](const Property* property) { return property->name == "relative"; };
    const bool asks_for_pairs = demands.asked && std::ranges::any_of(*demands.asked, is_relative);
    if (asks_for_pairs) set_pair_axes(table);
    const int rank = table.shape.rank();
    if (!asks_for_pairs && rank > 1 && table.shape[rank - 2] == table.shape[rank - 1]) {
        print_notes(std::array{fmt::format("{}: is read as positions and channels; --require "
                                           "relative reads its last two axes as queries and keys",
                                           one_line(name))},
                    own.flag("quiet") ? Verbosity::quiet : Verbosity::normal);
    }
    std::vector<Target> figures = figures_of(targets_named(given.options), table);
    for (const Target& figure : figures) {
        if (same_file(figure.path, array_path(path).file)) {
            throw UsageError(
                fmt::format("--{} {}: is the table that is checked; choose another "
                            "name",
                            figure.format->name, figure.path));
        }
    }
    return {std::move(name), std::move(table), std::move(demands), std::move(figures)};
}

std::vector<Output> drawn(const Checking& checking, Verbosity verbosity) {
    std::vector<Output> outputs;
    for (const Target& target : checking.figures) {
        outputs.push_back({target.format, target.parameters, OutputFile(target.path)});
    }
    if (!outputs.empty()) print_notes(write_table(checking.table, outputs), verbosity);
    finish(outputs);
    return outputs;
}

}  // namespace

Usage check_usage(Words names, HelpLength) {
    if (!names.empty() && names.front() == "concat") return check_concat_usage();
    Usage usage = command_usage(
        "check",
        {"check sinusoid --d 64 --len 200 --png similarity.png", "check note1 --d 64 --len 200",
         "check table.npy --require rotation", "check concat -- sinusoid --d 16 --len 20"},
        check_options(nullptr),
        {.are_names = true,
         .are_files = true,
         .bring_parameters = true,
         .words = {{"concat", "that concatenating positions to words is adding them"}}});
    Glossary& properties = usage.glossaries.emplace_back(Glossary{"Properties", {}});
    for (const Property* property : all_properties()) {
        properties.entries.push_back({std::string(property->name),
                                      fmt::format("{}: {}", property->formula, property->summary)});
    }
    usage.remark =
        "The parameters of a table, --table and --dtype are those of pe-gen NAME --help.";
    return usage;
}

ExitStatus run_check(Words arguments) {
    if (arguments.empty()) {
        throw UsageError("check: needs a table, as in pe-gen check sinusoid --d 64 --len 200");
    }
    const std::string_view name = arguments.front();
    if (name == "concat") return check_concat(arguments.subspan(1));
    if (name.starts_with('-') && !names_file(name)) {
        throw UsageError(
            fmt::format("{}: the table comes first, as in pe-gen check sinusoid {}", name, name));
    }
    std::optional<Subject> subject;
    Words rest = arguments.subspan(1);
    if (!names_file(name)) {
        const NamedArguments named = named_arguments(arguments);
        subject = named.subject;
        rest = named.rest;
    }
    const Arguments given = parse(rest, subject ? &*subject : nullptr);
    const Parameters own = set_options(own_options, given.options);
    if (own.has("threads")) limit_threads(own.integer("threads"));
    const Verbosity verbosity = own.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    ProgressLine line(verbosity);
    numerics::self_test();
    const Checking checking = subject ? checking_of(*subject, given, own, line)
                                      : checking_of_file(std::string(name), given, own);
    std::vector<Output> figures = drawn(checking, verbosity);
    line.begin("check", row_bytes(checking.table));
    const CheckReport report{checking.name, checking.table,
                             check_properties(checking.table, checking.demands, line.progress())};
    line.hide();
    if (verbosity == Verbosity::normal) {
        print(cli::report(own.flag("json"), "check", as_json(report), as_text(report)));
    }
    // The figures are committed last: if the report cannot be written, no file is left behind.
    if (!figures.empty()) end_with([&] { commit(figures); });
    return report.holds() ? ExitStatus::done : ExitStatus::no;
}

}  // namespace pegen::cli
