// formulas [VALUES] [SEED] [ENCODING...]: compares tables of random parameters with the formulas of
// their pages.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "encodings/registry.h"
#include "formulas/check.h"

int main(int argc, char** argv) {
    const std::int64_t values = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
    const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 1);
    fmt::print("seed {}\n{:16}{:>12}{:>9}{:>9}{:>7}\n", seed, "encoding", "values", "tables",
               "refused", "wrong");
    std::mt19937_64 random(seed);
    auto encodings = pegen::formulas::checked_encodings();
    if (argc > 3) {
        const auto known = encodings;
        encodings.assign(argv + 3, argv + argc);
        for (const std::string_view encoding : encodings) {
            if (std::ranges::count(known, encoding) > 0) continue;
            fmt::print(stderr, "{}: no formula\n", encoding);
            return 2;
        }
    }
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
    fmt::print("\ntwo choices\n{:16}{:>10}{:>9}{:>10}{:>12}{:>7}\n", "encoding", "looked at",
               "refused", "compared", "no formula", "wrong");
    pegen::formulas::Pairs sum;
    for (const pegen::Encoding* encoding : pegen::all_encodings()) {
        if (argc > 3 && std::ranges::count(encodings, encoding->name) == 0) continue;
        const auto pairs = pegen::formulas::check_pairs(*encoding);
        fmt::print("{:16}{:10}{:9}{:10}{:12}{:7} {}\n", encoding->name, pairs.looked_at,
                   pairs.refused, pairs.compared, pairs.without_formula, pairs.wrong,
                   pairs.first_wrong);
        std::fflush(stdout);
        sum.looked_at += pairs.looked_at;
        sum.refused += pairs.refused;
        sum.compared += pairs.compared;
        sum.without_formula += pairs.without_formula;
        sum.wrong += pairs.wrong;
    }
    fmt::print("{:16}{:10}{:9}{:10}{:12}{:7}\n", "all", sum.looked_at, sum.refused, sum.compared,
               sum.without_formula, sum.wrong);
    return all.wrong + sum.wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
