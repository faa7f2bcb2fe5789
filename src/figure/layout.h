#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/image.h"
#include "figure/medium.h"
#include "figure/scale.h"
#include "figure/text.h"

namespace pegen {

enum class Aspect {
    automatic,  ///< the axes fill their place
    equal,      ///< 1 is as long across as down
};

/// The name of a curve or a band.
struct LegendEntry {
    std::string text;
    Rgb colour;
    bool is_band;
};

/// What a figure shows, apart from the values.
struct FigureSpec {
    Scale x{ScaleKind::indices, -0.5, 0.5};
    Scale y{ScaleKind::indices, 0.5, -0.5};
    std::vector<std::string> panels{""};  ///< titles of axes with the same scales, in a grid
    std::optional<Scale> colorbar{};
    std::vector<LegendEntry> legend{};  ///< in the place of the colour bar
    std::string title{};                ///< empty text is not drawn, here and below
    std::string x_label{};
    std::string y_label{};
    std::string colorbar_label{};
    Aspect aspect = Aspect::automatic;
};

/// Whole pixels, which an image fills.
struct PixelArea {
    int left;
    int top;
    int width;
    int height;

    bool operator==(const PixelArea&) const = default;
};

enum class TextRole {
    title,
    panel_title,
    x_label,
    y_label,
    colorbar_label,
    x_tick,
    y_tick,
    colorbar_tick,
    legend,
};

enum class Direction { rightwards, upwards };

struct PlacedText {
    TextRole role;
    std::string text;
    TextStyle style;
    int x;  ///< of the origin: the pixel where the baseline begins
    int y;
    Direction direction;
};

/// In pixels from the top left of the picture.
struct Point {
    double x;
    double y;
};

/// A line from point to point, with round joins and ends.
struct Curve {
    std::vector<Point> points;
    Rgb colour;
    double width;
};

/// What lies between two curves over the same x.
struct Band {
    std::vector<Point> upper;
    std::vector<Point> lower;
    Rgb colour;
};

/// Axes and the pixels of an image in them, whose last column or row may lie under the frame.
struct Panel {
    Box axes;
    PixelArea body;
};

/// Everything a figure consists of, each thing with its place: a list to be drawn in this order.
struct Layout {
    int width;
    int height;
    double dpi;
    std::vector<Panel> panels;  ///< in the order of FigureSpec::panels
    std::optional<Box> colorbar;
    PixelArea colorbar_body;
    std::vector<Curve> sample_curves;  ///< of the legend
    std::vector<Band> sample_bands;
    std::vector<Box> lines;  ///< black; ticks and frames
    std::vector<PlacedText> texts;
};

/// The places of everything in a figure.
/// Panels are as many across as down, or one more; only those at the left and the lower edge have
/// ticks.
/// What does not fit is left out: the colour bar if it is too narrow; the labels of an axis, all of
/// them, if they would touch each other or stick out of the picture even with the widest steps; the
/// legend if one of its entries would stick out; any other text if it would stick out or touch what
/// is placed already.
Layout lay_out(const FigureSpec& spec, const Medium& medium);

/// The pixels that the text covers.
InkBox placed_ink(const PlacedText& text, const Medium& medium);

}  // namespace pegen
