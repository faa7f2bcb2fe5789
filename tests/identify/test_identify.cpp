#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>

#include "encodings/registry.h"
#include "identify/conventions.h"
#include "identify/draws.h"
#include "identify/negatives.h"
#include "identify/perturbations.h"
#include "identify/scoreboard.h"

using namespace pegen;
using namespace pegen::trials;

namespace {

std::string failures_of(const Scoreboard& board) {
    return fmt::format("{}", fmt::join(board.failures(), "\n"));
}

}  // namespace

TEST_CASE("identify: names the command of presets and defaults, or says that others do the same") {
    // Some: `make trials` tries all of them, at three sizes.
    Scoreboard board;
    const std::vector<Command> commands = all_conventions(TableSize::small);
    for (std::size_t i = 0; i < commands.size(); i += 12) {
        board.add("small", trial_of(commands[i]));
    }
    INFO(failures_of(board));
    CHECK(board.count(Outcome::wrong) == 0);
    CHECK(board.count(Outcome::missed) == 0);
}

TEST_CASE("identify: names the command of tables whose parameters are drawn") {
    Scoreboard board;
    int tried = 0;
    for (std::size_t i = 0; i < all_encodings().size(); i += 2) {
        Random random(i);
        board.add("random", trial_of(drawn_command(*all_encodings()[i], random)));
        ++tried;
    }
    INFO(failures_of(board));
    CHECK(board.count(Outcome::wrong) == 0);
    CHECK(4 * board.count(Outcome::missed) <= tried);
}

TEST_CASE("identify: the trials draw every parameter that needs no file") {
    for (const Encoding* encoding : all_encodings()) {
        CHECK(fmt::format("{}", fmt::join(parameters_never_drawn(*encoding), ", ")) == "");
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
}

TEST_CASE("identify: claims nothing of arrays that are no encoding's table") {
    Scoreboard board;
    // Some: `make trials` tries all of them.
    Random random(1);
    const std::vector<Trial> trials = all_negatives(random);
    for (std::size_t i = 0; i < trials.size(); i += 8) board.add("negatives", trials[i]);
    INFO(failures_of(board));
    CHECK(board.count(Outcome::wrong) == 0);
    CHECK(board.count(Outcome::right) >= 10);
}
