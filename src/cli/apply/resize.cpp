#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "cli/apply/array.h"
#include "cli/apply/operations.h"
#include "cli/help/help.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "rows/arithmetic.h"
#include "rows/arranged.h"
#include "rows/resized.h"

namespace pegen::cli {
namespace {

constexpr auto resize_parameters =
    joined(std::array{x_parameter}, rows::resizing_parameters, std::array{dtype_parameter});

std::vector<Glossary> code_base_glossary() {
    Glossary glossary{"Code bases, for --as", {}};
    for (const rows::ResizingCodeBase& row : rows::resizing_code_bases) {
        glossary.entries.push_back(
            {std::string(row.name), fmt::format("{}: {}", row.settings, row.source)});
    }
    return {glossary};
}

constexpr std::int64_t most_values = 1 << 20;

/// The extents of a grid; a sequence has one column.
using Extents = std::array<std::int64_t, 2>;

/// The axes of a table, as --axes names them.
struct Axes {
    explicit Axes(const Parameters& p)
        : is_sequence(p.word("axes") == "sequence"),
          are_rows(is_sequence || p.word("axes") == "tokens"),
          are_channels_first(p.word("axes") == "dhw") {}

    bool is_sequence;
    bool are_rows;  ///< the points are one axis
    bool are_channels_first;
};

std::string text_of(const Extents& extents, const Axes& axes) {
    return axes.is_sequence ? fmt::format("{}", extents[0])
                            : fmt::format("{}x{}", extents[0], extents[1]);
}

/// Returns the extents that the option has. Throws: UsageError.
Extents extents_in(std::string_view option, const Parameters& p, const Axes& axes) {
    const std::string& text = p.word(option);
    const std::vector<std::string_view> parts = fields(text, 'x');
    const std::size_t count = axes.is_sequence ? 1 : 2;
    if (parts.size() > count || std::ranges::count(parts, "") > 0) {
        refuse(option, text, count == 1 ? "must be N positions" : "must be HxW, as in 14x14, or N");
    }
    Extents extents{1, 1};
    for (std::size_t axis = 0; axis < count; ++axis) {
        const std::int64_t size =
            parse_integer(parts[std::min(axis, parts.size() - 1)], fmt::format("--{}", option));
        if (size < 1 || size > most_values) {
            refuse(option, text, fmt::format("sizes must be between 1 and {}", most_values));
        }
        extents[axis] = p.flag("window") ? 2 * size - 1 : size;
    }
    return extents;
}

/// The part of a table that is resized.
struct Source {
    Extents extents;
    std::int64_t prefix = 0;
    std::int64_t suffix = 0;
};

/// Returns the square that as many rows are, or a sequence; zeros if there is none.
Extents shape_of(std::int64_t rows, const Axes& axes) {
    if (axes.is_sequence) return {std::max<std::int64_t>(rows, 0), 1};
    const auto root =
        static_cast<std::int64_t>(std::sqrt(std::max(static_cast<double>(rows), 0.0)));
    return root * root == rows ? Extents{root, root} : Extents{0, 0};
}

/// Finds the grid, or the sequence, in `count` rows. Throws: UsageError, with the remedy, if there
/// is none, or if the number of rows before it cannot be told.
Source source_in_rows(std::int64_t count, const Parameters& p, const Axes& axes,
                      const std::string& what) {
    const std::int64_t suffix = p.integer("suffix");
    // Without --as and --prefix, one row before a grid is that of a class token.
    const std::int64_t least = p.has("prefix") ? p.integer("prefix") : 0;
    const bool is_told = p.has("prefix") || p.has("as") || axes.is_sequence;
    const std::int64_t most = is_told ? least : 1;
    if (p.has("from")) {
        const Extents from = extents_in("from", p, axes);
        const std::int64_t before = count - suffix - checked_product(from[0], from[1], "--from");
        if (before >= least && before <= most) return {from, before, suffix};
        const std::string rest =
            before < 0 ? fmt::format("{} rows too few", -before)
                       : fmt::format("{0} rows before the grid; --prefix {0} keeps them", before);
        throw UsageError(fmt::format("--from {}: {}, {}", p.word("from"), what, rest));
    }
    for (std::int64_t before = least; before <= most; ++before) {
        const Extents extents = shape_of(count - before - suffix, axes);
        if (extents[0] > 0) return {extents, before, suffix};
    }
    const std::string_view form = axes.is_sequence ? "N" : "HxW";
    std::string remedy = fmt::format("give --from {}", form);
    for (std::int64_t before = 16; before >= 0; --before) {
        const Extents extents = shape_of(count - before - suffix, axes);
        if (extents[0] == 0) continue;
        remedy = fmt::format("--prefix {} leaves {}, --from {} another", before,
                             text_of(extents, axes), form);
    }
    throw UsageError(fmt::format("{}, no {} with --prefix {} and --suffix {}; {}", what,
                                 axes.is_sequence ? "sequence" : "square grid", least, suffix,
                                 remedy));
}

/// Finds the grid in the table's last axes. Throws: UsageError, also if the table has other axes
/// than --axes says.
Source source_in(const Shape& shape, const Parameters& p, const Axes& axes,
                 const std::string& what) {
    const int rank = axes.are_rows ? 2 : 3, leading = shape.rank() - rank;
    std::int64_t tables = leading < 0 ? 0 : 1;
    for (int axis = 0; axis < leading; ++axis) tables *= shape[axis];
    if (tables != 1) {
        throw UsageError(
            fmt::format("--axes {}: {}, needs {} axes, and before them only axes of extent 1; try "
                        "--axes {}",
                        p.word("axes"), what, rank, axes.are_rows ? "hwd or dhw" : "tokens"));
    }
    if (axes.are_rows) return source_in_rows(shape[leading], p, axes, what);
    const int height = leading + (axes.are_channels_first ? 1 : 0);
    without(p, {"from", "prefix", "suffix"}, "the table's axes are the grid's");
    return {{shape[height], shape[height + 1]}};
}

/// Returns all options: those of the code base, and the user's. Throws: UsageError if there is no
/// kernel or no new size, or if the user gave an option that the kernel does not have.
Parameters settings_of(const OperationInput& input) {
    Parameters p{std::span(resize_parameters)};
    if (input.own.has("as")) {
        const auto row = std::ranges::find(rows::resizing_code_bases, input.own.word("as"),
                                           &rows::ResizingCodeBase::name);
        p.set_all(row->settings, Origin::preset);
    }
    p = with_options(std::move(p), input.options);
    if (!p.has("kernel") || !p.has("to")) {
        throw UsageError(
            fmt::format("apply resize: needs {}, as in pe-gen apply resize --x "
                        "pos_embed.npy --to 24x24 --as timm",
                        p.has("to") ? "--as CODEBASE or --kernel" : "--to HxW"));
    }
    for (const std::string_view name : words(rows::resizing_kernels.front().options)) {
        if (!p.given(name) || has_word(rows::kernel_of(p).options, name)) continue;
        throw UsageError(fmt::format("--{}: --kernel {} does not have it; leave it out", name,
                                     p.word("kernel")));
    }
    if (p.flag("align-corners")) {
        p = without(std::move(p), {"scale", "offset"}, "--align-corners takes no scale");
    }
    if (!p.has("axes")) {
        p.resolve("axes",
                  Value(p.word("to").find('x') == std::string::npos ? "sequence" : "tokens"));
    }
    return p;
}

/// Returns how far an axis resized in one way is from the same axis resized in another way, at
/// most, if its values are between -1 and 1.
double largest_difference(const numerics::Interpolation& a, const numerics::Interpolation& b) {
    double largest = 0;
    for (std::int64_t index = 0; index < a.to; ++index) {
        std::vector<double> difference(a.from);
        const auto add = [&](const numerics::Weights& weights, double sign) {
            for (std::size_t i = 0; i < weights.values.size(); ++i) {
                difference[weights.first + i] += sign * nearest_double(weights.values[i]);
            }
        };
        add(weights_of(a, index), 1);
        add(weights_of(b, index), -1);
        double sum = 0;
        for (const double part : difference) sum += std::fabs(part);
        largest = std::max(largest, sum);
    }
    return largest;
}

/// Code bases that resize in the same way, but for the rows that they keep.
struct SameWay {
    std::string options;
    numerics::Interpolation larger, smaller;
    std::vector<std::string_view> names{};
};

/// Returns the ways in which code bases bring one number of values to a larger one, and back.
std::vector<SameWay> same_ways(std::int64_t from, std::int64_t to) {
    std::vector<SameWay> ways;
    for (const rows::ResizingCodeBase& code_base : rows::resizing_code_bases) {
        const Parameters p = rows::parameters_of(code_base);
        if (rows::kernel_of(p).kernel == numerics::Kernel::crop) continue;
        std::string options = fmt::format("--kernel {}", p.word("kernel"));
        for (const char* flag : {"antialias", "align-corners"}) {
            if (p.flag(flag)) options += fmt::format(" --{}", flag);
        }
        if (p.real("offset") > 0) options += fmt::format(" --offset {}", p.real("offset"));
        const numerics::Interpolation larger = rows::interpolation_of(p, 0, from, to);
        const numerics::Interpolation smaller = rows::interpolation_of(p, 0, to, from);
        auto way = std::ranges::find_if(ways, [&](const SameWay& known) {
            return largest_difference(known.larger, larger) == 0 &&
                   largest_difference(known.smaller, smaller) == 0;
        });
        if (way == ways.end()) way = ways.insert(way, {options, larger, smaller});
        way->names.push_back(code_base.name);
    }
    return ways;
}

std::string resize_description() {
    constexpr std::int64_t from = 27, to = 47;  // tables of windows of 14 and 24
    std::string text =
        "\nFormula\n" +
        paragraph(
            "output = sum over inputs of input * kernel(place - input's index), along each axis\n"
            "place of output i: (i + 0.5) / scale - 0.5, scale = (to + offset) / from;\n"
            "with --align-corners: i (from - 1) / (to - 1)",
            2) +
        fmt::format("\n{}",
                    paragraph(fmt::format("The same name, different tables: {} values between "
                                          "-1 and 1 brought to {}, and how far, at most, "
                                          "from vit's",
                                          from, to),
                              0));
    const std::vector<SameWay> ways = same_ways(from, to);
    for (const SameWay& way : ways) {
        text += two_columns(
            "  " + way.options,
            fmt::format("{:.2}: {}", largest_difference(ways.front().larger, way.larger),
                        joined(way.names, ", ")),
            38);
    }
    for (const Glossary& glossary : code_base_glossary()) {
        text += fmt::format("\n{}\n", glossary.title);
        for (const auto& [name, meaning] : glossary.entries) text += entry(name, meaning);
    }
    return text;
}

PlannedTable plan_resize(const OperationInput& input) {
    refuse_dashes(input, "resize");
    const Parameters p = settings_of(input);
    const Axes axes(p);
    if (p.has("scale") && p.reals("scale").size() > (axes.is_sequence ? 1 : 2)) {
        throw UsageError("--scale: needs one number, or for a grid one for rows, one for columns");
    }
    const Extents to = extents_in("to", p, axes);
    const ArrayFile x = open_floats(p.word("x"));
    const Shape& shape = x.table.shape;
    const Source source =
        source_in(shape, p, axes, fmt::format("{} has shape {}", x.path, to_string(shape)));
    const Extents from = source.extents;
    // Code bases return a table of the right size as it is.
    const bool stays = p.has("as") && from == to;
    const auto resized_axis = [&](std::size_t axis) {
        return stays ? numerics::Interpolation{.from = from[axis], .to = to[axis]}
                     : rows::interpolation_of(p, axis, from[axis], to[axis]);
    };
    const std::array resized{resized_axis(0), resized_axis(1)};
    std::vector<std::int64_t> extents = shape.extents();
    if (axes.are_rows) {
        extents[shape.rank() - 2] = source.prefix + to[0] * to[1] + source.suffix;
    } else {
        std::ranges::copy(to, extents.end() - (axes.are_channels_first ? 2 : 3));
    }
    const DType dtype = result_dtype(p, x);
    Table table = result_of(x, dtype, {}, "resized");
    table.shape = Shape(extents);
    std::vector<std::string> notes{fmt::format("{}: {} to {}, {}", x.path, text_of(from, axes),
                                               text_of(to, axes),
                                               stays ? "unchanged" : p.word("kernel"))};
    if (source.prefix > 0) notes[0] += fmt::format("; first rows kept: {}", source.prefix);
    if (source.suffix > 0) notes[0] += fmt::format("; last rows kept: {}", source.suffix);
    return {std::move(table),
            [=, rows = x.table.rows](const Progress&) {
                const std::int64_t points = from[0] * from[1];
                if (axes.are_channels_first) {
                    const Rows by_point = rows::transposed(rows::reshaped(rows, points));
                    return rows::reshaped(rows::transposed(rows::resized(by_point, resized, dtype)),
                                          to[1]);
                }
                std::vector<Rows> parts;
                const auto keep = [&](std::int64_t first, std::int64_t count) {
                    if (count == 0) return;
                    const Rows kept = rows::slice(rows, {first, count});
                    parts.push_back(dtype == kept.dtype()
                                        ? kept
                                        : rows::rounded(rows::as_float64(kept), dtype));
                };
                keep(0, source.prefix);
                parts.push_back(
                    rows::resized(rows::slice(rows, {source.prefix, points}), resized, dtype));
                keep(source.prefix + points, source.suffix);
                return rows::concatenated(parts);
            },
            std::move(notes)};
}

}  // namespace

constinit const Operation operations::resize{
    .name = "resize",
    .arguments = "--x FILE --to HxW --as CODEBASE [options] [outputs]",
    .summary = "bring a table of positions to another size, as a code base does it",
    .examples =
        "apply resize --x pos_embed.npy --to 24x24 --as timm -o resized.npy\n"
        "apply resize --x model.safetensors:pos_embed --to 32 --as dinov2 --npy resized.npy\n"
        "apply resize --x wpe.npy --to 2048 --kernel linear --align-corners --npy longer.npy",
    .parameters = resize_parameters,
    .glossaries = code_base_glossary,
    .description = resize_description,
    .plan = plan_resize};

}  // namespace pegen::cli
