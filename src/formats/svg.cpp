#include "formats/svg.h"

#include <fmt/format.h>

#include <array>
#include <unordered_set>
#include <utility>

#include "core/base64.h"
#include "core/names.h"
#include "figure/figure.h"
#include "formats/animation.h"
#include "formats/metadata.h"
#include "formats/png.h"
#include "formats/vector.h"

namespace pegen {
namespace {

std::string size_of(int width, int height) {
    return fmt::format("width=\"{}\" height=\"{}\"", width, height);
}

/// Returns the size at which the file opens: for a figure in inches, so that it has its size in a
/// document, for a bare heatmap in pixels.
std::string opened_size(const Figure& figure) {
    if (figure.is_bare) return size_of(figure.width, figure.height);
    return fmt::format("width=\"{}in\" height=\"{}in\"", number(figure.width / figure.dpi),
                       number(figure.height / figure.dpi));
}

std::string opening(const Figure& figure) {
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "{} viewBox=\"0 0 {} {}\">\n",
        opened_size(figure), figure.width, figure.height);
}

/// Returns an element that holds only a text; "" for an empty text.
std::string text_element(std::string_view name, std::string_view attributes,
                         std::string_view text) {
    if (text.empty()) return "";
    return fmt::format("<{}{}>{}</{}>\n", name, attributes, xml_text(text), name);
}

/// Returns a grid as an image that viewers must not smooth. The attribute is for viewers that do
/// not know the style.
std::string image_element(const PlacedGrid& placed, const Figure& figure) {
    const Image image = image_of(placed, figure);
    return fmt::format(
        "<image x=\"{}\" y=\"{}\" {} preserveAspectRatio=\"none\" "
        "image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" "
        "xlink:href=\"data:image/png;base64,{}\"/>\n",
        placed.left, placed.top, size_of(image.width, image.height), base64(encode_png(image, {})));
}

std::string line_element(const Box& box) {
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", number(box.left),
                       number(box.top), number(box.width()), number(box.height()));
}

