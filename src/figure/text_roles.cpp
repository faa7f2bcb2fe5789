#include "figure/text_roles.h"

namespace pegen {

TextPart part_of(TextRole role) {
    constexpr std::string_view larger = "make --figsize larger",
                               shorter = "make --figsize larger or the text shorter";
    switch (role) {
        case TextRole::title:
            return {"--title", "title", shorter};
        case TextRole::x_label:
            return {"--xlabel", "xlabel", shorter};
        case TextRole::y_label:
            return {"--ylabel", "ylabel", shorter};
        case TextRole::colorbar_label:
            return {"--colorbar-label", "colorbar-label", shorter};
        case TextRole::legend:
            return {"the legend", "with", larger};
        case TextRole::panel_title:
            return {"the title of a panel", "", larger};
        case TextRole::x_tick:
        case TextRole::x_power:
            return {"a number below the axes", "", larger};
        case TextRole::y_tick:
        case TextRole::y_power:
            return {"a number beside the axes", "", larger};
        case TextRole::cell:
            return {"a number in a cell", "", larger};
        case TextRole::colorbar_tick:
        case TextRole::colorbar_power:
            break;
    }
    return {"a number of the colour bar", "", larger};
}

}  // namespace pegen
