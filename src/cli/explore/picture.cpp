#include "cli/explore/picture.h"

#include <algorithm>
#include <utility>

#include "cli/explore/bounds.h"
#include "figure/paint.h"
#include "figure/views.h"

namespace pegen::cli {
namespace {

using nlohmann::ordered_json;

/// The cells of each panel of a heatmap.
ordered_json panels_json(const Figure& figure, const Table& table, const Parameters& parameters) {
    ordered_json panels = ordered_json::array();
    const bool is_heatmap = !parameters.has("plot") || parameters.word("plot") == "heatmap";
    if (!is_heatmap || figure.panels.empty()) return panels;
    std::vector<std::int64_t> select;
    if (parameters.has("select")) select = parameters.integers("select");
    const std::vector<View> views = views_of(table, select);
    const std::vector<std::int64_t> strides = strides_of(table.shape.extents());
    std::int64_t base = 0;
    for (std::size_t axis = 0; axis < select.size(); ++axis) base += select[axis] * strides[axis];
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const PixelArea& area = figure.panels[i];
        const Shape& shape = views[i].table.shape;
        panels.push_back({{"left", area.left},
                          {"top", area.top},
                          {"width", area.width},
                          {"height", area.height},
                          {"base", base},
                          {"rows", shape.rows()},
                          {"columns", shape.columns()},
                          {"transposed", parameters.flag("transpose")}});
        base += shape.size();
    }
    return panels;
}

std::string pixels_of(const Image& image) {
    std::string bytes;
    bytes.reserve(sizeof(image.colours) + image.pixels.size());
    for (const Rgb& colour : image.colours) bytes.append(colour.begin(), colour.end());
    bytes.append(image.pixels.begin(), image.pixels.end());
    return bytes;
}

}  // namespace

Picture drawn(std::string_view of, const std::string& label, const Table& table,
              const Parameters& parameters) {
    check_figure(table, parameters);
    const Figure figure = compose_figure(table, parameters);
    std::string pixels = pixels_of(paint(figure));
    return {{{"of", of},
             {"label", label},
             {"bytes", pixels.size()},
             {"width", figure.width},
             {"height", figure.height},
             {"panels", panels_json(figure, table, parameters)}},
            std::move(pixels),
            figure.notes};
}

Parameters fitted_to(const std::optional<std::vector<double>>& room, Parameters figure) {
    if (!room) return figure;
    const std::vector<double>& inches = figure.reals("figsize");
    const double dpi = std::min((*room)[0] / inches[0], (*room)[1] / inches[1]);
    figure.resolve("dpi", std::max(dpi, 1.0));
    return figure;
}

}  // namespace pegen::cli
