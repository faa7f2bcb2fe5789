#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/identified_as.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "cli/request.h"
#include "cli/subject.h"
#include "cli/table_command.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/parameters.h"
#include "core/signals.h"
#include "core/table.h"
#include "core/utf8.h"
#include "figure/figure.h"
#include "files/array_file.h"
#include "files/target.h"
#include "formats/pdf.h"
#include "formats/png.h"
#include "formats/write.h"
#include "inspect/difference.h"
#include "inspect/fitted.h"
#include "numerics/self_test.h"
#include "rows/arranged.h"

namespace pegen::cli {
namespace {

/// The checked arguments before the first "--" of `pe-gen diff`.
struct DiffSettings {
    Parameters own;
    Parameters figure;
    std::vector<std::string> files;
};

using Words = std::span<const std::string_view>;
constexpr Range at_least_zero{.lowest = 0};

constexpr std::array options{
    ParameterSpec{.name = "atol",
                  .default_value = "0",
                  .range = at_least_zero,
                  .summary = "values may differ by X"},
    ParameterSpec{
        .name = "rtol", .default_value = "0", .range = at_least_zero, .summary = "and by X |b|"},
    ParameterSpec{.name = "ulp",
                  .type = ParameterType::integer,
                  .range = any_index,
                  .summary = "or if they are at most N floats apart"},
    ParameterSpec{
        .name = "position-tolerance",
        .default_value = "0",
        .range = at_least_zero,
        .summary = "and by X p 2^-23 at position p, the error of float32 code; X is 1 if left out"},
    ParameterSpec{.name = "position-axis",
                  .type = ParameterType::integer,
                  .range = any_index,
                  .summary = "the axis along which positions are counted"},
    ParameterSpec{.name = "first-position",
                  .range = any_position,
                  .summary = "the position of row 0, if both tables are files [0]"},
    ParameterSpec{.name = "png", .type = ParameterType::path, .summary = "draw A - B to FILE"},
    json_option,
    threads_option,
    summarized(quiet_option, "print nothing; the exit status is the answer"),
};

bool is_number(std::string_view word) {
    try {
        parse_real(word, "");
        return true;
    } catch (const UsageError&) {
        return false;
    }
}

/// Inserts the value 1 after each --position-tolerance that is not followed by a number.
std::vector<std::string_view> with_implied_values(Words arguments) {
    std::vector<std::string_view> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        result.push_back(arguments[i]);
        const bool is_followed = i + 1 < arguments.size() && is_number(arguments[i + 1]);
        if (hyphenated(arguments[i]) == "--position-tolerance" && !is_followed) {
            result.push_back("1");
        }
    }
    return result;
}

/// Throws: UsageError if an encoding or preset is in the place of a file, since its "--" was
/// forgotten.
void refuse_bare_names(Words arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool is_value = i > 0 && arguments[i - 1].starts_with('-');
        if (is_value || !names_encoding(arguments[i])) continue;
        throw UsageError(fmt::format(
            "diff: there is no file '{0}'; put an encoding last, after --: pe-gen diff FILE -- {0}",
            arguments[i]));
    }
}

/// Returns the options of `diff`, in the groups of the help.
std::vector<OptionGroup> diff_options() {
    std::vector<OptionGroup> groups{{"Options", {}}, {"Figure options, with --png", {}, false}};
    for (const ParameterSpec& spec : options) groups[0].specs.push_back(&spec);
    for (const ParameterSpec& spec : figure_parameters()) {
        // The figure is a PNG that stands still, as a PDF does.
        const bool is_idle = has_word(formats::pdf.idle_parameters, spec.name);
        if (!is_idle) groups[1].specs.push_back(&spec);
    }
    return groups;
}

