#include "recognition/identify/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "cli/identify/report.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "recognition/agreement.h"
#include "recognition/evidence/precision.h"
#include "recognition/identify.h"
#include "recognition/views.h"

namespace pegen::trials {
namespace {

constexpr std::int64_t most_values = std::int64_t{1} << 18;

std::optional<Array> array_by(const Command& command) {
    try {
        const PlannedTable planned =
            plan_table(*command.encoding, *command.table, command.parameters, command.dtype);
        if (planned.table.shape.size() > most_values) return {};
        return array_of(
            make_table(*command.encoding, *command.table, command.parameters, command.dtype));
    } catch (const Error&) {
        return {};
    }
}

double largest(const Array& array) {
    double most = 0;
    for (const double value : array.values) {
        if (std::isfinite(value)) most = std::max(most, std::abs(value));
    }
    return most;
}

/// True if the arrays are of one shape and no values are further apart than `allowed(value)`.
template <class Allowed>
bool are_near(const Array& a, const Array& b, const Allowed& allowed) {
    if (squeezed(a.extents) != squeezed(b.extents)) return false;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double x = a.values[i], y = b.values[i];
        if (x == y || (std::isnan(x) && std::isnan(y))) continue;
        if (!(std::abs(x - y) <= allowed(x))) return false;
    }
    return true;
}

/// Returns the command with one of its extents changed; nothing if the extent has no number or the
/// new one is refused.
std::optional<Command> grown(Command command, std::string_view extent, std::int64_t factor,
                             std::int64_t more) {
    const Value& value = command.parameters.value(extent);
    const auto* number = std::get_if<std::int64_t>(&value);
    if (!number) return {};
    try {
        command.parameters.set(extent, fmt::format("{}", factor * *number + more), Origin::user);
    } catch (const UsageError&) {
        return {};
    }
    return command;
}

bool has_extent(const Command& command, std::string_view name) {
    return std::ranges::any_of(command.encoding->parameters, [=](const ParameterSpec& spec) {
        return spec.is_extent() && spec.name == name;
    });
}

/// Returns the extent that grows in one command when `name` grows in the other.
std::string_view partner_of(std::string_view name, bool are_exchanged) {
    if (!are_exchanged) return name;
    return name == "height" ? "width" : name == "width" ? "height" : name;
}

/// True if both commands make the same tables when their extents grow alike, as far as both can
/// grow; the height of one may be the width of the other.
bool are_same_when_grown(Command a, Command b, bool are_exchanged) {
    if (!is_floating(a.table->dtype) || !is_floating(b.table->dtype)) {
        if (is_floating(a.table->dtype) != is_floating(b.table->dtype)) return false;
        a.dtype = b.dtype = DType::int64;
    } else {
        a.dtype = b.dtype = DType::float32;
    }
    const auto is_same = [](const Array& x, const Array& y) {
        const double unit = largest(x) * 0x1p-21;
        return are_near(x, y, [=](double) { return unit; });
    };
    const auto own_a = array_by(a), own_b = array_by(b);
    for (const ParameterSpec& spec : a.encoding->parameters) {
        const std::string_view partner = partner_of(spec.name, are_exchanged);
        if (!spec.is_extent() || !has_extent(b, partner)) continue;
        for (const auto& [factor, more] : {std::pair{1, 1}, {1, 2}, {2, 0}, {2, 1}, {3, 0}}) {
            const auto wider_a = grown(a, spec.name, factor, more);
            const auto wider_b = grown(b, partner, factor, more);
            if (!wider_a || !wider_b) continue;
            const auto x = array_by(*wider_a), y = array_by(*wider_b);
            if (!x || !y) continue;
            // Some tables of an encoding do not have all of its extents.
            const bool has_a_grown = own_a && x->extents != own_a->extents;
            const bool has_b_grown = own_b && y->extents != own_b->extents;
            if (has_a_grown != has_b_grown) continue;
            const bool are_equally_given =
                are_same(a.parameters.value(spec.name), b.parameters.value(partner));
            const bool have_one_shape = squeezed(x->extents) == squeezed(y->extents);
            if (!have_one_shape && !are_equally_given) continue;
            if (!is_same(*x, *y)) return false;
        }
    }
    return true;
}

bool are_same_at_all_sizes(const Command& a, const Command& b) {
    if (are_same_when_grown(a, b, false)) return true;
    return a.encoding == b.encoding && has_extent(a, "height") && has_extent(a, "width") &&
           are_same_when_grown(a, b, true);
}

/// The exact formula and float32 arithmetic are one convention.
Command command_in(const recognition::Candidate& candidate, DType dtype) {
    Command command{candidate.encoding, candidate.table, candidate.parameters, dtype,
                    std::string(candidate.encoding->name)};
    Parameters& p = command.parameters;
    const bool is_in_16_bits = p.knows("rounded") && p.word("arith").ends_with("float16");
    if (p.knows("arith") && !is_in_16_bits) p.resolve("arith", "exact");
    return command;
}

/// Returns a dtype in which the candidate's table can be compared with `array`.
DType comparable(const recognition::Candidate& candidate, const Array& array) {
    return is_floating(candidate.table->dtype) && is_floating(array.dtype) ? array.dtype
                                                                           : candidate.table->dtype;
}

/// Returns the array that the candidate's command makes in `dtype`; nothing if it is refused.
std::optional<Array> remade(const recognition::Candidate& candidate, DType dtype) {
    try {
        const Table table =
            make_table(*candidate.encoding, *candidate.table, candidate.parameters, dtype);
        const bool is_selected =
            !candidate.proposal.rows.empty() || !candidate.proposal.channels.empty();
        return array_of(is_selected ? recognition::selected(table, candidate.proposal) : table);
    } catch (const Error&) {
        return {};
    }
}

/// True if the candidate's command makes the array, or the upright array, as closely as the
/// candidate says.
bool makes_array(const recognition::Candidate& candidate, const Trial& trial) {
    const bool is_real = is_floating(candidate.table->dtype);
    const auto made = remade(candidate, is_real ? DType::float64 : candidate.table->dtype);
    if (!made) return false;
    const evidence::Precision precision = evidence::precision_of(trial.precision);
    const double size = largest(trial.array);
    const double loose = candidate.agreement.level == recognition::Level::float32 ? 1e-3 * size
                         : precision.digits == 53                                 ? 1e-12 * size
                                                                                  : 0;
    // A value that was computed from a rounded one is off by more than one unit.
    const auto allowed = [&](double value) {
        return 2 * evidence::unit_of(value, precision) + loose;
    };
    // The answer says so if rows and columns are exchanged.
    return are_near(*made, trial.array, allowed) ||
           (made->extents.size() >= 2 && are_near(transposed(*made), trial.array, allowed)) ||
           (trial.upright && are_near(*made, *trial.upright, allowed));
}

/// True if the candidate makes every value of the array and, with its numbers replaced by the true
/// ones, would be the true command: the array does not show the numbers.
bool is_same_here(const recognition::Candidate& candidate, const Trial& trial) {
    const Command& truth = *trial.truth;
    if (candidate.encoding != truth.encoding || candidate.table != truth.table) return false;
    const Array& wanted = trial.upright ? *trial.upright : trial.array;
    const auto made = remade(candidate, comparable(candidate, wanted));
    if (!made || !are_near(*made, wanted, [](double) { return 0.0; })) return false;
    Command corrected = command_in(candidate, truth.dtype);
    for (const Parameters::Entry& entry : truth.parameters.entries()) {
        const bool is_number = std::holds_alternative<double>(entry.value) ||
                               std::holds_alternative<std::vector<double>>(entry.value) ||
                               std::holds_alternative<std::int64_t>(entry.value);
        if (is_number && !entry.spec->is_extent()) {
            corrected.parameters.resolve(entry.spec->name, entry.value);
        }
    }
    return are_same_at_all_sizes(corrected, truth);
}

Outcome judged_claim(const recognition::Identification& answer, const Trial& trial) {
    using recognition::Verdict;
    if (answer.verdict == Verdict::not_identified) return Outcome::missed;
    if (!makes_array(*answer.found, trial)) return Outcome::wrong;
    if (trial.expected == Expected::array) return Outcome::right;
    const bool is_sure = answer.verdict == Verdict::identified;
    if (is_true_command(*answer.found, trial)) return is_sure ? Outcome::right : Outcome::ambiguous;
    const auto is_true = [&](const recognition::Alternative& alternative) {
        return is_true_command(alternative.candidate, trial);
    };
    if (std::ranges::any_of(answer.alternatives, is_true)) return Outcome::ambiguous;
    if (is_same_here(*answer.found, trial)) return Outcome::same_here;
    return is_sure ? Outcome::wrong : Outcome::unnamed;
}

Outcome judged_departure(const recognition::Identification& answer, const Trial& trial) {
    if (answer.verdict != recognition::Verdict::not_identified) return Outcome::wrong;
    if (trial.expected == Expected::nothing) return Outcome::right;
    const bool is_near = answer.nearest && answer.nearest->encoding == trial.truth->encoding;
    const bool is_told = answer.departure.find(trial.departure) != std::string::npos;
    return is_near && is_told ? Outcome::right : Outcome::missed;
}

/// Returns a line with what the found command costs and what the array says for it.
std::string bits_of(const recognition::Identification& answer) {
    if (!answer.found) return "";
    return fmt::format("bits        {:.1f} of {:.0f}\n", answer.found->bits,
                       answer.found->agreement.evidence);
}

}  // namespace

bool is_true_command(const recognition::Candidate& candidate, const Trial& trial) {
    return are_same_at_all_sizes(command_in(candidate, trial.truth->dtype), *trial.truth);
}

Trial trial_of(const Command& command) {
    // A formula of one's own may make what another command makes.
    const bool has_formula = command.parameters.knows("value");
    return {.name = text_of(command),
            .array = array_of(made_by(command)),
            .expected = has_formula ? Expected::array : Expected::command,
            .truth = command,
            .precision = command.dtype};
}

Judgement judge(const Trial& trial) {
    const Table array = table_of(trial.array);
    const auto before = std::chrono::steady_clock::now();
    const recognition::Identification answer = recognition::identify(array);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - before;
    const bool is_claim = trial.expected == Expected::command || trial.expected == Expected::array;
    return {is_claim ? judged_claim(answer, trial) : judged_departure(answer, trial),
            cli::as_text(answer) + bits_of(answer), time.count()};
}

}  // namespace pegen::trials
