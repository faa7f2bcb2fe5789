#include "figure/resample.h"

#include <algorithm>
#include <cmath>

namespace pegen {

std::int64_t nearest_cell(std::int64_t pixel, std::int64_t pixels, std::int64_t cells) {
    // The result is floor((2 pixel + 1) cells / (2 pixels)) without products that could overflow.
    const std::int64_t whole = cells / pixels;
    const std::int64_t rest = cells % pixels;
    return pixel * whole + (whole * pixels + (2 * pixel + 1) * rest) / (2 * pixels);
}

Window::Window(std::int64_t pixel, std::int64_t pixels, std::int64_t cells, double shift)
    : cells_(static_cast<double>(cells)),
      centre_((static_cast<double>(pixel) + 0.5) * cells_ / static_cast<double>(pixels) - 0.5 +
              shift),
      radius_(std::max(1.0, cells_ / static_cast<double>(pixels))),
      // Cells beyond an edge are mirrored to cells that are in this range anyway.
      first_(static_cast<std::int64_t>(std::max(0.0, std::floor(centre_ - radius_)))),
      last_(static_cast<std::int64_t>(std::min(cells_ - 1, std::ceil(centre_ + radius_)))) {}

Window Window::of_nearest(std::int64_t pixel, std::int64_t pixels, std::int64_t cells) {
    const std::int64_t cell = nearest_cell(pixel, pixels, cells);
    Window window;
    window.cells_ = static_cast<double>(cells);
    window.centre_ = static_cast<double>(cell);
    window.radius_ = 1;  // the weight of the neighbours is 0
    window.first_ = window.last_ = cell;
    return window;
}

double Window::hanning(double cell) const {
    constexpr double pi = 3.14159265358979323846;
    const double t = std::fabs(cell - centre_) / radius_;
    return t < 1 ? 0.5 + 0.5 * std::cos(pi * t) : 0;
}

double Window::weight(std::int64_t cell) const {
    const auto place = static_cast<double>(cell);
    double sum = hanning(place);
    if (centre_ - radius_ < 0) sum += hanning(-1 - place);
    if (centre_ + radius_ > cells_ - 1) sum += hanning(2 * cells_ - 1 - place);
    return sum;
}

double Window::unit() const {
    // The integral of the window is its radius; the sum over whole numbers exceeds the integral by
    // at most the highest weight, 1.
    return std::ldexp(1, -std::ilogb(radius_ + 1) - 2);
}

}  // namespace pegen
