#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "figure/image.h"

namespace pegen {

/// 256 colours, from the colour of the lowest value to the colour of the highest.
using Palette = std::array<Rgb, 256>;

/// A colormap, as data. To add one, write a file in src/figure/colormaps and a line in
/// src/figure/colormaps.cpp.
struct Colormap {
    std::string_view name;
    std::string_view summary;  ///< one line, lower case, no final period
    std::string_view source;
    Palette (*colours)();
};

/// All colormaps, in the order of the help. The first is the default.
std::span<const Colormap* const> all_colormaps();

/// Returns the words that --cmap takes, separated by spaces: the name of each colormap, and the
/// name with "-r" for the reversed colormap.
std::string colormap_words();

/// Returns the colours of one of colormap_words(). Throws: UsageError for any other word.
Palette find_palette(std::string_view word);

/// Returns six hexadecimal digits for each colour: "3b4cc0...".
std::string hexadecimal(std::span<const Rgb> colours);

}  // namespace pegen
