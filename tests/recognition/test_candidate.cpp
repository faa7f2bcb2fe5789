#include <doctest/doctest.h>

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "encodings/drawn/command.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "recognition/candidate.h"
#include "recognition/evidence/simple_number.h"

using namespace pegen;

namespace {

recognition::Candidate candidate_by(std::string_view text) {
    const trials::Command command = trials::command_of(text);
    return recognition::candidate_of(*command.encoding, *command.table, command.parameters);
}

double price_of(std::string_view text) { return recognition::price_of(candidate_by(text)); }

}  // namespace

TEST_CASE("candidate: a list of positions costs its ranges, repetitions and single numbers") {
    const auto price = [](const std::string& list) {
        return price_of("sinusoid --positions " + list);
    };
    const double of_one = price("7,8,7") - price("7,8");
    CHECK(of_one > 0);
    CHECK(price("7,8,7,8,7") - price("7,8,7,8") == doctest::Approx(of_one));
    CHECK(price("7,8,7,7,7,7") < price("7,8,7,8,7"));
    CHECK(price("0:400,0:400") < price("7,8,7,8,7"));
    CHECK(price("0:400") < price("0:400,0:400"));
    CHECK(price("0:400x2") < price("0:400:3x2"));
    CHECK(price("0:400") < price("0:400,7"));
}

TEST_CASE(
    "candidate: the price is the sum of the encoding's, of its parameters' and of what is chosen") {
    constexpr double encoding = 5, table = 5, naming = 2;
    const auto number = [](const char* text) { return naming + evidence::bits_of_number(text); };
    CHECK(price_of("sinusoid") == encoding);
    CHECK(price_of("sinusoid --len 77 --d 6") == encoding);
    CHECK(price_of("rope --table sin") == encoding + table);
    CHECK(price_of("sinusoid --reverse") == encoding + naming + 1);
    CHECK(price_of("sinusoid --odd zero-pad") == encoding + naming + std::log2(5));
    CHECK(price_of("sinusoid --start 77") == encoding + number("77"));
    CHECK(price_of("sinusoid --start 77 --step 0.37") == encoding + number("77") + number("0.37"));
    // A base below 100 costs 12 bits for each decade that it is below, unless a preset has it.
    CHECK(price_of("sinusoid --base 777") == encoding + number("777"));
    CHECK(price_of("sinusoid --base 7.7") ==
          doctest::Approx(encoding + number("7.7") + 12 * std::log10(100 / 7.7)));
    CHECK(price_of("sinusoid --keep-channels 0:8") == encoding + naming + 12);
    CHECK(price_of("sinusoid --keep-channels 0:8,12:14") == encoding + naming + 12 + 5);
    // Another word of a text, and a text that a preset has
    CHECK(price_of("learned --init xavier-uniform") > price_of("learned"));
    // What a table does not use is free.
    CHECK(price_of("alibi --table slopes --key-len 70") == price_of("alibi --table slopes"));
}

TEST_CASE("candidate: rows and channels that are chosen cost little if they are a run") {
    recognition::Candidate candidate = candidate_by("sinusoid --len 9 --d 8");
    const double whole = recognition::price_of(candidate);
    const auto price = [&](std::vector<std::int64_t> rows, std::vector<std::int64_t> channels) {
        candidate.proposal.rows = std::move(rows);
        candidate.proposal.channels = std::move(channels);
        return recognition::price_of(candidate) - whole;
    };
    CHECK(price({4}, {}) == 12);
    CHECK(price({2, 4, 6}, {}) == 12);
    CHECK(price({}, {7, 6, 5}) == 12);
    CHECK(price({2, 4, 6}, {0, 1}) == 24);
    CHECK(price({2, 4, 7}, {}) == 14);
    CHECK(price({2, 4, 7, 8, 10, 11, 12}, {}) == 12 + 4 * 3);
}

TEST_CASE("candidate: each value of a file costs as many bits as its format has") {
    const Encoding& encoding = *find_encoding("fourier");
    evidence::Proposal proposal{.settings = {{"freqs", "pow2:3"}}};
    const double plain = recognition::candidate_of(encoding, proposal)->bits;
    proposal.data = {{"points", "points.npy", table_of("sinusoid --len 3 --d 2")}};
    CHECK(recognition::candidate_of(encoding, proposal)->bits == plain + 2 + 6 * 24);
}
