#include "figure/plots/curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "figure/theme.h"

namespace pegen {
namespace {

/// The map from values on the axes to pixels.
class Plane {
  public:
    Plane(const FigureSpec& spec, const Box& axes) : spec_(spec), axes_(axes) {}

    Point at(double x, double y) const {
        return {axes_.left + share_of(x, spec_.x) * axes_.width(),
                axes_.bottom - share_of(y, spec_.y) * axes_.height()};
    }

  private:
    const FigureSpec& spec_;
    Box axes_;
};

/// Returns the pieces of the curve between its gaps; a piece of a single point is a dot.
std::vector<Curve> pieces_of(const Series& series, const Plane& plane, const Medium& medium) {
    std::vector<Curve> pieces;
    bool is_gap = true;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const bool was_gap = std::exchange(is_gap, !std::isfinite(series.y[i]));
        if (is_gap) continue;
        if (was_gap) pieces.push_back({{}, series.colour, medium.curve_width});
        pieces.back().points.push_back(plane.at(series.x[i], series.y[i]));
    }
    for (Curve& piece : pieces) {
        if (piece.points.size() == 1) piece.width = medium.point_width;
    }
    return pieces;
}

std::vector<Curve> points_of(const Series& series, const Plane& plane, double width) {
    std::vector<Curve> points;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!std::isfinite(series.y[i])) continue;
        points.push_back({{plane.at(series.x[i], series.y[i])}, series.colour, width});
    }
    return points;
}

/// Returns the pieces of the band between its gaps.
std::vector<Band> pieces_of(const SeriesBand& series, const Plane& plane) {
    std::vector<Band> pieces;
    bool is_gap = true;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const bool was_gap =
            std::exchange(is_gap, !std::isfinite(series.low[i]) || !std::isfinite(series.high[i]));
        if (is_gap) continue;
        if (was_gap) pieces.push_back({{}, {}, series.colour});
        pieces.back().upper.push_back(plane.at(series.x[i], series.high[i]));
        pieces.back().lower.push_back(plane.at(series.x[i], series.low[i]));
    }
    return pieces;
}

/// Removes the pieces of a single point, which have no width, from the band and returns them as
/// upright lines.
std::vector<Curve> taken_lines(std::vector<Band>& pieces, double width) {
    std::vector<Curve> lines;
    for (const Band& piece : pieces) {
        if (piece.upper.size() > 1) continue;
        lines.push_back({{piece.upper.front(), piece.lower.front()}, piece.colour, width});
    }
    std::erase_if(pieces, [](const Band& piece) { return piece.upper.size() == 1; });
    return lines;
}

/// curve_colours for dark grounds.
constexpr std::array<Rgb, curve_colours.size()> bright_colours{{{0x6c, 0xb6, 0xff},
                                                                {0xff, 0xa0, 0x4a},
                                                                {0x5f, 0xd0, 0x68},
                                                                {0xff, 0x8a, 0x8a},
                                                                {0xc9, 0xa6, 0xff},
                                                                {0xd4, 0xa3, 0x73},
                                                                {0xf4, 0x9a, 0xd0},
                                                                {0xc0, 0xc0, 0xc0},
                                                                {0xde, 0xde, 0x5a},
                                                                {0x4d, 0xd9, 0xe6}}};
constexpr Rgb dim_band{0x2b, 0x49, 0x66};

