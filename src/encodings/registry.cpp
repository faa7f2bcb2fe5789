#include "encodings/registry.h"

#include <algorithm>
#include <array>

#include "core/names.h"
#include "encodings/images/detr.h"
#include "encodings/images/grid.h"
#include "encodings/learned/learned.h"
#include "encodings/learned/learned_grid.h"
#include "encodings/points/fourier.h"
#include "encodings/sequence/binary.h"
#include "encodings/sequence/index.h"
#include "encodings/sequence/normalized.h"
#include "encodings/sequence/periodic.h"
#include "encodings/sequence/sinusoid.h"

namespace pegen {
namespace {

// clang-format off
constexpr std::array encodings_by_name{
    &encodings::binary,
    &encodings::detr,
    &encodings::fourier,
    &encodings::grid,
    &encodings::index,
    &encodings::learned,
    &encodings::learned_grid,
    &encodings::normalized,
    &encodings::periodic,
    &encodings::sinusoid,
};
// clang-format on

}  // namespace

std::span<const Encoding* const> all_encodings() { return encodings_by_name; }

const Encoding* find_encoding(std::string_view name) {
    const auto found = std::ranges::find(encodings_by_name, name, &Encoding::name);
    return found == encodings_by_name.end() ? nullptr : *found;
}

const Preset* find_preset(std::string_view name) {
    const auto is_called = [&](const Preset& preset) {
        return preset.name == name || std::ranges::count(words(preset.aliases), name) > 0;
    };
    const auto found = std::ranges::find_if(all_presets(), is_called);
    return found == all_presets().end() ? nullptr : &*found;
}

}  // namespace pegen
