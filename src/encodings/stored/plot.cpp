#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/utf8.h"
#include "encodings/encoding.h"
#include "encodings/parameters/shared.h"
#include "files/array_file.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    ParameterSpec{
        .name = "npy-in",
        .aliases = "input",
        .type = ParameterType::path,
        .summary = "the array: an NPY file, or FILE:NAME in an NPZ, safetensors or PyTorch file; "
                   "- is standard input"},
    ParameterSpec{.name = "axes",
                  .type = ParameterType::text,
                  .summary = "what its axes are, outermost first: position, token, offset, bucket, "
                             "depth, height, width, channel, frequency, batch, head, query, key or "
                             "other [those of usual names in checkpoints, such as pos_embed]"},
    start_parameter,
    step_parameter,
};

/// A word that --axes accepts.
struct AxisWord {
    std::string_view word;
    AxisKind kind;
    std::string_view label;  ///< in figures
};

constexpr std::array axis_words{
    AxisWord{"position", AxisKind::position, "Position"},
    AxisWord{"token", AxisKind::point, "Token"},
    AxisWord{"offset", AxisKind::point, "Offset"},
    AxisWord{"bucket", AxisKind::point, "Bucket"},
    AxisWord{"depth", AxisKind::pixel, "Depth"},
    AxisWord{"height", AxisKind::pixel, "Height"},
    AxisWord{"width", AxisKind::pixel, "Width"},
    AxisWord{"channel", AxisKind::channel, "Channel"},
    AxisWord{"frequency", AxisKind::frequency, "Frequency"},
    AxisWord{"batch", AxisKind::batch, "Batch"},
    AxisWord{"head", AxisKind::head, "Head"},
    AxisWord{"query", AxisKind::query, "Query Position"},
    AxisWord{"key", AxisKind::key, "Key Position"},
    AxisWord{"other", AxisKind::other, ""},
};

/// The axes of arrays that many checkpoints have, by the ends of their names, separated by spaces.
struct UsualArray {
    std::string_view names;
    std::string_view axes;  ///< as --axes has them; for arrays of as many axes
};

constexpr std::string_view embeddings =
    "pos_embed pos_embedding pos_emb positional_embedding position_embedding position_embeddings "
    "absolute_pos_embed embed_positions wpe";

constexpr std::array usual_arrays{
    UsualArray{embeddings, "position,channel"},
    UsualArray{embeddings, "batch,position,channel"},
    UsualArray{"relative_position_bias_table", "offset,head"},
    UsualArray{"relative_position_index", "query,key"},
    UsualArray{"relative_attention_bias", "bucket,head"},
    UsualArray{"rel_pos_h rel_pos_w rel_pos_t", "offset,channel"},
    UsualArray{"inv_freq", "frequency"},
    UsualArray{"cos_cached sin_cached", "position,channel"},
};

/// Returns the axes of a usual array with this name and so many axes, as --axes has them; "" if
/// there is none. The name of a module's parameter, "wpe.weight", is that of the module.
std::string_view usual_axes(std::string_view name, std::size_t rank) {
    constexpr std::string_view weight = ".weight";
    if (name.ends_with(weight)) name.remove_suffix(weight.size());
    name.remove_prefix(std::min(name.find_last_of("./") + 1, name.size()));
    for (const UsualArray& array : usual_arrays) {
        if (has_word(array.names, name) && fields(array.axes, ',').size() == rank) {
            return array.axes;
        }
    }
    return "";
}

const AxisWord& find_axis_word(std::string_view word) {
    std::vector<std::string_view> known;
    for (const AxisWord& axis : axis_words) {
        if (axis.word == word) return axis;
        known.push_back(axis.word);
    }
    throw UsageError(fmt::format("--axes {}: must be one of {}{}", word, joined(known, ", "),
                                 did_you_mean(word, known)));
}