/// Returns boxes around the parts of a curve, or around the parts of a band, in shares of the axes
/// from their upper left corner.
std::vector<Box> boxes_around(const std::vector<Curve>& curves, const std::vector<Band>& bands) {
    std::vector<Box> boxes;
    for (const Curve& curve : curves) {
        Point a = curve.points.front();
        for (const Point b : curve.points) {
            // A box around a long slanted line would hold much that is empty.
            constexpr double parts_per_axis = 32;
            const double length = std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y));
            const double parts = std::max(1.0, std::ceil(parts_per_axis * length));
            for (double part = 0; part < parts; ++part) {
                const Point p{std::lerp(a.x, b.x, part / parts), std::lerp(a.y, b.y, part / parts)};
                const Point q{std::lerp(a.x, b.x, (part + 1) / parts),
                              std::lerp(a.y, b.y, (part + 1) / parts)};
                boxes.push_back({std::min(p.x, q.x), std::min(p.y, q.y), std::max(p.x, q.x),
                                 std::max(p.y, q.y)});
            }
            a = b;
        }
    }
    for (const Band& band : bands) {
        for (std::size_t i = 0; i < band.upper.size(); ++i) {
            const std::size_t next = std::min(i + 1, band.upper.size() - 1);
            boxes.push_back({band.upper[i].x, std::min(band.upper[i].y, band.upper[next].y),
                             band.upper[next].x, std::max(band.lower[i].y, band.lower[next].y)});
        }
    }
    return boxes;
}

template <class Shape>
void append(std::vector<Shape>& all, std::vector<Shape> some) {
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
}

}  // namespace

void brighten_on_dark(Figure& figure) {
    if (!figure.grids.empty() || readable_on(figure.theme.ground) == Rgb{0, 0, 0}) return;
    for (Curve& curve : figure.curves) {
        const auto place = std::ranges::find(curve_colours, curve.colour) - curve_colours.begin();
        if (place < std::ssize(curve_colours)) curve.colour = bright_colours[place];
        if (curve.colour == band_colour) curve.colour = dim_band;
    }
    for (Band& band : figure.bands) band.colour = dim_band;
}

Series stepped(Series series) {
    const std::vector<double> x = std::move(series.x), y = std::move(series.y);
    series.x.clear();
    series.y.clear();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double before = i > 0 ? (x[i] - x[i - 1]) / 2 : 0.5;
        const double behind = i + 1 < x.size() ? (x[i + 1] - x[i]) / 2 : 0.5;
        series.x.insert(series.x.end(), {x[i] - before, x[i] + behind});
        series.y.insert(series.y.end(), {y[i], y[i]});
    }
    return series;
}

Scale scale_along(ScaleKind kind, Limits ends, const Medium& medium) {
    if (!medium.has_own_size) return with_margins(kind, ends);
    return {kind, ends.low, ends.high, {}};
}

Figure compose_curves(FigureSpec spec, const std::vector<Series>& curves,
                      const std::optional<SeriesBand>& band, const Medium& medium) {
    for (const Series& curve : curves) {
        if (!curve.name.empty()) spec.legend.push_back({curve.name, curve.colour, false});
    }
    if (band) spec.legend.push_back({band->name, band->colour, true});
    if (medium.has_own_size && !spec.legend.empty()) {
        const Plane shares(spec, {0, 0, 1, 1});
        std::vector<Curve> lines;
        for (const Series& curve : curves) append(lines, pieces_of(curve, shares, medium));
        spec.drawn = boxes_around(lines, band ? pieces_of(*band, shares) : std::vector<Band>());
    }
    Layout layout = lay_out(spec, medium);
    Figure figure{
        .title = spec.title,
        .width = layout.width,
        .height = layout.height,
        .dpi = layout.dpi,
        .bands = std::move(layout.sample_bands),
        .curves = std::move(layout.sample_curves),
        .lines = std::move(layout.lines),
        .texts = std::move(layout.texts),
        .left_out = std::move(layout.left_out),
        .of_values = band ? merge(limits_of(band->low), limits_of(band->high)) : no_limits};
    const Plane plane(spec, layout.panels.front().axes);
    if (band) {
        std::vector<Band> pieces = pieces_of(*band, plane);
        append(figure.curves, taken_lines(pieces, medium.curve_width));
        append(figure.bands, std::move(pieces));
    }
    for (const Series& series : curves) {
        figure.of_values = merge(figure.of_values, limits_of(series.y));
        append(figure.curves, pieces_of(series, plane, medium));
        if (series.has_points) {
            append(figure.curves, points_of(series, plane, medium.point_width));
        }
    }
    return figure;
}

}  // namespace pegen
