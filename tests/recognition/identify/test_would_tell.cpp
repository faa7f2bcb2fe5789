#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/names.h"
#include "recognition/identify.h"
#include "recognition/identify/array.h"
#include "recognition/identify/trial.h"

using namespace pegen;
using namespace pegen::trials;
using pegen::recognition::Identification;
using pegen::recognition::Verdict;

namespace {

Identification asked(const Array& array) { return recognition::identify(table_of(array)); }

std::string command_in(const Identification& answer) {
    return answer.found ? fmt::format("{}", fmt::join(answer.found->command, " ")) : "none";
}

/// Returns the candidate's table at the size that the options name.
Array at_size(const recognition::Candidate& candidate, const std::string& options) {
    Command command{candidate.encoding, candidate.table, candidate.parameters,
                    candidate.table->dtype, std::string(candidate.encoding->name)};
    command.parameters.set_all(options, Origin::user);
    return array_of(made_by(command));
}

/// Returns `count` columns of a table from column `first` on.
Array columns_of(const char* command, std::int64_t first, std::int64_t count) {
    const Array whole = array_of(made_by(command_of(command)));
    Array part{{whole.rows(), count}, whole.dtype, {}};
    for (std::int64_t row = 0; row < whole.rows(); ++row) {
        for (std::int64_t i = 0; i < count; ++i) part.values.push_back(whole.at(row, first + i));
    }
    return part;
}

}  // namespace

TEST_CASE("identify: the size that would tell two commands apart does") {
    int told = 0;
    for (const char* command :
         {"ddpm --len 20 --d 4", "sinusoid --len 30 --d 2", "sinusoid --len 20 --d 5 --odd exact",
          "rope --len 30 --d 4", "rope --len 24 --d 8 --scaling ntk --factor 8",
          "mae --height 4 --width 4 --d 16", "t5 --heads 2 --len 20 --table bucket",
          "grid --height 5 --width 6 --d 16", "alibi --heads 4 --len 20",
          "swin --height 3 --width 3", "deberta --len 20",
          "shaw --table index --len 12 --max-distance 4", "t5 --len 1 --key-len 200",
          "rope --table inv-freq --d 128 --base 500000",
          "sinusoid --d 16 --positions 0,0.5,1.25,3,7,20,21.5"}) {
        CAPTURE(command);
        const Identification answer = asked(array_of(made_by(command_of(command))));
        for (const recognition::Alternative& other : answer.alternatives) {
            if (other.told_apart_by.empty()) continue;
            CAPTURE(other.told_apart_by);
            const Array a = at_size(*answer.found, other.told_apart_by);
            const Array b = at_size(other.candidate, other.told_apart_by);
            // Two tables of one encoding may differ in shape alone. For two encodings an option
            // need not mean the same, so their values must differ.
            const bool are_of_one = answer.found->encoding == other.candidate.encoding;
            CHECK((a.extents == b.extents ? a.values != b.values : are_of_one));
            ++told;
        }
    }
    CHECK(told >= 10);
}

TEST_CASE("identify: some channels of a table are named as such, with no size that would tell") {
    const Array first = columns_of("sinusoid --len 100 --d 64 --dtype float64", 0, 16);
    const Identification answer = asked(first);
    CHECK(command_in(answer) ==
          "pe-gen sinusoid --len 100 --d 64 --keep-channels 0:16 --dtype float64");
    for (const recognition::Alternative& other : answer.alternatives) {
        const bool is_of_all = other.candidate.command.size() == 9;  // --d 16 --base 10
        if (is_of_all) CHECK(other.told_apart_by == "");
    }
    CHECK(command_in(asked(columns_of("sinusoid --len 100 --d 64", 10, 20))) ==
          "pe-gen sinusoid --len 100 --d 64 --keep-channels 10:30");
    // One half holds the sines or the cosines, whose exponents depend on the whole width.
    const char* const halves = "sinusoid --len 40 --d 64 --denom-shift 1 --layout halves";
    CHECK(command_in(asked(columns_of(halves, 0, 32))) ==
          "pe-gen sinusoid --len 40 --d 64 --layout halves --keep-channels 0:32 --denom-shift 1");
    CHECK(command_in(asked(columns_of(halves, 32, 32))) ==
          "pe-gen sinusoid --len 40 --d 64 --layout halves --first cos --keep-channels 0:32 "
          "--denom-shift 1");
}

