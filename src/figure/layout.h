#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/image.h"
#include "figure/medium.h"
#include "figure/scale.h"
#include "figure/text.h"

namespace pegen {

enum class Aspect {
    automatic,  ///< the axes fill their place
    equal,      ///< a unit is as long across as down
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
    x_power,  ///< the power of ten that multiplies the tick labels
    y_power,
    colorbar_power,
    legend,
    cell,  ///< the number in a cell of a heatmap
};

/// The name of a curve or a band.
struct LegendEntry {
    std::string text;
    Rgb colour;
    bool is_band;
};

/// The ends of a colour bar that are arrows, for values beyond the limits.
struct Arrows {
    bool below = false;
    bool above = false;

    bool operator==(const Arrows&) const = default;
};

/// The parts of a figure besides its values.
struct FigureSpec {
    Scale x{ScaleKind::indices, -0.5, 0.5};
    Scale y{ScaleKind::indices, 0.5, -0.5};
    std::vector<std::string> panels{""};  ///< the titles; all panels have the same scales
    std::optional<Scale> colorbar{};
    Arrows colorbar_arrows{};
    std::vector<LegendEntry> legend{};  ///< shown instead of the colour bar
    std::string title{};                ///< empty texts are not drawn, here and below
    std::string x_label{};
    std::string y_label{};
    std::string colorbar_label{};
    /// The texts that the user did not give: ways_to_write() says how else they may be written.
    std::vector<TextRole> may_be_short{};
    Aspect aspect = Aspect::automatic;
    /// Boxes around all parts of the curves and bands, in shares of the axes from their upper left
    /// corner. A legend within the axes keeps off them; no other needs them.
    std::vector<Box> drawn{};
};

/// The whole pixels that an image fills.
struct PixelArea {
    int left;
    int top;
    int width;
    int height;

    bool operator==(const PixelArea&) const = default;
};

enum class Direction {
    rightwards,
    upwards,
    slanted,  ///< to the upper right, by 45 degrees
};

struct PlacedText {
    TextRole role;
    std::string text;
    TextStyle style;
    int x;  ///< the origin: the pixel where the baseline begins
    int y;
    Direction direction;
    std::optional<Rgb> colour{};  ///< nothing: the theme's ink
};

/// A point of the picture, in pixels from the top left.
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

/// The area between two curves with the same x.
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

/// The places of everything in a figure besides its values.
struct Layout {
    int width;
    int height;
    double dpi;
    std::vector<Panel> panels;    ///< in the order of FigureSpec::panels
    std::optional<Box> colorbar;  ///< without its arrows
    PixelArea colorbar_body;
    std::vector<Curve> sample_curves;  ///< samples of the curves in the legend
    std::vector<Band> sample_bands;
    std::vector<Box> lines;  ///< ticks and frames
    std::vector<PlacedText> texts;
    std::vector<TextRole> left_out;  ///< roles of texts that have no room
};

/// Finds a place for every part of a figure.
/// There are as many panels across as down, or one more; only the panels at the left and the lower
/// edge have ticks.
/// The axes have their usual place if all texts fit around them, in one line or wrapped. Otherwise
/// the margins are made as wide as the texts need, the texts smaller, down to 6 points, and the
/// legend may be below the axes; texts that still have no room are left out. In a window the place
/// of the axes is fixed, and texts are shortened. Throws: UsageError if a text cannot be drawn, or
/// panels would be too small to see.
/// Where texts have a size of their own, labels that may be short are, and such a title is no
/// longer than the place of the axes, if there is a way to write it so; a legend is in an empty
/// corner of the axes, if there is one.
Layout lay_out(const FigureSpec& spec, const Medium& medium);

/// Returns the box of pixels that the text covers.
InkBox placed_ink(const PlacedText& text, const Medium& medium);

/// The words that messages use for the texts of a role.
struct TextPart {
    std::string_view name;    ///< "--title", or a description of the texts
    std::string_view option;  ///< the option that gives them; "" if there is none
    std::string_view remedy;  ///< the advice to users if the texts do not fit
};

TextPart part_of(TextRole role);

}  // namespace pegen
