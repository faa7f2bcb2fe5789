#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "cli/help/search.h"
#include "core/error.h"

using namespace pegen;
using namespace pegen::cli;

namespace {

std::string first_name(std::string_view text) {
    const Found found = search_names(text).front();
    return std::string(found.preset ? found.preset->name : found.encoding->name);
}

std::string refusal(std::string_view text) {
    try {
        return first_name(text);
    } catch (const UsageError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("search: a preset, an alias, a repository or a class finds it, in any spelling") {
    CHECK(first_name("diffwave") == "diffwave");
    CHECK(first_name("CSDI") == "diffwave");
    CHECK(search_names("CSDI").front().where == "also called csdi");
    CHECK(first_name("PositionEmbeddingRandom") == "sam");
    CHECK(first_name("bundle_adjusting NeRF") == "barf");
    CHECK(first_name("lmnt-com") == "diffwave");
    CHECK(first_name("rel_pos_h") == "attention decomposed");
    CHECK(first_name("GaussianFourierProjection") == "score-sde-fourier");
    CHECK(search_names("lmnt-com").front().where ==
          "from: lmnt-com/diffwave, src/diffwave/model.py, DiffusionEmbedding");
}

TEST_CASE("search: what is called so comes before what mentions it") {
    CHECK(first_name("rope") == "rope");
    CHECK(search_names("rope").size() > 10);
    CHECK(first_name("whisper") == "whisper");
    CHECK(first_name("fairseq") == "fairseq");
}

TEST_CASE("search: words are found where they begin, and parts of words only if there is nothing") {
    const auto finds = [](std::string_view text, std::string_view name) {
        return std::ranges::any_of(search_names(text), [&](const Found& found) {
            return (found.preset ? found.preset->name : found.encoding->name) == name;
        });
    };
    CHECK(first_name("wan") == "wan-video");
    CHECK(!finds("sam", "rope-mixed"));
    CHECK(!finds("clip", "alibi"));
    CHECK(!finds("wan", "vaswani"));
    CHECK(finds("aswani", "vaswani"));
    CHECK(finds("flux2", "flux2"));
    CHECK(finds("flux-2", "flux2"));
    CHECK(finds("FourierProjection", "score-sde-fourier"));
    // Parts have four letters: "that" has no HAT.
    CHECK(refusal("ias").starts_with("list --search ias: no encoding"));
    CHECK(!finds("levit", "simple-vit"));
    // Hyphens separate words: tim-M-VIT is no MViT.
    CHECK(finds("mvit", "attention decomposed"));
    CHECK(finds("halonet", "attention decomposed"));
    CHECK(finds("retnet", "rope"));
    CHECK(finds("retnet", "retnet-decay"));
    CHECK(finds("hstu", "swin"));
    CHECK(!finds("mvit", "timm-vit"));
}

TEST_CASE("search: model types of config.json lead to rope --config") {
    const Found found = search_names("gemma4").front();
    CHECK(found.encoding->name == "rope");
    CHECK(found.where ==
          "model_type gemma4, gemma4_text, gemma4_unified, gemma4_unified_text: "
          "pe-gen rope --config config.json");
    CHECK(first_name("qwen3") == "qwen2");
}

TEST_CASE("search: a name among the words is found, the longest, and whole") {
    CHECK(first_name("openai/whisper-large-v3") == "whisper");
    CHECK(first_name("Qwen2.5-VL-7B-Instruct-AWQ") == "qwen2.5-vl");
    CHECK(first_name("my fairseq table") == "fairseq");
    CHECK(search_names("modern bert").front().where.starts_with("modernbert: "));
    CHECK(first_name("google/pegasus-xsum") == "hf-marian");
    // The owner does not count, and a number is not cut.
    CHECK(
        refusal("timm/resnet18d.ra2").starts_with("list --search timm/resnet18d.ra2: no encoding"));
    CHECK(refusal("org/gemma77b").starts_with("list --search org/gemma77b: no encoding"));
}

TEST_CASE("search: Chinese words are translated") {
    CHECK(first_name("旋转位置编码") == first_name("rotary position encoding"));
    CHECK(first_name("相对") == "relative");
    CHECK(first_name("正弦") == "sinusoid");
    CHECK(first_name("sinusoidal positional encoding") == "sinusoid");
    CHECK(first_name("rotary positional embeddings") == first_name("rotary"));
    CHECK(search_names("positional encoding").size() > 5);
    CHECK(first_name("可学习") == first_name("learned"));
    CHECK(first_name("可学习的位置编码") == "learned");
    CHECK(first_name("位置编码") == "sinusoid");
    CHECK(first_name("正弦余弦位置编码") == "sinusoid");
    CHECK(first_name("二维位置编码") == "grid");
    CHECK(search_names("长度外推").size() == 5);
    CHECK(first_name("蛋白质") == "relpos");
    CHECK(first_name("多模态") == "mrope");
    CHECK(search_names("插值").front().command == "rope --scaling linear --factor 4");
    CHECK(first_name("视觉 Transformer") == "vit");
    CHECK(refusal("某某").find("config.json") != std::string::npos);
}

TEST_CASE("search: what is not there is refused, and why") {
    CHECK(refusal("zzz").starts_with(
        "list --search zzz: no encoding, no preset and no model has this"));
    CHECK(refusal("Laplacian eigenvectors") ==
          "list --search Laplacian eigenvectors: encodings of graphs are made of a graph's matrix, "
          "not of positions");
    CHECK(refusal("spherical harmonics") ==
          "list --search spherical harmonics: spherical harmonics are not sines of a position");
    CHECK(refusal("").starts_with("list --search : no encoding"));
    CHECK(refusal("- _").starts_with("list --search - _: no encoding"));
    CHECK(refusal("convnext").ends_with("there is no table"));
    CHECK(refusal("sigilp").ends_with("; did you mean 'siglip'?"));
}
