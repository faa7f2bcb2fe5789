#include "identify/alternatives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/registry.h"
#include "identify/agreement.h"
#include "identify/candidate.h"
#include "identify/elsewhere.h"
#include "identify/score.h"

namespace pegen::identify {
namespace {

constexpr std::size_t most_alternatives = 6;

/// The parameter that says how values are computed, and not which: it is no convention.
constexpr std::string_view arithmetic = "arith";

/// The parameter by which each value depends on all others. Tables with and without it differ, and
/// it takes reading all of one to see that.
constexpr std::string_view of_all_values = "standardize";

/// True if the candidate agrees with the array as closely as `found` does.
bool agrees(Candidate& candidate, const Candidate& found, const evidence::Sample& array) {
    const std::optional<Table> table = table_of(candidate, array.precision);
    if (!table) return false;
    candidate.agreement = agreement_of(*table, array, candidate.proposal, Scope::leading);
    return candidate.agreement.values > 0 && candidate.agreement.level <= found.agreement.level;
}

/// Returns `found` with another value of a parameter; none if it is not allowed.
std::optional<Candidate> with(const Candidate& found, std::string_view name,
                              const std::string& text) {
    Candidate changed = found;
    try {
        changed.parameters.set(name, text, Origin::user);
    } catch (const UsageError&) {
        return {};
    }
    changed.presets.clear();
    changed.bits = price_of(changed);
    return changed;
}

bool is_idle(const Candidate& found, std::string_view name) {
    return has_word(found.table->idle_parameters, name);
}

/// The other values that words and flags of the candidate may have.
std::vector<evidence::Setting> other_choices(const Candidate& found) {
    std::vector<evidence::Setting> choices;
    for (const Parameters::Entry& entry : found.parameters.entries()) {
        if (is_idle(found, entry.spec->name) || entry.spec->name == arithmetic) continue;
        const std::string value = to_string(entry);
        if (entry.spec->type == ParameterType::flag) {
            choices.push_back({entry.spec->name, value == "true" ? "false" : "true"});
        }
        if (entry.spec->type != ParameterType::word) continue;
        for (const std::string_view choice : words(entry.spec->choices)) {
            if (choice != value) choices.push_back({entry.spec->name, std::string(choice)});
        }
    }
    return choices;
}

/// Returns the numbers next to a number, by one in its last digit: 2 and 0 of 1, 20000 and 0 of
/// 10000, 0.4 and 0.2 of 0.3, 12346 and 12344 of 12345.
std::vector<std::string> next_to(double number) {
    const std::string text = shortest(number);
    const std::size_t exponent_at = std::min(text.find('e'), text.size());
    std::string digits = text.substr(0, exponent_at);
    int exponent = exponent_at == text.size() ? 0 : std::stoi(text.substr(exponent_at + 1));
    if (const std::size_t point = digits.find('.'); point != digits.npos) {
        exponent -= static_cast<int>(digits.size() - point - 1);
        digits.erase(point, 1);
    } else {
        while (digits.size() > 1 && digits.back() == '0') {
            digits.pop_back();
            ++exponent;
        }
    }
    const std::int64_t mantissa = std::stoll(digits);
    std::vector<std::string> numbers;
    for (const std::int64_t other : {mantissa + 1, mantissa - 1}) {
        const std::string written = fmt::format("{}e{}", other, exponent);
        double value = 0;
        const auto read = std::from_chars(written.data(), written.data() + written.size(), value);
        if (read.ec == std::errc()) numbers.push_back(shortest(value));
    }
    return numbers;
}

/// For each number that the candidate has, those next to it: if they make the same array, the array
/// does not show the number, or not all of its digits.
std::vector<evidence::Setting> other_numbers(const Candidate& found) {
    std::vector<evidence::Setting> numbers;
    for (const Parameters::Entry& entry : found.parameters.entries()) {
        if (entry.spec->is_extent || is_idle(found, entry.spec->name)) continue;
        if (const auto* integer = std::get_if<std::int64_t>(&entry.value)) {
            for (const std::int64_t other : {*integer + 1, *integer - 1}) {
                numbers.push_back({entry.spec->name, fmt::format("{}", other)});
            }
        } else if (const auto* real = std::get_if<double>(&entry.value)) {
            for (std::string& text : next_to(*real)) {
                numbers.push_back({entry.spec->name, std::move(text)});
            }
        }
    }
    return numbers;
}

/// Returns the preset's parameters with the extents, the arithmetic and the files of the candidate.
std::optional<Candidate> as_preset(const Candidate& found, const Preset& preset) {
    Candidate candidate = found;
    candidate.parameters = parameters_of(preset);
    candidate.proposal.settings.clear();
    candidate.presets.clear();
    try {
        for (const Parameters::Entry& entry : found.parameters.entries()) {
            const bool is_given = entry.origin != Origin::specification;
            const bool is_kept = entry.spec->is_extent || entry.spec->name == arithmetic ||
                                 entry.spec->type == ParameterType::path;
            if (!is_given || !is_kept) continue;
            candidate.parameters.set(entry.spec->name, to_string(entry), Origin::user);
        }
    } catch (const UsageError&) {
        return {};
    }
    candidate.bits = price_of(candidate);
    return candidate;
}

/// Returns the values in which `found` differs from the preset, extents aside.
std::vector<const Parameters::Entry*> differing(const Candidate& found, const Candidate& preset) {
    std::vector<const Parameters::Entry*> entries;
    for (std::size_t i = 0; i < found.parameters.entries().size(); ++i) {
        const Parameters::Entry& entry = found.parameters.entries()[i];
        const bool is_same = are_same(entry.value, preset.parameters.entries()[i].value);
        const bool matters = !entry.spec->is_extent && !is_idle(found, entry.spec->name);
        if (matters && !is_same) entries.push_back(&entry);
    }
    return entries;
}

/// Returns the candidate's command without its extents: "swin-v2 --table index".
std::string name_of(const Candidate& candidate) {
    Candidate of_any_size = candidate;
    const Parameters defaults(candidate.encoding->parameters);
    of_any_size.parameters = defaults;
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        if (entry.spec->is_extent || entry.spec->name == arithmetic) continue;
        of_any_size.parameters.resolve(entry.spec->name, entry.value);
    }
    const std::vector<std::string> command =
        command_of(of_any_size, nullptr, candidate.table->dtype);
    return fmt::format("{}", fmt::join(command.begin() + 1, command.end(), " "));
}

/// An alternative, and its tables at other sizes.
struct Known {
    Alternative alternative;
    Elsewhere elsewhere;
};

/// Says how the command reads if its height is called width, once.
void note_exchanged_axes(Candidate& found, const Candidate& exchanged) {
    const std::vector<std::string> command = command_of(exchanged, nullptr, exchanged.table->dtype);
    constexpr std::string_view same = "the same, with height and width exchanged: ";
    std::vector<std::string>& notes = found.proposal.notes;
    const bool is_noted =
        std::ranges::any_of(notes, [=](const std::string& note) { return note.starts_with(same); });
    if (!is_noted) notes.push_back(fmt::format("{}{}", same, fmt::join(command, " ")));
}

/// Adds `candidate`, which agrees with the array, to the alternatives, or its presets to those of
/// the convention that it is.
void add(Candidate candidate, Candidate& found, const Elsewhere& of_found,
         std::vector<Known>& alternatives) {
    const auto add_presets = [&](std::vector<std::string>& presets) {
        for (const std::string& preset : candidate.presets) {
            // Options that change nothing at any size make no other name.
            const bool is_named = std::ranges::any_of(presets, [&](const std::string& name) {
                return preset == name || preset.starts_with(name + " ");
            });
            if (!is_named) presets.push_back(preset);
        }
    };
    // Two ways to compute the same are no two conventions.
    if (candidate.encoding == found.encoding && found.parameters.knows(arithmetic)) {
        candidate.parameters.resolve(arithmetic, found.parameters.value(arithmetic));
    }
    const std::optional<std::string> size = told_apart_by(of_found, candidate);
    if (size && is_same_with_axes_exchanged(of_found, candidate)) {
        note_exchanged_axes(found, candidate);
        return;
    }
    if (!size) {
        if (candidate.encoding != found.encoding) candidate.presets = {name_of(candidate)};
        add_presets(found.presets);
        return;
    }
    for (Known& known : alternatives) {
        if (!told_apart_by(known.elsewhere, candidate) ||
            is_same_with_axes_exchanged(known.elsewhere, candidate)) {
            add_presets(known.alternative.candidate.presets);
            return;
        }
    }
    if (alternatives.size() < most_alternatives) {
        Elsewhere own = elsewhere(candidate);
        alternatives.push_back({{std::move(candidate), *size}, std::move(own)});
    }
}

bool sets(const Preset& preset, std::string_view name) {
    return std::ranges::any_of(parameters_of(preset).entries(), [&](const auto& entry) {
        return entry.spec->name == name && entry.origin == Origin::preset;
    });
}

/// True if the preset is more than a size of its encoding's default.
bool has_settings(const Preset& preset) {
    return std::ranges::any_of(parameters_of(preset).entries(), [&](const auto& entry) {
        return entry.origin == Origin::preset && !entry.spec->is_extent && !is_default(entry);
    });
}

/// Returns the presets of the encoding that agree with the array: those that need no more than the
/// extents or, if there are none, those that need one more option of `found` besides their own.
std::vector<Candidate> agreeing_presets(const Candidate& found, const evidence::Sample& array) {
    std::vector<Candidate> exact, nearly;
    for (const Preset& preset : all_presets()) {
        if (preset.encoding != found.encoding) continue;
        std::optional<Candidate> candidate = as_preset(found, preset);
        if (!candidate) continue;
        auto more = differing(found, *candidate);
        const bool is_of_all_values = std::ranges::any_of(
            more, [](const auto* entry) { return entry->spec->name == of_all_values; });
        if (is_of_all_values) continue;
        if (agrees(*candidate, found, array)) {
            candidate->presets = {std::string(preset.name)};
            exact.push_back(std::move(*candidate));
            continue;
        }
        std::erase_if(more, [&](const auto* entry) { return sets(preset, entry->spec->name); });
        if (more.size() == 1 && has_settings(preset)) {
            const std::string_view name = more.front()->spec->name;
            const std::string value = to_string(*more.front());
            candidate = with(*candidate, name, value);
            if (!candidate || !agrees(*candidate, found, array)) continue;
            candidate->presets = {fmt::format("{} --{} {}", preset.name, name, value)};
            nearly.push_back(std::move(*candidate));
        }
    }
    return exact.empty() ? nearly : exact;
}

/// True if the parameter only says what is to be done at other sizes, as --odd does where d is
/// even: the encoding refuses those without it.
bool is_permission(const Candidate& found, const Elsewhere& of_found, std::string_view name,
                   const evidence::Sample& array) {
    const Parameters defaults(found.encoding->parameters);
    if (are_same(found.parameters.value(name), defaults.value(name))) return false;
    Candidate usual = found;
    usual.parameters.resolve(name, defaults.value(name));
    return agrees(usual, found, array) && !told_apart_by(of_found, usual);
}

/// Returns the candidates with one or two choices made otherwise, or with another number, that
/// agree with the array.
std::vector<Candidate> agreeing_neighbours(const Candidate& found, const Elsewhere& of_found,
                                           const evidence::Sample& array) {
    std::vector<Candidate> neighbours;
    const auto add_if_agrees = [&](std::optional<Candidate> candidate) {
        if (candidate && agrees(*candidate, found, array)) {
            neighbours.push_back(std::move(*candidate));
        }
    };
    for (const evidence::Setting& number : other_numbers(found)) {
        add_if_agrees(with(found, number.name, number.value));
    }
    // Of two choices that change nothing, one by one, nothing new is to be expected together.
    std::vector<Candidate> changed;
    std::vector<evidence::Setting> changing;
    for (const evidence::Setting& choice : other_choices(found)) {
        if (is_permission(found, of_found, choice.name, array)) continue;
        std::optional<Candidate> one = with(found, choice.name, choice.value);
        if (!one) continue;
        if (agrees(*one, found, array)) {
            neighbours.push_back(std::move(*one));
        } else {
            changed.push_back(std::move(*one));
            changing.push_back(choice);
        }
    }
    for (std::size_t i = 0; i < changed.size(); ++i) {
        for (std::size_t k = i + 1; k < changed.size(); ++k) {
            if (changing[k].name == changing[i].name) continue;
            add_if_agrees(with(changed[i], changing[k].name, changing[k].value));
        }
    }
    return neighbours;
}

}  // namespace