std::string hex(Rgb colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

std::string pair(Point point) { return fmt::format("{},{}", number(point.x), number(point.y)); }

std::string band_element(const Band& band) {
    std::vector<std::string> points;
    for (const Point& point : band.upper) points.push_back(pair(point));
    for (auto point = band.lower.rbegin(); point != band.lower.rend(); ++point) {
        points.push_back(pair(*point));
    }
    return fmt::format("<polygon fill=\"{}\" points=\"{}\"/>\n", hex(band.colour),
                       joined(points, " "));
}

/// Returns a curve as a path: viewers draw a path of one point as a dot, a polyline of one point
/// not at all.
std::string curve_element(const Curve& curve) {
    std::vector<std::string> points;
    for (const Point& point : curve.points) points.push_back(pair(point));
    if (points.size() == 1) points.push_back(points.front());
    return fmt::format("<path stroke=\"{}\" stroke-width=\"{}\" d=\"M{}\"/>\n", hex(curve.colour),
                       number(curve.width), joined(points, " "));
}

std::string shapes(const Figure& figure) {
    std::string elements;
    for (const Band& band : figure.bands) elements += band_element(band);
    if (figure.curves.empty()) return elements;
    elements += "<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n";
    for (const Curve& curve : figure.curves) elements += curve_element(curve);
    return elements + "</g>\n";
}

std::string placed_text(const PlacedText& text) {
    const Anchor anchor = anchor_of(text.role);
    const double before = anchor.share * text_advance(text.text, text.style);
    const double slanted = half_turned * before;
    const std::string place =
        text.direction == Direction::rightwards
            ? fmt::format("x=\"{}\" y=\"{}\"", number(text.x + before), text.y)
        : text.direction == Direction::slanted
            ? fmt::format("transform=\"translate({} {}) rotate(-45)\"", number(text.x + slanted),
                          number(text.y - slanted))
            : fmt::format("transform=\"translate({} {}) rotate(-90)\"", text.x,
                          number(text.y - before));
    constexpr double points_per_inch = 72;
    return text_element(
        "text",
        fmt::format(" {} font-size=\"{}px\" text-anchor=\"{}\"{}", place,
                    number(text.style.points * text.style.dpi / points_per_inch), anchor.name,
                    text.colour ? fmt::format(" style=\"fill:{}\"", hex(*text.colour)) : ""),
        text.text);
}

/// Returns the attribute of an element whose colour changes with the reader's page; "" if no colour
/// does.
std::string class_of(const Figure& figure, std::string_view name) {
    return figure.theme.follows_reader ? fmt::format(" class=\"{}\"", name) : "";
}

/// Returns the attributes of lines and texts; "" for black, the default of SVG.
std::string ink_of(const Figure& figure) {
    const std::string fill =
        figure.theme.ink == Theme().ink ? "" : fmt::format(" fill=\"{}\"", hex(figure.theme.ink));
    return fill + class_of(figure, "ink");
}

/// Returns the style by which the colours change with the reader's page; "" if they do not.
std::string style_of(const Figure& figure) {
    if (!figure.theme.follows_reader) return "";
    return fmt::format(
        "<style>@media (prefers-color-scheme: dark) {{ .ink {{ fill: {}; }} .ground {{ fill: {}; "
        "}} }}</style>\n",
        hex(dark_theme().ink), hex(dark_theme().ground));
}

/// Returns the parts of a figure with axes besides its grids.
std::string ground(const Figure& figure) {
    if (figure.theme.is_transparent) return "";
    return fmt::format("<rect {} fill=\"{}\"{}/>\n", size_of(figure.width, figure.height),
                       hex(figure.theme.ground), class_of(figure, "ground"));
}

/// Returns the attributes by which a viewer finds the font. It draws characters that the font lacks
/// in the next one, and at last in any that has them.
std::string font_of(const FontFace& font) {
    constexpr std::string_view built_in = "DejaVu Sans";
    std::string family;
    for (const char c : font.family) {
        if (c != '\'' && c != '"' && c != '\\') family += c;
    }
    if (!family.empty() && family != built_in) family = fmt::format("'{}', ", xml_text(family));
    std::string attributes = fmt::format("font-family=\"{}'{}', sans-serif\"",
                                         family == built_in ? "" : family, built_in);
    constexpr int regular = 400;
    if (font.weight != regular) attributes += fmt::format(" font-weight=\"{}\"", font.weight);
    if (font.is_italic) attributes += " font-style=\"italic\"";
    return attributes;
}

/// The elements of a figure, in the layers in which they are painted: grids, bands and curves;
/// lines; texts.
using Layers = std::array<std::vector<std::string>, 3>;

Layers layers_of(const Figure& figure) {
    Layers layers;
    auto& [all_shapes, lines, texts] = layers;
    for (const PlacedGrid& grid : figure.grids) all_shapes.push_back(image_element(grid, figure));
    all_shapes.push_back(shapes(figure));
    if (figure.is_bare) return layers;
    for (const Box& line : figure.lines) lines.push_back(line_element(line));
    for (const PlacedText& text : figure.texts) texts.push_back(placed_text(text));
    return layers;
}

/// The layers of a frame, and when they are shown.
struct TimedLayers {
    Layers layers;
    FrameTimes times;
};

/// Returns the elements as a group that is shown at these times. Viewers without animations show
/// the first frame.
std::string timed(std::string_view elements, const FrameTimes& times) {
    const bool is_first = times.begin == 0, is_last = times.end == times.whole;
    const auto share = [&](std::int64_t time) {
        return fmt::format(";{:.6g}", static_cast<double>(time) / static_cast<double>(times.whole));
    };
    return fmt::format(
        "<g{}>\n<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"{}ms\" "
        "repeatCount=\"indefinite\" values=\"{}{}\" keyTimes=\"0{}{}\"/>\n{}</g>\n",
        is_first ? "" : " visibility=\"hidden\"", times.whole,
        is_first ? "visible" : "hidden;visible", is_last ? "" : ";hidden",
        is_first ? "" : share(times.begin), is_last ? "" : share(times.end), elements);
}

/// Returns layer number `layer` of all frames: first what they have in common, then what each of
/// them has besides.
std::string layer_of(const std::vector<TimedLayers>& frames, std::size_t layer) {
    using Elements = std::unordered_set<std::string_view>;
    const auto elements_of = [&](const TimedLayers& frame) {
        return Elements(frame.layers[layer].begin(), frame.layers[layer].end());
    };
    Elements common = elements_of(frames.front());
    for (const TimedLayers& frame : frames) {
        const Elements own = elements_of(frame);
        std::erase_if(common, [&](std::string_view element) { return !own.contains(element); });
    }
    std::string text;
    for (const std::string& element : frames.front().layers[layer]) {
        if (common.contains(element)) text += element;
    }
    for (const TimedLayers& frame : frames) {
        std::string own;
        for (const std::string& element : frame.layers[layer]) {
            if (!common.contains(element)) own += element;
        }
        if (!own.empty()) text += timed(own, frame.times);
    }
    return text;
}

Drawing svg_file(const Table& table, const Parameters& parameters) {
    std::vector<TimedLayers> frames;
    Figure first;
    std::vector<std::string> notes =
        draw_frames(table, parameters, Texts::written, [&](Frame frame) {
            frames.push_back({layers_of(frame.figure), frame.times});
            if (frames.size() > 1) return;
            first = std::move(frame.figure);
            first.title = std::move(frame.title);  // the title of the whole names no value
        });
    std::string file =
        opening(first) + text_element("title", "", first.title) +
        text_element("metadata", " id=\"pe-gen\"", figure_provenance(table, parameters));
    if (!first.is_bare) file += style_of(first) + ground(first);
    file += layer_of(frames, 0);
    if (!first.is_bare) {
        file += fmt::format("<g{}>\n{}</g>\n<g {}{} xml:space=\"preserve\">\n{}</g>\n",
                            ink_of(first), layer_of(frames, 1), font_of(first.font), ink_of(first),
                            layer_of(frames, 2));
    }
    file += "</svg>\n";
    return {std::move(file), std::move(notes)};
}

}  // namespace

constinit const Format formats::svg{
    .name = "svg",
    .summary = "the same figure as SVG, with editable text",
    .extensions = "svg",
    .is_binary = false,
    .parameters = figure_parameters,
    .idle_parameters = "show-size show-colours show-as show-cell",
    .options_title = "Figure options",
    .draw = svg_file,
    .has_viewers_fonts = true,
};

}  // namespace pegen
