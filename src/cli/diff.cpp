#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/behind_dashes.h"
#include "cli/commands.h"
#include "cli/diff_options.h"
#include "cli/diff_report.h"
#include "cli/help.h"
#include "cli/identified_as.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "core/error.h"
#include "core/one_line.h"
#include "core/parallel.h"
#include "core/signals.h"
#include "core/to_size.h"
#include "files/array_file.h"
#include "files/target.h"
#include "formats/png.h"
#include "formats/write.h"
#include "identify/fitted.h"
#include "inspect/difference.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

Side read_side(const std::string& path) {
    const auto [name, table] = open_array(path);
    return {name, table};
}

/// Makes the table of an encoding or preset and its parameters. What these leave open, a `file` to
/// compare it with decides: the dtype of real numbers, and the extents.
Side make_side(Words words_of_side, const Table* file, ProgressLine& line) {
    const Request request =
        parse_behind_dashes(words_of_side, "diff", "diff mine.npy -- fairseq --d 512");
    const Subject& subject = request.subject;
    const std::string_view preset = subject.preset ? subject.preset->name : "";
    const RequestedTable& wanted = request.tables.front();
    const bool takes_dtype =
        file && !request.is_dtype_given && is_floating(wanted.dtype) && is_floating(file->dtype);
    const Parameters parameters =
        file ? identify::fitted(*subject.encoding, *wanted.spec, request.parameters, file->shape)
             : request.parameters;
    line.begin(fmt::format("{}: preparing", subject.name()));
    return {fmt::format("{}{}", fmt::join(words_of_side, " "),
                        identify::extents_text(parameters, request.parameters)),
            make_table(*subject.encoding, *wanted.spec, parameters,
                       takes_dtype ? file->dtype : wanted.dtype, preset, line.progress())};
}

/// The axis that the user asked for. Throws: UsageError if the tables have no such axis.
std::optional<int> position_axis(const DiffSettings& settings, const Sides& sides) {
    if (!settings.own.has("position-axis")) return {};
    const std::int64_t axis = settings.own.integer("position-axis");
    const int rank = sides.a.table.shape.rank();
    if (axis >= std::max(rank, 1)) {
        throw UsageError(fmt::format("--position-axis {}: the tables have {} axes", axis, rank));
    }
    return static_cast<int>(axis);
}

/// Lets the positions of two files count from --first-position. Throws: UsageError where those of
/// an encoding are known.
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
    Axis& numbered = sides.b.table.axes[to_size(axis)];
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

/// Opens the file of the figure. Throws: UsageError if it would replace one of the tables.
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

/// Draws A - B in colours that are symmetric about 0, unless the user gave limits.
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

/// A likely reason for the differences of two tables of equal shape; "" if none is found.
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
    constexpr double small = 1.0 / 64;  // beyond, unrelated tables would be within the errors, too
    if (!are_floats || found.float32_units > usual || found.largest > small) {
        return pegen::reason_of(sides.a.table, sides.b.table);
    }
    return fmt::format(
        "The differences are as large as those of float32 arithmetic: at most {:.2g} p 2^-23 at "
        "position p. --position-tolerance {:.0f} allows them.",
        found.float32_units, std::ceil(found.float32_units));
}

/// Says what the sides that are files are, where nothing simpler separates them from the others.
std::string identified(const Sides& sides, std::size_t files) {
    std::string text;
    if (files > 0) text = identified_as(sides.a.name, sides.a.table);
    if (files == 2) {
        const std::string other = identified_as(sides.b.name, sides.b.table);
        text += (text.empty() || other.empty() ? "" : " ") + other;
    }
    return text;
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
    number_positions(sides, settings);
    const DiffReport report = report_of(settings, sides, line);
    line.hide();
    if (figure) {
        figure.emplace(draw(settings, sides, std::move(*figure), verbosity));
    }
    if (verbosity == Verbosity::normal)
        print(settings.own.flag("json") ? as_json(report) : as_text(report));
    // Last: if the report cannot be written, no file is left behind.
    if (figure) end_with([&] { commit(std::array{&*figure}); });
    return report.is_equal() ? ExitStatus::done : ExitStatus::no;
}

}  // namespace pegen::cli