/// Returns the axes as --axes names them; the word "other" leaves an axis as the file describes it.
std::vector<Axis> named_axes(std::string_view names, std::vector<Axis> axes) {
    const std::vector<std::string_view> all = fields(names, ',');
    if (all.size() != axes.size()) {
        throw UsageError(fmt::format("--axes {}: must name as many axes as the array has, {}",
                                     names, axes.size()));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const AxisWord& axis = find_axis_word(all[i]);
        if (axis.kind == AxisKind::other) continue;
        axes[i] = {
            .kind = axis.kind, .name = std::string(axis.word), .label = std::string(axis.label)};
    }
    return axes;
}

/// Sets the positions of the position axis, from --start in steps of --step.
void set_positions(std::vector<Axis>& axes, const Shape& shape, const Parameters& p) {
    const std::optional<int> axis = find_axis(axes, AxisKind::position);
    if (!axis) {
        for (const char* name : {"start", "step"}) {
            if (!p.given(name)) continue;
            throw UsageError(fmt::format(
                "--{}: needs the axis of positions, as in --axes position,channel", name));
        }
        return;
    }
    const std::int64_t count = shape[*axis];
    const double start = p.real("start"), step = p.real("step");
    if (count > 0) check_last_position("step", start, step, count);
    axes[*axis].positions = Positions(start, step, count);
}

/// Returns the path without its folders: "wpe.npy", "model.safetensors:wpe".
std::string title_of(const std::string& path) {
    const ArrayPath parts = array_path(path);
    std::string title = std::filesystem::path(parts.file).filename().string();
    if (parts.name) title += fmt::format(":{}", *parts.name);
    return one_line(title);
}

Plan plan(Parameters p, std::string_view) {
    if (!p.has("npy-in")) {
        throw UsageError("plot: needs an array, as in pe-gen plot trained.npy --png trained.png");
    }
    const std::string path = p.word("npy-in");
    Table array = open_array(path).table;
    std::vector<Axis> axes = std::move(array.axes);
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i].label = fmt::format("Axis {}", i);
    const ArrayPath parts = array_path(path);
    const std::string name =
        parts.name ? *parts.name : std::filesystem::path(parts.file).stem().string();
    const std::string_view usual = usual_axes(name, axes.size());
    if (p.has("axes")) {
        axes = named_axes(p.word("axes"), std::move(axes));
    } else if (!usual.empty()) {
        axes = named_axes(usual, std::move(axes));
    }
    set_positions(axes, array.shape, p);
    return {.parameters = std::move(p),
            .shape = array.shape,
            .axes = std::move(axes),
            .make_rows = [rows = std::move(array.rows)](DType) { return rows; },
            .dtype = array.dtype,
            .title = title_of(path)};
}

constexpr std::array tables{TableSpec{.name = "array",
                                      .summary = "the array of the file",
                                      .title = "",  // Plan::title
                                      .value_label = "Value"}};

}  // namespace

/// An array in a file, for pictures and conversion to all other formats.
///
/// Table: array, with the shape and the dtype of the file. --axes names its axes, since the file
/// does not; arrays with the names of usual_arrays have theirs. The axis of positions counts from
/// --start in steps of --step, all other axes from 0. Values are read from the file when they are
/// asked for.
extern constinit const Encoding plot{
    .name = "plot",
    .summary = "draw your own table, from an NPY, NPZ, safetensors or PyTorch file",
    .formula = "the values of the file",
    .source = "the file",
    .examples =
        "plot trained.npy --axes position,channel --png trained.png\n"
        "plot model.safetensors:wpe.weight --plot similarity --cosine --png wpe.png\n"
        "plot vit.pt:pos_embed --plot patches --png patches.png\n"
        "plot weights.npy --axes head,query,key --select 3 --png head3.png",
    .parameters = parameters,
    .tables = tables,
    .plan = plan,
    .file_parameter = "npy-in"};

}  // namespace pegen::encodings
