#include "cli/compare/made_by.h"

#include <fmt/format.h>

#include <utility>

#include "cli/options.h"
#include "core/error.h"
#include "core/names.h"
#include "core/utf8.h"
#include "formats/command.h"
#include "formats/metadata.h"
#include "inspect/fitted.h"

namespace pegen::cli {
namespace {

/// True if one table is contained in the other with its channels in order, and no rows of zeros are
/// left out.
bool is_in_order(const std::optional<Rearrangement>& found) {
    return found && found->zeros.empty() && order_text(*found, "").empty();
}

/// Changes --start so that the table begins `rows` rows later.
/// Throws: UsageError if the encoding has no such number.
void shift_start(Parameters& parameters, const Encoding& encoding, std::int64_t rows) {
    const auto number = [&](const ParameterSpec& spec) {
        return spec.type == ParameterType::integer
                   ? static_cast<double>(parameters.integer(spec.name))
                   : parameters.real(spec.name);
    };
    const ParameterSpec* const start = find_role(encoding.parameters, Role::start);
    if (!start || start->type == ParameterType::reals) throw UsageError("--start: is no number");
    const ParameterSpec* const step = find_role(encoding.parameters, Role::step);
    const double first = number(*start) + static_cast<double>(rows) * (step ? number(*step) : 1);
    parameters.set(start->name, fmt::format("{}", first), Origin::user);
}

/// Returns the encoding's table with other parameters, in the shape of the file.
ComparedTable made_with(Parameters parameters, const ComparedTable& made, const Table& file) {
    const Encoding& encoding = *made.subject->encoding;
    const TableSpec& spec = *find_table(encoding, made.table.provenance.table);
    parameters = fitted(encoding, spec, std::move(parameters), file.shape);
    const std::string_view preset = made.subject->preset ? made.subject->preset->name : "";
    return compared(made.name, made.subject,
                    make_table(encoding, spec, parameters, made.table.dtype, preset), &file);
}

/// Returns a sentence that the command of `table` makes the file, exactly or up to rounding; "" if
/// it does not.
std::string sentence(const ComparedTable& table, const ComparedTable& file) {
    const TableComparison comparison = comparison_of(table, file);
    const auto& found = comparison.result.rearrangement;
    if (!is_in_order(found) || found->shift != 0) return "";
    return fmt::format("{} is made by {}{}.", one_line(file.name),
                       command_of("", figure_provenance(table.table, Parameters())),
                       found->largest == 0 ? "" : ", up to this rounding");
}

}  // namespace

std::string made_by(const ComparedTable& a, const ComparedTable& b,
                    const TableComparison& comparison) {
    const std::optional<Rearrangement>& found = comparison.result.rearrangement;
    if (!is_in_order(found) || a.subject.has_value() == b.subject.has_value()) return "";
    if (comparison.are_same) return "";
    const ComparedTable &made = a.subject ? a : b, &file = a.subject ? b : a;
    const Encoding& encoding = *made.subject->encoding;
    try {
        Parameters parameters = made.table.provenance.parameters;
        if (found->shift != 0) {
            shift_start(parameters, encoding, a.subject ? -found->shift : found->shift);
        }
        const ParameterSpec* const arithmetic = float32_parameter(encoding);
        if (found->largest > 0 && arithmetic) {
            Parameters float32 = parameters;
            float32.set(arithmetic->name, "float32", Origin::user);
            const ComparedTable again = made_with(std::move(float32), made, file.table);
            if (again.values.channels == file.values.channels) return sentence(again, file);
        }
        return sentence(made_with(std::move(parameters), made, file.table), file);
    } catch (const UsageError&) {
        return "";
    }
}

}  // namespace pegen::cli
