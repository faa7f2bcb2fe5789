#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/shared.h"
#include "encodings/rotary/config/model_config.h"
#include "encodings/rotary/config/report.h"
#include "encodings/rotary/rope_tables.h"
#include "encodings/rotary/token_sequence.h"
#include "files/array_file.h"
#include "rows/arranged.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "sequence",
                  .type = ParameterType::text,
                  .default_value = "text:5,image:4x6,text:3",
                  .summary = "the parts of the sequence: text:TOKENS, image:ROWSxCOLUMNS, "
                             "video:FRAMESxROWSxCOLUMNS of merged patches",
                  .role = Role::extent},
    with_default(rotary_d_parameter, "128"),
    with_default(base_parameter, "1000000"),
    ParameterSpec{.name = "sections",
                  .aliases = "mrope-section mrope-sections",
                  .type = ParameterType::integers,
                  .default_value = "16,24,24",
                  .range = any_index,
                  .summary = "pairs rotated by frame, row and column, d / 2 in total"},
    ParameterSpec{.name = "order",
                  .type = ParameterType::word,
                  .default_value = "contiguous",
                  .choices = "contiguous interleaved alternating",
                  .summary = "where the pairs of an axis are: together; every third pair; or rows "
                             "and columns in turn, then frames"},
    ParameterSpec{.name = "frame-step",
                  .default_value = "1",
                  .range = {.lowest = 0, .highest = 1 << 20},
                  .summary = "positions from one frame of a video to the next, rounded down: "
                             "seconds per frame times positions per second"},
    ParameterSpec{.name = "position-ids",
                  .type = ParameterType::path,
                  .summary = "NPY file instead of --sequence: the positions, (3, tokens) or (3, 1, "
                             "tokens), of frame, row and column"},
    ParameterSpec{.name = "next",
                  .type = ParameterType::word,
                  .default_value = "max",
                  .choices = "max grid",
                  .summary = "the position after an image or video: after its largest one, or "
                             "after those of its rows and columns only"},
    config_parameter,
    layer_type_parameter,
    rotary_layout_parameter,
    keep_channels_parameter,
    view_parameter,
    rare_arith_parameter("the exact formula, or float32 arithmetic: p * (1 / base^(2m / d))"),
};

constexpr std::string_view axis_names = "tyx";

std::vector<Segment> segments_of(const Parameters& p) {
    return parse_sequence(p.word("sequence"),
                          p.word("next") == "max" ? NextPosition::max : NextPosition::grid,
                          p.real("frame-step"));
}

void check_sections(const Parameters& p) {
    const std::vector<std::int64_t>& sections = p.integers("sections");
    const std::string text = to_string(p.value("sections"));
    const std::int64_t pairs = p.integer("d") / 2;
    if (sections.size() != 3) {
        throw UsageError(
            fmt::format("--sections {}: must be 3 numbers, for frame, row and column", text));
    }
    const bool is_too_large =
        std::ranges::any_of(sections, [&](std::int64_t section) { return section > pairs; });
    if (is_too_large ||
        std::accumulate(sections.begin(), sections.end(), std::int64_t{0}) != pairs) {
        throw UsageError(fmt::format("--sections {}: must add up to {}, half of --d {}", text,
                                     pairs, p.integer("d")));
    }
    if (p.word("order") == "alternating" && sections[1] != sections[2]) {
        throw UsageError(fmt::format(
            "--sections {}: --order alternating gives rows and columns as many pairs", text));
    }
    const std::int64_t most_rows = (pairs + 1) / 3, most_columns = pairs / 3;
    if (p.word("order") == "interleaved" &&
        (sections[1] > most_rows || sections[2] > most_columns)) {
        throw UsageError(
            fmt::format("--sections {}: --order interleaved gives rows and columns every third of "
                        "{} pairs, at most {} and {}; use contiguous",
                        text, pairs, most_rows, most_columns));
    }
}

