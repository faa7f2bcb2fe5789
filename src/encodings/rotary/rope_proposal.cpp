#include "encodings/rotary/rope_proposal.h"

#include <cmath>
#include <memory>
#include <string>
#include <string_view>

#include "core/to_size.h"

namespace pegen::encodings {

using evidence::Measured;
using evidence::Proposal;

void propose(std::vector<Proposal>& proposals, const RotaryColumns& columns, const FoundRope& found,
             std::int64_t rows) {
    Proposal proposal{.table = columns.table, .settings = found.settings};
    for (const std::vector<evidence::Setting>* const more :
         {&columns.settings, &found.positions.settings}) {
        proposal.settings.insert(proposal.settings.end(), more->begin(), more->end());
    }
    if (found.positions.list.empty()) proposal.settings.push_back({"len", std::to_string(rows)});
    proposal.channels = columns.channels;
    proposal.notes = columns.notes;
    proposal.angle = [found = std::make_shared<const FoundRope>(found),
                      pairs = std::make_shared<const std::vector<std::int64_t>>(
                          columns.pair_of_column)](std::int64_t row, std::int64_t column) {
        const std::int64_t pair = (*pairs)[to_size(column)];
        return std::fabs(found->positions.at(row) * found->frequencies[to_size(pair)]);
    };
    // Without --arith, the table is exact.
    for (const std::string_view arith : {"", "float32", "ggml"}) {
        const double least = arith.empty() ? exact_arithmetic.drift : float32_arithmetic.drift;
        const bool is_too_far = found.drift == ggml_arithmetic.drift && arith != "ggml";
        if (is_too_far || (!arith.empty() && found.drift < least)) continue;
        proposals.push_back(proposal);
        if (!arith.empty()) proposals.back().settings.push_back({"arith", std::string(arith)});
    }
}

std::vector<double> values_of(const std::vector<Measured>& numbers) {
    std::vector<double> values;
    for (const Measured& number : numbers) values.push_back(number.value);
    return values;
}

/// Returns the frequencies multiplied by `factor`.
std::vector<Measured> times(std::vector<Measured> frequencies, double factor) {
    for (Measured& frequency : frequencies) {
        frequency.value *= factor;
        frequency.error *= std::fabs(factor);
    }
    return frequencies;
}

}  // namespace pegen::encodings