/// Reads the arguments before the first "--".
/// Throws: UsageError, also if an encoding is in the place of a file.
DiffSettings parse_diff_settings(Words arguments) {
    refuse_bare_names(arguments);
    const Arguments given =
        parse_arguments(with_implied_values(arguments), options_in(diff_options()), "diff");
    DiffSettings settings{set_options(options, given.options),
                          set_options(figure_parameters(), given.options), given.positionals};
    for (const GivenOption& option : given.options) {
        if (!is_among(options, option.spec) && !settings.own.has("png")) {
            throw UsageError(fmt::format("--{}: has no effect without --png", option.spec->name));
        }
    }
    if (settings.own.has("png")) check_extension(formats::png, settings.own.word("png"));
    if (settings.own.has("png") && same_file(settings.own.word("png"), "-")) {
        throw UsageError(fmt::format("--png {}: standard output has the report; name a file",
                                     settings.own.word("png")));
    }
    return settings;
}

struct Side {
    std::string name;  ///< the side as it was typed
    Shape shape;       ///< with axes of extent 1 that the table does not have
    Table table;
};

struct Sides {
    Side a;
    Side b;
};

/// The result of `pe-gen diff`.
struct DiffReport {
    const Sides& sides;
    std::optional<Difference> found;  ///< empty if the shapes are not equal
    std::string reason;               ///< a likely reason for the difference; may be empty

    bool is_equal() const { return found && found->beyond == 0; }
    bool are_like_shaped() const { return sides.a.shape == sides.b.shape; }
};

/// Returns the place of a difference and both values: "at (3, 1): 0.5 in A, 0.25 in B".
std::string at(const std::optional<Place>& place) {
    return fmt::format("at ({}{}): {} in A, {} in B", joined(place->index, ", "),
                       place->index.size() == 1 ? "," : "", place->a, place->b);
}

std::string line_of(std::string_view name, std::string_view text) {
    return fmt::format("{:<10}{}\n", name, text);
}

std::string text_of(const Side& side) {
    return fmt::format("{}: {}, {}", one_line(side.name), to_string(side.shape),
                       info(side.table.dtype).name);
}

double share(const Difference& found) {
    return found.values > 0
               ? static_cast<double>(found.differing) / static_cast<double>(found.values)
               : 0;
}

std::string verdict(const DiffReport& report) {
    if (!report.found) return "different: the shapes are not equal";
    const std::string_view but =
        report.are_like_shaped() ? "" : " (axes of extent 1 are not counted)";
    if (report.found->differing == 0) return fmt::format("equal: all values are the same{}", but);
    return fmt::format("{}{}", report.is_equal() ? "equal within the tolerance" : "different", but);
}

Json json_of(const Side& side) {
    return {{"name", side.name},
            {"shape", side.shape.extents()},
            {"dtype", info(side.table.dtype).name}};
}

Json json_of(const std::optional<Place>& place) {
    if (!place) return nullptr;
    return {{"index", place->index}, {"a", place->a}, {"b", place->b}};
}

std::string as_text(const DiffReport& report) {
    std::string text =
        line_of("A", text_of(report.sides.a)) + line_of("B", text_of(report.sides.b));
    if (report.found && report.found->differing > 0) {
        const Difference& found = *report.found;
        text +=
            line_of("differing",
                    fmt::format("{} of {} values ({:.3g} %), {} beyond the tolerance",
                                found.differing, found.values, 100 * share(found), found.beyond));
        const bool is_nan = found.largest_place->a == "nan" || found.largest_place->b == "nan";
        text += line_of("largest", fmt::format("{:.6g} {}", is_nan ? NAN : found.largest,
                                               at(found.largest_place)));
        if (found.ulp_dtype && found.ulps_place) {
            text += line_of("ULP", fmt::format("{} of {} {}", found.largest_ulps,
                                               info(*found.ulp_dtype).name, at(found.ulps_place)));
        }
    }
    text += line_of("verdict", verdict(report));
    return report.reason.empty() ? text : text + line_of("reason", report.reason);
}

/// Returns the report as one JSON object, followed by a line feed.
Json as_json(const DiffReport& report) {
    Json json{{"equal", report.is_equal()},
              {"a", json_of(report.sides.a)},
              {"b", json_of(report.sides.b)}};
    if (report.found) {
        const Difference& found = *report.found;
        json["values"] = found.values;
        json["differing"] = found.differing;
        json["share"] = share(found);
        json["beyond"] = found.beyond;
        json["largest"] = std::isfinite(found.largest) ? Json(found.largest) : Json("Infinity");
        json["largest_finite"] = found.largest_finite;
        json["largest_at"] = json_of(found.largest_place);
        json["ulp_dtype"] = found.ulp_dtype ? Json(info(*found.ulp_dtype).name) : Json();
        json["largest_ulps"] = found.largest_ulps;
        json["largest_ulps_at"] = json_of(found.ulps_place);
    }
    json["reason"] = report.reason.empty() ? Json() : Json(report.reason);
    return json;
}

