#include "recognition/relative/free_weights.h"

#include <cmath>
#include <unordered_set>

namespace pegen::recognition {

bool may_be_trained(std::span<const double> weights, std::int64_t columns) {
    constexpr double simple_part = 64, enough = 0.75;
    double known = 0, telling = 0, different = 0;
    for (std::int64_t column = 0; column < columns; ++column) {
        std::unordered_set<double> seen;
        for (std::size_t i = column; i < weights.size(); i += columns) {
            const double weight = weights[i];
            if (std::isnan(weight)) continue;
            ++known;
            telling += std::rint(weight * simple_part) != weight * simple_part ? 1 : 0;
            different += seen.insert(weight).second ? 1 : 0;
        }
    }
    return known > 0 && telling >= enough * known && different >= enough * known;
}

}  // namespace pegen::recognition
