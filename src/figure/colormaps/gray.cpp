#include "figure/colormap.h"

namespace pegen {
namespace {

Palette gray_colours() {
    Palette palette;
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const auto level = static_cast<std::uint8_t>(i);
        palette[i] = {level, level, level};
    }
    return palette;
}

}  // namespace

namespace colormaps {
extern constinit const Colormap gray{
    .name = "gray",
    .summary = "black to white, in equal steps of sRGB",
    .source = "by definition",
    .colours = gray_colours,
};
}  // namespace colormaps
}  // namespace pegen
