#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "encodings/registry.h"
#include "evidence/proposed.h"
#include "identify/agreement.h"
#include "identify/answers.h"
#include "identify/candidate.h"
#include "identify/choices.h"
#include "identify/views.h"

using namespace pegen;
using namespace pegen::trials;

namespace {

/// Choices that are not recognized.
struct Exception {
    std::string_view encoding;   ///< "": any
    std::string_view parameter;  ///< "": any
    std::string_view word;       ///< "": any
    std::string_view reason;

    bool is_of(const Encoding& of, const Choice& choice) const {
        return (encoding.empty() || encoding == of.name) &&
               (parameter.empty() || parameter == choice.parameter) &&
               (word.empty() || word == choice.word);
    }
};

constexpr std::array exceptions{
    Exception{"", "axes", "yx", "what an image has without the word"},
    Exception{"", "axes", "tyx", "what a video has without the word"},
    Exception{"detr", "pairing", "", "identify looks for the orders of presets alone"},
    Exception{"learned", "rng", "numpy", "seeds are tried with PyTorch's generator alone"},
    Exception{"learned", "rng", "numpy-legacy", "the same"},
    Exception{"learned", "rng", "jax", "the same"},
    Exception{"learned", "rng", "jax-legacy", "the same"},
    Exception{"learned", "rng", "tensorflow", "the same"},
    Exception{"learned-grid", "rng", "", "uniform numbers, the usual ones, are drawn alike"},
    Exception{"random-fourier", "", "", "identify looks for presets and sines in halves alone"},
    Exception{"rope", "scaling", "default", "another word for none"},
    Exception{"shaw", "outside", "error", "what it makes is what clip makes"},
};

/// True if a recognizer proposes the command that made the array, and its table is the array.
bool is_proposed(const Trial& trial, const evidence::Sample& sample, const Encoding& by) {
    const std::vector<evidence::Proposal> proposals =
        by.recognize ? by.recognize(sample) : std::vector<evidence::Proposal>();
    return std::ranges::any_of(proposals, [&](const evidence::Proposal& proposal) {
        const auto candidate = identify::candidate_of(by, proposal);
        if (!candidate) return false;
        const auto table = identify::table_of(*candidate, sample.precision);
        if (!table) return false;
        const identify::Agreement agreement =
            identify::agreement_of(*table, sample, proposal, identify::Scope::whole);
        return agreement.level != identify::Level::none && is_true_command(*candidate, trial);
    });
}

/// The likeliest proposals that the encoding's own recognizer makes of the views of the array.
std::string own_proposals(const Trial& trial) {
    const Encoding& encoding = *trial.truth->encoding;
    constexpr std::ptrdiff_t most = 3;
    std::string text;
    std::vector<std::string> seen;
    for (const identify::View& view : identify::views_of(table_of(trial.array))) {
        if (!encoding.recognize) continue;
        for (const std::string& settings : proposed(encoding.recognize(view.sample()))) {
            if (std::ranges::count(seen, settings) > 0 || std::ssize(seen) == most) continue;
            seen.push_back(settings);
            text += fmt::format("{} {}\n", encoding.name, settings);
        }
    }
    return text;
}

/// The encoding's own recognizer is asked first, others where it has none.
bool is_recognized(const Trial& trial) {
    const std::vector<identify::View> views = identify::views_of(table_of(trial.array));
    const auto is_proposed_by = [&](const Encoding& encoding) {
        return std::ranges::any_of(views, [&](const identify::View& view) {
            return is_proposed(trial, view.sample(), encoding);
        });
    };
    return is_proposed_by(*trial.truth->encoding) ||
           std::ranges::any_of(all_encodings(), [&](const Encoding* encoding) {
               return encoding != trial.truth->encoding && is_proposed_by(*encoding);
           });
}

}  // namespace

TEST_CASE("identify: every choice of a word is recognized, or listed with a reason") {
    std::set<const Exception*> used;
    std::vector<Answer> answers;
    for (const Encoding* encoding : all_encodings()) {
        for (const Choice& choice : choices_of(*encoding)) {
            const auto exception = std::ranges::find_if(
                exceptions,
                [&](const Exception& candidate) { return candidate.is_of(*encoding, choice); });
            if (exception != exceptions.end()) {
                used.insert(&*exception);
                continue;
            }
            CAPTURE(encoding->name);
            CAPTURE(choice.parameter);
            CAPTURE(choice.word);
            CHECK(!choice.trials.empty());
            for (const Trial& trial : choice.trials) {
                CAPTURE(trial.name);
                CHECK(is_recognized(trial));
                answers.push_back({trial.name, own_proposals(trial)});
            }
        }
    }
    CHECK(used.size() == exceptions.size());
    CHECK(answers.size() > 300);
    CHECK(changed_answers("choices", answers) == "");
}
