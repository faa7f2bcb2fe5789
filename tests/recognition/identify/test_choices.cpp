#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "encodings/registry.h"
#include "recognition/agreement.h"
#include "recognition/candidate.h"
#include "recognition/identify/answers.h"
#include "recognition/identify/choices.h"
#include "recognition/proposed.h"
#include "recognition/recognizers.h"
#include "recognition/views.h"

using namespace pegen;
using namespace pegen::trials;

namespace {

/// Choices that are not recognized. An empty text matches any encoding, parameter or word.
struct Exception {
    std::string_view encoding;   ///< "": any
    std::string_view parameter;  ///< "": any
    std::string_view word;       ///< "": any
    std::string_view reason;
    std::string_view table = "";  ///< "": all of them

    bool is_of(const Encoding& of, const Choice& choice, std::string_view of_table = "") const {
        return table == of_table && (encoding.empty() || encoding == of.name) &&
               (parameter.empty() || parameter == choice.parameter) &&
               (word.empty() || word == choice.word);
    }
};

constexpr std::array exceptions{
    Exception{"", "axes", "yx", "what an image has without the word"},
    Exception{"", "axes", "tyx", "what a video has without the word"},
    Exception{"", "arith", "bfloat16", "identify tries 16 bits itself, after all recognizers"},
    Exception{"", "arith", "float16", "the same"},
    Exception{"", "rounded", "", "the same"},
    Exception{"alibi", "form", "euclidean", "identify looks for distances along one axis"},
    Exception{"alibi", "form", "manhattan", "the same"},
    Exception{"alibi", "prefix", "cls", "identify looks for no tokens of images"},
    Exception{"alibi", "form", "sqrt", "identify looks for distances as they are"},
    Exception{"buckets", "", "", "a formula of one's own is what identify cannot know"},
    Exception{"deberta", "sign", "", "identify looks for the sign of DeBERTa's code alone"},
    Exception{"detr", "pairing", "", "identify looks for the orders of presets alone"},
    Exception{"learned", "rng", "numpy", "seeds are tried with PyTorch's generator alone"},
    Exception{"learned", "rng", "numpy-legacy", "the same"},
    Exception{"learned", "rng", "jax", "the same"},
    Exception{"learned", "rng", "jax-legacy", "the same"},
    Exception{"learned", "rng", "tensorflow", "the same"},
    Exception{"learned-grid", "rng", "", "uniform numbers, the usual ones, are drawn alike"},
    Exception{"random-fourier", "", "", "identify looks for presets and sines in halves alone"},
    Exception{"relpos", "", "", "identify looks for presets of a single chain alone"},
    Exception{"rope", "scaling", "default", "another word for none"},
    Exception{"rope-grid", "unrotated-at", "", "identify looks for no pairs that do not turn"},
    Exception{"rope-grid", "", "", "identify looks for their cosines and sines", "angles"},
    Exception{"rope-mixed", "", "", "identify looks for no frequencies of heads"},
    Exception{"segments", "", "", "identify looks for the usual lengths alone"},
    Exception{"shaw", "outside", "error", "what it makes is what clip makes"},
    Exception{"swin", "numbering", "hat", "identify looks for HAT's own preset alone"},
    Exception{"swin-v2", "spacing", "", "identify looks for the coordinates of Swin V2 alone"},
    Exception{"swin-v2", "activation", "", "identify looks for no network but fire's"},
    Exception{"swin-v2", "rng", "", "the same"},
};

/// True if a recognizer proposes the command that made the array, and its table is the array.
bool is_proposed(const Trial& trial, const evidence::Sample& sample,
                 const recognition::Recognizer& by) {
    return std::ranges::any_of(by.recognize(sample), [&](const evidence::Proposal& proposal) {
        const auto candidate = recognition::candidate_of(*find_encoding(by.encoding), proposal);
        if (!candidate) return false;
        const auto table = recognition::table_of(*candidate, sample.precision);
        if (!table) return false;
        const recognition::Agreement agreement =
            recognition::agreement_of(*table, sample, proposal, recognition::Scope::whole);
        return agreement.level != recognition::Level::none && is_true_command(*candidate, trial);
    });
}

/// The likeliest proposals that the encoding's own recognizer makes of the views of the array.
std::string own_proposals(const Trial& trial) {
    const std::string_view encoding = trial.truth->encoding->name;
    const recognition::Recognizer* const own = recognition::find_recognizer(encoding);
    if (!own) return "";
    constexpr std::ptrdiff_t most = 3;
    std::string text;
    std::vector<std::string> seen;
    for (const recognition::View& view : recognition::views_of(table_of(trial.array))) {
        for (const std::string& settings : proposed(own->recognize(view.sample()))) {
            if (std::ranges::count(seen, settings) > 0 || std::ssize(seen) == most) continue;
            seen.push_back(settings);
            text += fmt::format("{} {}\n", encoding, settings);
        }
    }
    return text;
}

/// The encoding's own recognizer is asked first, if it has one, then the others.
bool is_recognized(const Trial& trial) {
    const std::vector<recognition::View> views = recognition::views_of(table_of(trial.array));
    const auto is_proposed_by = [&](const recognition::Recognizer& recognizer) {
        return std::ranges::any_of(views, [&](const recognition::View& view) {
            return is_proposed(trial, view.sample(), recognizer);
        });
    };
    const recognition::Recognizer* const own =
        recognition::find_recognizer(trial.truth->encoding->name);
    return (own && is_proposed_by(*own)) ||
           std::ranges::any_of(recognition::all_recognizers(),
                               [&](const recognition::Recognizer& recognizer) {
                                   return &recognizer != own && is_proposed_by(recognizer);
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
                const auto of_table = std::ranges::find_if(exceptions, [&](const Exception& e) {
                    return e.is_of(*encoding, choice, trial.truth->table->name);
                });
                if (of_table != exceptions.end()) {
                    used.insert(&*of_table);
                    continue;
                }
                CHECK(is_recognized(trial));
                answers.push_back({trial.name, own_proposals(trial)});
            }
        }
    }
    CHECK(used.size() == exceptions.size());
    CHECK(answers.size() > 300);
    CHECK(changed_answers("choices", answers) == "");
}
