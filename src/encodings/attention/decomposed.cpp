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
#include "encodings/parameters/with_default.h"
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

/// The vectors of the distances along an axis of the image.
struct AxisTable {
    std::string_view parameter;
    std::optional<ArrayFile> file;
    std::int64_t extent;  ///< of the axis
    std::int64_t width;   ///< d-head
    std::string init;
    std::int64_t seed;

    std::int64_t rows() const { return 2 * extent - 1; }
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

/// Returns the vectors of the distances -(extent - 1) ... extent - 1.
std::vector<double> vectors_of(const AxisTable& table) {
    if (table.file) {
        return resized(finite_elements(*table.file, "vectors"), table.width, table.rows());
    }
    const Encoding& learned = *find_encoding("learned");
    Parameters drawn(learned.parameters);
    drawn.resolve("len", table.rows());
    drawn.resolve("d", table.width);
    drawn.resolve("init", table.init);
    drawn.resolve("seed", table.seed);
    const Table rows = make_table(learned, learned.tables.front(), drawn, DType::float64);
    return read_rows(rows, {0, rows.shape.rows()});
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

/// The place of each token along an axis.
using PlaceOf = std::int64_t (*)(std::int64_t token, std::int64_t width);

std::int64_t row_of(std::int64_t token, std::int64_t width) { return token / width; }
std::int64_t column_of(std::int64_t token, std::int64_t width) { return token % width; }

/// Returns q . R for every pair of a query and a key: multiplies the queries with all vectors of
/// the axis, then picks for each key the product with the vector of its distance.
Scores axis_scores(HeadArray q, const AxisTable& table, PlaceOf place, std::int64_t width) {
    const std::vector<double> vectors = vectors_of(table);
    const auto factor = shared(numerics::transposed(vectors, q.columns, table.rows()));
    const std::int64_t keys = q.rows;
    return [=, q = shared(std::move(q)), rows = table.rows(), extent = table.extent](
               const Block& block, std::span<double> out) {
        std::vector<double> all(block.queries.count * rows);
        numerics::multiply(queries_of(*q, block), *factor, all);
        for (std::int64_t i = 0; i < block.queries.count; ++i) {
            const double* const own = all.data() + i * rows;
            const std::int64_t of_query = place(block.queries.first + i, width);
            for (std::int64_t key = 0; key < keys; ++key) {
                out[i * keys + key] = own[of_query - place(key, width) + extent - 1];
            }
        }
    };
}

Plan plan(Parameters p, std::string_view table) {
    const std::int64_t height = p.integer("height"), width = p.integer("width");
    Extents extents;
    if (height > (std::int64_t{1} << 31) / width) {
        throw UsageError("--height, --width: an image has at most 2^31 tokens");
    }
    extents.say("tokens", height * width, fmt::format("--height {} --width {}", height, width));
    std::optional<ArrayFile> of_rows = open_table(p, "table-h", extents);
    std::optional<ArrayFile> of_columns = open_table(p, "table-w", extents);
    static const std::vector<InputSpec> inputs_of_image = with_common_inputs({});
    const Inputs inputs(p, inputs_of_image, std::move(extents));
    const std::int64_t d_head = inputs.head_channels();
    const std::int64_t seed = p.integer("seed") + table_seed_after;
    const AxisTable rows{"table-h", std::move(of_rows), height, d_head, p.word("init"), seed};
    const AxisTable columns{"table-w", std::move(of_columns), width,
                            d_head,    p.word("init"),        seed + 1};
    // Checks --init.
    for (const AxisTable& axis : {rows, columns}) {
        if (!axis.file) parse_initializer(axis.init, d_head);
    }
    const auto term = [&](std::string_view name, const AxisTable& axis, PlaceOf place) {
        return Term{name, 1,
                    [=] { return axis_scores(inputs.of_tokens("wq", "bq"), axis, place, width); }};
    };
    const Attention attention{
        .inputs = inputs,
        .terms = {content_term("e-content", inputs, scale_of(p, inputs)),
                  term("e-height", rows, row_of), term("e-width", columns, column_of)}};
    Plan plan = plan_attention(std::move(p), attention, table);
    for (const AxisTable& axis : {rows, columns}) {
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
    scores_table("e", "their sum, the scores, (heads, tokens, keys)",
                 "Decomposed Positions: Scores"),
    terms_table("Decomposed Positions: Terms of the Scores"),
    z_table,
    q_table,
    k_table,
    v_table,
};

}  // namespace

/// The attention of MViTv2, ViTDet and Segment Anything within an image, row by row: a vector for
/// the distance along y and one for the distance along x are multiplied with the query, which is
/// not scaled. All heads share both tables. A file with other rows is resized linearly, in double.
const Encoding& decomposed() {
    static const std::vector<ParameterSpec> parameters = mechanism_parameters(
        with_common_inputs({}),
        {with_default(height_parameter, "8"), with_default(width_parameter, "8"), rows_parameter,
         columns_parameter, with_default(init_parameter, "trunc-normal:0,0.02,-2,2"),
         no_scale_parameter},
        {});
    static const Encoding encoding{
        .name = "attention decomposed",
        .summary =
            "attention in an image with a vector for each distance along y and along x: SAM, "
            "ViTDet, MViTv2",
        .formula =
            "e[i, j] = q_i . k_j / sqrt(d-head) + q_i . R^h[y_i - y_j] + q_i . R^w[x_i - x_j]\n"
            "        = e_content[i, j] + e_height[i, j] + e_width[i, j]\n"
            "alpha   = softmax over j of e;  z[i] = sum over j of alpha[i, j] v_j\n"
            "row 0 of R^h is distance -(height - 1), the last row height - 1;  R^w likewise",
        .source =
            "Li et al. 2022, MViTv2, arXiv:2112.01526, section 4.1; facebookresearch/"
            "segment-anything, image_encoder.py, add_decomposed_rel_pos, rel_pos_h",
        .examples =
            "attention decomposed --height 2 --width 3 --d 8 --heads 1\n"
            "attention decomposed --heads 1 --init normal:0,1 --table terms --png terms.png\n"
            "attention decomposed --x x.npy --heads 2 --height 4 --width 4 --wq wq.npy --wk wk.npy "
            "--table-h h.npy --table-w w.npy --table e -o e.npy",
        .parameters = parameters,
        .tables = tables,
        .plan = plan};
    return encoding;
}

}  // namespace pegen::encodings::attention
