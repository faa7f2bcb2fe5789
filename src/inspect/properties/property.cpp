#include "inspect/properties/property.h"

#include <algorithm>
#include <array>

#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"

namespace pegen {

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds:
            return "holds";
        case Verdict::fails:
            return "fails";
        case Verdict::measured:
            return "measured";
        case Verdict::not_applicable:
            break;
    }
    return "-";
}

std::span<const Property* const> all_properties() {
    static constexpr std::array all{
        &properties::unique, &properties::bounded, &properties::rotation, &properties::offset,
        &properties::decay,  &properties::spacing, &properties::relative,
    };
    return all;
}

const Property* find_property(std::string_view name) {
    const auto found = std::ranges::find(all_properties(), name, &Property::name);
    return found == all_properties().end() ? nullptr : *found;
}

bool Checked::has_failed() const {
    return is_asked && finding.verdict != Verdict::holds && finding.verdict != Verdict::measured;
}

std::vector<Checked> check_properties(const Table& table, const Demands& demands,
                                      const Progress& progress) {
    Measured measured(table, demands.slack, progress);
    std::vector<Checked> all;
    for (const Property* property : all_properties()) {
        const bool is_named = demands.asked ? std::ranges::count(*demands.asked, property) > 0
                                            : property->has_verdict;
        Finding finding = property->measure(measured);
        const bool counts = demands.are_required || finding.verdict != Verdict::not_applicable;
        all.push_back({property, std::move(finding), is_named && counts});
    }
    return all;
}

}  // namespace pegen
