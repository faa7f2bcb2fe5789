#include "encodings/encoding.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace pegen {
const TableSpec* find_table(const Encoding& encoding, std::string_view name) {
    const auto found = std::ranges::find(encoding.tables, name, &TableSpec::name);
    return found == encoding.tables.end() ? nullptr : &*found;
}

Table make_table(const Encoding& encoding, const TableSpec& spec, const Parameters& parameters,
                 DType dtype, std::string_view preset, const Progress& progress) {
    const Parameters resolved = encoding.resolve(parameters);
    Table table{
        .shape = spec.shape(resolved),
        .dtype = dtype,
        .axes = {},
        .rows = nullptr,
        .title = expand(spec.title, resolved),
        .value_label = std::string(spec.value_label),
        .provenance = {std::string(encoding.name), std::string(preset), std::string(spec.name),
                       resolved},
    };
    for (const AxisSpec& axis : spec.axes_of ? spec.axes_of(resolved) : spec.axes) {
        table.axes.push_back({axis.kind, std::string(axis.name), std::string(axis.label)});
    }
    total_bytes(table);  // refuses an impossible size before anything is computed
    table.rows =
        spec.rows ? spec.rows(resolved, dtype) : spec.rows_after_passes(resolved, dtype, progress);
    table.sibling = [&encoding, parameters, preset = std::string(preset)](std::string_view name) {
        const TableSpec* other = find_table(encoding, name);
        if (!other) throw UsageError(fmt::format("{}: has no table of {}", encoding.name, name));
        return make_table(encoding, *other, parameters, DType::float64, preset);
    };
    return table;
}

}  // namespace pegen
