#include <array>
#include <string>

#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/plot.h"
#include "figure/purpose.h"

namespace pegen {

std::span<const ParameterSpec> figure_parameters() {
    static const std::string colormaps = colormap_words();
    static const std::string default_colormap(all_colormaps().front()->name);
    using enum ParameterType;
    static const std::string plots = plot_words();
    static const std::string purposes = purpose_words();
    static const std::array specs{
        ParameterSpec{.name = "plot",
                      .type = word,
                      .choices = plots,
                      .summary = "what to draw [heatmap; waves for a table of one axis]"},
        ParameterSpec{.name = "cmap",
                      .type = word,
                      .default_value = default_colormap,
                      .choices = colormaps,
                      .summary = "colormap; with -r reversed [viridis for shares of 1, such as "
                                 "attention's weights]"},
        ParameterSpec{
            .name = "vmin", .type = real, .summary = "value of the first colour [the smallest]"},
        ParameterSpec{
            .name = "vmax", .type = real, .summary = "value of the last colour [the largest]"},
        ParameterSpec{.name = "vcentre",
                      .aliases = "vcenter",
                      .type = real,
                      .summary = "value of the middle colour: the limits are equally far from it"},
        ParameterSpec{.name = "colour-scale",
                      .aliases = "color-scale",
                      .type = word,
                      .default_value = "auto",
                      .choices = "auto linear symlog",
                      .summary = "how values are spread over the colours: evenly or, beyond small "
                                 "ones, by their powers of ten; auto: symlog for panels of very "
                                 "different ranges with --for or --font-size"},
        ParameterSpec{.name = "limits",
                      .type = word,
                      .default_value = "auto",
                      .choices = "auto shared own",
                      .summary = "of the colours of several panels: shared by all, each panel's "
                                 "own, or its own where some panels would have a single colour"},
        ParameterSpec{.name = "unmasked",
                      .type = flag,
                      .summary = "draw also the keys after each query that models mask"},
        ParameterSpec{.name = "title", .type = text, .summary = "text above the axes; '' for none"},
        ParameterSpec{
            .name = "xlabel", .type = text, .summary = "text below the axes; '' for none"},
        ParameterSpec{
            .name = "ylabel", .type = text, .summary = "text beside the axes; '' for none"},
        ParameterSpec{.name = "colorbar-label",
                      .type = text,
                      .summary = "text beside the colour bar; '' for none"},
        ParameterSpec{.name = "no-colorbar",
                      .type = flag,
                      .summary = "leave out the colour bar, and widen the axes"},
        ParameterSpec{.name = "annotate",
                      .type = flag,
                      .summary = "write the values into the cells of a heatmap"},
        ParameterSpec{.name = "decimals",
                      .type = integer,
                      .range = {.lowest = 0, .highest = 17},
                      .summary = "decimals of --annotate [2; none of whole numbers]"},
        ParameterSpec{.name = "select",
                      .type = integers,
                      .range = any_index,
                      .summary = "indices along the first axes, if the table has more than two"},
        ParameterSpec{.name = "channels",
                      .type = integers,
                      .range = any_index,
                      .summary = "channels to draw with --plot waves [four, evenly spaced] or maps "
                                 "[16]"},
        ParameterSpec{.name = "cosine",
                      .type = flag,
                      .summary = "cosines of the angles in place of dot products, for --plot "
                                 "similarity and offsets"},
        ParameterSpec{.name = "row-grid",
                      .type = size,
                      .range = {.lowest = 1, .highest = 1 << 16},
                      .summary =
                          "rows and columns of the grid whose points are the last rows of the "
                          "table, for --plot maps and patches [a square]"},
        ParameterSpec{
            .name = "with",
            .type = text,
            .summary = "other encodings for --plot wavelengths and decay, separated by ';', such "
                       "as 'llama3.1; mine: rope --base 1e6'",
            .joined_by = ";"},
        ParameterSpec{
            .name = "font",
            .type = path,
            .summary =
                "font: a file (of several fonts: FILE.ttc#2), an installed one ('Noto Sans CJK "
                "SC'), or builtin [DejaVu Sans, or an installed one for what it lacks]"},
        ParameterSpec{.name = "for",
                      .type = word,
                      .choices = purposes,
                      .summary = "what the figure is for: its --figsize, --font-size and --dpi"},
        ParameterSpec{.name = "font-size",
                      .aliases = "fontsize",
                      .type = real,
                      .range = {.lowest = 1, .highest = 1000},
                      .summary = "size of the texts in points; ticks, lines and margins follow "
                                 "[10, less if a text does not fit]"},
        ParameterSpec{.name = "tight",
                      .type = flag,
                      .summary = "margins no wider than the texts [with --font-size always]"},
        ParameterSpec{.name = "theme",
                      .type = word,
                      .default_value = "light",
                      .choices = "light dark auto",
                      .summary = "black on white, light on dark, or in SVG as the reader's page"},
        ParameterSpec{.name = "foreground",
                      .type = text,
                      .summary = "colour of texts and lines, such as #333 [the theme's]"},
        ParameterSpec{.name = "background",
                      .type = text,
                      .summary = "colour behind everything, such as #fdf6e3 [the theme's]"},
        ParameterSpec{.name = "transparent",
                      .type = flag,
                      .summary = "no background; cells without a value are transparent, too"},
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
                      .summary = "fill the axes, or draw values as squares"},
        ParameterSpec{.name = "interpolation",
                      .type = word,
                      .default_value = "antialiased",
                      .choices = "antialiased nearest",
                      .summary = "smooth when shrinking, or always take the nearest value"},
        ParameterSpec{.name = "ticks",
                      .type = word,
                      .default_value = "positions",
                      .choices = "positions indices",
                      .summary = "what the axes of a heatmap count: positions, points and names as "
                                 "the table has them, or rows and columns"},
        ParameterSpec{
            .name = "transpose", .type = flag, .summary = "draw the rows of the table as columns"},
        ParameterSpec{
            .name = "no-axes", .type = flag, .summary = "bare heatmap with one pixel per value"},
        ParameterSpec{.name = "cell",
                      .type = integer,
                      .range = {.lowest = 1, .highest = 4096},
                      .summary = "bare heatmap with N x N pixels per value"},
        ParameterSpec{.name = "animate",
                      .type = text,
                      .summary = "parameter that runs, in a PNG (APNG) or an SVG: base=10..1e6"},
        ParameterSpec{.name = "fps",
                      .type = integer,
                      .default_value = "12",
                      .range = {.lowest = 1, .highest = 50},
                      .summary = "pictures of --animate in a second"},
        ParameterSpec{.name = "seconds",
                      .type = real,
                      .default_value = "4",
                      .range = {.lowest = 0.1, .highest = 20},
                      .summary = "length of --animate, which then begins again"},
        ParameterSpec{.name = "show-size",
                      .type = size,
                      .range = {.lowest = 1, .highest = 1000},
                      .summary = "columns and lines of --show [those of the terminal]"},
        ParameterSpec{.name = "show-colours",
                      .aliases = "show-colors",
                      .type = word,
                      .choices = "truecolor 256 none",
                      .summary = "colours of --show [those of the terminal]"},
        ParameterSpec{.name = "show-as",
                      .type = word,
                      .choices = "blocks kitty iterm2 sixel",
                      .summary = "how --show draws: characters, or a picture by this protocol [the "
                                 "terminal is asked]"},
        ParameterSpec{.name = "show-cell",
                      .type = size,
                      .range = {.lowest = 1, .highest = 400},
                      .summary = "pixels of a character, for pictures of --show [those of the "
                                 "terminal, or 10x20]"},
    };
    return specs;
}

}  // namespace pegen
