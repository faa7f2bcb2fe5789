#include "identify/rivals.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "identify/agreement.h"
#include "identify/candidate.h"
#include "identify/score.h"

namespace pegen::identify {
namespace {

/// Rivals are candidates that cost at most so many bits more than the best one. Another word, as
/// another scaling, needs numbers that it costs to name, but people choose it as readily. If both
/// draw the same numbers, the number of their options says little about which one drew them.
constexpr double close_bits = 10, close_bits_of_words = 32, close_bits_of_draws = 20;

/// True if both are of one table, and differ in a word or a flag.
bool differ_in_words(const Candidate& a, const Candidate& b) {
    if (a.table != b.table) return false;
    return std::ranges::any_of(a.parameters.entries(), [&](const Parameters::Entry& entry) {
        const ParameterType type = entry.spec->type;
        const bool is_word = type == ParameterType::word || type == ParameterType::flag;
        return is_word && !are_same(entry.value, b.parameters.value(entry.spec->name));
    });
}

bool is_drawn(const Candidate& candidate) { return candidate.parameters.knows("seed"); }

/// Returns how much more than `best` a candidate may cost to be its rival.
double close_bits_to(const Candidate& best, const Candidate& candidate) {
    if (differ_in_words(best, candidate)) return close_bits_of_words;
    return is_drawn(best) && is_drawn(candidate) ? close_bits_of_draws : close_bits;
}

}  // namespace

std::vector<Candidate> rivals_among(std::vector<Candidate> candidates,
                                    const evidence::Sample& array, Kept which) {
    std::ranges::stable_sort(candidates, {}, &Candidate::bits);
    std::vector<Candidate> kept;
    double least = std::numeric_limits<double>::infinity();
    std::optional<Candidate> best;
    for (Candidate& candidate : candidates) {
        if (best && candidate.bits > least + close_bits_to(*best, candidate)) continue;
        const std::optional<Table> table = table_of(candidate, array.precision);
        if (!table) continue;
        candidate.agreement = agreement_of(*table, array, candidate.proposal, Scope::leading);
        if (candidate.agreement.values == 0 || !is_supported(candidate, array)) continue;
        const double score = score_of(candidate, array);
        if (which == Kept::rivals && score < least) {
            least = score;
            best = candidate;
        }
        kept.push_back(std::move(candidate));
    }
    const auto score = [&](const Candidate& candidate) { return score_of(candidate, array); };
    std::ranges::stable_sort(kept, {}, score);
    return kept;
}

bool is_rival(const Candidate& candidate, const Candidate& best, const evidence::Sample& array) {
    return candidate.agreement.level <= best.agreement.level &&
           score_of(candidate, array) <= score_of(best, array) + close_bits_to(best, candidate);
}

}  // namespace pegen::identify
