#include "inspect/neighbours.h"

#include <algorithm>

#include "encodings/registry.h"

namespace pegen {
namespace {

/// Returns the parameters of `other` whose values differ from the values in `own`.
std::vector<Parameters::Entry> differences(const Parameters& own, const Parameters& other) {
    std::vector<Parameters::Entry> found;
    for (std::size_t i = 0; i < own.entries().size(); ++i) {
        const Parameters::Entry& entry = other.entries()[i];
        if (entry.value != own.entries()[i].value) found.push_back(entry);
    }
    return found;
}

}  // namespace

std::vector<Neighbour> neighbours_of(const Preset& preset) {
    const Parameters own = parameters_of(preset);
    const auto is_extent = [](const Parameters::Entry& entry) { return entry.spec->is_extent(); };
    std::vector<Neighbour> neighbours;
    for (const Preset& other : all_presets()) {
        if (other.encoding != preset.encoding || other.name == preset.name) continue;
        Neighbour neighbour{&other, differences(own, parameters_of(other))};
        const auto extents = std::ranges::count_if(neighbour.settings, is_extent);
        if (std::ssize(neighbour.settings) > extents + 1) continue;
        neighbours.push_back(std::move(neighbour));
    }
    return neighbours;
}

}  // namespace pegen