/// Returns the axis of each pair, one letter for each: "ttyyxx", "tyxtyx" if interleaved, "yxyxtt"
/// if alternating.
std::string axes_of_pairs(const Parameters& p) {
    const std::vector<std::int64_t>& sections = p.integers("sections");
    std::string axes;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        axes.append(sections[axis], axis_names[axis]);
    }
    if (p.word("order") == "contiguous") return axes;
    std::ranges::fill(axes, 't');
    const bool is_alternating = p.word("order") == "alternating";
    for (std::size_t axis = 1; axis < 3; ++axis) {
        for (std::int64_t k = 0; k < sections[axis]; ++k) {
            axes[is_alternating ? 2 * k + axis - 1 : 3 * k + axis] = axis_names[axis];
        }
    }
    return axes;
}

/// Returns the frequencies of all pairs.
numerics::Frequencies frequencies_of(const Parameters& p) {
    const numerics::GeometricProgression progression =
        numerics::paired_progression(p.real("base"), p.integer("d"));
    if (is_exact(p)) return numerics::Frequencies(progression);
    return exactly(float32_frequencies("base", progression));
}

/// Returns the pairs that rotate by these axes, with the positions on them.
TurningPairs pairs_of(const Parameters& p, std::string_view axes, Positions positions) {
    const std::string of_pairs = axes_of_pairs(p);
    std::vector<std::int64_t> pairs;
    std::vector<PairRun> runs;
    for (std::size_t pair = 0; pair < of_pairs.size(); ++pair) {
        if (axes.find(of_pairs[pair]) == axes.npos) continue;
        const auto number = static_cast<std::int64_t>(pair);
        const bool goes_on = !runs.empty() && runs.back().first + runs.back().count == number;
        if (!goes_on) runs.push_back({number, 0});
        ++runs.back().count;
        pairs.push_back(number);
    }
    const numerics::Frequencies spectrum = frequencies_of(p);
    const numerics::Frequencies frequencies([=] {
        std::vector<numerics::Real> all;
        for (const std::int64_t pair : pairs) all.push_back(spectrum.reals()[pair]);
        return all;
    });
    return {std::move(positions), std::move(runs), frequencies, is_exact(p)};
}

/// Rotary tables with a row for each position from 0 up, which all segments share.
struct PositionRows {
    Rows all;                     ///< with all pairs
    std::array<Rows, 3> of_axis;  ///< with the pairs of t, y or x only; other values are 0
};

PositionRows position_rows(const Parameters& p, const RotaryForm& form,
                           const std::vector<Segment>& segments, DType dtype) {
    std::int64_t positions = 0;
    for (const Segment& segment : segments) {
        positions = std::max(positions, segment.start + segment.positions());
    }
    const auto turned = [&](std::string_view axes) {
        return turning_rows(pairs_of(p, axes, Positions(0, 1, positions)), form, dtype,
                            "--base, --sequence");
    };
    PositionRows rows{turned(axis_names), {}};
    if (std::ranges::all_of(segments, &Segment::is_text)) return rows;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        rows.of_axis[axis] = turned(axis_names.substr(axis, 1));
    }
    return rows;
}

/// Fills rows of an image or a video, line by line.
void fill_grid(const PositionRows& rows, const Segment& grid, RowRange range,
               std::span<std::byte> out) {
    const auto& [t, y, x] = rows.of_axis;
    const std::size_t bytes = rows.all.bytes_per_row();
    const std::int64_t height = grid.extents[1], width = grid.extents[2];
    std::vector<std::byte> frame(bytes), row(bytes), columns;
    if (range.count >= 2 * width) {
        columns.resize(width * bytes);
        x({grid.start, width}, columns);
    }
    std::int64_t frame_at_hand = -1;
    for (std::int64_t done = 0, count = 0; done < range.count; done += count) {
        const std::int64_t token = range.first + done, column = token % width;
        count = std::min(range.count - done, width - column);
        const std::span<std::byte> line = out.subspan(done * bytes, count * bytes);
        if (columns.empty()) {
            x({grid.start + column, count}, line);
        } else {
            std::ranges::copy(std::span(columns).subspan(column * bytes, line.size()),
                              line.begin());
        }
        if (const std::int64_t now = token / (width * height); now != frame_at_hand) {
            frame_at_hand = now;
            t({grid.start + grid.place_of_frame(now), 1}, frame);
        }
        y({grid.start + token / width % height, 1}, row);
        rows::merge_into(row, frame);
        rows::merge_into(line, row);
    }
}

