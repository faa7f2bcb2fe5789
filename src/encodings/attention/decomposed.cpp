#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "encodings/attention/mechanism.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/shared.h"
#include "encodings/registry.h"
#include "files/array_file.h"

namespace pegen::encodings::attention {
namespace {

constexpr ParameterSpec table_parameter(std::string_view name, std::string_view aliases,
                                        std::string_view summary) {
    return {.name = name, .aliases = aliases, .type = ParameterType::path, .summary = summary};
}

constexpr ParameterSpec rows_parameter =
    table_parameter("table-h", "rel-pos-h",
                    "NPY file: R^h, (2 height - 1, d-head), or of another height, which is resized "
                    "[drawn by --init]");
constexpr ParameterSpec columns_parameter = table_parameter(
    "table-w", "rel-pos-w", "NPY file: R^w, (2 width - 1, d-head), likewise [drawn by --init]");
constexpr ParameterSpec frames_parameter =
    table_parameter("table-t", "rel-pos-t rel-pos-d",
                    "NPY file: R^t, (2 depth - 1, d-head), likewise, with --depth");

constexpr ParameterSpec key_extent_parameter(std::string_view name, std::string_view summary) {
    return {.name = name,
            .type = ParameterType::integer,
            .range = any_count,
            .summary = summary,
            .role = Role::extent};
}

/// The inputs of keys at other places than the queries.
constexpr InputSpec key_input =
    input_spec("x-keys", "NPY file: the tokens of the keys (keys, d), if they are others than --x",
               InputKind::keys, 1);
constexpr InputSpec value_input = input_spec(
    "x-values", "NPY file: the tokens of the values [those of the keys]", InputKind::values, 1);

/// Beyond, places along an axis would be inexact in float32.
constexpr std::int64_t longest_axis = 1 << 20;

/// An axis of the image: how many places it has for queries and keys, and the vectors of the
/// distances along it.
struct ImageAxis {
    std::string_view term;
    std::string_view parameter;
    std::int64_t queries;
    std::int64_t keys;
    std::int64_t query_tokens;  ///< from one place to the next
    std::int64_t key_tokens;
    std::int64_t seed;
    std::int64_t stride = 0;  ///< places of keys from a query to the next; 0: both span the image
    bool is_key_minus_query = false;
    std::optional<ArrayFile> file = {};

