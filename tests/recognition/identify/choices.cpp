#include "recognition/identify/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::trials {
namespace {

/// Settings with which a small table shows the effect of a choice. The last row that matches
/// counts.
struct Settings {
    std::string_view encoding;
    std::string_view parameter;  ///< "" matches any
    std::string_view choice;     ///< "" matches any; "t" any choice that contains it
    std::string_view settings;
};

constexpr std::array settings{
    Settings{"alibi", "", "", "--heads 6 --len 12"},
    Settings{"binary", "", "", "--len 40"},
    Settings{"deberta", "", "", "--len 40 --position-buckets 16 --max-position 20"},
    Settings{"detr", "", "", "--height 5 --width 6 --num-pos-feats 8"},
    Settings{"detr", "axes", "t", "--height 5 --width 6 --num-pos-feats 8 --frames 3"},
    Settings{"fire", "", "", "--heads 4 --len 16"},
    Settings{"fourier", "", "", "--height 5 --width 6 --freqs pow2:4"},
    Settings{"fourier", "axes", "x", "--width 20 --freqs pow2:4"},
    Settings{"fourier", "axes", "y", "--height 5 --width 6 --freqs pow2:4"},
    Settings{"fourier", "axes", "t", "--depth 3 --height 4 --width 5 --freqs pow2:4"},
    Settings{"grid", "", "", "--height 5 --width 6 --d 24"},
    Settings{"grid", "axes", "t", "--depth 3 --height 4 --width 5 --d 24"},
    Settings{"grid", "odd", "", "--height 5 --width 6 --d 26"},
    Settings{"grid", "odd", "error", "--height 5 --width 6 --d 24"},
    Settings{"kerple", "", "", "--heads 3 --len 16"},
    Settings{"learned", "", "", "--len 12 --d 8"},
    Settings{"learned-grid", "", "", "--height 5 --width 6 --num-pos-feats 8"},
    Settings{"mrope", "", "", "--d 32 --sections 4,6,6"},
    Settings{"mrope", "order", "", "--d 32 --sections 6,5,5"},
    Settings{"mrope", "next", "", "--d 32 --sections 4,6,6 --sequence text:2,video:5x2x3,text:4"},
    Settings{"periodic", "", "", "--len 50"},
    Settings{"random-fourier", "", "", "--height 4 --width 5 --d 16"},
    Settings{"random-fourier", "axes", "x", "--width 20 --d 16"},
    Settings{"random-fourier", "axes", "y", "--height 4 --width 5 --d 16"},
    Settings{"random-fourier", "axes", "t", "--depth 3 --height 4 --width 5 --d 16"},
    Settings{"relative", "", "", "--len 16 --d 16"},
    Settings{"relpos", "", "", "--chains 5x2,3 --max-residue 3"},
    Settings{"rope", "", "", "--len 24 --d 16"},
    Settings{"rope", "scaling", "linear", "--len 24 --d 16 --factor 4"},
    Settings{"rope", "scaling", "dynamic",
             "--len 24 --d 16 --factor 2 --max-position-embeddings 16 --seq-len 32"},
    Settings{"rope", "scaling", "ntk", "--len 24 --d 16 --factor 8"},
    Settings{"rope", "scaling", "part-ntk",
             "--len 24 --d 16 --factor 4 --original-max-position-embeddings 32"},
    Settings{"rope", "scaling", "yarn",
             "--len 24 --d 16 --factor 4 --original-max-position-embeddings 4096"},
    Settings{"rope", "scaling", "longrope",
             "--len 24 --d 16 --original-max-position-embeddings 16 --max-position-embeddings 32 "
             "--short-factor 1,1,1,1,2,2,3,4 --long-factor 1,1,2,3,4,5,6,8"},
    Settings{"rope", "scaling", "su",
             "--len 24 --d 16 --original-max-position-embeddings 16 --max-position-embeddings 32 "
             "--short-factor 1,1,1,1,2,2,3,4 --long-factor 1,1,2,3,4,5,6,8"},
    Settings{"rope", "scaling", "llama3",
             "--len 24 --d 16 --factor 8 --original-max-position-embeddings 8192"},
    Settings{"rope", "scaling", "proportional", "--len 24 --d 16 --partial-rotary-factor 0.5"},
    Settings{"rope", "no-truncate", "",
             "--len 24 --d 16 --factor 4 --original-max-position-embeddings 4096 --scaling yarn"},
    Settings{"rope-grid", "", "", "--height 5 --width 6 --d 24"},
    Settings{"rope-grid", "axes", "t", "--depth 3 --height 4 --width 5 --d 24"},
    Settings{"rope-grid", "spectrum", "linear", "--height 5 --width 6 --d 24 --freqs 1,20"},
    Settings{"rope-grid", "spectrum", "geometric", "--height 5 --width 6 --d 24 --freqs 1,20"},
    Settings{"rope-grid", "normalize", "", "--height 5 --width 6 --d 24 --coords cells"},
    Settings{"rope-mixed", "", "", "--height 4 --width 5 --d 8 --heads 2"},
    Settings{"sandwich", "", "", "--heads 4 --len 16 --d 16"},
    Settings{"segments", "", "", "--lengths 5,7"},
    Settings{"shaw", "", "", "--len 12 --d 8 --max-distance 3"},
    Settings{"shaw", "outside", "error", "--len 12 --d 8 --max-distance 11"},
    Settings{"sinusoid", "", "", "--len 24 --d 16"},
    Settings{"sinusoid", "odd", "", "--len 24 --d 15"},
    Settings{"sinusoid", "odd", "error", "--len 24 --d 16"},
    Settings{"swin", "", "", "--height 4 --width 5 --heads 3"},
    Settings{"t5", "", "", "--len 16 --heads 4"},
    Settings{"transformer-xl", "", "", "--len 16 --d 16"},
    Settings{"transformer-xl", "range", "", "--len 16 --mem-len 8 --d 16"},
    Settings{"xpos", "", "", "--len 24 --d 16"},
    Settings{"xpos", "centre", "", "--len 25 --d 16"},
};

std::string_view settings_for(std::string_view encoding, std::string_view parameter,
                              std::string_view choice) {
    std::string_view found = "";
    for (const Settings& row : settings) {
        const bool is_of_choice = row.parameter.empty() || (row.parameter == parameter &&
                                                            choice.find(row.choice) != choice.npos);
        if (row.encoding == encoding && is_of_choice) found = row.settings;
    }
    return found;
}

std::vector<std::string_view> words_of(const ParameterSpec& spec) {
    if (spec.type == ParameterType::flag) return {"true"};
    return words(spec.choices);
}

bool are_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool are_same(const Array& a, const Array& b) {
    const auto is_same = [](double x, double y) { return are_same(x, y); };
    return a.extents == b.extents && std::ranges::equal(a.values, b.values, is_same);
}

bool is_transposed(const Array& a, const Array& b) {
    return a.extents.size() == 2 && b.extents.size() == 2 && are_same(a, transposed(b));
}

/// The trial of the command; none if it is refused.
std::optional<Trial> tried(const Command& command) {
    try {
        return trial_of(command);
    } catch (const UsageError&) {
        return {};
    }
}

}  // namespace

std::vector<Choice> choices_of(const Encoding& encoding) {
    std::vector<Choice> choices;
    for (const ParameterSpec& spec : encoding.parameters) {
        for (const std::string_view word : words_of(spec)) {
            if (word == spec.default_value) continue;
            Choice choice{spec.name, word, {}};
            for (const TableSpec& table : encoding.tables) {
                Command command =
                    command_of(fmt::format("{} --table {} {}", encoding.name, table.name,
                                           settings_for(encoding.name, spec.name, word)));
                const std::optional<Trial> plain = tried(command);
                command.parameters.set(spec.name, word, Origin::user);
                std::optional<Trial> trial = tried(command);
                if (!trial || (plain && are_same(trial->array, plain->array))) continue;
                // If the choice only transposes the plain table, the plain command is the truth.
                if (plain && is_transposed(trial->array, plain->array)) {
                    trial->truth = plain->truth;
                }
                // The arithmetic is no convention, so the exact command is the truth.
                if (spec.name == "arith") trial->truth->parameters.resolve("arith", "exact");
                choice.trials.push_back(std::move(*trial));
            }
            choices.push_back(std::move(choice));
        }
    }
    return choices;
}

}  // namespace pegen::trials