/// Returns the position of a token on axis 0, 1 or 2.
using PositionOf = std::function<double(std::int64_t token, std::size_t axis)>;

/// Returns the cell of value number `value` in a token's row.
Cell cell_of(const Parameters& p, const PositionOf& position_of, const RotaryForm& form,
             std::int64_t token, std::int64_t value) {
    const std::string axes = axes_of_pairs(p);
    const auto progression = numerics::paired_progression(p.real("base"), p.integer("d"));
    const auto position = [&](std::int64_t pair) {
        return number_term(position_of(token, axis_names.find(axes[pair])));
    };
    Cell cell = turning_cell(form, {{0, std::ssize(axes)}}, value, 1.0, position,
                             [&](std::int64_t k) { return frequency_term(progression, k); });
    if (cell.pair) cell.of = axes[*cell.pair];
    return cell;
}

Axis token_axis(std::int64_t tokens) { return position_axis(Positions(0, 1, tokens)); }

RotaryForm form_of(const Parameters& p, std::string_view table) {
    return rotary_form(table, p.word("layout"), p.integer("d") / 2);
}

Plan rotation_plan(const Parameters& p, std::string_view table) {
    const std::vector<Segment> segments = segments_of(p);
    const RotaryForm form = form_of(p, table);
    const std::int64_t tokens = token_count(segments);
    const auto token_rows = [=](DType dtype) {
        const auto rows =
            std::make_shared<const PositionRows>(position_rows(p, form, segments, dtype));
        std::vector<Rows> parts;
        for (const Segment& segment : segments) {
            parts.push_back(
                segment.is_text
                    ? rows::slice(rows->all, {segment.start, segment.tokens()})
                    : Rows([=](RowRange range,
                               std::span<std::byte> out) { fill_grid(*rows, segment, range, out); },
                           segment.tokens(), form.values(), dtype));
        }
        return rows::concatenated(parts);
    };
    return rotary_plan(p, tokens, token_axis(tokens), form, token_rows,
                       [=](std::int64_t token, std::int64_t value) {
                           auto segment = segments.begin();
                           const std::int64_t row = token;
                           for (; token >= segment->tokens(); ++segment) {
                               token -= segment->tokens();
                           }
                           const auto position = [&](std::int64_t, std::size_t axis) {
                               return static_cast<double>(segment->position(token, axis));
                           };
                           return cell_of(p, position, form, row, value);
                       });
}

/// Opens the array of --position-ids. Throws: FileError; FormatError for another shape.
ArrayFile open_ids(const Parameters& p) {
    const std::string& path = p.word("position-ids");
    ArrayFile file{path, read_array(path)};
    const std::vector<std::int64_t> extents = file.table.shape.extents();
    const bool has_batch = extents.size() == 3 && extents[1] == 1;
    if ((extents.size() == 2 || has_batch) && extents[0] == 3 && extents.back() > 0) return file;
    throw FormatError(path, fmt::format("shape {}: must be (3, tokens) or (3, 1, tokens), the "
                                        "positions of frame, row and column",
                                        to_string(file.table.shape)));
}

/// Returns the plan of the tokens of --position-ids.
Plan listed_plan(Parameters p, std::string_view table) {
    p = without(std::move(p), {"sequence", "next", "frame-step"},
                "cannot be used with --position-ids");
    if (table == "ids") {
        throw UsageError("--position-ids: the file is --table ids already; use --table cos or sin");
    }
    const ArrayFile file = open_ids(p);
    const std::int64_t tokens = file.table.shape.extents().back();
    p.resolve("sequence", {});
    const RotaryForm form = form_of(p, table);
    const auto positions = [=] {
        const std::vector<double> all = finite_elements(file, "positions");
        for (const double position : all) {
            if (std::fabs(position) <= two_to_53) continue;
            throw FormatError(file.path, fmt::format("{}: positions end at 2^53", position));
        }
        return all;
    };
    return rotary_plan(
        p, tokens, token_axis(tokens), form,
        [=](DType dtype) {
            const std::vector<double> all = positions();
            std::vector<Rows> of_axes;
            for (std::size_t axis = 0; axis < axis_names.size(); ++axis) {
                const auto first = all.begin() + static_cast<std::ptrdiff_t>(axis) * tokens;
                of_axes.push_back(
                    turning_rows(pairs_of(p, axis_names.substr(axis, 1),
                                          Positions(std::vector<double>(first, first + tokens))),
                                 form, dtype, "--base, --position-ids"));
            }
            return rows::merged(of_axes);
        },
        [=](std::int64_t token, std::int64_t value) {
            const std::vector<double> all = positions();
            return cell_of(
                p,
                [&](std::int64_t row, std::size_t axis) {
                    return all[static_cast<std::int64_t>(axis) * tokens + row];
                },
                form, token, value);
        });
}