void simplify(Candidate& found, const evidence::Sample& array) {
    const Parameters defaults(found.encoding->parameters);
    for (const Parameters::Entry& entry : defaults.entries()) {
        const std::string_view name = entry.spec->name;
        const bool is_set = !are_same(found.parameters.value(name), entry.value);
        if (!is_set || entry.spec->is_extent || entry.spec->type == ParameterType::path) continue;
        Candidate simpler = found;
        simpler.parameters.resolve(name, entry.value);
        simpler.bits = price_of(simpler);
        if (agrees(simpler, found, array) && score_of(simpler, array) <= score_of(found, array)) {
            found = std::move(simpler);
        }
    }
    // A number that is nearly right agrees as float32 code would.
    if (found.agreement.level != Level::float32) return;
    for (const evidence::Setting& number : other_numbers(found)) {
        std::optional<Candidate> nearer = with(found, number.name, number.value);
        if (nearer && agrees(*nearer, found, array) &&
            score_of(*nearer, array) < score_of(found, array)) {
            found = std::move(*nearer);
        }
    }
}

std::vector<Alternative> alternatives_of(Candidate& found, const evidence::Sample& array,
                                         const std::vector<Candidate>& rivals) {
    const Elsewhere of_found = elsewhere(found);
    std::vector<Known> known;
    for (Candidate& preset : agreeing_presets(found, array)) {
        add(std::move(preset), found, of_found, known);
    }
    for (const Candidate& rival : rivals) add(rival, found, of_found, known);
    for (Candidate& neighbour : agreeing_neighbours(found, of_found, array)) {
        add(std::move(neighbour), found, of_found, known);
    }
    std::vector<Alternative> alternatives;
    for (Known& one : known) alternatives.push_back(std::move(one.alternative));
    std::ranges::stable_sort(alternatives, {}, [](const Alternative& alternative) {
        return alternative.candidate.bits;
    });
    return alternatives;
}

}  // namespace pegen::identify
