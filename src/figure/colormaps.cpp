#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "figure/colormap.h"

namespace pegen {
namespace colormaps {
extern const Colormap blues, brbg, bwr, cividis, coolwarm, gray, inferno, magma, plasma, puor, rdbu,
    rdylbu, seismic, spectral, turbo, viridis, vlag, ylgnbu, ylorrd;
}  // namespace colormaps

namespace {

constexpr std::array registry{
    &colormaps::coolwarm, &colormaps::rdbu,     &colormaps::puor,    &colormaps::brbg,
    &colormaps::rdylbu,   &colormaps::spectral, &colormaps::seismic, &colormaps::bwr,
    &colormaps::vlag,     &colormaps::viridis,  &colormaps::magma,   &colormaps::inferno,
    &colormaps::plasma,   &colormaps::cividis,  &colormaps::blues,   &colormaps::ylgnbu,
    &colormaps::ylorrd,   &colormaps::turbo,    &colormaps::gray};

constexpr std::string_view reversed_suffix = "-r";

}  // namespace

std::span<const Colormap* const> all_colormaps() { return registry; }

std::string colormap_words() {
    std::string words;
    for (const Colormap* colormap : registry) {
        words +=
            fmt::format("{0}{1} {1}{2}", words.empty() ? "" : " ", colormap->name, reversed_suffix);
    }
    return words;
}

Palette find_palette(std::string_view word) {
    const bool is_reversed = word.ends_with(reversed_suffix);
    const std::string_view name =
        is_reversed ? word.substr(0, word.size() - reversed_suffix.size()) : word;
    const auto found = std::find_if(registry.begin(), registry.end(),
                                    [&](const Colormap* c) { return c->name == name; });
    if (found == registry.end()) {
        throw UsageError(fmt::format("colormap '{}': must be one of {}", word, colormap_words()));
    }
    Palette palette = (*found)->colours();
    if (is_reversed) std::reverse(palette.begin(), palette.end());
    return palette;
}

std::string hexadecimal(std::span<const Rgb> colours) {
    std::string digits;
    for (const Rgb& colour : colours) {
        for (const std::uint8_t part : colour) digits += fmt::format("{:02x}", part);
    }
    return digits;
}

}  // namespace pegen
