#include "inspect/properties/property.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"

namespace pegen {
namespace {

std::string counted(std::int64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Returns a text that names the rows that are padding.
std::string left_out(Measured& measured) {
    if (!measured.no_displacements().empty()) return "";
    const std::int64_t before = measured.vectors().rows_before;
    const std::int64_t zeros = measured.vectors().channels > 1 ? measured.survey().zero_vectors : 0;
    std::string text;
    if (before > 0) text = fmt::format("{} before the first position", counted(before, "row"));
    if (zeros == 0) return text;
    return fmt::format("{}{}{} of zeros, from all but unique and bounded", text,
                       text.empty() ? "" : "; ", counted(zeros, "row"));
}

}  // namespace

void Finding::add(std::string_view name, ReportValue value) {
    numbers.push_back({name, std::move(value)});
}

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

PropertyReport check_properties(const Table& table, const Demands& demands,
                                const Progress& progress) {
    Measured measured(table, demands.slack, progress);
    PropertyReport report;
    for (const Property* property : all_properties()) {
        const bool is_named = demands.asked ? std::ranges::count(*demands.asked, property) > 0
                                            : property->has_verdict;
        Finding finding = property->measure(measured);
        const bool counts = demands.are_required || finding.verdict != Verdict::not_applicable;
        report.properties.push_back({property, std::move(finding), is_named && counts});
    }
    report.left_out = left_out(measured);
    return report;
}

}  // namespace pegen
