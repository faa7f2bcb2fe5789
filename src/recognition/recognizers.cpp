#include "recognition/recognizers.h"

#include <algorithm>
#include <array>

namespace pegen::recognition {

// Each function is defined in the folder of its encoding's family.
Recognize recognize_alibi, recognize_binary, recognize_deberta, recognize_detr, recognize_fire,
    recognize_fourier, recognize_grid, recognize_index, recognize_kerple, recognize_learned,
    recognize_learned_grid, recognize_mrope, recognize_normalized, recognize_periodic,
    recognize_random_fourier, recognize_relative, recognize_rope, recognize_rope_grid,
    recognize_sandwich, recognize_shaw, recognize_sinusoid, recognize_swin, recognize_swin_v2,
    recognize_t5, recognize_transformer_xl, recognize_xpos;

namespace {

// A new recognizer adds its line here and its name above.
constexpr std::array recognizers{
    Recognizer{"alibi", recognize_alibi},
    Recognizer{"binary", recognize_binary},
    Recognizer{"deberta", recognize_deberta},
    Recognizer{"detr", recognize_detr},
    Recognizer{"fire", recognize_fire},
    Recognizer{"fourier", recognize_fourier},
    Recognizer{"grid", recognize_grid},
    Recognizer{"index", recognize_index},
    Recognizer{"kerple", recognize_kerple},
    Recognizer{"learned", recognize_learned},
    Recognizer{"learned-grid", recognize_learned_grid},
    Recognizer{"mrope", recognize_mrope},
    Recognizer{"normalized", recognize_normalized},
    Recognizer{"periodic", recognize_periodic},
    Recognizer{"random-fourier", recognize_random_fourier},
    Recognizer{"relative", recognize_relative},
    Recognizer{"rope", recognize_rope},
    Recognizer{"rope-grid", recognize_rope_grid},
    Recognizer{"sandwich", recognize_sandwich},
    Recognizer{"shaw", recognize_shaw},
    Recognizer{"sinusoid", recognize_sinusoid},
    Recognizer{"swin", recognize_swin},
    Recognizer{"swin-v2", recognize_swin_v2},
    Recognizer{"t5", recognize_t5},
    Recognizer{"transformer-xl", recognize_transformer_xl},
    Recognizer{"xpos", recognize_xpos},
};

}  // namespace

std::span<const Recognizer> all_recognizers() { return recognizers; }

const Recognizer* find_recognizer(std::string_view encoding) {
    const auto found = std::ranges::find(recognizers, encoding, &Recognizer::encoding);
    return found == recognizers.end() ? nullptr : &*found;
}

}  // namespace pegen::recognition
