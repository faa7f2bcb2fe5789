#include "encodings/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/reporting.h"
#include "encodings/channel_choice.h"
#include "encodings/channels_first.h"
#include "encodings/existing_table.h"
#include "encodings/title.h"

namespace pegen {

const TableSpec* find_table(const Encoding& encoding, std::string_view name) {
    const auto found = std::ranges::find(encoding.tables, name, &TableSpec::name);
    return found == encoding.tables.end() ? nullptr : &*found;
}

std::string formula_with(const Encoding& encoding, const Parameters& parameters) {
    return encoding.formula_of ? encoding.formula_of(parameters) : std::string(encoding.formula);
}

double terms_of(const Plan& plan) {
    return plan.terms > 0 ? plan.terms : static_cast<double>(plan.shape.size());
}

Plan plan_of(const Encoding& encoding, Parameters parameters, std::string_view table) {
    parameters.evaluate_expressions();
    return with_channels_first(with_chosen_channels(encoding.plan(std::move(parameters), table)));
}

PlannedTable plan_table(const Encoding& encoding, const TableSpec& spec,
                        const Parameters& parameters, DType wanted, std::string_view preset) {
    Plan plan = plan_of(encoding, parameters, spec.name);
    const DType dtype = plan.dtype.value_or(wanted);
    const double terms = terms_of(plan);
    if (plan.title.empty()) plan.title = title_of(spec, plan, preset);
    const auto names_file = [&](const Parameters::Entry& entry) {
        return entry.spec->type == ParameterType::path && plan.parameters.has(entry.spec->name);
    };
    const bool is_initial =
        spec.is_initial && std::ranges::none_of(plan.parameters.entries(), names_file);
    Table table{
        .shape = std::move(plan.shape),
        .dtype = dtype,
        .axes = std::move(plan.axes),
        .rows = nullptr,
        .title = std::move(plan.title),
        .value_label = fmt::format("{}{}", is_initial ? "Initial " : "", spec.value_label),
        .provenance = {std::string(encoding.name), std::string(preset), std::string(spec.name),
                       std::move(plan.parameters)},
        .name = std::string(spec.name),
        .pairs = std::move(plan.pairs),
        .has_whole_values = spec.has_whole_values,
        .scored_by = std::string(spec.scored_by),
    };
    total_bytes(table);  // refuses an impossible size
    table.sibling = [&encoding, parameters, preset = std::string(preset)](std::string_view name) {
        return make_table(encoding, existing_table(encoding, name), parameters, DType::float64,
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

}  // namespace pegen