Side read_side(const std::string& path) {
    const auto [name, table] = open_array(path);
    return {name, table.shape, table};
}

/// Makes the table of an encoding or preset with its options. If the other side is a `file`, the
/// dtype of real numbers and the extents are taken from it unless they are given.
Side make_side(Words words_of_side, const Table* file, ProgressLine& line) {
    const Request request =
        parse_behind_dashes(words_of_side, "diff", "diff mine.npy -- fairseq --d 512");
    const Subject& subject = request.subject;
    const std::string_view preset = subject.preset ? subject.preset->name : "";
    const RequestedTable& wanted = request.tables.front();
    const bool takes_dtype =
        file && !request.is_dtype_given && is_floating(wanted.dtype) && is_floating(file->dtype);
    const Parameters parameters =
        file ? fitted(*subject.encoding, *wanted.spec, request.parameters, file->shape)
             : request.parameters;
    line.begin(fmt::format("{}: preparing", subject.name()));
    Table table = make_table(*subject.encoding, *wanted.spec, parameters,
                             takes_dtype ? file->dtype : wanted.dtype, preset, line.progress());
    return {fmt::format("{}{}", joined(words_of_side, " "),
                        fitted_text(parameters, request.parameters)),
            table.shape, std::move(table)};
}

/// Returns the table without its axes of extent 1.
Table without_ones(Table table) {
    std::vector<Axis> axes;
    for (int axis = 0; axis < table.shape.rank(); ++axis) {
        if (table.shape[axis] != 1) axes.push_back(table.axes[axis]);
    }
    table.shape = Shape(squeezed(table.shape.extents()));
    axes.resize(table.shape.extents().size());
    table.axes = std::move(axes);
    table.rows = rows::reshaped(table.rows, table.shape.columns());
    return table;
}

/// Leaves out the axes of extent 1 if only they make the shapes differ: (1, 197, 192) is compared
/// with (197, 192).
void leave_out_ones(Sides& sides) {
    Table &a = sides.a.table, &b = sides.b.table;
    const bool differ_by_ones =
        a.shape != b.shape && squeezed(a.shape.extents()) == squeezed(b.shape.extents());
    if (!differ_by_ones) return;
    a = without_ones(std::move(a));
    b = without_ones(std::move(b));
}

/// Returns the axis that --position-axis names, if it is given.
/// Throws: UsageError if the tables have no such axis.
std::optional<int> position_axis(const DiffSettings& settings, const Sides& sides) {
    if (!settings.own.has("position-axis")) return {};
    const std::int64_t axis = settings.own.integer("position-axis");
    const int rank = sides.a.table.shape.rank();
    if (axis >= std::max(rank, 1)) {
        throw UsageError(fmt::format("--position-axis {}: the tables have {} axes", axis, rank));
    }
    return static_cast<int>(axis);
}

/// Numbers the positions of two files from --first-position on, if it is given.
/// Throws: UsageError if one side is an encoding, whose positions are known.
void number_positions(Sides& sides, const DiffSettings& settings) {
    if (!settings.own.has("first-position")) return;
    if (settings.files.size() != 2) {
        throw UsageError(
            "--first-position: is for two files; an encoding says its own, as in -- fairseq "
            "--start 2");
    }
    const int axis = position_axis(settings, sides).value_or(0);
    const Shape& shape = sides.b.table.shape;
    if (axis >= shape.rank()) return;
    Axis& numbered = sides.b.table.axes[axis];
    numbered.kind = AxisKind::position;
    numbered.positions = Positions(settings.own.real("first-position"), 1, shape[axis]);
}