/// Fills `out` with the positions of all tokens on one axis.
void fill_ids(const std::vector<Segment>& segments, std::size_t axis, std::span<double> out) {
    auto place = out.begin();
    for (const Segment& segment : segments) {
        for (std::int64_t token = 0; token < segment.tokens(); ++token) {
            *place++ = static_cast<double>(segment.position(token, axis));
        }
    }
}

Plan id_plan(const Parameters& p) {
    const std::vector<Segment> segments = segments_of(p);
    const std::int64_t tokens = token_count(segments);
    constexpr std::int64_t longest = 1 << 22;
    if (tokens > longest) {
        throw UsageError(fmt::format("--sequence {}: {} tokens; --table ids has rows of at most {}",
                                     p.word("sequence"), tokens, longest));
    }
    return {.parameters = p,
            .shape = {3, tokens},
            .axes = {{.kind = AxisKind::function,
                      .name = "axis",
                      .label = "Axis",
                      .index_names = {"t", "y", "x"}},
                     token_axis(tokens)},
            .make_rows = [=](DType dtype) {
                const auto ids = [=](RowRange range, std::span<double> out) {
                    for (std::int64_t i = 0; i < range.count; ++i) {
                        fill_ids(segments, range.first + i, out.subspan(i * tokens, tokens));
                    }
                };
                return rounded({ids, 3, tokens}, dtype);
            }};
}

Plan plan_of(Parameters p, std::string_view table) {
    check_pairs(p);
    check_sections(p);
    if (p.has("position-ids")) return listed_plan(std::move(p), table);
    return table == "ids" ? id_plan(p) : rotation_plan(p, table);
}

Plan plan(Parameters p, std::string_view table) {
    const std::optional<ModelConfig> config = mrope_config_of(p);
    if (!config) return plan_of(std::move(p), table);
    // The file may change, so the parameters record its values instead of its name.
    p.resolve("config", {});
    p.resolve("layer-type", {});
    try {
        Plan result = plan_of(with_config(p, *config), table);
        result.notes = {sources(*config, result.parameters)};
        return result;
    } catch (const UsageError& error) {
        const bool is_replaced = std::ranges::any_of(
            config->settings,
            [&](const ConfigSetting& setting) { return p.given(setting.parameter); });
        if (is_replaced || !cause_of(*config, error)) throw;
        blame(*config, error);
    }
}

constexpr std::array tables{
    TableSpec{.name = "cos",
              .summary = "cos(p w), (tokens, d), or half as wide with --layout single",
              .title = "M-RoPE, Cosines (d={d}, {sequence})",
              .value_label = "cos",
              .promises = "bounded",
              .scored_by = "none"},
    TableSpec{.name = "sin",
              .summary = "sin(p w), likewise",
              .title = "M-RoPE, Sines (d={d}, {sequence})",
              .value_label = "sin",
              .promises = "bounded",
              .scored_by = "none"},
    TableSpec{.name = "ids",
              .summary = "p, the positions of each token on t, y and x, (3, tokens)",
              .title = "M-RoPE, Position Ids ({sequence})",
              .value_label = "Position",
              .dtype = DType::int64,
              .idle_parameters = "arith keep-channels view",
              .scored_by = "none"},
};

