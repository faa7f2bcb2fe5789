#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "encodings/drawn/draws.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "recognition/identify/answers.h"
#include "recognition/identify/conventions.h"
#include "recognition/identify/negatives.h"
#include "recognition/identify/perturbations.h"
#include "recognition/proposals.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"
#include "recognition/recognizers.h"
#include "recognition/views.h"

using namespace pegen;
using namespace pegen::trials;

namespace {

/// Returns a line for each encoding: how many candidates it proposes for the array, and the price
/// of the cheapest in bits.
std::string proposals_of(const Array& array) {
    const recognition::View as_it_is = recognition::views_of(table_of(array)).front();
    const std::vector<recognition::Candidate> candidates =
        recognition::recognized(as_it_is.sample());
    std::string text;
    for (const Encoding* encoding : all_encodings()) {
        std::vector<double> prices;
        for (const recognition::Candidate& candidate : candidates) {
            if (candidate.encoding == encoding) prices.push_back(candidate.bits);
        }
        if (prices.empty()) continue;
        text += fmt::format("{:<16}{}, from {:.1f} bits\n", encoding->name, prices.size(),
                            std::ranges::min(prices));
    }
    return text.empty() ? "nothing\n" : text;
}

}  // namespace

TEST_CASE(
    "proposals: what each recognizer lets through of every name's table, and at which price") {
    std::vector<Answer> answers;
    for (const Command& command : all_conventions(TableSize::small)) {
        answers.push_back({text_of(command), proposals_of(array_of(made_by(command)))});
    }
    CHECK(answers.size() > 200);
    CHECK(changed_answers("proposals", answers) == "");
}

TEST_CASE("proposals: what each recognizer lets through of spoiled tables and of other arrays") {
    std::vector<Answer> answers;
    for (const Perturbation& perturbation : all_perturbations()) {
        Random random(1);
        const Trial trial = perturbed(perturbation, random).front();
        answers.push_back(
            {fmt::format("{}: {}", perturbation.name, trial.name), proposals_of(trial.array)});
    }
    Random random(1);
    for (const Trial& trial : all_negatives(random)) {
        if (is_sampled(trial.name, 3)) answers.push_back({trial.name, proposals_of(trial.array)});
    }
    CHECK(changed_answers("proposals-of-others", answers) == "");
}

TEST_CASE(
    "proposals: what each recognizer makes of its own encoding's tables, whose parameters are "
    "drawn") {
    std::vector<Answer> answers;
    for (const recognition::Recognizer& recognizer : recognition::all_recognizers()) {
        for (unsigned seed = 0; seed < 16; ++seed) {
            Random random(seed);
            const Command command = drawn_command(*find_encoding(recognizer.encoding), random);
            const Table table = made_by(command);
            if (table.shape.size() > 10000) continue;
            answers.push_back(
                {text_of(command), summary_of(find_recognized(recognizer.encoding, table))});
        }
    }
    CHECK(changed_answers("proposals-of-drawn", answers) == "");
}

TEST_CASE("proposals: images wider than any encoding makes are left out") {
    const Array array = array_of(table_of("sinusoid --len 40000 --d 8"));
    const recognition::View as_it_is = recognition::views_of(table_of(array)).front();
    CHECK_NOTHROW(recognition::fitted_images(as_it_is.sample()));
}

TEST_CASE("proposals: an encoding without presets is fitted to a shape by its defaults") {
    const Array array = array_of(table_of("binary --len 20"));
    const recognition::View as_it_is = recognition::views_of(table_of(array)).front();
    CHECK(std::ranges::any_of(
        recognition::fitted_presets(as_it_is.sample()),
        [](const recognition::Candidate& fitted) { return fitted.encoding->name == "binary"; }));
}