Sides sides_of(const DiffSettings& settings, std::span<const Words> generated, ProgressLine& line) {
    if (settings.files.size() + generated.size() != 2) {
        throw UsageError(
            "diff: needs two tables: files, or encodings after '--', as in pe-gen diff "
            "mine.npy -- fairseq --d 512 --len 1024");
    }
    if (!generated.empty()) numerics::self_test();
    if (settings.files.size() == 2) {
        const auto is_standard_input = [](const std::string& path) {
            return array_path(path).file == "-";
        };
        if (std::ranges::all_of(settings.files, is_standard_input)) {
            throw UsageError("diff: standard input can be only one of the tables");
        }
        return {read_side(settings.files[0]), read_side(settings.files[1])};
    }
    if (generated.size() == 2) {
        Side a = make_side(generated[0], nullptr, line);
        return {std::move(a), make_side(generated[1], nullptr, line)};
    }
    Side a = read_side(settings.files[0]);
    Side b = make_side(generated[0], &a.table, line);
    return {std::move(a), std::move(b)};
}

Tolerance tolerance_of(const DiffSettings& settings, const Sides& sides) {
    Tolerance tolerance{settings.own.real("atol"), settings.own.real("rtol"),
                        settings.own.real("position-tolerance"), position_axis(settings, sides)};
    if (settings.own.has("ulp")) {
        tolerance.ulps = static_cast<std::uint64_t>(settings.own.integer("ulp"));
    }
    return tolerance;
}

/// Opens the file of the figure, if there is one. Throws: UsageError if it would replace one of the
/// tables.
std::optional<OutputFile> open_figure(const DiffSettings& settings) {
    if (!settings.own.has("png")) return {};
    const std::string& path = settings.own.word("png");
    for (const std::string& file : settings.files) {
        if (same_file(path, array_path(file).file)) {
            throw UsageError(fmt::format("--png {}: is one of the tables that are compared", path));
        }
    }
    return OutputFile(path);
}

/// Draws A - B in colours that are symmetric about 0, unless the user set the limits of the
/// colours.
OutputFile draw(const DiffSettings& settings, const Sides& sides, OutputFile file,
                Verbosity verbosity) {
    Table table = subtracted(sides.a.table, sides.b.table);
    table.title = fmt::format("{} \u2212 {}", one_line(sides.a.name), one_line(sides.b.name));
    table.value_label = "A \u2212 B";
    Parameters figure = settings.figure;
    const bool has_limits = figure.has("vmin") || figure.has("vmax") || figure.has("vcentre");
    if (!has_limits) figure.resolve("vcentre", 0.0);
    std::vector<Output> outputs;
    outputs.push_back({&formats::png, figure, std::move(file)});
    print_notes(write_table(table, outputs), verbosity);
    outputs.front().file.finish();
    return std::move(outputs.front().file);
}

/// Returns a likely reason for the differences of two tables of equal shape; "" if none is found.
std::string reason_of(const Sides& sides, const Difference& found) {
    constexpr double usual = 2;
    const DType a = sides.a.table.dtype, b = sides.b.table.dtype;
    const bool are_floats = is_floating(a) && is_floating(b);
    const bool are_rounded = found.largest_ulps == 0 && std::isfinite(found.largest);
    if (are_floats && a != b && are_rounded) {
        const bool is_a = found.ulp_dtype == a;
        return fmt::format("{} is {}, rounded to {}.", is_a ? 'A' : 'B', is_a ? 'B' : 'A',
                           info(*found.ulp_dtype).name);
    }
    constexpr double small = 1.0 / 64;  // above this, even unrelated tables would be so close
    if (!are_floats || found.float32_units > usual || found.largest > small) {
        return pegen::reason_of(sides.a.table, sides.b.table);
    }
    return fmt::format(
        "The differences are as large as those of float32 arithmetic: at most {:.2g} p 2^-23 at "
        "position p. --position-tolerance {:.0f} allows them.",
        found.float32_units, std::ceil(found.float32_units));
}

/// True if both commands make the same table, apart from their arithmetic, and nothing was done to
/// it.
bool make_the_same(const FileOrigin& a, const FileOrigin& b) {
    if (!a.encoding || a.encoding != b.encoding || a.is_changed || b.is_changed) return false;
    return std::ranges::equal(a.parameters.entries(), b.parameters.entries(),
                              [](const Parameters::Entry& own, const Parameters::Entry& other) {
                                  return own.spec->role == Role::arithmetic ||
                                         own.value == other.value;
                              });
}

