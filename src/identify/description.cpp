#include "identify/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/number.h"
#include "identify/candidate.h"
#include "identify/departure.h"

namespace pegen::identify {
namespace {

/// Returns the dtype that makes the table as the array has it, if the table can have it.
DType dtype_of(const Candidate& candidate, DType array) {
    const DType own = candidate.table->dtype;
    if (is_floating(own) != is_floating(array)) return own;
    return is_floating(own) || array == DType::int32 ? array : own;
}

/// Says which rows and channels of the table the array has; "" if all.
std::string part_of(const evidence::Proposal& proposal) {
    std::vector<std::string> parts;
    const auto add = [&](std::string_view noun, const std::vector<std::int64_t>& chosen) {
        if (!chosen.empty()) parts.push_back(indices_text(noun, chosen));
    };
    add("row", proposal.rows);
    add("channel", proposal.channels);
    if (parts.empty()) return "";
    return fmt::format("the array has {} of the table", fmt::join(parts, " and "));
}

/// Says so if the values are those of a format of fewer digits than the array's; "" otherwise.
std::string narrower_format(const AnsweredArray& array) {
    const DTypeInfo &own = info(array.dtype), &values = info(array.precision.dtype);
    if (!is_floating(array.dtype) || values.size >= own.size) return "";
    return fmt::format("the array is of {}, its values are those of {}", own.name, values.name);
}

std::string doubt_about(const std::string& number) {
    if (number.empty()) return "";
    return fmt::format(
        "{} is no usual number: at this size it may stand for another formula, such as a scaled "
        "base",
        number);
}

}  // namespace

void describe(Candidate& candidate, const AnsweredArray& array) {
    candidate.command = command_of(candidate, nullptr, dtype_of(candidate, array.dtype));
    candidate.notes = candidate.proposal.notes;
    for (const std::string& note : {part_of(candidate.proposal), array.view, narrower_format(array),
                                    doubt_about(unusual_number(candidate))}) {
        if (!note.empty()) candidate.notes.push_back(note);
    }
}

std::string unusual_number(const Candidate& candidate) {
    constexpr std::ptrdiff_t most_digits = 4;
    if (!candidate.presets.empty()) return "";
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        const auto* number = std::get_if<double>(&entry.value);
        if (!number || entry.origin != Origin::user || std::rint(*number) == *number) continue;
        const std::string text = shortest(*number);
        const auto digits = std::ranges::count_if(text.substr(0, text.find('e')),
                                                  [](char c) { return c >= '0' && c <= '9'; });
        const bool is_formula = to_string(entry) != text;  // such as 1/sqrt(d)
        if (digits > most_digits && !is_formula) {
            return fmt::format("--{} {}", entry.spec->name, text);
        }
    }
    return "";
}

}  // namespace pegen::identify
