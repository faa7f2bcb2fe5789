#include <array>
#include <string>

#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/plot.h"

namespace pegen {

std::span<const ParameterSpec> figure_parameters() {
    static const std::string colormaps = colormap_words();
    static const std::string default_colormap(all_colormaps().front()->name);
    using enum ParameterType;
    static const std::string plots = plot_words();
    static const std::array specs{
        ParameterSpec{.name = "plot",
                      .type = word,
                      .choices = plots,
                      .summary = "what is drawn; default: the heatmap, of a table of one axis its "
                                 "curve, waves"},
        ParameterSpec{.name = "cmap",
                      .type = word,
                      .default_value = default_colormap,
                      .choices = colormaps,
                      .summary = "colours of the values; with -r in reverse"},
        ParameterSpec{.name = "vmin",
                      .type = real,
                      .summary = "value of the first colour; default: the smallest"},
        ParameterSpec{.name = "vmax",
                      .type = real,
                      .summary = "value of the last colour; default: the largest"},
        ParameterSpec{.name = "vcentre",
                      .aliases = "vcenter",
                      .type = real,
                      .summary = "value of the colour in the middle: limits are as far below it "
                                 "as above"},
        ParameterSpec{.name = "title", .type = text, .summary = "text above the axes; '' for none"},
        ParameterSpec{
            .name = "xlabel", .type = text, .summary = "text below the axes; '' for none"},
        ParameterSpec{
            .name = "ylabel", .type = text, .summary = "text beside the axes; '' for none"},
        ParameterSpec{.name = "colorbar-label",
                      .type = text,
                      .summary = "text beside the colour bar; '' for none"},
        ParameterSpec{
            .name = "no-colorbar", .type = flag, .summary = "wider axes and no colour bar"},
        ParameterSpec{.name = "select",
                      .type = integers,
                      .range = any_index,
                      .summary = "indices along the first axes of a table of more than two"},
        ParameterSpec{.name = "channels",
                      .type = integers,
                      .range = any_index,
                      .summary = "of --plot waves; default: four, spread evenly"},
        ParameterSpec{.name = "with",
                      .type = text,
                      .summary =
                          "of --plot wavelengths: others to compare, as commands separated by "
                          "';': 'llama3.1; mine: rope --base 1e6'"},
        ParameterSpec{.name = "font",
                      .type = path,
                      .summary = "font of the texts, TrueType or OpenType; what it lacks is in "
                                 "DejaVu Sans"},
        ParameterSpec{.name = "figsize",
                      .type = size,
                      .default_value = "10x8",
                      .range = {.lowest = 0, .highest = 1000, .lowest_is_open = true},
                      .summary = "width and height of the figure in inches"},
        ParameterSpec{.name = "dpi",
                      .type = real,
                      .default_value = "100",
                      .range = {.lowest = 1, .highest = 10000},
                      .summary = "pixels per inch"},
        ParameterSpec{.name = "aspect",
                      .type = word,
                      .default_value = "auto",
                      .choices = "auto equal",
                      .summary = "fill the axes, or draw each value as a square"},
        ParameterSpec{.name = "interpolation",
                      .type = word,
                      .default_value = "antialiased",
                      .choices = "antialiased nearest",
                      .summary = "smooth where values are narrow, or never"},
        ParameterSpec{
            .name = "transpose", .type = flag, .summary = "draw the rows of the table as columns"},
        ParameterSpec{.name = "no-axes",
                      .type = flag,
                      .summary = "the bare heatmap, one pixel for each value"},
        ParameterSpec{.name = "cell",
                      .type = integer,
                      .range = {.lowest = 1, .highest = 4096},
                      .summary = "the bare heatmap, with this many pixels a side for each value"},
        ParameterSpec{.name = "show-size",
                      .type = size,
                      .range = {.lowest = 1, .highest = 1000},
                      .summary = "columns and lines of --show; default: the terminal's"},
        ParameterSpec{.name = "show-colours",
                      .aliases = "show-colors",
                      .type = word,
                      .choices = "truecolor 256 none",
                      .summary = "colours of --show; default: the terminal's"},
    };
    return specs;
}

}  // namespace pegen
