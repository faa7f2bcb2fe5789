#include "identify/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/to_size.h"
#include "encodings/registry.h"
#include "identify/agreement.h"
#include "identify/alternatives.h"
#include "identify/candidate.h"
#include "identify/description.h"
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
constexpr double close_bits = 8;

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
    const AnsweredArray answered{array.dtype, sample.precision, view.note};
    describe(*best, answered);
    for (Alternative& alternative : found.alternatives) describe(alternative.candidate, answered);
    const bool is_certain = found.alternatives.empty() && unusual_number(*best).empty();
    found.verdict = is_certain ? Verdict::identified : Verdict::ambiguous;
    found.found = std::move(best);
    return found;
}

/// True if the first answer is the better one.
bool is_better(const Identification& answer, const std::optional<Identification>& other,
               const evidence::Sample& sample) {
    if (!other || !other->found) return true;
    return answer.found && score_of(*answer.found, sample) < score_of(*other->found, sample);
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
        const std::string which = is_whole(as_it_is)
                                      ? "all values"
                                      : fmt::format("the first {} values", as_it_is.values.size());
        Identification nothing;
        nothing.notes = {
            fmt::format("{} are {}: no encoding can be told from them", which, *value)};
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
            if (preset && is_better(*preset, found, sample)) found = std::move(preset);
        }
        if (found && found->verdict != Verdict::not_identified) return *found;
        if (found && !reordered) reordered = std::move(found);
    }
    return reordered ? *reordered : nearest_to(views, tried);
}

}  // namespace pegen::identify
