#include "core/error.h"
#include "figure/installed_fonts.h"

// Replaces src/figure/installed_fonts.cpp where programs cannot see the fonts of a machine.
namespace pegen {

InstalledFont find_font(std::string_view) {
    throw UsageError("this build sees no installed fonts: use builtin");
}

InstalledFont find_font_with(const std::u32string&) {
    throw UsageError("this build sees no installed fonts");
}

}  // namespace pegen
