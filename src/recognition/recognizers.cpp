#include "recognition/recognizers.h"

#include <algorithm>
#include <array>

namespace pegen::recognition {

// Every recognizer, alphabetically: a new one adds its line here. Each function is defined in the
// folder of its encoding's family.
// clang-format off
#define PEGEN_RECOGNIZERS(entry) \
    entry("alibi", recognize_alibi) \
    entry("binary", recognize_binary) \
    entry("deberta", recognize_deberta) \
    entry("detr", recognize_detr) \
    entry("fire", recognize_fire) \
    entry("fourier", recognize_fourier) \
    entry("gpsa", recognize_gpsa) \
    entry("grid", recognize_grid) \
    entry("index", recognize_index) \
    entry("kerple", recognize_kerple) \
    entry("learned", recognize_learned) \
    entry("learned-grid", recognize_learned_grid) \
    entry("mrope", recognize_mrope) \
    entry("normalized", recognize_normalized) \
    entry("periodic", recognize_periodic) \
    entry("random-fourier", recognize_random_fourier) \
    entry("relative", recognize_relative) \
    entry("rope", recognize_rope) \
    entry("rope-grid", recognize_rope_grid) \
    entry("sandwich", recognize_sandwich) \
    entry("shaw", recognize_shaw) \
    entry("sinusoid", recognize_sinusoid) \
    entry("swin", recognize_swin) \
    entry("swin-v2", recognize_swin_v2) \
    entry("t5", recognize_t5) \
    entry("transformer-xl", recognize_transformer_xl) \
    entry("xpos", recognize_xpos)
// clang-format on

#define PEGEN_FUNCTION(encoding, function) Recognize function;
#define PEGEN_ROW(encoding, function) Recognizer{encoding, function},

PEGEN_RECOGNIZERS(PEGEN_FUNCTION)

namespace {

constexpr std::array recognizers{PEGEN_RECOGNIZERS(PEGEN_ROW)};

}  // namespace

std::span<const Recognizer> all_recognizers() { return recognizers; }

const Recognizer* find_recognizer(std::string_view encoding) {
    const auto found = std::ranges::find(recognizers, encoding, &Recognizer::encoding);
    return found == recognizers.end() ? nullptr : &*found;
}

}  // namespace pegen::recognition
