#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pegen/figure/limits.h"
#include "pegen/figure/text.h"

namespace pegen {

enum class Aspect {
    automatic,  ///< the axes fill their place
    equal,      ///< a cell is a square
};

/// What a figure shows, apart from the values.
struct FigureSpec {
    std::int64_t columns = 1;  ///< cells across
    std::int64_t rows = 1;     ///< cells down
    Limits limits{0, 1};       ///< of the colour bar
    std::string title;         ///< empty text is not drawn, here and below
    std::string x_label;
    std::string y_label;
    std::string colorbar_label;
    std::shared_ptr<const Font> font = nullptr;  ///< of the texts, as in TextStyle
    double inches_wide = 10;
    double inches_high = 8;
    double dpi = 100;
    Aspect aspect = Aspect::automatic;
};

/// Edges in pixels from the top left of the picture; fractions of pixels are meant.
struct Box {
    double left;
    double top;
    double right;
    double bottom;

    double width() const { return right - left; }
    double height() const { return bottom - top; }
};

/// Whole pixels, which an image fills.
struct PixelArea {
    int left;
    int top;
    int width;
    int height;

    bool operator==(const PixelArea&) const = default;
};

enum class TextRole { title, x_label, y_label, colorbar_label, x_tick, y_tick, colorbar_tick };

enum class Direction { rightwards, upwards };

struct PlacedText {
    TextRole role;
    std::string text;
    TextStyle style;
    int x;  ///< of the origin: the pixel where the baseline begins
    int y;
    Direction direction;
};

/// Everything a figure consists of, each thing with its place: a list to be drawn in this order.
struct Layout {
    int width;
    int height;
    double dpi;
    Box axes;
    PixelArea body;  ///< the heatmap; its last column or row may lie under the frame
    std::optional<Box> colorbar;
    PixelArea colorbar_body;
    std::vector<Box> lines;  ///< black; ticks and frames
    std::vector<PlacedText> texts;
};

/// The places of everything in a figure, with the proportions of matplotlib 3.6's default figure
/// with a colour bar (docs/figures.md).
/// What does not fit is left out: the colour bar if it is narrower than 4 pixels; the labels of an
/// axis, all of them, if they would touch each other or stick out of the picture even with the
/// widest steps; any other text if it would stick out or touch what is placed already.
/// Throws: UsageError if the picture has fewer than 50 pixels across or down, or more than 2^28.
Layout lay_out(const FigureSpec& spec);

/// The pixels that the text covers.
InkBox ink_on_picture(const PlacedText& text);

/// Throws: UsageError if there are more than 2^28 pixels.
void check_picture_size(double width, double height);

}  // namespace pegen
