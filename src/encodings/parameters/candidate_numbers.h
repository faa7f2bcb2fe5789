#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/simple_number.h"

namespace pegen::encodings {

/// A number of an initializer as it may have been typed.
struct CandidateNumber {
    std::string text;
    double bits;
};

/// Returns what a measured number of --init may be, for rows of `d` channels: simple numbers,
/// 1/sqrt(d), and the numbers of float32 next to it.
std::vector<CandidateNumber> candidate_numbers(const evidence::Measured& number, std::int64_t d);

/// Returns the texts "prefixA,B,C" for the cheapest choices of a number from each list.
std::vector<std::string> cheapest_texts(std::string_view prefix,
                                        const std::vector<std::vector<CandidateNumber>>& numbers);

}  // namespace pegen::encodings
