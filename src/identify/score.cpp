#include "identify/score.h"

#include <algorithm>

#include "identify/description.h"

namespace pegen::identify {
namespace {

double misfit_of(const Candidate& candidate, const evidence::Sample& array) {
    const Agreement& found = candidate.agreement;
    // Most code computes in float32, so this says little against a candidate; but float64 has
    // digits that float32 code does not explain.
    const double of_float32 = array.precision.digits > 24 ? 100 : 10;
    const double of_level = found.level == Level::float32 ? of_float32 : 0;
    const auto values = static_cast<double>(found.values);
    const double part = static_cast<double>(found.unequal) / values;
    // Code in float32 is exact enough for 16 bits: there, a value that is not the rounded one
    // counts against the candidate.
    if (array.precision.digits < 24) {
        constexpr double usual = 0.002;
        return of_level + 4 * std::max(0.0, part - usual) * values;
    }
    constexpr double usual = 0.01;
    return std::max(of_level, std::min(10.0, 500 * std::max(0.0, part - usual)));
}

/// What free values cost in an array of doubles beyond the 24 digits of the candidate's price.
double bits_of_doubles(const Candidate& candidate, const evidence::Sample& array) {
    double values = 0;
    for (const evidence::DataFile& data : candidate.proposal.data) {
        if (is_floating(data.table.dtype)) values += static_cast<double>(data.table.shape.size());
    }
    return values * std::max(0, array.precision.digits - 24);
}

}  // namespace

double score_of(const Candidate& candidate, const evidence::Sample& array) {
    return candidate.bits + misfit_of(candidate, array);
}

bool is_supported(const Candidate& candidate, const evidence::Sample& array) {
    const bool is_unusual = !unusual_number(candidate).empty();
    // Points that are free, and numbers that are unusual besides, fit too much.
    if (!candidate.proposal.data.empty() && is_unusual) return false;
    // So do angles that float32 code has nearly lost, unless the numbers are plain.
    constexpr double lost = 1e-3, most_bits_of_plain = 45;
    const double unit = evidence::unit_of(1, array.precision);
    const bool is_vague = candidate.agreement.level == Level::float32 &&
                          candidate.agreement.largest > lost + 2 * unit;
    if (is_vague && (is_unusual || candidate.bits > most_bits_of_plain)) return false;
    // Any geometric progression is a vector of frequencies of some base.
    if (array.rank() == 1 && is_unusual) return false;
    constexpr double least_evidence = 30;  // beyond what the candidate costs
    return candidate.agreement.level != Level::none &&
           candidate.agreement.evidence - candidate.bits - bits_of_doubles(candidate, array) >=
               least_evidence;
}

}  // namespace pegen::identify
