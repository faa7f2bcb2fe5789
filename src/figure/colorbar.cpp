#include "figure/colorbar.h"

#include <algorithm>

namespace pegen {

Box usual_colorbar(const Medium& medium) {
    const Box& place = medium.axes_beside_colorbar;
    return {medium.colorbar_left, place.top, medium.colorbar_left + medium.colorbar_width,
            place.bottom};
}

Box colorbar_beside(const Box& place, const Medium& medium) {
    constexpr double slenderness = 20;
    const double width =
        std::max(medium.colorbar_gap, std::min<double>(place.height(), medium.width) / slenderness);
    const double left = place.right + std::max(medium.colorbar_gap, width);
    return {left, place.top, left + width, place.bottom};
}

}  // namespace pegen