    std::int64_t extent() const {
        return std::max(stride == 0 ? queries : (queries - 1) * stride + 1, keys);
    }
    std::int64_t rows() const { return 2 * extent() - 1; }
    bool is_resized() const { return file && file->table.shape[0] != rows(); }
};

/// Returns the rows resized to `count` rows by linear interpolation between their middles, as
/// PyTorch's interpolate does with align_corners=False.
std::vector<double> resized(const std::vector<double>& rows, std::int64_t width,
                            std::int64_t count) {
    const std::int64_t given = std::ssize(rows) / width;
    const double scale = static_cast<double>(given) / static_cast<double>(count);
    std::vector<double> result;
    for (std::int64_t i = 0; i < count; ++i) {
        const double place = std::max((static_cast<double>(i) + 0.5) * scale - 0.5, 0.0);
        const auto low = static_cast<std::int64_t>(place);
        const std::int64_t high = std::min(low + 1, given - 1);
        const double share = place - static_cast<double>(low);
        for (std::int64_t c = 0; c < width; ++c) {
            result.push_back((1 - share) * rows[low * width + c] + share * rows[high * width + c]);
        }
    }
    return result;
}

/// Returns the vectors of an axis, (rows, width).
std::vector<double> vectors_of(const ImageAxis& axis, std::int64_t width, const std::string& init) {
    if (axis.file) return resized(finite_elements(*axis.file, "vectors"), width, axis.rows());
    const Encoding& learned = *find_encoding("learned");
    Parameters drawn(learned.parameters);
    drawn.resolve("len", axis.rows());
    drawn.resolve("d", width);
    drawn.resolve("init", init);
    drawn.resolve("seed", axis.seed);
    const Table rows = make_table(learned, learned.tables.front(), drawn, DType::float64);
    return read_rows(rows, {0, rows.shape.rows()});
}

/// Returns the row of the vectors for a query and each place of a key. Without a stride, the axis
/// with fewer places has steps of the other's, the smallest distance has row 0, and rows are
/// rounded down, in float32 as the code computes them. With one, distance 0 has the middle row.
std::vector<std::int64_t> rows_of(const ImageAxis& axis, std::int64_t query) {
    const double queries = static_cast<double>(axis.queries), keys = static_cast<double>(axis.keys);
    const bool is_strided = axis.stride > 0;
    const double query_step =
        is_strided ? static_cast<double>(axis.stride) : std::max(keys / queries, 1.0);
    const double key_step = is_strided ? 1 : std::max(queries / keys, 1.0);
    const double last =
        axis.is_key_minus_query ? (queries - 1) * query_step : (keys - 1) * key_step;
    const auto shift =
        static_cast<float>(is_strided ? static_cast<double>(axis.extent() - 1) : last);
    const float of_query = static_cast<float>(query) * static_cast<float>(query_step);
    std::vector<std::int64_t> rows;
    for (std::int64_t key = 0; key < axis.keys; ++key) {
        const float of_key = static_cast<float>(key) * static_cast<float>(key_step);
        const float distance = axis.is_key_minus_query ? of_key - of_query : of_query - of_key;
        rows.push_back(static_cast<std::int64_t>(distance + shift));
    }
    return rows;
}

/// Opens the file of an axis and records the extents that it gives.
std::optional<ArrayFile> open_table(const Parameters& p, std::string_view name, Extents& extents) {
    if (!p.has(name)) return {};
    ArrayFile file = with_floats(open_array(p.word(name)), "vectors");
    const Shape& shape = file.table.shape;
    if (shape.rank() != 2 || shape.size() == 0) {
        throw FormatError(file.path,
                          fmt::format("shape {}: must be (rows, d-head)", to_string(shape)));
    }
    extents.say("d-head", shape[1], "axis 1", file.path);
    return file;
}

/// Returns q . R for every pair of a query and a key: multiplies the queries with all vectors of
/// the axis, then picks for each key the product with the vector of its distance. Pairs with the
/// class token have no distance.
Scores axis_scores(HeadArray q, const ImageAxis& axis, const std::vector<double>& vectors,
                   std::int64_t keys, std::int64_t class_tokens) {
    const auto factor = shared(numerics::transposed(vectors, q.columns, axis.rows()));
    return [=, q = shared(std::move(q)), count = axis.rows()](const Block& block,
                                                              std::span<double> out) {
        std::vector<double> all(block.queries.count * count);
        numerics::multiply(queries_of(*q, block), *factor, all);
        std::ranges::fill(out, 0.0);
        for (std::int64_t i = 0; i < block.queries.count; ++i) {
            const std::int64_t query = block.queries.first + i - class_tokens;
            if (query < 0) continue;
            const std::vector<std::int64_t> rows =
                rows_of(axis, query / axis.query_tokens % axis.queries);
            for (std::int64_t key = 0; key < keys - class_tokens; ++key) {
                out[i * keys + class_tokens + key] =
                    all[i * count + rows[key / axis.key_tokens % axis.keys]];
            }
        }
    };
}

Scores no_scores() {
    return [](const Block&, std::span<double> out) { std::ranges::fill(out, 0.0); };
}

std::int64_t key_extent(const Parameters& p, std::string_view name, std::int64_t of_queries) {
    return p.has(name) ? p.integer(name) : of_queries;
}

/// True if the keys are in other places than the queries.
bool has_other_places(const Parameters& p) {
    const auto differs = [&](std::string_view of_keys, std::string_view of_queries) {
        return p.has(of_keys) &&
               !(p.has(of_queries) && p.integer(of_keys) == p.integer(of_queries));
    };
    return differs("key-height", "height") || differs("key-width", "width") ||
           differs("key-depth", "depth") ||
           (p.has("query-stride") && p.integer("query-stride") > 1);
}

/// True if the keys are given by tokens of their own.
bool has_own_keys(const Parameters& p) {
    return has_other_places(p) || p.has("x-keys") || p.has("x-values");
}

/// Records the number of tokens of an image, as `name`.
void say_tokens(Extents& extents, std::string_view name, const std::array<std::int64_t, 3>& image,
                std::int64_t class_tokens, const std::string& source) {
    const auto [depth, height, width] = image;
    const bool is_long = std::ranges::max(image) > longest_axis;
    if (is_long || static_cast<double>(depth * height) * static_cast<double>(width) > 0x1p31) {
        throw UsageError(
            fmt::format("{}: an image has at most 2^31 tokens, and 2^20 along an axis", source));
    }
    extents.say(name, depth * height * width + class_tokens, source);
}

/// Returns the axes of the image, whose files are opened.
std::vector<ImageAxis> axes_of_image(const Parameters& p, Extents& extents) {
    const bool is_video = p.has("depth");
    for (const char* name : {"key-depth", "table-t"}) {
        if (!is_video && p.has(name)) throw UsageError(fmt::format("--{}: needs --depth", name));
    }
    const std::int64_t height = p.integer("height"), width = p.integer("width");
    const std::int64_t depth = is_video ? p.integer("depth") : 1;
    const std::int64_t key_height = key_extent(p, "key-height", height);
    const std::int64_t key_width = key_extent(p, "key-width", width);
    const std::int64_t key_depth = key_extent(p, "key-depth", depth);
    const std::int64_t class_tokens = p.word("prefix") == "cls" ? 1 : 0;
    const auto text = [&](std::string_view of, std::int64_t d, std::int64_t h, std::int64_t w) {
        return fmt::format("{}--{}height {} --{}width {}{}",
                           is_video ? fmt::format("--{}depth {} ", of, d) : "", of, h, of, w,
                           class_tokens > 0 ? " --prefix cls" : "");
    };
    say_tokens(extents, "tokens", {depth, height, width}, class_tokens,
               text("", depth, height, width));
    if (has_own_keys(p)) {
        say_tokens(extents, "keys", {key_depth, key_height, key_width}, class_tokens,
                   text("key-", key_depth, key_height, key_width));
    }
    const std::int64_t seed = p.integer("seed") + table_seed_after;
    std::vector<ImageAxis> axes{{"e-height", "table-h", height, key_height, width, key_width, seed},
                                {"e-width", "table-w", width, key_width, 1, 1, seed + 1}};
    if (is_video) {
        axes.push_back({"e-depth", "table-t", depth, key_depth, height * width,
                        key_height * key_width, seed + 2});
    }
    for (ImageAxis& axis : axes) {
        axis.is_key_minus_query = p.word("sign") == "key-query";
        if (p.has("query-stride")) axis.stride = p.integer("query-stride");
        if (axis.extent() > longest_axis) {
            throw UsageError(
                fmt::format("--query-stride {}: {} queries along an axis take more "
                            "than 2^20 places; use a smaller stride",
                            axis.stride, axis.queries));
        }
        axis.file = open_table(p, axis.parameter, extents);
    }
    return axes;
}

const std::vector<InputSpec>& inputs_with_keys() {
    static const std::vector<InputSpec> inputs = with_common_inputs({key_input, value_input});
    return inputs;
}

Plan plan(Parameters p, std::string_view table) {
    // Values of their own do not make other keys.
    if (!has_other_places(p) && p.has("x") && !p.has("x-keys") && p.has("x-values")) {
        p.resolve("x-keys", p.word("x"));
    }
    Extents extents;
    const std::vector<ImageAxis> axes = axes_of_image(p, extents);
    const std::span<const InputSpec> specs = inputs_with_keys();
    const Inputs inputs(p, has_own_keys(p) ? specs : specs.first(common_inputs.size()),
                        std::move(extents));
    const std::int64_t d_head = inputs.head_channels();
    const std::int64_t class_tokens = p.word("prefix") == "cls" ? 1 : 0;
    std::vector<Term> terms;
    if (table != "e-position") {
        terms.push_back(content_term("e-content", inputs, scale_of(p, inputs)));
    }
    const double divisor = p.flag("scale-positions") ? scale_of(p, inputs) : 1;
    for (const ImageAxis& axis : axes) {
        if (!axis.file) parse_initializer(p.word("init"), d_head);  // refuses a wrong one now
        terms.push_back({axis.term, divisor, [=, init = p.word("init")] {
                             return axis_scores(inputs.of_tokens("wq", "bq"), axis,
                                                vectors_of(axis, d_head, init), inputs.size().keys,
                                                class_tokens);
                         }});
    }
    if (table == "e-depth" && !p.has("depth")) terms.push_back({"e-depth", 1, no_scores});
    Plan plan = plan_attention(std::move(p), {.inputs = inputs, .terms = std::move(terms)}, table);
    for (const ImageAxis& axis : axes) {
        if (!axis.is_resized()) continue;
        plan.notes.push_back(fmt::format("--{}: {} rows are resized to {}", axis.parameter,
                                         axis.file->table.shape[0], axis.rows()));
    }
    return plan;
}

constexpr std::array tables{
    alpha_table,
    scores_table("e-content", "q_i . k_j / sqrt(d-head), (heads, tokens, keys)",
                 "Decomposed Positions: Content"),
    scores_table("e-height", "q_i . R^h[y_i - y_j], (heads, tokens, keys)",
                 "Decomposed Positions: Rows"),
    scores_table("e-width", "q_i . R^w[x_i - x_j], (heads, tokens, keys)",
                 "Decomposed Positions: Columns"),
    scores_table("e-depth", "q_i . R^t[t_i - t_j], (heads, tokens, keys); 0 without --depth",
                 "Decomposed Positions: Frames"),
    scores_table("e-position", "e-height + e-width + e-depth, (heads, tokens, keys)",
                 "Decomposed Positions: Bias"),
    scores_table("e", "e-content + e-position, the scores, (heads, tokens, keys)",
                 "Decomposed Positions: Scores"),
    terms_table("Decomposed Positions: Terms of the Scores"),
    z_table,
    q_table,
    k_table,
    v_table,
};

}  // namespace

/// The attention of MViTv2, ViTDet and Segment Anything within an image or a video, row by row: a
/// vector for the distance along each axis is multiplied with the query, which is not scaled unless
/// --scale-positions says so. All heads share the tables. A file with other rows is resized
/// linearly, in double. Keys may be at fewer or more places than queries: without --query-stride as
/// after pooling, each in steps of the longer axis; with it in a window of their own, which begins
/// at the first query.
const Encoding& decomposed() {
    static const std::vector<ParameterSpec> parameters = mechanism_parameters(
        inputs_with_keys(),
        {with_default(height_parameter, "8"), with_default(width_parameter, "8"), depth_parameter,
         key_extent_parameter("key-height", "rows of the keys [height]"),
         key_extent_parameter("key-width", "columns of the keys [width]"),
         key_extent_parameter("key-depth", "frames of the keys [depth]"),
         ParameterSpec{.name = "prefix",
                       .type = ParameterType::word,
                       .default_value = "none",
                       .choices = "none cls",
                       .summary = "cls: token 0 is a class token, whose pairs have no distance"},
         ParameterSpec{.name = "sign",
                       .type = ParameterType::word,
                       .default_value = "query-key",
                       .choices = "query-key key-query",
                       .summary = "how distances are counted"},
         ParameterSpec{.name = "query-stride",
                       .aliases = "stride",
                       .type = ParameterType::integer,
                       .range = any_count,
                       .summary =
                           "places of the keys from a query to the next, 1 in an overlapping "
                           "window [keys / queries, as after pooling]"},
         ParameterSpec{.name = "scale-positions",
                       .aliases = "scale-pos-embed",
                       .type = ParameterType::flag,
                       .summary = "divide q . R by sqrt(d-head), too"},
         rows_parameter, columns_parameter, frames_parameter,
         with_default(init_parameter, "trunc-normal:0,0.02,-2,2"), no_scale_parameter},
        {});
    static const Encoding encoding{
        .name = "attention decomposed",
        .summary =
            "attention in an image with a vector for each distance along y and along x: SAM, "
            "ViTDet, MViTv2, HaloNet",
        .formula =
            "e[i, j] = q_i . k_j / sqrt(d-head) + q_i . R^h[y_i - y_j] + q_i . R^w[x_i - x_j]\n"
            "        = e_content[i, j] + e_height[i, j] + e_width[i, j]\n"
            "--depth: + q_i . R^t[t_i - t_j] = e_depth[i, j]\n"
            "alpha   = softmax over j of e;  z[i] = sum over j of alpha[i, j] v_j\n"
            "row 0 of R^h is the smallest distance;  R^w and R^t likewise\n"
            "n rows of queries, k of keys: y_i = i max(k / n, 1), y_j = j max(n / k, 1)\n"
            "--query-stride s: y_i = s i, y_j = j; the middle row of R^h is distance 0\n"
            "--sign key-query: R^h[y_j - y_i];  --scale-positions: q_i . R / sqrt(d-head)",
        .source =
            "Li et al. 2022, MViTv2, arXiv:2112.01526, section 4.1; facebookresearch/"
            "segment-anything, image_encoder.py, add_decomposed_rel_pos, rel_pos_h; Vaswani et al. "
            "2021, HaloNet, arXiv:2103.12731; Andrew0613/X-Restormer, xrestormer_arch.py, OCAB",
        .examples =
            "attention decomposed --height 2 --width 3 --d 8 --heads 1\n"
            "attention decomposed --heads 1 --init normal:0,1 --table terms --png terms.png\n"
            "attention decomposed --height 4 --width 4 --key-height 8 --key-width 8 --table e\n"
            "attention decomposed --height 4 --width 4 --key-height 6 --key-width 6 --query-stride "
            "1 "
            "--sign key-query --scale-positions --table e\n"
            "attention decomposed --x x.npy --heads 2 --height 4 --width 4 --wq wq.npy --wk wk.npy "
            "--table-h h.npy --table-w w.npy --table e -o e.npy",
        .parameters = parameters,
        .tables = tables,
        .plan = plan};
    return encoding;
}

}  // namespace pegen::encodings::attention
