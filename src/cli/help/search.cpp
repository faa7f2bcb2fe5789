#include "cli/help/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "encodings/rotary/config/model_families.h"

namespace pegen::cli {
namespace {

/// Subjects that this program does not cover, with the words that users search for.
struct OutOfScope {
    std::string_view words;  ///< separated by spaces
    std::string_view reason;
};

constexpr std::array out_of_scope{
    OutOfScope{"laplacian lappe eigenvector eigenvectors rwse randomwalk graph graphgps",
               "encodings of graphs are made of a graph's matrix, not of positions"},
    OutOfScope{"spherical harmonic harmonics", "spherical harmonics are not sines of a position"},
    OutOfScope{"chess lczero leela", "tables of a game's moves are that game's own"},
    OutOfScope{"convnext resnet resnet50 mobilenet mobilenetv2 mobilenetv3 efficientnet vgg "
               "yolo yolov5 yolov8 yolo11 inception densenet adetailer",
               "convolutions need no positions: there is no table"},
    OutOfScope{"wav2vec2 hubert unispeech xlsr mms",
               "a convolution of the sound's features gives its positions: there is no table"},
    OutOfScope{"segformer mobilevit poolformer sana",
               "convolutions in its layers give its positions: there is no table"},
    OutOfScope{"mamba mamba2 jamba rwkv hyena xlstm lstm gru pyannote",
               "layers that run through the sequence know its order: there is no table"},
    OutOfScope{"hashgrid ngp", "the features of a hash grid are learned: there is no table"},
};

/// A word of searches, most of them Chinese, and the word of this program for it.
struct Synonym {
    std::string_view word, own;
};

/// A word comes before its parts.
constexpr std::array synonyms{
    Synonym{"sinusoidal", "sinusoid"},
    Synonym{"learnable", "learned"},
    Synonym{"trainable", "learned"},
    Synonym{"动手学深度学习", "d2l"},
    Synonym{"通义千问", "qwen"},
    Synonym{"千问", "qwen"},
    Synonym{"文心", "ernie"},
    Synonym{"百川", "baichuan"},
    Synonym{"智谱", "glm"},
    Synonym{"混元", "hunyuan"},
    Synonym{"书生", "internlm"},
    Synonym{"万相", "wan"},
    Synonym{"可图", "kolors"},
    Synonym{"苏剑林", "roformer"},
    Synonym{"深度求索", "deepseek"},
    Synonym{"月之暗面", "kimi"},
    Synonym{"零一万物", "yi"},
    Synonym{"蛋白质", "relpos"},
    Synonym{"插值", "position-interpolation"},
    Synonym{"多模态", "mrope"},
    Synonym{"长度外推", "extrapolation"},
    Synonym{"外推", "extrapolation"},
    Synonym{"线性偏置", "alibi"},
    Synonym{"绝对", "sinusoid"},
    Synonym{"正余弦", "sinusoid"},
    Synonym{"三角函数", "sinusoid"},
    Synonym{"余弦", "sinusoid"},
    Synonym{"注意力", "attention"},
    Synonym{"视觉", "vision"},
    Synonym{"语音", "audio"},
    Synonym{"扩散", "diffusion"},
    Synonym{"二维", "grid"},
    Synonym{"三维", "3d"},
    Synonym{"窗口", "window"},
    Synonym{"分桶", "buckets"},
    Synonym{"位置编码", "position encoding"},
    Synonym{"位置", "position"},
    Synonym{"旋转", "rotary"},
    Synonym{"相对", "relative"},
    Synonym{"正弦", "sinusoid"},
    Synonym{"可学习", "learned"},
    Synonym{"学习", "learned"},
    Synonym{"偏置", "bias"},
    Synonym{"傅里叶", "Fourier"},
    Synonym{"编码", "encoding"},
    Synonym{"图像", "image"},
    Synonym{"视频", "video"},
    Synonym{"时间步", "time steps"},
    Synonym{"网格", "grid"},
    Synonym{"频率", "frequency"},
};

/// What there is for sequences longer than those of the training.
constexpr std::array extrapolating{"scaling", "alibi", "xpos", "kerple", "sandwich"};

/// Words that every table here could have: they say nothing beside others.
constexpr std::string_view fillers =
    "position positions positional encoding encodings embedding embeddings pe";

/// Returns the name without the points of its numbers, too: users write qwen2.5, qwen25, qwen2_5.
std::string spelled(std::string_view name) {
    std::string letters = spelling(name);
    std::erase(letters, '.');
    return letters;
}

/// Returns the words of a search, each once, spelled alike, in the words of this program, and
/// without fillers and foreign words beside others. Fillers alone, "positional encoding", mean the
/// Transformer's.
std::vector<std::string> words_of(std::string_view search) {
    std::string text(search);
    for (const auto& [word, own] : synonyms) {
        for (std::size_t at = text.find(word); at != text.npos; at = text.find(word)) {
            text.replace(at, word.size(), fmt::format(" {} ", own));
        }
    }
    std::vector<std::string> words;
    for (const std::string_view word : pegen::words(text)) {
        const std::string letters = spelled(word);
        if (!letters.empty() && std::ranges::count(words, letters) == 0) words.push_back(letters);
    }
    const auto leave_out = [&](const auto& says_nothing) {
        if (!std::ranges::all_of(words, says_nothing)) std::erase_if(words, says_nothing);
    };
    leave_out(
        [](const std::string& word) { return static_cast<unsigned char>(word.front()) > 127; });
    const auto is_filler = [](const std::string& word) { return has_word(fillers, word); };
    leave_out(is_filler);
    if (!words.empty() && std::ranges::all_of(words, is_filler)) return {"sinusoid"};
    return words;
}

/// How a text has a word.
enum class Fit {
    none,
    part,   ///< within another word: "former" in "transformer"
    begin,  ///< at the beginning of a word: "trans"
    whole,  ///< as a word, or as several: "flux2" in "FLUX.1 and Flux-2"
};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter_or_digit(char c) { return is_lower(c) || is_capital(c) || is_digit(c); }

/// A text, spelled alike, and which of its characters begin a word.
struct Letters {
    std::string text;
    std::vector<bool> begins;
};

/// Returns the letters without the characters of `left_out`. Words are separated by any other
/// characters than letters and digits, but for the point of a number, or begin with a capital.
Letters letters_of(std::string_view text, std::string_view left_out) {
    Letters letters;
    char before = ' ';
    for (const char c : text) {
        if (left_out.find(c) == left_out.npos) {
            letters.text += lower_case({&c, 1});
            const bool is_separated =
                !is_letter_or_digit(before) && !(before == '.' && is_digit(c));
            letters.begins.push_back(is_separated || (is_capital(c) && is_lower(before)));
        }
        before = c;
    }
    return letters;
}

/// Returns how the text, without the characters of `left_out`, has the word, which is spelled as by
/// spelled(): "levit" is not in "simple-vit". Parts of words have at least four letters: "hat" is
/// not in "that".
Fit fit_of(std::string_view text, std::string_view word, std::string_view left_out = "-_.") {
    const Letters own = letters_of(text, left_out);
    const std::string& letters = own.text;
    const std::vector<bool>& begins = own.begins;
    Fit best = Fit::none;
    for (std::size_t at = letters.find(word); at != letters.npos; at = letters.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        // A function of a formula, clip(x), is no subject.
        if (end < letters.size() && letters[end] == '(') continue;
        const bool is_end =
            end == letters.size() || begins[end] || !is_letter_or_digit(letters[end]);
        const auto has_beginning = [&] {
            return std::find(begins.begin() + at, begins.begin() + end, true) !=
                   begins.begin() + end;
        };
        const Fit fit = begins[at]                            ? is_end ? Fit::whole : Fit::begin
                        : word.size() > 3 && !has_beginning() ? Fit::part
                                                              : Fit::none;
        best = std::max(best, fit);
    }
    return best;
}

/// Returns every name that a search finds: of encodings, mechanisms, presets, models, model types.
std::vector<std::string_view> known_names() {
    std::vector<std::string_view> names;
    // hf-pegasus and shaw-speecht5 are called so to tell them from others, but not by the hub.
    const auto add = [&](std::string_view list) {
        for (const std::string_view name : pegen::words(list)) {
            names.push_back(name);
            for (const std::string_view prefix : {"hf-", "shaw-"}) {
                if (name.starts_with(prefix)) names.push_back(name.substr(prefix.size()));
            }
        }
    };
    for (const Encoding* encoding : all_encodings()) names.push_back(encoding->name);
    for (const Encoding* mechanism : all_mechanisms()) names.push_back(mechanism->name);
    for (const Preset& preset : all_presets()) {
        add(preset.name);
        add(preset.aliases);
    }
    for (const Model& model : all_models()) add(model.names);
    for (const encodings::ModelFamily& family : encodings::all_families()) add(family.model_types);
    return names;
}

/// Returns the longest name that the text has as whole words, "qwen2.5-vl" in "Qwen/Qwen2.5-VL 7B",
/// whose part up to the last slash is an owner; "" if there is none.
std::string_view longest_name_in(std::string_view text) {
    text.remove_prefix(text.rfind('/') + 1);  // npos + 1 is 0
    std::string_view longest;
    for (const std::string_view name : known_names()) {
        if (name.size() > longest.size() && fit_of(text, spelled(name), "-_. ") == Fit::whole) {
            longest = name;
        }
    }
    return longest;
}

struct Field {
    std::string_view name;  ///< "" if the list shows the text anyway
    std::string_view text;
};

/// A field that has all words of a search, and how it has the one that fits worst.
struct Match {
    Field field;
    Fit fit;
};

/// Returns the best match, the first of several; none if no field has all words.
std::optional<Match> match_of(const std::vector<std::string>& words,
                              const std::vector<Field>& fields) {
    std::optional<Match> best;
    for (const Field& field : fields) {
        Fit worst = Fit::whole;
        for (const std::string& word : words) worst = std::min(worst, fit_of(field.text, word));
        if (worst > (best ? best->fit : Fit::none)) best = Match{field, worst};
    }
    return best;
}

std::string where_of(const Field& field, const std::vector<std::string>& words) {
    if (field.name.empty()) return "";
    if (field.name != "also called") {
        const std::vector<std::string_view> lines = pegen::words(field.text, '\n');
        return fmt::format("{}: {}", field.name, joined(lines, " "));
    }
    for (const std::string_view alias : pegen::words(field.text)) {
        if (fit_of(alias, words.front()) != Fit::none) return fmt::format("also called {}", alias);
    }
    return "";
}

[[noreturn]] void refuse_search(std::string_view text) {
    if (const std::string_view reason = why_out_of_scope(text); !reason.empty()) {
        throw UsageError(fmt::format("list --search {}: {}", text, reason));
    }
    throw UsageError(fmt::format(
        "list --search {}: no encoding, no preset and no model has this in its name, its summary, "
        "its source or its note; if you have the table, pe-gen identify FILE finds what makes it; "
        "if the model has a config.json, pe-gen describe --config config.json says which table it "
        "has{}",
        text, did_you_mean(text, known_names())));
}

/// Returns the preset of a command and its encoding, by the first word.
std::pair<const Encoding*, const Preset*> made_by(std::string_view command) {
    const std::string_view name = pegen::words(command).front();
    const Preset* const preset = find_preset(name);
    return {preset ? preset->encoding : find_encoding(name), preset};
}

}  // namespace

std::string_view why_out_of_scope(std::string_view text) {
    std::string name = hyphenated(text);
    for (const char separator : {'/', '.'}) std::ranges::replace(name, separator, '-');
    for (const std::string_view part : words(name)) {
        for (const std::string_view word : fields(part, '-')) {
            for (const OutOfScope& subject : out_of_scope) {
                if (has_word(subject.words, spelling(word))) {
                    return subject.reason;
                }
            }
        }
    }
    return "";
}

const Model* find_model(std::string_view name) {
    const auto found = std::ranges::find_if(all_models(), [&](const Model& model) {
        return std::ranges::any_of(pegen::words(model.names), [&](std::string_view own) {
            return spelled(own) == spelled(name);
        });
    });
    return found == all_models().end() ? nullptr : &*found;
}

std::vector<Found> found_names(std::string_view text) {
    const std::vector<std::string> words = words_of(text);
    if (words.empty()) return {};
    if (words.back() == "extrapolation") {
        std::vector<Found> all;
        for (const std::string_view word : extrapolating) all.push_back(found_names(word).front());
        return all;
    }
    const std::string whole = joined(words, "");
    // By name, the words of a name, of a summary or a formula, elsewhere; by parts of words.
    enum Rank { by_name, in_name, in_summary, elsewhere, by_part, ranks };
    std::array<std::vector<Found>, ranks> by_rank;
    const auto add = [&](const Found& found, const std::vector<Field>& fields) {
        const std::optional<Match> match = match_of(words, fields);
        if (!match) return;
        const auto& [field, fit] = *match;
        const auto has_names = [&](const Field& candidate) {
            return candidate.text == fields.front().text || candidate.name == "also called";
        };
        const bool is_name = has_names(field);
        const bool is_whole_name = std::ranges::any_of(fields, [&](const Field& candidate) {
            const auto is_it = [&](std::string_view own) { return spelled(own) == whole; };
            return has_names(candidate) && std::ranges::any_of(pegen::words(candidate.text), is_it);
        });
        // In prose the beginning of a short word is another word: "sam" is not in "the same".
        const bool is_other_word = fit == Fit::begin && !is_name && words.front().size() < 4;
        const bool is_its_own = is_name || field.name.empty() || field.name == "formula";
        const Rank rank = is_whole_name                       ? by_name
                          : fit == Fit::part || is_other_word ? by_part
                          : is_name && fit == Fit::whole      ? in_name
                          : is_its_own                        ? in_summary
                                                              : elsewhere;
        by_rank[rank].push_back(found);
        by_rank[rank].back().is_whole = fit == Fit::whole;
        if (found.where.empty()) by_rank[rank].back().where = where_of(field, words);
    };
    const auto add_encoding = [&](const Encoding* encoding) {
        add({encoding, nullptr, "", encoding->name}, {{"", encoding->name},
                                                      {"", encoding->summary},
                                                      {"from", encoding->source},
                                                      {"formula", encoding->formula}});
    };
    // Adds what the command makes if names of the list match.
    const auto add_model = [&](std::string_view list, std::string_view label,
                               std::string_view command, const Model* model) {
        std::vector<std::string_view> names = pegen::words(list);
        std::erase_if(names, [&](std::string_view own) {
            const std::optional<Match> match = match_of(words, {{"", own}});
            return !match || match->fit == Fit::part;
        });
        if (names.empty()) return;
        const auto [encoding, preset] = made_by(command);
        const bool has_note = model && !model->note.empty();
        add({encoding, preset,
             fmt::format("{}{}: pe-gen {}{}{}", label, joined(names, ", "), command,
                         has_note ? "; " : "", has_note ? model->note : ""),
             command, model},
            {{"", joined(names, " ")}});
    };
    std::ranges::for_each(all_encodings(), add_encoding);
    std::ranges::for_each(all_mechanisms(), add_encoding);
    for (const Preset& preset : all_presets()) {
        add({preset.encoding, &preset, "", preset.name}, {{"", preset.name},
                                                          {"also called", preset.aliases},
                                                          {"", preset.summary},
                                                          {"from", preset.source},
                                                          {"note", preset.note}});
    }
    for (const Model& model : all_models()) add_model(model.names, "", model.command, &model);
    for (const encodings::ModelFamily& family : encodings::all_families()) {
        add_model(family.model_types, "model_type ", by_config, nullptr);
    }
    std::vector<Found> all;
    for (int rank = by_name; rank < by_part; ++rank) {
        std::ranges::move(by_rank[rank], std::back_inserter(all));
    }
    if (!all.empty()) return all;
    const std::string_view longest = longest_name_in(text);
    if (!longest.empty() && longest != text) return found_names(longest);
    return by_rank[by_part];
}

std::vector<Found> search_names(std::string_view text) {
    std::vector<Found> all = found_names(text);
    if (all.empty()) refuse_search(text);
    return all;
}

}  // namespace pegen::cli
