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
#include "identify/rivals.h"
#include "identify/score.h"
#include "identify/views.h"

namespace pegen::identify {
namespace {

/// Compares with the whole array where only its beginning was in memory.
bool is_confirmed(Candidate& candidate, const evidence::Sample& array, const Progress& progress) {
    if (array.has_all_values()) return true;
    const std::optional<Table> table = table_of(candidate, array.precision);
    if (!table) return false;
    candidate.agreement = agreement_of(*table, array, candidate.proposal, Scope::whole, progress);
    return candidate.agreement.level != Level::none;
}

/// True if the candidate's table is off in the row in which another one was.
bool is_off_like(const Candidate& other, const Candidate& candidate,
                 const evidence::Sample& array) {
    const std::optional<Table> table = table_of(candidate, array.precision);
    return !table || !agrees_at(other.agreement.place, *table, array, candidate.proposal);
}

/// The best candidate that the whole array confirms, in its simplest form; if there is none, the
/// best that only the values in memory confirm.
struct Best {
    std::optional<Candidate> confirmed;
    std::optional<Candidate> refuted;
};

/// Takes the best candidate, and those before it, from the list.
Best best_of(std::vector<Candidate>& candidates, const evidence::Sample& array,
             const Progress& progress) {
    Best best;
    while (!candidates.empty()) {
        progress(0, 0);
        Candidate next = std::move(candidates.front());
        candidates.erase(candidates.begin());
        // What refuted one candidate refutes most others.
        const auto is_refuted = [&](const Candidate& candidate) {
            return best.refuted && is_off_like(*best.refuted, candidate, array);
        };
        if (is_refuted(next)) continue;
        Candidate simplest = next;
        simplify(simplest, array);
        for (Candidate* const candidate : {&simplest, &next}) {
            if (is_refuted(*candidate)) continue;
            if (is_confirmed(*candidate, array, progress)) return {std::move(*candidate), {}};
            if (!best.refuted) best.refuted = *candidate;
        }
    }
    return best;
}

/// Compares an array of 16 bits with what the command makes, which is rounded once: candidates are
/// compared before that, for code may have rounded twice.
void compare_rounded(Candidate& candidate, const evidence::Sample& array,
                     const Progress& progress) {
    const DType dtype = array.table.dtype;
    if (!is_floating(dtype) || info(dtype).size != 2 || !is_floating(candidate.table->dtype))
        return;
    const Table table =
        make_table(*candidate.encoding, *candidate.table, candidate.parameters, dtype);
    const Agreement rounded =
        agreement_of(table, array, candidate.proposal, Scope::whole, progress);
    candidate.agreement.largest = rounded.largest;
    candidate.agreement.place = rounded.place;
}

/// Answers with the best candidate that the whole array confirms; none if there is none.
std::optional<Identification> answer(std::vector<Candidate> candidates, const View& view,
                                     const evidence::Sample& sample, const Table& array,
                                     const Progress& progress) {
    std::vector<Candidate> rivals = rivals_among(candidates, sample, Kept::rivals);
    Best first = best_of(rivals, sample, progress);
    if (first.refuted && !first.confirmed) {
        rivals = rivals_among(std::move(candidates), sample, Kept::all);
        first = best_of(rivals, sample, progress);
    }
    std::optional<Candidate> best = std::move(first.confirmed);
    std::optional<Identification> reordered;
    while (best) {
        auto answer = in_another_order(*best);
        if (!answer) break;
        if (!reordered) reordered = std::move(answer);
        best = best_of(rivals, sample, progress).confirmed;
    }
    if (!best && first.refuted) return left_by(*first.refuted, view.note, sample, progress);
    if (!best) return reordered;
    std::erase_if(rivals, [&](const Candidate& rival) { return !is_rival(rival, *best, sample); });
    Identification found;
    found.alternatives = alternatives_of(*best, sample, rivals);
    std::erase_if(found.alternatives, [&](Alternative& alternative) {
        return !is_confirmed(alternative.candidate, sample, progress);
    });
    compare_rounded(*best, sample, progress);
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
        const std::string which = as_it_is.has_all_values()
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
    std::optional<Identification> costly;     // another view may show something simpler
    for (const View& view : views) {
        progress(0, 0);
        const evidence::Sample sample = view.sample();
        tried.push_back(recognized(sample, progress));
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
        constexpr double most_bits_of_convention = 120;
        if (found && found->found && found->found->bits > most_bits_of_convention &&
            sample.has_all_values()) {
            if (is_better(*found, costly, sample)) costly = std::move(found);
            continue;
        }
        const bool is_final =
            found && (found->verdict != Verdict::not_identified || !sample.has_all_values());
        if (is_final) return *found;
        if (found && !reordered) reordered = std::move(found);
    }
    if (costly) return *costly;
    return reordered ? *reordered : nearest_to(views, tried, progress);
}

}  // namespace pegen::identify