constexpr std::array mrope_presets{
    PresetSpec{.name = "ernie-4.5-vl",
               .aliases = "ernie4.5-vl",
               .settings = "--d 128 --base 500000 --sections 20,22,22 --order alternating "
                           "--layout interleaved",
               .summary = "ERNIE 4.5 VL's language model: rows and columns in turn, frames last",
               .source = "huggingface/transformers, src/transformers/models/ernie4_5_vl_moe/"
                         "modeling_ernie4_5_vl_moe.py",
               .note = "Its mrope_section 22, 22, 20 is of row, column and frame. Layout "
                       "interleaved, pairing interleaved: channel 2m turns with 2m + 1. Frames are "
                       "merged by two."},
    PresetSpec{.name = "qwen2-vl",
               .settings = "--d 128 --base 1000000 --sections 16,24,24",
               .summary = "Qwen2-VL's language model: three sections of the spectrum",
               .source = "huggingface/transformers, src/transformers/models/qwen2_vl/"
                         "modeling_qwen2_vl.py",
               .note = "Layout half, pairing half: channel m turns with m + d / 2. Rows and "
                       "columns are those of merged patches, half as many as patches. After a "
                       "video of more frames than rows and columns transformers 5 goes on "
                       "earlier: --next grid. Qwen2.5-VL counts frames by seconds."},
    PresetSpec{.name = "qwen2.5-vl",
               .settings = "--d 128 --base 1000000 --sections 16,24,24 --frame-step 2",
               .summary = "Qwen2.5-VL's language model: frames are counted by seconds",
               .source = "huggingface/transformers, src/transformers/models/qwen2_5_vl/"
                         "modeling_qwen2_5_vl.py",
               .note =
                   "As qwen2-vl, but --frame-step is seconds per merged frame times "
                   "tokens_per_second, 1 * 2 at two frames a second. Qwen2.5-Omni has 25 "
                   "positions per second, and the audio between the frames is text of its own."},
    PresetSpec{.name = "qwen3-vl",
               .settings = "--d 128 --base 5000000 --sections 24,20,20 --order interleaved",
               .summary = "Qwen3-VL's language model: rows and columns at every third frequency",
               .source = "huggingface/transformers, src/transformers/models/qwen3_vl/"
                         "modeling_qwen3_vl.py",
               .note = "Interleaved are the axes, not the channels: layout half, pairing half. "
                       "The frames of a video are images with the time as text between them."},
};

}  // namespace

/// The rotary tables of a language model with image and video input. A token of a text has the same
/// position on all three axes; a token of an image or a video has its frame, row and column,
/// counted on from the end of the text before it. Each pair of the single spectrum rotates by one
/// of the axes; if interleaved, rows have pairs 1, 4, ..., columns 2, 5, ..., and frames all other
/// pairs; if alternating, rows 0, 2, ..., columns 1, 3, ..., and frames the slowest pairs. The
/// tables do not say which channels form a pair: Qwen's models pair m and m + d / 2, ERNIE 2m and
/// 2m + 1. With --position-ids, tokens have the positions of a file.
///
/// Tables: cos and sin (position, channel), correctly rounded, or as --arith says; ids (axis,
/// position), integers, for at most 2^22 tokens.
extern constinit const Encoding mrope{
    .name = "mrope",
    .summary = "rotary positions for text with images and videos: three positions per token",
    .formula =
        "cos[token, m] = cos(p_a * base^(-2m / d)),  sin likewise;  a: the axis of pair m\n"
        "p = (s, s, s) for text at s;  (s + f, s + row, s + column) for a grid that starts at s\n"
        "f: frame * frame-step, rounded down;  s: one beyond the positions before, behind a grid\n"
        "  at r with --next grid r + max(rows, columns)",
    .source = "Wang et al. 2024, Qwen2-VL, arXiv:2409.12191, section 2.1",
    .examples =
        "mrope --d 16 --sections 2,3,3 --sequence text:2,image:2x2,text:1\n"
        "mrope --sequence text:20,video:8x6x6,text:20 --table sin --png mrope.png\n"
        "mrope --sequence text:5,image:16x16,text:40 --table ids --npy ids.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = mrope_presets,
    .plan = plan};

}  // namespace pegen::encodings