/// Returns the option that numbers the rows of two files as their command does; "" if they count
/// from 0, or if their positions are no number.
std::string numbering(const FileOrigin& origin) {
    const ParameterSpec* const start = find_role(origin.encoding->parameters, Role::start);
    if (!start) return "";
    const Value& first = origin.parameters.value(start->name);
    const auto* const real = std::get_if<double>(&first);
    const auto* const whole = std::get_if<std::int64_t>(&first);
    const double number = real ? *real : whole ? static_cast<double>(*whole) : 0;
    return number == 0 ? "" : fmt::format(" --first-position {}", plain(number));
}

/// Returns sentences on the commands that make the files. The first `files` of A and B are files.
std::string identified(const Sides& sides, std::size_t files) {
    if (files == 0) return "";
    const FileOrigin a = identified_as(sides.a.name, sides.a.table);
    if (files == 1) return a.sentence;
    const FileOrigin b = identified_as(sides.b.name, sides.b.table);
    if (make_the_same(a, b)) {
        return fmt::format(
            "{} and {} are both made by {}, but for rounding; pe-gen diff --position-tolerance{} "
            "allows the rounding of float32 code.",
            one_line(sides.a.name), one_line(sides.b.name), a.command, numbering(a));
    }
    const bool are_both = !a.sentence.empty() && !b.sentence.empty();
    return fmt::format("{}{}{}", a.sentence, are_both ? " " : "", b.sentence);
}

DiffReport report_of(const DiffSettings& settings, const Sides& sides, ProgressLine& line) {
    if (sides.a.table.shape != sides.b.table.shape) {
        if (settings.own.has("png")) {
            throw UsageError(fmt::format("--png {}: {} and {} have different shapes",
                                         settings.own.word("png"), to_string(sides.a.table.shape),
                                         to_string(sides.b.table.shape)));
        }
        std::string reason = pegen::reason_of(sides.a.table, sides.b.table);
        if (reason.empty()) reason = identified(sides, settings.files.size());
        return {sides, {}, reason};
    }
    line.begin("diff", row_bytes(sides.a.table));
    DiffReport report{
        sides,
        difference_of(sides.a.table, sides.b.table, tolerance_of(settings, sides), line.progress()),
        ""};
    if (!report.is_equal()) report.reason = reason_of(sides, *report.found);
    if (!report.is_equal() && report.reason.empty()) {
        report.reason = identified(sides, settings.files.size());
    }
    return report;
}

}  // namespace

Usage diff_usage(Words, HelpLength) {
    return command_usage("diff",
                         {"diff mine.npy -- fairseq --d 512 --len 1024",
                          "diff --position-tolerance --png apart.png a.npy b.npy",
                          "diff -- whisper --d 64 -- marian --d 64"},
                         diff_options(), {.most = 2, .are_files = true});
}

ExitStatus run_diff(Words arguments) {
    const std::vector<Words> parts = parts_of(arguments);
    const DiffSettings settings = parse_diff_settings(parts.front());
    if (settings.own.has("threads")) limit_threads(settings.own.integer("threads"));
    const Verbosity verbosity = settings.own.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    ProgressLine line(verbosity);
    std::optional<OutputFile> figure = open_figure(settings);
    Sides sides = sides_of(settings, std::span(parts).subspan(1), line);
    leave_out_ones(sides);
    number_positions(sides, settings);
    const DiffReport report = report_of(settings, sides, line);
    line.hide();
    if (figure) {
        figure.emplace(draw(settings, sides, std::move(*figure), verbosity));
    }
    if (verbosity == Verbosity::normal) {
        print(cli::report(settings.own.flag("json"), "diff", as_json(report), as_text(report)));
    }
    // The figure is committed last: if the report cannot be written, no file is left behind.
    if (figure) end_with([&] { commit(std::array{&*figure}); });
    return report.is_equal() ? ExitStatus::done : ExitStatus::no;
}

}  // namespace pegen::cli
