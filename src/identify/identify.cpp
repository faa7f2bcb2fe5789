#include "identify/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/to_size.h"
#include "encodings/registry.h"
#include "identify/agreement.h"
#include "identify/alternatives.h"
#include "identify/candidate.h"
#include "identify/nearest.h"
#include "identify/proposals.h"
#include "identify/score.h"
#include "identify/views.h"

namespace pegen::identify {
namespace {

/// Keeps the candidates that agree with the values in memory, the best first.
std::vector<Candidate> agreeing(std::vector<Candidate> candidates, const evidence::Sample& array) {
    std::vector<Candidate> kept;
    for (Candidate& candidate : candidates) {
        const std::optional<Table> table = table_of(candidate, array.precision);
        if (!table) continue;
        candidate.agreement = agreement_of(*table, array, candidate.proposal, Extent::leading);
        if (candidate.agreement.values > 0 && is_supported(candidate)) {
            kept.push_back(std::move(candidate));
        }
    }
    std::ranges::stable_sort(
        kept, {}, [&](const Candidate& candidate) { return score_of(candidate, array); });
    return kept;
}

/// Compares with the whole array where only its beginning was in memory.
bool is_confirmed(Candidate& candidate, const evidence::Sample& array, const Progress& progress) {
    if (std::ssize(array.values) == array.table.shape.size()) return true;
    const std::optional<Table> table = table_of(candidate, array.precision);
    if (!table) return false;
    candidate.agreement = agreement_of(*table, array, candidate.proposal, Extent::whole, progress);
    return candidate.agreement.level != Level::none;
}

DType dtype_of(const Candidate& candidate, const Table& array) {
    const DType own = candidate.table->dtype;
    if (array.dtype == own || is_floating(own) != is_floating(array.dtype)) return own;
    const bool is_offered = is_floating(own) || array.dtype == DType::int32;
    return is_offered ? array.dtype : own;
}

/// True if an array of `dtype` holds only the values of `values`, a format of fewer digits.
bool is_narrower(DType values, DType dtype) {
    return is_floating(dtype) && info(values).size < info(dtype).size;
}

/// Answers with the best candidate that the whole array confirms; none if there is none.
std::optional<Identification> answer(std::vector<Candidate> candidates, const View& view,
                                     const evidence::Sample& sample, const Table& array,
                                     const Progress& progress) {
    std::vector<Candidate> rivals = agreeing(std::move(candidates), sample);
    while (!rivals.empty() && !is_confirmed(rivals.front(), sample, progress)) {
        rivals.erase(rivals.begin());
    }
    if (rivals.empty()) return {};
    Identification found;
    Candidate best = std::move(rivals.front());
    rivals.erase(rivals.begin());
    if (const std::string order = order_of(best); !order.empty()) {
        best.agreement.level = Level::none;
        best.command = command_of(best, nullptr, dtype_of(best, array));
        found.departure = order;
        found.nearest = std::move(best);
        return found;
    }
    simplify(best, sample);
    constexpr double close = 4;  // bits
    std::erase_if(rivals, [&](const Candidate& rival) {
        return rival.agreement.level > best.agreement.level ||
               score_of(rival, sample) > score_of(best, sample) + close;
    });
    found.alternatives = alternatives_of(best, sample, rivals);
    const auto finish = [&](Candidate& candidate) {
        candidate.command = command_of(candidate, nullptr, dtype_of(candidate, array));
        candidate.notes = candidate.proposal.notes;
        if (!view.note.empty()) candidate.notes.push_back(view.note);
        if (is_narrower(sample.precision.dtype, array.dtype)) {
            candidate.notes.push_back(fmt::format("the array is of {}, its values are those of {}",
                                                  info(array.dtype).name,
                                                  info(sample.precision.dtype).name));
        }
    };
    finish(best);
    for (Alternative& alternative : found.alternatives) finish(alternative.candidate);
    found.verdict = found.alternatives.empty() ? Verdict::identified : Verdict::ambiguous;
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
    for (const View& view : views) {
        const evidence::Sample sample = view.sample();
        if (&view == views.data()) {
            if (const std::optional<double> value = only_value(sample)) {
                Identification nothing;
                nothing.notes = {fmt::format(
                    "all values in memory are {}: they say nothing of an encoding", *value)};
                return nothing;
            }
        }
        if (auto found = answer(recognized(sample), view, sample, array, progress)) return *found;
    }
    // The search for extents takes a while, and the array as it is is the most likely one.
    constexpr std::size_t most_fitted = 2;
    for (const View& view : std::span(views).first(std::min(views.size(), most_fitted))) {
        const evidence::Sample sample = view.sample();
        if (auto found = answer(fitted_presets(sample), view, sample, array, progress)) {
            return *found;
        }
    }
    return nearest_to(views);
}

}  // namespace pegen::identify
