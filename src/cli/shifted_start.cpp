#include "cli/shifted_start.h"

#include <fmt/format.h>

#include "cli/options.h"
#include "core/error.h"
#include "core/one_line.h"
#include "formats/command.h"
#include "formats/metadata.h"
#include "identify/fitted.h"

namespace pegen::cli {
namespace {

/// True if one table is the other as it stands.
bool is_as_it_stands(const std::optional<Rearrangement>& found) {
    return found && found->shift == 0 && found->order.empty() && found->zeros.empty();
}

/// Returns the table with its rows `rows` further, of the shape of the file.
Table shifted(const ComparedTable& made, const Table& file, std::int64_t rows) {
    const Provenance& provenance = made.table.provenance;
    const Encoding& encoding = *made.subject->encoding;
    const TableSpec& spec = *find_table(encoding, provenance.table);
    Parameters parameters = provenance.parameters;
    const auto number = [&](const char* name) {
        return find_option(encoding.parameters, name)->type == ParameterType::integer
                   ? static_cast<double>(parameters.integer(name))
                   : parameters.real(name);
    };
    const double step = find_option(encoding.parameters, "step") ? number("step") : 1;
    parameters.set("start", fmt::format("{}", number("start") + static_cast<double>(rows) * step),
                   Origin::user);
    parameters = identify::fitted(encoding, spec, parameters, file.shape);
    const std::string_view preset = made.subject->preset ? made.subject->preset->name : "";
    return make_table(encoding, spec, parameters, made.table.dtype, preset);
}

}  // namespace

std::string shifted_start(const ComparedTable& a, const ComparedTable& b,
                          const TableComparison& comparison) {
    const std::optional<Rearrangement>& found = comparison.rearrangement;
    if (!found || found->shift == 0 || a.subject.has_value() == b.subject.has_value()) return "";
    const ComparedTable &made = a.subject ? a : b, &file = a.subject ? b : a;
    const ParameterSpec* const start = find_option(made.subject->encoding->parameters, "start");
    if (!start || start->type == ParameterType::reals) return "";
    try {
        Table table = shifted(made, file.table, a.subject ? -found->shift : found->shift);
        const ComparedTable again = compared(made.name, made.subject, std::move(table));
        if (!is_as_it_stands(comparison_of(again, file).rearrangement)) return "";
        return fmt::format("{} is made by {}.", one_line(file.name),
                           command_of("", figure_provenance(again.table, Parameters())));
    } catch (const UsageError&) {
        return "";
    }
}

}  // namespace pegen::cli
