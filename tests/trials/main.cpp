// Tries `identify` on tables of all encodings, on what may have happened to them, and on arrays
// that are no table. Prints a scoreboard, and what was missed or wrong.
//
//     trials [conventions|random|perturbed|negatives|kernels|ENCODING ...] [COUNT]
//
// COUNT is the number of random tables, 1000 if left out, of all encodings or of those named, and
// of random kernels.
// PEGEN_SEED=17 draws the same ones again.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/drawn/draws.h"
#include "encodings/registry.h"
#include "recognition/identify/conventions.h"
#include "recognition/identify/kernel_trials.h"
#include "recognition/identify/negatives.h"
#include "recognition/identify/perturbations.h"
#include "recognition/identify/scoreboard.h"

using namespace pegen;
using namespace pegen::trials;

namespace {

unsigned first_seed() {
    if (const char* const given = std::getenv("PEGEN_SEED")) {
        return static_cast<unsigned>(std::strtoul(given, nullptr, 10));
    }
    return std::random_device()();
}

/// Prints what was missed or wrong as soon as it is known: a run takes minutes.
template <class T>
void try_one(Scoreboard& board, const std::string& kind, const T& trial) {
    const std::size_t before = board.failures().size();
    board.add(kind, trial);
    if (board.failures().size() == before) return;
    fmt::print("{}\n", board.failures().back());
    std::fflush(stdout);
}

void try_conventions(Scoreboard& board) {
    constexpr std::array sizes{std::pair{TableSize::own, "own size"},
                               std::pair{TableSize::small, "small"},
                               std::pair{TableSize::medium, "medium"}};
    for (const auto& [size, name] : sizes) {
        for (const Command& command : all_conventions(size)) {
            try_one(board, fmt::format("presets, {}", name), trial_of(command));
        }
    }
}

void try_random(Scoreboard& board, std::span<const Encoding* const> encodings, unsigned seed,
                int count) {
    for (int i = 0; i < count; ++i) {
        Random random(seed + static_cast<unsigned>(i));
        const Encoding& encoding = *encodings[static_cast<std::size_t>(i) % encodings.size()];
        try_one(board, fmt::format("random {}", encoding.name),
                trial_of(drawn_command(encoding, random)));
    }
}

void try_perturbed(Scoreboard& board, unsigned seed) {
    for (const Perturbation& perturbation : all_perturbations()) {
        Random random(seed);
        for (const Trial& trial : perturbed(perturbation, random)) {
            try_one(board, std::string(perturbation.name), trial);
        }
    }
}

void try_negatives(Scoreboard& board, unsigned seed) {
    Random random(seed);
    for (const Trial& trial : all_negatives(random)) try_one(board, "negatives", trial);
}

void try_kernels(Scoreboard& board, unsigned seed, int count) {
    for (int i = 0; i < count; ++i) {
        Random random(seed + static_cast<unsigned>(i));
        const KernelTrial trial = drawn_kernel(random);
        try_one(board, fmt::format("kernel, {}", info(trial.before.dtype).name), trial);
    }
}

}  // namespace

int main(int count_of_words, char** words) {
    std::vector<std::string_view> parts(words + 1, words + count_of_words);
    int tables = 1000;
    if (!parts.empty() && parts.back().find_first_not_of("0123456789") == std::string_view::npos) {
        tables = std::atoi(parts.back().data());
        parts.pop_back();
    }
    const auto is_asked = [&](std::string_view part) {
        return parts.empty() || std::ranges::count(parts, part) > 0;
    };
    const unsigned seed = first_seed();
    fmt::print("PEGEN_SEED={}\n", seed);
    Scoreboard board;
    if (is_asked("conventions")) try_conventions(board);
    if (is_asked("random")) try_random(board, all_encodings(), seed, tables);
    std::vector<const Encoding*> named;
    for (const std::string_view part : parts) {
        if (const Encoding* const encoding = find_encoding(part)) named.push_back(encoding);
    }
    if (!named.empty()) try_random(board, named, seed, tables);
    if (is_asked("perturbed")) try_perturbed(board, seed);
    if (is_asked("negatives")) try_negatives(board, seed);
    if (is_asked("kernels")) try_kernels(board, seed, tables);
    fmt::print("{}", board.text());
    return board.count(Outcome::wrong) == 0 ? 0 : 1;
}
