#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>

#include "core/error.h"
#include "encodings/drawn/draws.h"
#include "encodings/registry.h"
#include "recognition/identify.h"
#include "recognition/identify/conventions.h"
#include "recognition/identify/kernel_trials.h"
#include "recognition/identify/negatives.h"
#include "recognition/identify/perturbations.h"
#include "recognition/identify/scoreboard.h"
#include "recognition/kernel/rotary_kernel.h"

using namespace pegen;
using namespace pegen::trials;

namespace {

std::string failures_of(const Scoreboard& board) {
    return fmt::format("{}", fmt::join(board.failures(), "\n"));
}

/// Returns the command with the first of the options that it has; none if it makes no such table.
std::optional<Command> command_with(const std::string& text,
                                    std::initializer_list<const char*> options) {
    for (const char* option : options) {
        try {
            const Command command = command_of(text + option);
            made_by(command);
            return command;
        } catch (const Error&) {
        }
    }
    return std::nullopt;
}

}  // namespace

TEST_CASE("identify: names the command of presets and defaults, or says that others do the same") {
    // Only some are tried here; `make trials` tries all of them, at three sizes.
    Scoreboard board;
    for (const Command& command : all_conventions(TableSize::small)) {
        if (is_sampled(text_of(command), 12)) board.add("small", trial_of(command));
    }
    INFO(failures_of(board));
    CHECK(board.count(Outcome::wrong) == 0);
    CHECK(board.count(Outcome::missed) == 0);
    CHECK(changed_answers("conventions", board.answers()) == "");
}

TEST_CASE("identify: names the command of tables whose parameters are drawn") {
    Scoreboard board;
    int tried = 0;
    for (const Encoding* encoding : all_encodings()) {
        if (!is_sampled(encoding->name, 2)) continue;
        Random random(1);
        board.add("random", trial_of(drawn_command(*encoding, random)));
        ++tried;
    }
    INFO(failures_of(board));
    CHECK(board.count(Outcome::wrong) == 0);
    CHECK(4 * board.count(Outcome::missed) <= tried);
    CHECK(changed_answers("random", board.answers()) == "");
}

TEST_CASE("identify: tables of two rows") {
    Scoreboard board;
    for (const Encoding* encoding : all_encodings()) {
        for (const TableSpec& table : encoding->tables) {
            const auto command = command_with(
                fmt::format("{} --table {} --len 2", encoding->name, table.name),
                {" --base 777 --start 7 --d 8", " --start 7 --d 8", " --start 7", " --d 8", ""});
            if (command) board.add("short", trial_of(*command));
        }
    }
    INFO(failures_of(board));
    CHECK(board.count(Outcome::wrong) == 0);
    CHECK(changed_answers("short", board.answers()) == "");
}

TEST_CASE("identify: names a table that is repeated along two axes") {
    for (const char* command : {"sinusoid --len 30 --d 16", "rope --len 30 --d 16"}) {
        CAPTURE(command);
        Trial trial = trial_of(command_of(command));
        const std::vector<double> once = trial.array.values;
        for (int i = 1; i < 6; ++i) {
            trial.array.values.insert(trial.array.values.end(), once.begin(), once.end());
        }
        trial.upright = trial.array;
        trial.upright->values = once;
        trial.array.extents = {2, 3, 30, 16};
        const Judgement judgement = judge(trial);
        CAPTURE(judgement.answer);
        CHECK((judgement.outcome == Outcome::right));
    }
}

TEST_CASE("identify: names tables of few or coarse numbers") {
    for (const char* command : {
             "binary --len 12 --start 100",
             "binary --len 16",
             "alibi --table slopes --heads 8",
             "fire --heads 4 --len 24 --seed 1 --dtype bfloat16",
             "t5 --table bias --heads 1 --len 7",
         }) {
        const Judgement judgement = judge(trial_of(command_of(command)));
        INFO(command, " -> ", judgement.answer);
        CHECK((judgement.outcome == Outcome::right || judgement.outcome == Outcome::ambiguous));
    }
}

TEST_CASE("identify: names both of two encodings that make the same array") {
    for (const char* command :
         {"shaw --len 12 --max-distance 4 --sign query-key --shift 3",
          "deberta --table index --len 12 --position-buckets 7",
          "shaw --table value --d 16 --max-distance 4 --init trunc-normal:0,0.02,-2,2",
          "shaw --table value --d 32 --right 8 --init xavier-uniform --seed 1"}) {
        const Judgement judgement = judge(trial_of(command_of(command)));
        INFO(command, " -> ", judgement.answer);
        CHECK(judgement.outcome == Outcome::ambiguous);
    }
}

