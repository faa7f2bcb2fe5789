#include "identify/description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "identify/candidate.h"
#include "identify/departure.h"
#include "identify/rotary_kernel.h"

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
    bool is_in_order = true;
    const auto add = [&](std::string_view noun, const std::vector<std::int64_t>& chosen) {
        if (chosen.empty()) return;
        is_in_order = is_in_order && std::ranges::is_sorted(chosen);
        parts.push_back(indices_text(noun, chosen));
    };
    add("row", proposal.rows);
    add("channel", proposal.channels);
    if (parts.empty()) return "";
    return fmt::format("the array has {} of the table{}", fmt::join(parts, " and "),
                       is_in_order ? "" : ", in this order");
}

/// Names the files that the command needs, if there are any.
std::string files_of(const evidence::Proposal& proposal) {
    std::vector<std::string_view> names;
    for (const evidence::DataFile& data : proposal.data) names.push_back(data.name);
    if (names.empty()) return "";
    return fmt::format("the command reads {}, which --data FOLDER writes", fmt::join(names, ", "));
}

/// Says so if the values are those of a format of fewer digits than the array's; "" otherwise.
std::string narrower_format(const AnsweredArray& array) {
    const DTypeInfo &own = info(array.dtype), &values = info(array.precision.dtype);
    if (!is_floating(array.dtype) || values.size >= own.size) return "";
    return fmt::format("the array is of {}, its values are those of {}", own.name, values.name);
}

/// Says so if positions are rounded, as code in 16 bits has them.
std::string rounded_positions(const Candidate& candidate) {
    if (!candidate.parameters.knows("positions")) return "";
    const auto* const list =
        std::get_if<std::vector<double>>(&candidate.parameters.value("positions"));
    const std::string rounding = list ? rounding_text(*list) : "";
    return rounding.empty() ? "" : fmt::format("the positions {}", rounding);
}

std::string doubt_about(const std::string& number) {
    if (number.empty()) return "";
    return fmt::format(
        "{} is no usual number: at this size it may stand for another formula, such as a scaled "
        "base",
        number);
}

/// True if one of the numbers in the text has a point and more digits than people type: 26.918.
bool has_many_digits(std::string_view text) {
    constexpr int most = 4;
    int digits = 0;
    bool has_point = false;
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            ++digits;
        } else if (c == '.') {
            has_point = true;
        } else {
            digits = 0;
            has_point = false;
        }
        if (has_point && digits > most) return true;
    }
    return false;
}

/// True if the number is a whole number of 64ths, as 0.03125 is of 1/32.
bool is_simple_fraction(const Value& value) {
    const double* const number = std::get_if<double>(&value);
    return number && std::rint(64 * *number) == 64 * *number;
}

/// True if a preset has the number itself: the command by its name needs no such option.
bool is_of_preset(const Candidate& candidate, const std::string& option) {
    return std::ranges::any_of(candidate.presets, [&](const std::string& preset) {
        return preset.find(option) == std::string::npos;
    });
}

}  // namespace

void describe(Candidate& candidate, const AnsweredArray& array) {
    candidate.command = command_of(candidate, nullptr, dtype_of(candidate, array.dtype));
    candidate.notes = candidate.proposal.notes;
    for (const std::string& note :
         {part_of(candidate.proposal), files_of(candidate.proposal), array.view,
          narrower_format(array), rounded_positions(candidate),
          doubt_about(unusual_number(candidate))}) {
        if (!note.empty()) candidate.notes.push_back(note);
    }
}

std::string unusual_number(const Candidate& candidate) {
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        const bool is_text = entry.spec->type == ParameterType::text;
        const bool is_number = std::holds_alternative<double>(entry.value) ||
                               std::holds_alternative<std::vector<double>>(entry.value);
        if (entry.origin != Origin::user || !(is_text || is_number)) continue;
        const std::string text = to_string(entry);
        if (!has_many_digits(text) || is_simple_fraction(entry.value)) continue;
        const std::string option = fmt::format("--{} {}", entry.spec->name, text);
        if (!is_of_preset(candidate, fmt::format("--{} ", entry.spec->name))) return option;
    }
    return "";
}

}  // namespace pegen::identify
