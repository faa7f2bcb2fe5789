// formulas [VALUES] [SEED] [ENCODING...]: compares tables of random parameters with the formulas of
// their pages.
#include <fmt/format.h>

#include <cstdlib>

#include "formulas/check.h"

int main(int argc, char** argv) {
    const std::int64_t values = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
    const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 1);
    fmt::print("seed {}\n{:16}{:>12}{:>9}{:>9}{:>7}\n", seed, "encoding", "values", "tables",
               "refused", "wrong");
    std::mt19937_64 random(seed);
    auto encodings = pegen::formulas::checked_encodings();
    if (argc > 3) encodings.assign(argv + 3, argv + argc);
    pegen::formulas::Tally all;
    for (const std::string_view encoding : encodings) {
        const auto tally = pegen::formulas::check(
            encoding, values / static_cast<std::int64_t>(encodings.size()) + 1, random);
        fmt::print("{:16}{:12}{:9}{:9}{:7} {}\n", encoding, tally.values, tally.tables,
                   tally.refused, tally.wrong, tally.first_wrong);
        std::fflush(stdout);
        all.values += tally.values;
        all.tables += tally.tables;
        all.refused += tally.refused;
        all.wrong += tally.wrong;
    }
    fmt::print("{:16}{:12}{:9}{:9}{:7}\n", "all", all.values, all.tables, all.refused, all.wrong);
    return all.wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
