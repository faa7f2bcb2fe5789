#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/shape.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"

namespace pegen::recognition {

std::vector<Proposal> recognize_binary(const Sample& array) {
    constexpr std::int64_t fewest_bits = 2, most_bits = 63;
    if (array.rank() != 2) return {};
    const std::int64_t len = array.extents[0], bits = array.extents[1];
    if (bits < fewest_bits || bits > most_bits) return {};
    const bool is_binary =
        std::ranges::all_of(array.values, [](double v) { return v == 0 || v == 1; });
    if (!is_binary) return {};
    std::vector<Proposal> proposals;
    for (const bool is_highest_first : {false, true}) {
        std::uint64_t start = 0;
        for (std::int64_t bit = 0; bit < bits; ++bit) {
            const std::int64_t column = is_highest_first ? bits - 1 - bit : bit;
            if (array.values[column] == 1) start |= std::uint64_t{1} << bit;
        }
        Proposal proposal{.settings = {{"len", fmt::format("{}", len)}}};
        if (start != 0) proposal.settings.push_back({"start", fmt::format("{}", start)});
        const std::uint64_t last = start + to_size(len) - 1;
        if (static_cast<std::int64_t>(std::bit_width(last)) != bits) {
            proposal.settings.push_back({"bits", fmt::format("{}", bits)});
        }
        if (is_highest_first) proposal.settings.push_back({"highest-first", "true"});
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

}  // namespace pegen::recognition