TEST_CASE("identify: of two commands that agree, the closer one is named") {
    CHECK(command_in(asked(array_of(made_by(
              command_of("mrope --sections 11,11,10 --order interleaved --d 64 --base 10000000 "
                         "--sequence text:3,image:3x4,text:2 --dtype float64"))))) ==
          "pe-gen mrope --sequence text:3,image:3x4,text:2 --d 64 --base 10000000 --sections "
          "11,11,10 --order interleaved --dtype float64");
    CHECK(command_in(asked(array_of(made_by(
              command_of("sinusoid --len 200 --d 64 --base 10000.003 --dtype float64"))))) ==
          "pe-gen sinusoid --len 200 --d 64 --base 10000.003 --dtype float64");
}

TEST_CASE("identify: doubles agree as float32 code makes them only if something speaks for it") {
    const Array exact = array_of(made_by(command_of("sinusoid --len 200 --d 64 --dtype float64")));
    Array of_float32 = exact, noisy = exact;
    for (std::int64_t row = 0; row < exact.rows(); ++row) {
        for (std::int64_t c = 0; c < 64; ++c) {
            const auto frequency =
                static_cast<float>(std::pow(10000, -static_cast<double>(c - c % 2) / 64));
            const double angle = static_cast<float>(row) * frequency;
            of_float32.at(row, c) = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
            const double turn =
                static_cast<double>(row) * 1e-7 * std::sin(7.0 * static_cast<double>(c));
            noisy.at(row, c) += turn;
        }
    }
    const Identification told = asked(of_float32);
    REQUIRE(told.found);
    CHECK((told.found->agreement.level == recognition::Level::float32));
    const Identification near = asked(noisy);
    CHECK((near.verdict == Verdict::not_identified));
    REQUIRE(near.nearest);
    CHECK(near.nearest->encoding->name == "sinusoid");
}

TEST_CASE("identify: the true command is among the answers for each choice of a word") {
    for (const char* command :
         {"transformer-xl --range xlnet --len 24 --mem-len 8 --d 32",
          "transformer-xl --range full --len 24 --mem-len 8 --d 32",
          "transformer-xl --range causal --len 24 --mem-len 8 --d 32",
          "sinusoid --len 40 --d 64 --denom-shift 1 --layout halves --keep-channels 0:32"}) {
        const Judgement judgement = judge(trial_of(command_of(command)));
        INFO(command, " -> ", judgement.answer);
        CHECK((judgement.outcome == Outcome::right || judgement.outcome == Outcome::ambiguous));
    }
}

TEST_CASE("identify: sections of M-RoPE that make the same file are both named") {
    const char* command =
        "mrope --d 64 --sections 11,11,10 --order interleaved --sequence text:2,image:2x3,text:4";
    const Identification in_float32 = asked(array_of(made_by(command_of(command))));
    REQUIRE(in_float32.verdict == Verdict::ambiguous);
    std::string commands = command_in(in_float32);
    for (const recognition::Alternative& other : in_float32.alternatives) {
        CHECK(other.told_apart_by == "--dtype float64");
        commands += fmt::format("; {}", other.candidate.parameters.integers("sections"));
    }
    CAPTURE(commands);
    CHECK(commands.find("12,10,10") != commands.npos);
    CHECK(commands.find("[11, 11, 10]") != commands.npos);
    const Identification in_float64 =
        asked(array_of(made_by(command_of(fmt::format("{} --dtype float64", command)))));
    CHECK(in_float64.verdict == Verdict::identified);
    CHECK(command_in(in_float64).find("11,11,10") != std::string::npos);
}