TEST_CASE("identify: sees through what happens to tables, and says where they are spoiled") {
    Scoreboard board;
    for (const Perturbation& perturbation : all_perturbations()) {
        Random random(1);
        board.add(std::string(perturbation.name), perturbed(perturbation, random).front());
    }
    INFO(failures_of(board));
    CHECK(board.count(Outcome::wrong) == 0);
    CHECK(board.count(Outcome::missed) == 0);
    CHECK(changed_answers("perturbed", board.answers()) == "");
}

TEST_CASE("identify: of doubles, a value is found that is off by less than float32 code makes it") {
    Scoreboard board;
    for (const Perturbation& perturbation : all_perturbations()) {
        if (perturbation.name != "one value of a double is off by 1e-9") continue;
        Random random(1);
        for (const Trial& trial : perturbed(perturbation, random)) board.add("doubles", trial);
    }
    INFO(failures_of(board));
    CHECK(board.count(Outcome::right) == 12);
}

TEST_CASE("identify: ten spoiled rows are named, and the convention of the others") {
    const auto& all = all_perturbations();
    const auto spoiled = std::ranges::find(all, "rows 10 to 19 spoiled", &Perturbation::name);
    REQUIRE(spoiled != all.end());
    Scoreboard board;
    Random random(1);
    for (const Trial& trial : perturbed(*spoiled, random)) board.add("spoiled rows", trial);
    INFO(failures_of(board));
    CHECK(board.count(Outcome::right) == 8);
}

TEST_CASE("identify: a number with many digits is no certain answer, also by a preset's name") {
    // The exponent is (2i + 1) / d, as a mistake could make it; no base makes these frequencies.
    Array array{{100, 32}, DType::float64, {}};
    for (int row = 0; row < 100; ++row) {
        for (int i = 0; i < 16; ++i) {
            const double angle = row * std::pow(10000, -(2 * i + 1) / 32.0);
            array.values.insert(array.values.end(), {std::sin(angle), std::cos(angle)});
        }
    }
    const recognition::Identification answer = recognition::identify(table_of(array));
    CHECK((answer.verdict == recognition::Verdict::ambiguous));
    REQUIRE(answer.found);
    CHECK(answer.found->notes.back().find(" is no usual number") != std::string::npos);
    for (const char* command : {"sinusoid --len 60 --d 16 --step 0.03125",
                                "sinusoid --len 60 --d 16 --step pi/180 --dtype float64"}) {
        CAPTURE(command);
        CHECK((judge(trial_of(command_of(command))).outcome == Outcome::right));
    }
}

TEST_CASE("identify: positions that are rounded to 16 bits are named") {
    std::string command = "sinusoid --d 32 --positions 0";
    for (int row = 1; row < 300; ++row) {
        command += fmt::format(",{}", recognition::rounded(row, DType::bfloat16));
    }
    const Trial trial = trial_of(command_of(command));
    const recognition::Identification answer = recognition::identify(table_of(trial.array));
    REQUIRE(answer.found);
    CHECK(std::ranges::count(answer.found->notes,
                             "the positions are rounded to bfloat16: 257 is 256") == 1);
}

TEST_CASE("identify: claims nothing of arrays that are no encoding's table") {
    Scoreboard board;
    // Only some are tried here; `make trials` tries all of them, and the test of proposals a third.
    Random random(1);
    const std::vector<Trial> trials = all_negatives(random);
    for (std::size_t i = 0; i < trials.size(); i += 16) board.add("negatives", trials[i]);
    INFO(failures_of(board));
    CHECK(board.count(Outcome::wrong) == 0);
    CHECK(board.count(Outcome::right) >= 10);
    CHECK(changed_answers("negatives", board.answers()) == "");
}

TEST_CASE("identify: says what kernels that are drawn do") {
    // Only some are tried here; `make trials` tries more.
    Scoreboard board;
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        board.add("kernels", drawn_kernel(random));
    }
    INFO(failures_of(board));
    CHECK(board.count(Outcome::wrong) == 0);
    CHECK(changed_answers("kernels", board.answers()) == "");
}
