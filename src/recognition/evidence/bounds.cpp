#include "recognition/evidence/bounds.h"

#include <cmath>

namespace pegen::evidence {

std::vector<SimpleNumber> numbers_within(const Bounds& bounds, std::size_t most) {
    if (bounds.is_empty() || !bounds.is_bounded()) return {};
    // The last number returned has all digits and is not simple, so one more is requested.
    std::vector<SimpleNumber> numbers = simple_numbers(bounds.measured(), most + 1);
    std::erase_if(numbers, [&](const SimpleNumber& n) {
        const double slack = 1e-15 * std::fabs(n.value);
        return !Bounds{bounds.low - slack, bounds.high + slack}.contains(n.value);
    });
    if (numbers.size() > most) numbers.resize(most);
    return numbers;
}

}  // namespace pegen::evidence
