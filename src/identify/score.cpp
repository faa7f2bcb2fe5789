#include "identify/score.h"

#include <algorithm>

#include "identify/description.h"

namespace pegen::identify {
namespace {

double misfit_of(const Candidate& candidate, const evidence::Sample& array) {
    const Agreement& found = candidate.agreement;
    // Most code computes in float32, so this says little against a candidate.
    if (found.level == Level::float32) return 10;
    const double part = static_cast<double>(found.unequal) / static_cast<double>(found.values);
    constexpr double usual = 0.01;
    // Code in float32 is exact enough for 16 bits: there, a value that is not the rounded one
    // counts against the candidate.
    if (array.precision.digits < 24) {
        return 4 * std::max(0.0, part - usual) * static_cast<double>(found.values);
    }
    return std::min(10.0, 500 * std::max(0.0, part - usual));
}

}  // namespace

double score_of(const Candidate& candidate, const evidence::Sample& array) {
    return candidate.bits + misfit_of(candidate, array);
}

bool is_supported(const Candidate& candidate) {
    // Points that are free, and numbers that are unusual besides, fit too much.
    if (!candidate.proposal.data.empty() && !unusual_number(candidate).empty()) return false;
    constexpr double least_evidence = 30;  // beyond what the candidate costs
    return candidate.agreement.level != Level::none &&
           candidate.agreement.evidence - candidate.bits >= least_evidence;
}

}  // namespace pegen::identify
