#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/encoding.h"

// Compares tables of random parameters with the formulas of their pages, evaluated by MPFR.
namespace pegen::formulas {

struct Tally {
    std::int64_t values = 0;
    std::int64_t tables = 0;
    std::int64_t refused = 0;  ///< sets of parameters that the encoding refuses
    std::int64_t wrong = 0;
    std::string first_wrong{};  ///< the command, the place and both values
};

/// The results for tables of two choices, for all words and flags.
struct Pairs {
    std::int64_t looked_at = 0;
    std::int64_t refused = 0;
    std::int64_t compared = 0;
    std::int64_t without_formula = 0;  ///< made, but not compared
    std::int64_t wrong = 0;
    std::string first_wrong{};
    std::set<std::string> messages{};  ///< messages of refusals
};

/// Makes a small table for each pair of choices of two different words or flags.
Pairs check_pairs(const Encoding& encoding);

/// The names of the encodings that have a formula here, and those that have none, which hold drawn
/// or stored numbers, or are not evaluated here yet, each with the reason.
std::vector<std::string_view> checked_encodings();
std::vector<std::string_view> unchecked_encodings();

/// Draws parameters of the encoding until at least `values` values were compared with the correctly
/// rounded ones.
Tally check(std::string_view encoding, std::int64_t values, std::mt19937_64& random);

}  // namespace pegen::formulas
