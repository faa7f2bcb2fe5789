#include "encodings/sequence/binary_recognition.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/to_size.h"

namespace pegen::encodings {

std::vector<evidence::Proposal> recognize_binary(const evidence::Sample& array) {
    constexpr std::int64_t most_bits = 63;
    const std::int64_t bits = array.rank() == 2 ? array.extents[1] : 1;
    if (array.rank() > 2 || bits > most_bits) return {};
    const bool is_binary =
        std::ranges::all_of(array.values, [](double v) { return v == 0 || v == 1; });
    if (!is_binary) return {};
    std::int64_t start = 0;
    for (std::int64_t bit = 0; bit < bits; ++bit) {
        if (array.values[to_size(bit)] == 1) start |= std::int64_t{1} << bit;
    }
    return {{.settings = {{"len", fmt::format("{}", array.extents[0])},
                          {"start", fmt::format("{}", start)},
                          {"bits", fmt::format("{}", bits)}}}};
}

}  // namespace pegen::encodings
