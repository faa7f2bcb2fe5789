// Any bytes as a font: refused as malformed, or text is drawn within the box that was measured, and
// its glyphs are embedded.

#include <array>

#include "core/error.h"
#include "figure/text.h"
#include "formats/cff.h"
#include "fuzz_target.h"
#include "memory_file.h"

namespace {

using namespace pegen;
using pegen::fuzz::require;

/// Figures do not draw text that is larger than they are.
bool fits(InkBox ink) {
    constexpr int most = 2048;
    return ink.right - ink.left <= most && ink.bottom - ink.top <= most;
}

void check_text(std::string_view text, const TextStyle& style) {
    try {
        text_advance(text, style);
        for (const TextGlyph& glyph : glyphs_of(text, style)) {
            cff_font("Font", *glyph.font, std::array{glyph.number});
        }
        const InkBox ink = text_ink(text, style);
        if (!fits(ink)) return;
        const Mask mask = draw_text(text, style);
        require(mask.box == ink);
    } catch (const FormatError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::as_text(bytes, size));
    try {
        const TextStyle style{10, 100, load_font(file.path())};
        for (const std::string_view text : {"A", "AV", "\u4f4d"}) check_text(text, style);
    } catch (const FormatError&) {
    } catch (const UsageError&) {  // a character that both fonts lack
    }
    return 0;
}
