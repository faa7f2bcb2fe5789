#include "encodings/rotary/config/gguf_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/names.h"
#include "core/number.h"
#include "files/array_file.h"
#include "files/gguf_file.h"

namespace pegen::encodings {
namespace {

/// Architectures in whose frequencies time, row and column take turns.
constexpr std::string_view with_turns = "qwen3vl qwen3vlmoe qwen35 qwen35moe";

/// How llama.cpp pairs the channels of the architectures that it turns. Nothing else is set.
constexpr std::array families{
    ModelFamily{"llama llama-embed llada deci baichuan internlm2 minicpm xverse command-r olmo "
                "arctic deepseek deepseek2 deepseek2-ocr deepseek32 plm chatglm glm4 glm-dsa "
                "granite granitemoe granitehybrid chameleon bailingmoe neo-bert arcee ernie4_5 "
                "ernie4_5-moe mistral3 mistral4 maincoder",
                "interleaved",
                "llama.cpp turns neighbours in this architecture. Where Hugging Face's code turns "
                "halves, as of Llama and Mistral, llama.cpp's converter has permuted the rows of "
                "Wq and Wk: the frequencies are the same, and weights of Hugging Face need "
                "--pairing half."},
    ModelFamily{"falcon falcon-h1 grok dbrx jina-bert-v3 nomic-bert nomic-bert-moe eurobert "
                "stablelm bitnet qwen qwen2 dream qwen2moe qwen3 qwen3moe qwen3next llada-moe rnd1 "
                "olmo2 olmoe phi2 phi3 phimoe plamo2 plamo3 gemma gemma2 starcoder2 openelm "
                "gptneox codeshell orion nemotron exaone minicpm3 bailingmoe2 dots1 hunyuan-moe "
                "hunyuan-dense jais2 gpt-oss lfm2 lfm2moe seed_oss grovemoe apertus minimax-m2 "
                "cogvlm pangu-embedded glm4moe",
                "half",
                "llama.cpp turns halves in this architecture, and its converter leaves the rows of "
                "Wq and Wk in their order."},
    ModelFamily{"qwen2vl paddleocr", "half",
                "M-RoPE: sections of the frequencies belong to time, row and column. For text it "
                "is the plain table. llama.cpp turns halves."},
    ModelFamily{with_turns, "half",
                "Interleaved M-RoPE: time, row and column take turns along the frequencies. For "
                "text it is the plain table. llama.cpp turns halves, but not pairs 61 and 62 of "
                "sections 24,20,20, which Hugging Face's code, and this table, turn by time."},
    ModelFamily{"gemma3 gemma3n gemma-embedding modern-bert", "half",
                "This is the table of layers with full attention. llama.cpp gives layers with a "
                "sliding window the base rope.freq_base_swa, without that key 10000, and does not "
                "scale them."},
    ModelFamily{"llama4 smollm3 cohere2 cohere2moe", "interleaved",
                "Some layers have no rotary positions: every fourth of Llama 4 and SmolLM3, those "
                "with full attention of Cohere 2. llama.cpp turns neighbours in the others."},
    ModelFamily{"exaone4 exaone-moe afmoe", "half",
                "Where some layers have a sliding window, the others have no rotary positions."},
};

/// Architectures that llama.cpp does not turn.
constexpr std::string_view unrotated =
    "clip gpt2 gptj mpt refact bloom bert starcoder mamba mamba2 jamba jina-bert-v2 t5 t5encoder "
    "jais rwkv6 rwkv6qwen2 rwkv7 arwkv7 wavtokenizer-dec nemotron_h nemotron_h_moe kimi-linear";

struct Key {
    std::string_view name;  ///< behind the name of the architecture and a dot
    std::string_view parameter;
};

constexpr std::array keys{
    Key{"rope.freq_base", "base"},
    Key{"rope.dimension_count", "rotary-dim"},
    Key{"context_length", "max-position-embeddings"},
    Key{"rope.scaling.original_context_length", "original-max-position-embeddings"},
    Key{"rope.scaling.yarn_beta_fast", "beta-fast"},
    Key{"rope.scaling.yarn_beta_slow", "beta-slow"},
};

/// A reading of one file.
struct Reading {
    std::shared_ptr<const InputFile> file;
    GgufFile content;
    std::string architecture;
    Section model{};  ///< the keys of the architecture
    ConfigSettings settings{};
};

/// Returns the values whose keys begin with the name of the architecture, without it.
Json part_of(const Json& metadata, const std::string& architecture) {
    Json part = Json::object();
    const std::string prefix = architecture + ".";
    for (const auto& [key, value] : metadata.items()) {
        if (key.starts_with(prefix)) part.add(key.substr(prefix.size()), value);
    }
    return part;
}

/// Sets a parameter to a default of llama.cpp's code.
void set_default(Reading& r, std::string_view parameter, std::string_view text) {
    r.settings.set({.parameter = std::string(parameter),
                    .text = std::string(text),
                    .source = fmt::format("default of llama.cpp: {} {}", parameter, text),
                    .is_default = true});
}

/// Reads the channels of a head and how many of them turn.
void read_width(Reading& r) {
    const Section& model = r.model;
    constexpr const char* width = "embedding_length";
    constexpr const char* heads = "attention.head_count";
    // Of multi-head latent attention only a vector of its own turns.
    if (model.has("attention.kv_lora_rank") && model.has("rope.dimension_count")) {
        r.settings.drop("rotary-dim");
        return r.settings.take(model, "rope.dimension_count", "d");
    }
    if (model.has("attention.key_length")) {
        r.settings.take(model, "attention.key_length", "d");
    } else if (model.has(width) && model.has(heads) && !model.is_list(heads)) {
        const std::int64_t channels = model.count(width).value(),
                           parts = model.count(heads).value();
        r.settings.set(
            {.parameter = "d",
             .text = fmt::format("{}", channels / parts),
             .source = fmt::format("{} {} / {} {}", model.place(width), channels, heads, parts)});
    } else if (model.has("rope.dimension_count")) {
        r.settings.take(model, "rope.dimension_count", "d");
    } else {
        model.refuse(width,
                     "does not say the size of a head: needs rope.dimension_count, "
                     "attention.key_length, or embedding_length and one "
                     "attention.head_count");
    }
}

/// Returns the elements of a tensor of divisors, as a user would type them; nothing if there is
/// none.
std::optional<std::string> divisors(const Reading& r, std::string_view name) {
    const auto found = std::ranges::find(r.content.tensors, name, &ArchiveMember::name);
    if (found == r.content.tensors.end()) return std::nullopt;
    const ArrayFile array = with_floats({found->path, found->open().table}, "divisors");
    constexpr std::int64_t most = 1 << 19;
    if (array.table.shape.rank() != 1 || array.table.shape.size() > most) {
        throw FormatError(array.path, fmt::format("shape {}: must be a divisor for each pair",
                                                  to_string(array.table.shape)));
    }
    std::vector<std::string> texts;
    for (const double x : finite_elements(array, "divisors")) texts.push_back(shortest(x));
    return joined(texts, ",");
}

/// Reads the divisors of the frequencies; returns false if there are none.
bool read_divisors(Reading& r, double factor) {
    constexpr const char* short_name = "rope_factors_short.weight";
    constexpr const char* long_name = "rope_factors_long.weight";
    // llama.cpp takes the tensor for all lengths first.
    const std::optional<std::string> all = divisors(r, "rope_freqs.weight");
    const std::optional<std::string> near = all ? all : divisors(r, short_name);
    const std::optional<std::string> far = all ? all : divisors(r, long_name);
    if (!near && !far) return false;
    if (!near || !far) {
        throw FormatError(r.file->path(),
                          fmt::format("has {} without {}", near ? short_name : long_name,
                                      near ? long_name : short_name));
    }
    if (factor != 1) {
        r.model.refuse("rope.scaling.factor",
                       fmt::format("{} beside a tensor of divisors is not read", shortest(factor)));
    }
    const std::string source = all ? "rope_freqs.weight as " : "";
    r.settings.set({"scaling", "longrope", "divisors of the frequencies"});
    r.settings.set({"short-factor", *near, source + (all ? "short-factor" : short_name)});
    r.settings.set({"long-factor", *far, source + (all ? "long-factor" : long_name)});
    set_default(r, "attention-factor", "1");
    r.settings.take(r.model, "rope.scaling.attn_factor", "attention-factor");
    constexpr const char* original = "original-max-position-embeddings";
    if (!r.settings.find(original)) r.settings.take(r.model, "context_length", original);
    if (!r.settings.find(original)) set_default(r, original, "1");
    if (!r.settings.find("max-position-embeddings")) set_default(r, "factor", "1");
    return true;
}

/// Reads what makes the two lengths of yarn and its factor of cos and sin.
void read_yarn(Reading& r) {
    const Section& model = r.model;
    constexpr const char* multiplier = "rope.scaling.yarn_log_multiplier";
    if (!r.settings.find("original-max-position-embeddings")) {
        r.settings.take(model, "context_length", "original-max-position-embeddings");
    }
    r.settings.drop("max-position-embeddings");               // the factor is there
    r.settings.mark(model, "rope.scaling.yarn_attn_factor");  // llama.cpp works it out
    // The converter writes a tenth of mscale_all_dim, except for mistral3. llama.cpp takes 1 for
    // mscale, except for deepseek2, where it takes mscale_all_dim.
    const double number = model.number(multiplier).value_or(0);
    r.settings.mark(model, multiplier);
    if (number == 0) return;
    const auto tenfold = static_cast<double>(static_cast<float>(number) / 0.1F);
    const std::string all = shortest(r.architecture == "mistral3" ? number : tenfold);
    const std::string source = fmt::format("{} {}", model.place(multiplier), shortest(number));
    r.settings.set({"mscale", r.architecture == "deepseek2" ? all : "1", source});
    r.settings.set({"mscale-all-dim", all, source + " as mscale-all-dim " + all});
}

void read_scaling(Reading& r) {
    const Section& model = r.model;
    constexpr const char* type_key = "rope.scaling.type";
    const char* const factor_key =
        model.has("rope.scaling.factor") ? "rope.scaling.factor" : "rope.scale_linear";
    const std::string type = model.text(type_key).value_or("linear");
    const double given = model.number(factor_key).value_or(0);
    // llama.cpp takes 0 for no factor.
    const double factor = type == "none" || given == 0 ? 1 : given;
    const double attention = model.number("rope.scaling.attn_factor").value_or(1);
    const double blend = model.number("rope.scaling.yarn_ext_factor").value_or(-1);
    for (const char* key : {type_key, factor_key, "rope.scaling.attn_factor",
                            "rope.scaling.yarn_ext_factor", "rope.scaling.finetuned"}) {
        r.settings.mark(model, key);
    }
    if (!has_word("none linear yarn longrope", type)) {
        model.refuse(type_key, fmt::format("'{}' is not known; must be none, linear, yarn or "
                                           "longrope",
                                           type));
    }
    if (type == "none" && given != 0) {
        r.settings.ignore(model, factor_key, ", by rope.scaling.type");
    }
    // Below 0 it is 1 for yarn, and otherwise 0.
    if (blend >= 0 && blend != (type == "yarn" ? 1 : 0)) {
        model.refuse("rope.scaling.yarn_ext_factor",
                     fmt::format("{} is not read with {} {}, only {}", shortest(blend), type_key,
                                 type, type == "yarn" ? 1 : 0));
    }
    if (read_divisors(r, factor)) return;
    if (type == "longrope") {
        model.refuse(type_key,
                     "longrope needs rope_factors_short.weight and "
                     "rope_factors_long.weight, which the file does not have");
    }
    if (attention != 1) {
        model.refuse(
            "rope.scaling.attn_factor",
            fmt::format("{} without a tensor of divisors is not read", shortest(attention)));
    }
    if (factor == 1) return;
    r.settings.set({"scaling", type, fmt::format("{} {}", model.place(type_key), type)});
    r.settings.take(model, factor_key, "factor");
    if (type == "yarn") read_yarn(r);
}

/// Reads the sections of the frequencies, which mrope uses; true if there are some.
bool read_sections(Reading& r, bool are_interleaved) {
    constexpr const char* key = "rope.dimension_sections";
    std::vector<std::string> parts = r.model.items(key);
    while (parts.size() > 3 && parts.back() == "0") parts.pop_back();
    if (parts.size() < 2 || parts[0] == "0" || parts[1] == "0") {
        r.settings.mark(r.model, key);
        return false;
    }
    const std::string text = joined(parts, ","), place = r.model.place(key);
    r.settings.set_sections({"sections", text, fmt::format("{} {}", place, text), place},
                            are_interleaved);
    r.settings.ignore(r.model, key,
                      fmt::format(" {}: text has the table of one axis; for images "
                                  "and video see pe-gen mrope --config",
                                  text));
    return true;
}

const ModelFamily* family_of(std::string_view architecture) {
    const auto found = std::ranges::find_if(families, [&](const ModelFamily& family) {
        return has_word(family.model_types, architecture);
    });
    return found == families.end() ? nullptr : &*found;
}

/// Checks that the model turns. Throws: FormatError.
void check_turns(const Section& model, const std::string& architecture) {
    const auto is_about = [](std::string_view key) { return key.starts_with("rope."); };
    const std::string what = fmt::format("general.architecture {}", architecture);
    if (has_word(unrotated, architecture)) {
        throw FormatError(model.path, what + ": llama.cpp gives it no rotary positions");
    }
    if (!family_of(architecture) && std::ranges::none_of(model.keys(), is_about)) {
        throw FormatError(model.path, fmt::format("{}: not known, and it has no key {}.rope...",
                                                  what, architecture));
    }
    const Json* const layers = model.json->find("block_count");
    if (architecture == "baichuan" && layers && *layers == Json(40)) {
        throw FormatError(model.path, what + ", block_count 40: it has ALiBi");
    }
}

}  // namespace

ModelConfig read_gguf_config(const std::shared_ptr<const InputFile>& file,
                             std::string_view layer_type) {
    Reading r{file, read_gguf(file), ""};
    const Section whole{file->path(), "", &r.content.metadata};
    r.architecture = whole.text("general.architecture").value_or("");
    if (r.architecture.empty()) {
        throw FormatError(
            file->path(),
            "has no general.architecture: it is no model, or not the first part of one");
    }
    if (!layer_type.empty()) {
        throw FormatError(file->path(), fmt::format("--layer-type {}: a GGUF file has one table, "
                                                    "of layers with full attention",
                                                    layer_type));
    }
    const Json part = part_of(r.content.metadata, r.architecture);
    r.model = {file->path(), r.architecture + ".", &part};
    check_turns(r.model, r.architecture);
    const ModelFamily* const own = family_of(r.architecture);
    const bool has_sections = read_sections(r, has_word(with_turns, r.architecture));
    // With sections, llama.cpp turns halves whatever the architecture.
    const ModelFamily* const family =
        has_sections && own && own->pairing == "interleaved" ? family_of("qwen2vl") : own;
    if (family) {
        r.settings.set(
            {"pairing", std::string(family->pairing),
             fmt::format("general.architecture {}: pairing {}", r.architecture, family->pairing)});
    }
    if (!r.model.has("rope.freq_base")) set_default(r, "base", "10000");
    for (const Key& key : keys) r.settings.take(r.model, key.name, key.parameter);
    read_width(r);
    read_scaling(r);
    std::string other_layers;
    if (r.model.has("rope.freq_base_swa")) {
        r.settings.mark(r.model, "rope.freq_base_swa");
        other_layers = fmt::format(
            "layers with a sliding window have rope.freq_base_swa {}, and "
            "this is the table of the others",
            r.model.numbers("rope.freq_base_swa").value());
    }
    for (const std::string& key : r.model.keys()) {
        if (key.starts_with("rope.") && !r.settings.was_read(r.model, key)) {
            r.settings.doubt(r.model, key);
        }
    }
    if (whole.number("split.count").value_or(1) > 1) r.settings.doubt(whole, "split.count");
    return {.path = file->path(),
            .model_type = r.architecture,
            .family = family,
            .settings = r.settings.all(),
            .ignored = r.settings.ignored(),
            .doubted = r.settings.doubted(),
            .other_layers = other_layers,
            .sections = r.settings.sections(),
            .are_interleaved = r.settings.are_interleaved()};
}

}  // namespace pegen::encodings
