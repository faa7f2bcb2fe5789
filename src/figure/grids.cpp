#include "figure/grids.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/shape.h"

namespace pegen {
namespace {

/// Returns pixels left ... right - 1 of rows top ... bottom - 1.
IndexGrid cropped(const IndexGrid& grid, int left, int top, int right, int bottom) {
    IndexGrid part{right - left, bottom - top, {}};
    part.indices.reserve(to_size(part.width) * to_size(part.height));
    for (int y = top; y < bottom; ++y) {
        const auto row = grid.indices.begin() + static_cast<std::ptrdiff_t>(y) * grid.width;
        part.indices.insert(part.indices.end(), row + left, row + right);
    }
    return part;
}

}  // namespace

PlacedGrid body_within_frame(const Panel& panel, IndexGrid body) {
    const PixelArea& area = panel.body;
    assert(body.width == area.width && body.height == area.height);
    // The last column and row of pixels lie under the middle of the frame.
    const auto pixel = [](double edge) { return static_cast<int>(std::floor(edge + 0.5)); };
    const int left = std::max(area.left, pixel(panel.axes.left));
    const int top = std::max(area.top, pixel(panel.axes.top));
    const int right = std::min(area.left + area.width, pixel(panel.axes.right) + 1);
    const int bottom = std::min(area.top + area.height, pixel(panel.axes.bottom) + 1);
    const bool is_whole = right - left == area.width && bottom - top == area.height;
    return {left, top,
            is_whole ? std::move(body)
                     : cropped(body, left - area.left, top - area.top, right - area.left,
                               bottom - area.top)};
}

}  // namespace pegen
