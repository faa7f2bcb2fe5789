#include "identify/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/registry.h"
#include "identify/agreement.h"
#include "identify/alternatives.h"
#include "identify/candidate.h"
#include "identify/departure.h"
#include "identify/nearest.h"
#include "identify/proposals.h"
#include "identify/score.h"
#include "identify/views.h"

namespace pegen::identify {
namespace {

/// True if all values of the array are in memory.
bool is_whole(const evidence::Sample& array) {
    return std::ssize(array.values) == array.table.shape.size();
}

/// Rivals are candidates that cost at most so many bits more than the best one.
constexpr double close_bits = 4;

/// Keeps the candidates that agree with the values in memory and cost little more than the best one
/// of them, the best first.
std::vector<Candidate> agreeing(std::vector<Candidate> candidates, const evidence::Sample& array) {
    std::ranges::stable_sort(candidates, {}, &Candidate::bits);
    std::vector<Candidate> kept;
    double least = std::numeric_limits<double>::infinity();
    for (Candidate& candidate : candidates) {
        if (candidate.bits > least + close_bits) break;
        const std::optional<Table> table = table_of(candidate, array.precision);
        if (!table) continue;
        candidate.agreement = agreement_of(*table, array, candidate.proposal, Scope::leading);
        if (candidate.agreement.values == 0 || !is_supported(candidate)) continue;
        if (is_whole(array)) least = std::min(least, score_of(candidate, array));
        kept.push_back(std::move(candidate));
    }
    const auto score = [&](const Candidate& candidate) { return score_of(candidate, array); };
    std::ranges::stable_sort(kept, {}, score);
    return kept;
}

/// Compares with the whole array where only its beginning was in memory.
bool is_confirmed(Candidate& candidate, const evidence::Sample& array, const Progress& progress) {
    if (is_whole(array)) return true;
    const std::optional<Table> table = table_of(candidate, array.precision);
    if (!table) return false;
    candidate.agreement = agreement_of(*table, array, candidate.proposal, Scope::whole, progress);
    return candidate.agreement.level != Level::none;
}

/// Returns the best candidate that the whole array confirms, in its simplest form, and takes it and
/// those before it from the list; none if there is none.
std::optional<Candidate> best_of(std::vector<Candidate>& candidates, const evidence::Sample& array,
                                 const Progress& progress) {
    while (!candidates.empty()) {
        Candidate best = std::move(candidates.front());
        candidates.erase(candidates.begin());
        Candidate simplest = best;
        simplify(simplest, array);
        if (is_confirmed(simplest, array, progress)) return simplest;
        if (is_confirmed(best, array, progress)) return best;
    }
    return {};
}

DType dtype_of(const Candidate& candidate, const Table& array) {
    const DType own = candidate.table->dtype;
    if (array.dtype == own || is_floating(own) != is_floating(array.dtype)) return own;
    const bool is_offered = is_floating(own) || array.dtype == DType::int32;
    return is_offered ? array.dtype : own;
}

/// Returns a number of the command that nobody would type, "--base 26.918"; "" if there is none, or
/// if the command is that of a preset.
std::string unusual_number(const Candidate& found) {
    constexpr std::ptrdiff_t most_digits = 4;
    if (!found.presets.empty()) return "";
    for (const Parameters::Entry& entry : found.parameters.entries()) {
        const auto* number = std::get_if<double>(&entry.value);
        if (!number || entry.origin != Origin::user) continue;
        const std::string text = shortest(*number);
        const std::string digits = text.substr(0, text.find('e'));
        const auto count =
            std::ranges::count_if(digits, [](char c) { return c >= '0' && c <= '9'; });
        const bool is_formula = to_string(entry) != text;  // such as 1/sqrt(d)
        if (count > most_digits && std::rint(*number) != *number && !is_formula) {
            return fmt::format("--{} {}", entry.spec->name, text);
        }
    }
    return "";
}

/// True if an array of `dtype` holds only the values of `values`, a format of fewer digits.
bool is_narrower(DType values, DType dtype) {
    return is_floating(dtype) && info(values).size < info(dtype).size;
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

/// Answers with the best candidate that the whole array confirms; none if there is none.
std::optional<Identification> answer(std::vector<Candidate> candidates, const View& view,
                                     const evidence::Sample& sample, const Table& array,
                                     const Progress& progress) {
    std::vector<Candidate> rivals = agreeing(std::move(candidates), sample);
    std::optional<Candidate> best = best_of(rivals, sample, progress);
    std::optional<Identification> reordered;
    while (best) {
        auto answer = in_another_order(*best);
        if (!answer) break;
        if (!reordered) reordered = std::move(answer);
        best = best_of(rivals, sample, progress);
    }
    if (!best) return reordered;
    std::erase_if(rivals, [&](const Candidate& rival) {
        return rival.agreement.level > best->agreement.level ||
               score_of(rival, sample) > score_of(*best, sample) + close_bits;
    });
    Identification found;
    found.alternatives = alternatives_of(*best, sample, rivals);
    std::erase_if(found.alternatives, [&](Alternative& alternative) {
        return !is_confirmed(alternative.candidate, sample, progress);
    });
    const auto finish = [&](Candidate& candidate) {
        candidate.command = command_of(candidate, nullptr, dtype_of(candidate, array));
        candidate.notes = candidate.proposal.notes;
        const std::string part = part_of(candidate.proposal);
        if (!part.empty()) candidate.notes.push_back(part);
        if (!view.note.empty()) candidate.notes.push_back(view.note);
        if (is_narrower(sample.precision.dtype, array.dtype)) {
            candidate.notes.push_back(fmt::format("the array is of {}, its values are those of {}",
                                                  info(array.dtype).name,
                                                  info(sample.precision.dtype).name));
        }
    };
    finish(*best);
    for (Alternative& alternative : found.alternatives) finish(alternative.candidate);
    if (const std::string number = unusual_number(*best); !number.empty()) {
        best->notes.push_back(fmt::format(
            "{} is no usual number: at this size it may stand for another formula, such as a "
            "scaled base",
            number));
    }
    const bool is_certain = found.alternatives.empty() && unusual_number(*best).empty();
    found.verdict = is_certain ? Verdict::identified : Verdict::ambiguous;
    found.found = std::move(best);
    return found;
}

/// The value of which the array is full; none if it has several.
std::optional<double> only_value(const evidence::Sample& sample) {
    const double first = sample.values.front();
    const bool is_full = std::ranges::all_of(
        sample.values, [=](double value) { return value == first || std::isnan(value); });
    if (is_full) return first;
    return {};
}

}  // namespace

Identification identify(const Table& array, const Progress& progress) {
    if (array.shape.size() == 0) {
        throw UsageError(
            fmt::format("the array has shape {} and no values", to_string(array.shape)));
    }
    const std::vector<View> views = views_of(array);
    const evidence::Sample as_it_is = views.front().sample();
    if (const std::optional<double> value = only_value(as_it_is)) {
        Identification nothing;
        nothing.notes = {
            fmt::format("all values are {}: no encoding can be told from them", *value)};
        return nothing;
    }
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    std::vector<std::vector<Candidate>> tried;
    std::optional<Identification> reordered;  // a table whose rows or channels are in another order
    for (const View& view : views) {
        const evidence::Sample sample = view.sample();
        tried.push_back(recognized(sample));
        auto found = answer(tried.back(), view, sample, array, progress);
        // What costs more than the name of a preset may be one.
        const double bits = found && found->found ? found->found->bits : unlimited;
        if (&view == views.data() && bits > price_of_presets) {
            const std::vector<Candidate> fitted = fitted_presets(sample);
            tried.back().insert(tried.back().end(), fitted.begin(), fitted.end());
            std::vector<Candidate> simpler = fitted;
            std::erase_if(simpler, [=](const Candidate& preset) { return preset.bits >= bits; });
            auto preset = answer(std::move(simpler), view, sample, array, progress);
            if (preset) found = std::move(preset);
        }
        if (found && found->verdict != Verdict::not_identified) return *found;
        if (found && !reordered) reordered = std::move(found);
    }
    return reordered ? *reordered : nearest_to(views, tried);
}

}  // namespace pegen::identify
