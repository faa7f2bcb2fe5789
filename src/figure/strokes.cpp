#include "figure/strokes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/shape.h"

namespace pegen {
namespace {

/// Returns the box of whole pixels around all points, with `margin` added on each side.
InkBox box_around(const std::vector<Point>& points, double margin) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Box box{infinity, infinity, -infinity, -infinity};
    for (const Point& point : points) {
        box = {std::min(box.left, point.x), std::min(box.top, point.y),
               std::max(box.right, point.x), std::max(box.bottom, point.y)};
    }
    return {static_cast<int>(std::floor(box.left - margin)),
            static_cast<int>(std::floor(box.top - margin)),
            static_cast<int>(std::ceil(box.right + margin)),
            static_cast<int>(std::ceil(box.bottom + margin))};
}

/// The shares of pixels that are covered, row-major in `box`.
struct Shares {
    InkBox box;
    std::vector<float> values;

    explicit Shares(InkBox around)
        : box(around), values(to_size(box.right - box.left) * to_size(box.bottom - box.top)) {}

    float& at(int x, int y) {
        return values[to_size(y - box.top) * to_size(box.right - box.left) + (x - box.left)];
    }

    Mask mask() const {
        Mask mask{box, {}};
        for (const float share : values) {
            mask.coverage.push_back(
                static_cast<std::uint8_t>(std::lround(255 * std::min(share, 1.0F))));
        }
        return mask;
    }
};

/// Returns the distance of the middle of a pixel from the line between a and b.
double distance(int x, int y, Point a, Point b) {
    const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double length = dx * dx + dy * dy;
    const double t = length > 0 ? std::clamp((px * dx + py * dy) / length, 0.0, 1.0) : 0;
    return std::hypot(px - t * dx, py - t * dy);
}

void cover_segment(Shares& shares, Point a, Point b, double half) {
    // A pixel whose middle is less than half a pixel beyond the edge is partly covered.
    const double reach = half + 0.5;
    const InkBox box = box_around({a, b}, reach);
    for (int y = box.top; y < box.bottom; ++y) {
        for (int x = box.left; x < box.right; ++x) {
            const double share = std::clamp(reach - distance(x, y, a, b), 0.0, 1.0);
            shares.at(x, y) = std::max(shares.at(x, y), static_cast<float>(share));
        }
    }
}

double between(double x, Point a, Point b) {
    return a.y + (b.y - a.y) * std::clamp((x - a.x) / (b.x - a.x), 0.0, 1.0);
}

/// Returns the share of pixel number `pixel` that lies between two edges.
double overlap(int pixel, double low, double high) {
    return std::max(0.0, std::min(high, pixel + 1.0) - std::max(low, static_cast<double>(pixel)));
}

/// Adds the area between two lines with the same x coordinates.
void cover_strip(Shares& shares, Point upper_a, Point upper_b, Point lower_a, Point lower_b) {
    const double left = upper_a.x, right = upper_b.x;
    for (int x = static_cast<int>(std::floor(left)); x < right; ++x) {
        const double share = overlap(x, left, right);
        const double middle = (std::max<double>(left, x) + std::min<double>(right, x + 1)) / 2;
        const double top = between(middle, upper_a, upper_b);
        const double bottom = between(middle, lower_a, lower_b);
        for (int y = static_cast<int>(std::floor(top)); y < bottom; ++y) {
            shares.at(x, y) += static_cast<float>(share * overlap(y, top, bottom));
        }
    }
}

}  // namespace

Mask cover(const Curve& curve) {
    const double half = curve.width / 2;
    Shares shares(box_around(curve.points, half + 1));
    cover_segment(shares, curve.points.front(), curve.points.front(), half);
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
        cover_segment(shares, curve.points[i - 1], curve.points[i], half);
    }
    return shares.mask();
}

Mask cover(const Band& band) {
    std::vector<Point> all = band.upper;
    all.insert(all.end(), band.lower.begin(), band.lower.end());
    Shares shares(box_around(all, 1));
    for (std::size_t i = 1; i < band.upper.size(); ++i) {
        cover_strip(shares, band.upper[i - 1], band.upper[i], band.lower[i - 1], band.lower[i]);
    }
    return shares.mask();
}

}  // namespace pegen
