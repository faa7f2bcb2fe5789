#include "encodings/rotary/grid_lines.h"

#include <algorithm>

namespace pegen::encodings {

Line GridLines::along(const GridFrame& frame, char axis) const {
    double least = static_cast<double>(frame.extent('x')), most = least;
    for (const char other : frame.axes()) {
        least = std::min(least, static_cast<double>(frame.extent(other)));
        most = std::max(most, static_cast<double>(frame.extent(other)));
    }
    return line(static_cast<double>(frame.extent(axis)), least, most);
}

std::span<const GridLines> usual_lines() {
    static const std::vector<GridLines> all{
        {{},
         [](double, double, double) {
             return Line{0, 1};
         }},
        {{{"start", "1"}},
         [](double, double, double) {
             return Line{1, 1};
         }},
        {{{"start", "0.5"}},
         [](double, double, double) {
             return Line{0.5, 1};
         }},
        {{{"start", "1"}, {"step", "0.5"}},
         [](double, double, double) {
             return Line{1, 0.5};
         }},
        {{{"start", "0.5"}, {"step", "2"}},
         [](double, double, double) {
             return Line{0.5, 2};
         }},
        {{{"start", "-0.5"}},
         [](double, double, double) {
             return Line{-0.5, 1};
         }},
        {{{"start", "3"}},
         [](double, double, double) {
             return Line{3, 1};
         }},
        {{{"start", "1"}, {"step", "0.25"}},
         [](double, double, double) {
             return Line{1, 0.25};
         }},
        {{{"start", "1"}, {"step", "3"}},
         [](double, double, double) {
             return Line{1, 3};
         }},
        {{{"start", "1"}, {"step", "0.1"}},
         [](double, double, double) {
             return Line{1, 0.1};
         }},
        {{{"coords", "cells"}},
         [](double n, double, double) {
             return Line{(1 - n) / n, 2 / n};
         }},
        {{{"coords", "cells"}, {"normalize", "max"}},
         [](double, double, double most) {
             return Line{(1 - most) / most, 2 / most};
         }},
        {{{"coords", "cells"}, {"normalize", "min"}},
         [](double, double least, double) {
             return Line{(1 - least) / least, 2 / least};
         }},
        {{{"coords", "linspace"}},
         [](double n, double, double) {
             return n == 1 ? Line{-1, 0} : Line{-1, 2 / (n - 1)};
         }},
    };
    return all;
}

}  // namespace pegen::encodings
