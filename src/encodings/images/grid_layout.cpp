#include "encodings/images/grid_layout.h"

#include "encodings/parameters/grid_axes.h"

namespace pegen::encodings {

numerics::ChannelLayout layout_of(const GridNesting& nesting, char axis) {
    const std::size_t rank = nesting.axes.find(axis);
    const std::int64_t pairs = nesting.channels[rank] / 2;
    const auto step = [&](char digit) {
        return stride(nesting.order, digit, std::ssize(nesting.axes), pairs);
    };
    std::int64_t first = 0;
    for (std::size_t before = 0; before < rank; ++before) {
        first += nesting.order.front() == 'a' ? nesting.channels[before] : step('a');
    }
    return numerics::strided(nesting.d, first, {step('k'), step('f')}, pairs, nesting.first);
}

}  // namespace pegen::encodings
