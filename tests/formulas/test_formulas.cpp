#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "encodings/registry.h"
#include "formulas/check.h"

using namespace pegen;

TEST_CASE("formulas: every encoding is compared with its formula, or named with a reason") {
    const auto checked = formulas::checked_encodings(), others = formulas::unchecked_encodings();
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        CHECK(std::ranges::count(checked, encoding->name) +
                  std::ranges::count(others, encoding->name) ==
              1);
    }
}

TEST_CASE("formulas: tables of random parameters are the formulas of their pages") {
    std::mt19937_64 random(46);
    for (const std::string_view encoding : formulas::checked_encodings()) {
        CAPTURE(encoding);
        const formulas::Tally tally = formulas::check(encoding, 2000, random);
        CHECK_MESSAGE(tally.wrong == 0, tally.first_wrong);
        CHECK(tally.values >= 2000);
    }
}

TEST_CASE("formulas: two choices are refused with a reason or make the formula's table") {
    std::int64_t compared = 0;
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        const formulas::Pairs pairs = formulas::check_pairs(*encoding);
        CHECK_MESSAGE(pairs.wrong == 0, pairs.first_wrong);
        for (const std::string& message : pairs.messages) {
            CAPTURE(message);
            CHECK(message.starts_with("--"));
        }
        compared += pairs.compared;
    }
    CHECK(compared > 1000);
}
