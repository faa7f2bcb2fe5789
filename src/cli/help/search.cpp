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

constexpr std::array models{
    // Text: positions learned as BERT's are.
    Model{"minilm bge e5 gte mxbai snowflake-arctic-embed text2vec m3e labse colbert splade dpr "
          "mbert bert-base chinese-bert chinese-roberta rubert tinybert finbert scibert biobert "
          "pubmedbert legal-bert macbert dnabert ernie-3.0 layoutlm",
          "bert", "--d is hidden_size: 384, 768 or 1024"},
    Model{"roberta xlm-r xlm-roberta camembert distilroberta codebert graphcodebert unixcoder "
          "chemberta multilingual-e5 bge-m3 bge-reranker layoutlmv3",
          "bert --len 514 --padding-row 1",
          "the first token has row 2; bge-m3 and its reranker have --len 8194"},
    Model{"mpnet", "bert --len 514 --padding-row 1", "and the buckets of pe-gen t5"},
    Model{"distilbert", "bert", "sinusoids only if sinusoidal_pos_embds is true: pe-gen jadore"},
    Model{"electra convbert", "bert", "the small ELECTRA has --d 128"},
    Model{"albert kokoro styletts2 plbert", "bert --d 128", "--d is embedding_size"},
    Model{"longformer", "bert --len 4098 --padding-row 1"},
    Model{"bigbird bigbird-roberta", "bert --len 4096"},
    Model{"blenderbot", "bert --len 128 --d 2560"},
    Model{"deberta-v1 deberta-base", "shaw --d 768 --left 512 --right 511 --sign query-key",
          "versions 2 and 3 have buckets: pe-gen deberta-v2"},
    // Text: positions learned as GPT's and BART's are.
    Model{"mingpt distilgpt2 dialogpt build-nanogpt llm.c bark", "gpt2"},
    Model{"gpt1 openai-gpt", "gpt2 --len 512"},
    Model{"gpt-neo", "gpt2 --len 2048 --d 2048", "the smallest has --d 768"},
    Model{"imagegpt", "gpt2 --len 1024 --d 512"},
    Model{"starcoder gpt-bigcode", "gpt2 --len 8192 --d 6144", "StarCoder 2 is rotary"},
    Model{"ng-video-lecture zero-to-hero", "gpt2 --len 256 --d 384", "as in gpt.py, on its own"},
    Model{"llms-from-scratch raschka", "learned --len 1024 --d 768"},
    Model{"opt", "bart --len 2050 --d 768", "--d is hidden_size"},
    Model{"mbart mbart50", "bart"},
    Model{"trocr", "bart --len 514", "its decoder; its encoder is a ViT"},
    // Text: sinusoids.
    Model{"d2l dive-into-deep-learning attention-is-all-you-need harvardnlp pytorch-tutorial "
          "uvadlc",
          "vaswani"},
    Model{"kazemnejad", "vaswani --d 128 --len 50"},
    Model{"get-sinusoid-encoding-table", "vaswani"},
    Model{"get-2d-sincos-pos-embed get-1d-sincos-pos-embed", "mae",
          "of one dimension: pe-gen hf-marian"},
    Model{"position-embedding-sine", "mask2former", "DETR's, SAM 2's and VisTR's class, too"},
    Model{"illustrated-transformer alammar", "tensor2tensor --d 512 --len 20",
          "its first picture; the second interleaves: pe-gen vaswani"},
    Model{"nllb m2m100 xglm", "fairseq --d 1024"},
    Model{"opus-mt", "hf-marian"},
    Model{"timesfm", "tensor2tensor --d 1280", "versions 1 and 2"},
    // Text: buckets, ALiBi.
    Model{"flan-t5 ul2 mt5 umt5 byt5 longt5 codet5 t0 prott5 pix2struct pop2piano "
          "switch-transformer switch-base chronos gtr instructor codet5p",
          "t5", "decoders have pe-gen t5-decoder"},
    Model{
        "hstu generative-recommenders",
        "swin --height 1 --width 200 --heads 1 --sign key-query --init normal:0,0.02 --table bias",
        "--width is max_seq_len; pe-gen describe buckets has its buckets of times"},
    Model{"jina-embeddings-v2 jina-bert mosaicbert dnabert-2", "x-transformers-alibi --heads 12"},
    // Text: rotary positions.
    Model{"mistral-7b-v0.1 mistral-7b-instruct-v0.1 zephyr openhermes openchat e5-mistral solar "
          "open-llama alpaca wizardlm llava grok grok-1 litgpt",
          "llama"},
    Model{"codellama", "llama --base 1e6"},
    Model{"retnet",
          "rope --d 256 --base 10752.168531898922 --pairing interleaved --layout interleaved",
          "--base '10000^(d/(d-2))' for another --d, which is decoder_embed_dim / "
          "decoder_retention_heads; its decay is pe-gen retnet-decay"},
    Model{"tinyllama falcon-7b falcon-40b falcon-180b", "llama --d 64"},
    Model{"llama2.c", "meta-llama"},
    Model{"meta-llama-3", "llama3"},
    Model{"meta-llama-3.1 deepseek-r1-distill-llama llama-guard-3", "llama3.1"},
    Model{"qwen qwen1.5 qwq gte-qwen2", "qwen2", "--d is 64 in the smallest models"},
    Model{"deepseek-v3.1", "deepseek"},
    Model{"codegemma", "gemma"},
    Model{"embeddinggemma", "gemma3 --scaling none"},
    Model{"phi-1 phi-1.5", "rope --d 64 --rotary-dim 32"},
    Model{"nanochat", "rope --d 128 --base 100000 --layout single",
          "turns by the opposite angle: x1 cos + x2 sin"},
    Model{"modernbert", "rope --d 64 --base 160000",
          "layers with a sliding window have --base 10000"},
    Model{"nomic-embed", "rope --d 64 --base 1000"},
    Model{"esm-1b esm-1v", "bert --len 1026 --d 1280 --padding-row 1"},
    Model{"esm2", "rope --d 64", "--d is hidden_size / heads: 16 in the smallest model"},
    Model{"phi-3-small phi-3-medium phi-3.5 phi-4 mistral-small mistral-large yi smollm smollm2 "
          "falcon3 pythia dolly deepseek-coder deepseek-llm kimi glm-4.5 glm-4.6 aya "
          "mistral-nemo codestral devstral magistral mathstral hermes dolphin starling qwen3.6 "
          "gte-multilingual gte-v1.5 jina chronos-2 nucleotide-transformer chatglm2 chatglm3 "
          "baichuan-7b baichuan2 gemma-3n ernie-4.5 hunyuan-7b hunyuan-a13b deepseek-ocr "
          "deepseek-r1-distill-qwen qwen2-audio qwen2.5-math qwen3-coder qwen3-30b-a3b "
          "qwen3-235b-a22b qwen3-4b-instruct-2507 ettin nomic-embed-text-v2-moe",
          by_config},
    // Images.
    Model{"siglip siglip2 paligemma smolvlm idefics3 medsiglip", "clip-vision --len 196 --burn 1",
          "--len is (image_size / patch_size)^2, without a class token; so400m has --d 1152"},
    Model{"clip openclip laion metaclip", "clip-vision", "texts have pe-gen clip-text"},
    Model{"owlvit owlv2", "learned --len 577 --d 768 --init normal:0,0.02 --burn 1"},
    Model{"sam2.1 segment-anything-2", "sam2"},
    Model{"vit-mae", "mae --d 768 --prefix-rows 1"},
    Model{"blip", "timm-vit --len 577 --burn 1", "texts have pe-gen bert"},
    Model{"blip-2 instructblip", "timm-vit --len 257 --d 1408"},
    Model{"timesformer dino-vits16 dino-vitb16 dino-vits8 dino-vitb8", "timm-vit",
          "DINO's ViT is not DINO, the detector; patches of 8 pixels make 785 rows"},
    Model{"dpt", "timm-vit --len 577 --d 1024"},
    Model{"depth-anything", "timm-vit --len 1370", "DINOv2's released tables have 1370 rows, too"},
    Model{"audio-spectrogram-transformer ast", "timm-vit --len 1214"},
    Model{"detr-resnet table-transformer conditional-detr", "mask2former"},
    Model{"donut swinir coatnet maxvit", "swin"},
    Model{"swin2sr fastervit", "swin-v2"},
    Model{"swinv2-cr", "swin-v2 --spacing log"},
    Model{"lightningdit", "eva02"},
    // Generated images.
    Model{"stable-diffusion sd sd1.5 sd2 sdxl controlnet animatediff stable-video-diffusion svd "
          "kolors lcm",
          "guided-diffusion --d 320", "time steps; the text encoder has pe-gen clip-text"},
    Model{"sd3 stable-diffusion-3", "mae --d 1536 --height 192 --width 192 --step 1/3",
          "of which the middle is used; time steps have pe-gen guided-diffusion --d 256"},
    Model{"sd3.5 stable-diffusion-3.5", "mae --d 2432 --height 192 --width 192 --step 1/3",
          "the large model; the medium one has --d 1536 --height 384 --width 384 --step 1/6"},
    Model{"pixart", "mae --d 1152 --height 64 --width 64 --step 1/2",
          "for 1024 pixels; for 256, --height 16 --width 16 --step 1"},
    Model{"flux.1 chroma", "flux"},
    Model{"trellis", "rope-grid --depth 16 --height 16 --width 16 --d 64 --unrotated 4",
          "if pe_mode is rope; of voxels in a file: --points"},
    Model{"auraflow", "learned --len 1024 --d 3072 --init normal:0,0.1"},
    Model{"annotated-diffusion", "ddpm"},
    // Speech.
    Model{"parakeet canary fastconformer", "conformer"},
    Model{"w2v-bert", "shaw-wenet"},
    Model{"f5-tts", "rope --d 64 --pairing interleaved --layout interleaved",
          "its times have pe-gen grad-tts"},
    Model{"vits mms-tts piper glow-tts",
          "shaw --d 96 --max-distance 4 --outside zero --init normal:0,1/sqrt(d)"},
    Model{"whisperx distil-large distil-medium", "whisper"},
    // Words for what encodings have other names for.
    Model{"rotary rotate", "rope"},
    Model{"rpe", "shaw", "a vector for each distance; buckets of distances: pe-gen t5"},
    // Names of code that have a table of their own.
    Model{"freqs_cis", "meta-llama"},
    Model{"vllm cos_sin_cache", "rope --table cos-sin"},
    Model{"inv_freq", "rope --table inv-freq"},
    Model{"rotation-matrix", "rope --table rotation"},
    Model{"distance_embedding", "shaw-hf-bert", "Wav2Vec2-BERT's: pe-gen shaw-wenet"},
    Model{"ntk ntk-aware", "rope --scaling ntk --factor 4"},
    Model{"embednd", "flux"},
    Model{"relative_position_bias_table relative_position_index rel_pos_bias_table pos_bias_table",
          "swin"},
    Model{"relative_position_bucket", "t5"},
    Model{"position-interpolation", "rope --scaling linear --factor 4"},
    Model{"fourier-features", "fourier"},
    Model{"neural-radiance-fields", "nerf"},
};

}  // namespace

std::span<const Model> all_models() { return models; }

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
