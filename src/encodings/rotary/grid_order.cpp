#include "encodings/rotary/grid_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "encodings/parameters/grid_axes.h"

namespace pegen::encodings {
namespace {

/// A rectangle of tokens in a frame.
struct Area {
    std::int64_t y, x, height, width;
};

/// Splits an area into squares, row by row. Squares at the right and lower edge may be smaller.
std::vector<Area> squares_of(const Area& area, std::int64_t side) {
    std::vector<Area> squares;
    for (std::int64_t y = 0; y < area.height; y += side) {
        for (std::int64_t x = 0; x < area.width; x += side) {
            squares.push_back({area.y + y, area.x + x, std::min(side, area.height - y),
                               std::min(side, area.width - x)});
        }
    }
    return squares;
}

}  // namespace

bool is_in_rows(const Parameters& p) { return p.integer("merge") == 1 && p.integer("window") == 0; }

void check_order(const Parameters& p) {
    if (is_in_rows(p)) return;
    const std::int64_t merge = p.integer("merge"), window = p.integer("window");
    if (window % merge != 0) {
        throw UsageError(
            fmt::format("--window {}: must be a multiple of --merge {}", window, merge));
    }
    for (const char axis : {'y', 'x'}) {
        if (extent(p, axis) % merge == 0) continue;
        throw UsageError(fmt::format("--merge {}: must divide --{} {}", merge, extent_name(axis),
                                     extent(p, axis)));
    }
    constexpr std::int64_t most = std::int64_t{1} << 24;
    if (extent(p, 'x') > most / extent(p, 'y')) {
        throw UsageError(
            "--merge, --window: order the tokens of a frame, --height times --width, at most 2^24");
    }
}

std::vector<std::int64_t> token_order(const Parameters& p) {
    const Area frame{0, 0, extent(p, 'y'), extent(p, 'x')};
    const std::int64_t window = p.integer("window");
    std::vector<std::int64_t> order;
    for (const Area& area : window > 0 ? squares_of(frame, window) : std::vector{frame}) {
        for (const Area& block : squares_of(area, p.integer("merge"))) {
            for (const Area& token : squares_of(block, 1)) {
                order.push_back(token.y * frame.width + token.x);
            }
        }
    }
    return order;
}

}  // namespace pegen::encodings
