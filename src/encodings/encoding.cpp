#include "encodings/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "core/axis.h"
#include "core/error.h"
#include "core/names.h"
#include "core/progress.h"
#include "encodings/cell.h"
#include "encodings/choice.h"
#include "encodings/parameters/shared.h"
#include "encodings/registry.h"
#include "rows/arranged.h"

namespace pegen {
namespace {

/// True if the user asked for --view channels-first of view_parameter. Encodings of images have a
/// parameter of the same name with other choices.
bool is_asked_for(const Parameters& parameters) {
    return std::ranges::any_of(parameters.entries(), [&](const Parameters::Entry& entry) {
        return entry.spec->name == encodings::view_parameter.name &&
               entry.spec->choices == encodings::view_parameter.choices &&
               parameters.word(entry.spec->name) == "channels-first";
    });
}

/// Returns the transposed plan if the parameters have encodings::view_parameter with the value
/// channels-first and the table has two axes, the last of which is the channels. Keeps the table in
/// memory. Throws: UsageError if the table has more than 2^28 values.
Plan with_channels_first(Plan plan) {
    constexpr std::int64_t most_values = std::int64_t{1} << 28;
    const bool has_channels =
        plan.shape.rank() == 2 && find_axis(plan.axes, AxisKind::channel) == 1;
    if (!has_channels || !is_asked_for(plan.parameters)) return plan;
    if (plan.shape.size() > most_values) {
        throw UsageError(
            fmt::format("--view channels-first: {} values; they are kept in memory and end at 2^28",
                        plan.shape.size()));
    }
    plan.shape = {plan.shape[1], plan.shape[0]};
    std::swap(plan.axes[0], plan.axes[1]);
    if (plan.cell) {
        plan.cell = [cell = std::move(plan.cell)](std::span<const std::int64_t> index) {
            return cell(std::array{index[1], index[0]});
        };
    }
    plan.make_rows = [make_rows = std::move(plan.make_rows)](DType dtype) {
        return rows::transposed(make_rows(dtype));
    };
    return plan;
}

/// Returns the plan, whose rows are checked: a plan that makes other rows than those of its shape
/// is a fault of the program.
Plan with_checked_rows(Plan plan) {
    plan.make_rows = [make_rows = std::move(plan.make_rows), shape = plan.shape,
                      own = plan.dtype](DType wanted) {
        const DType dtype = own.value_or(wanted);
        Rows rows = make_rows(wanted);
        if (rows.count() == shape.rows() && rows.columns() == shape.columns() &&
            rows.dtype() == dtype) {
            return rows;
        }
        throw InternalError(fmt::format("{} rows of {} {}: are not the rows of a table {} of {}",
                                        rows.count(), rows.columns(), info(rows.dtype()).name,
                                        to_string(shape), info(dtype).name));
    };
    return plan;
}

}  // namespace

const TableSpec* find_table(const Encoding& encoding, std::string_view name) {
    const auto found = std::ranges::find(encoding.tables, name, &TableSpec::name);
    return found == encoding.tables.end() ? nullptr : &*found;
}

const ParameterSpec* float32_parameter(const Encoding& encoding) {
    const ParameterSpec* const found = find_role(encoding.parameters, Role::arithmetic);
    return found && has_word(found->choices, "float32") ? found : nullptr;
}

std::string formula_with(const Encoding& encoding, const Parameters& parameters) {
    return encoding.formula_of ? encoding.formula_of(parameters) : std::string(encoding.formula);
}

double terms_of(const Plan& plan) {
    return plan.terms > 0 ? plan.terms : static_cast<double>(plan.shape.size());
}

Plan plan_of(const Encoding& encoding, Parameters parameters, std::string_view table) {
    parameters.evaluate_expressions();
    return with_checked_rows(
        with_channels_first(with_chosen_channels(encoding.plan(std::move(parameters), table))));
}

PlannedTable plan_table(const Encoding& encoding, const TableSpec& spec,
                        const Parameters& parameters, DType wanted, std::string_view preset) {
    Plan plan = plan_of(encoding, parameters, spec.name);
    const DType dtype = plan.dtype.value_or(wanted);
    const double terms = terms_of(plan);
    if (plan.title.empty()) plan.title = title_of(spec, plan, preset);
    std::string masked_title;
    if (std::exchange(plan.is_before_mask, false)) {
        masked_title = title_of(spec, plan, preset) + ", under a causal mask";
    }
    const auto names_weights = [&](const Parameters::Entry& entry) {
        return entry.spec->type == ParameterType::path && entry.spec->role != Role::tokens &&
               plan.parameters.has(entry.spec->name);
    };
    const bool is_initial =
        spec.is_initial && std::ranges::none_of(plan.parameters.entries(), names_weights);
    Table table{
        .shape = std::move(plan.shape),
        .dtype = dtype,
        .axes = std::move(plan.axes),
        .rows = {},
        .title = std::move(plan.title),
        .value_label = fmt::format("{}{}", is_initial ? "Initial " : "", spec.value_label),
        .provenance = {std::string(encoding.name), std::string(preset), std::string(spec.name),
                       std::move(plan.parameters)},
        .name = std::string(spec.name),
        .pairs = std::move(plan.pairs),
        .has_whole_values = spec.has_whole_values,
        .has_shares = spec.has_shares,
        .masked_title = std::move(masked_title),
        .scored_by = std::string(spec.scored_by),
    };
    total_bytes(table);  // refuses an impossible size
    table.sibling = [&encoding, &spec, parameters, wanted,
                     preset = std::string(preset)](const Sibling& sibling) {
        Parameters own = parameters;
        if (!sibling.parameter.empty()) own.set(sibling.parameter, sibling.value, Origin::user);
        if (sibling.table.empty()) return make_table(encoding, spec, own, wanted, preset);
        return make_table(encoding, existing_table(encoding, sibling.table), own, DType::float64,
                          preset);
    };
    return {.table = std::move(table),
            .make_rows =
                [dtype, make_rows = std::move(plan.make_rows)](const Progress& progress) {
                    const Reporting reporting(progress);
                    return make_rows(dtype);
                },
            .notes = std::move(plan.notes),
            .terms = terms};
}

Table make_table(const Encoding& encoding, const TableSpec& spec, const Parameters& parameters,
                 DType dtype, std::string_view preset, const Progress& progress) {
    PlannedTable planned = plan_table(encoding, spec, parameters, dtype, preset);
    planned.table.rows = planned.make_rows(progress);
    return std::move(planned.table);
}

const TableSpec& existing_table(const Encoding& encoding, std::string_view name) {
    if (const TableSpec* table = find_table(encoding, name)) return *table;
    std::vector<std::string_view> others;
    for (const Encoding* other : all_encodings()) {
        if (find_table(*other, name)) others.push_back(other->name);
    }
    throw UsageError(fmt::format("{}: has no table of {}; those that have one are {}",
                                 encoding.name, name, joined(others, ", ")));
}

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
