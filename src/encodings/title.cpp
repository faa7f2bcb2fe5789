#include "encodings/title.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "core/axis.h"

namespace pegen {
namespace {

bool is_named(std::string_view title, const ParameterSpec& parameter) {
    return title.find(fmt::format("{{{}}}", parameter.name)) != title.npos ||
           title.find(fmt::format("({}={{", parameter.name)) != title.npos;
}

/// True if the table has an axis of a kind that this extent can belong to.
bool has_axis_of(const std::vector<Axis>& axes, const ParameterSpec& extent) {
    const bool is_of_channels = extent.name == "d" || extent.name.starts_with("d-");
    return std::ranges::any_of(axes, [&](const Axis& axis) {
        switch (axis.kind) {
            case AxisKind::channel:
                return is_of_channels;
            case AxisKind::point:
            case AxisKind::pixel:
            case AxisKind::query:
            case AxisKind::key:
                return !is_of_channels;
            default:
                return false;
        }
    });
}

/// True if the parameter is an extent of the table worth showing: not 0 or 1, and not a number of
/// keys that equals the number of queries.
bool is_telling(const Parameters::Entry& entry, const Parameters& parameters) {
    if (!entry.spec->is_extent() || std::holds_alternative<NoValue>(entry.value)) return false;
    if (entry.spec->name == "key-len" &&
        parameters.integer("len") == parameters.integer("key-len")) {
        return false;
    }
    const std::string value = to_string(entry);
    return value != "0" && value != "1";
}

/// Returns "max_len=400", with the name as Python code writes it.
std::string extent_text(const Parameters::Entry& entry) {
    std::string name(entry.spec->name == "len" ? "max-len" : entry.spec->name);
    std::ranges::replace(name, '-', '_');
    return fmt::format("{}={}", name, to_string(entry));
}

}  // namespace

std::string title_of(const TableSpec& spec, const Plan& plan, std::string_view preset) {
    std::string title = expand(spec.title, plan.parameters);
    for (const Parameters::Entry& entry : plan.parameters.entries()) {
        if (!is_telling(entry, plan.parameters) || is_named(spec.title, *entry.spec)) continue;
        if (!has_axis_of(plan.axes, *entry.spec)) continue;
        const bool has_list = title.ends_with(')');
        if (has_list) title.pop_back();
        title += fmt::format("{}{})", has_list ? ", " : " (", extent_text(entry));
    }
    if (plan.is_before_mask && !spec.has_shares) title += ", before a causal mask";
    return preset.empty() ? title : fmt::format("{}: {}", preset, title);
}

}  // namespace pegen
