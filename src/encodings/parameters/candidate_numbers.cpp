#include "encodings/parameters/candidate_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pegen::encodings {
namespace {

constexpr std::size_t most_texts = 64;

}  // namespace

std::vector<CandidateNumber> candidate_numbers(const evidence::Measured& number, std::int64_t d) {
    std::vector<CandidateNumber> candidates;
    for (const evidence::SimpleNumber& simple : evidence::simple_numbers(number, 5)) {
        candidates.push_back({simple.text, simple.bits});
    }
    const double of_channels = 1 / std::sqrt(static_cast<double>(d));
    if (std::fabs(number.value - of_channels) <= number.error) {
        candidates.push_back({"1/sqrt(d)", 4});
    }
    // The code that drew had some number of float32, whatever formula it is of.
    constexpr double bits_of_float = 32;
    const auto nearest = static_cast<float>(number.value);
    for (const float neighbour :
         {nearest, std::nextafterf(nearest, -1e30F), std::nextafterf(nearest, 1e30F)}) {
        if (std::fabs(static_cast<double>(neighbour) - number.value) <= number.error) {
            candidates.push_back({fmt::format("{}", neighbour), bits_of_float});
        }
    }
    std::ranges::stable_sort(candidates, {}, &CandidateNumber::bits);
    return candidates;
}

std::vector<std::string> cheapest_texts(std::string_view prefix,
                                        const std::vector<std::vector<CandidateNumber>>& numbers) {
    std::vector<CandidateNumber> texts{{std::string(prefix), 0}};
    for (const std::vector<CandidateNumber>& choices : numbers) {
        std::vector<CandidateNumber> longer;
        for (const CandidateNumber& text : texts) {
            for (const CandidateNumber& choice : choices) {
                const char* const comma = text.text.ends_with(':') ? "" : ",";
                longer.push_back({text.text + comma + choice.text, text.bits + choice.bits});
            }
        }
        std::ranges::stable_sort(longer, {}, &CandidateNumber::bits);
        if (longer.size() > most_texts) longer.resize(most_texts);
        texts = std::move(longer);
    }
    std::vector<std::string> result;
    for (CandidateNumber& text : texts) result.push_back(std::move(text.text));
    return result;
}

}  // namespace pegen::encodings
