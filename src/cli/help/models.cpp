#include "cli/help/models.h"

#include <array>

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

}  // namespace pegen::cli
