#include "recognition/rotary/grid_blocks.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "core/names.h"
#include "core/shape.h"

namespace pegen::recognition {
namespace {

/// Where a block ends if the pairs before the next block may belong to either of the two.
enum class End {
    equal,  ///< where blocks of one size end, if it may end there
    seen,   ///< where the next axis is first seen
};

/// Returns the blocks in this order of the axes; none if a pair does not belong to its block's
/// axis.
std::optional<Blocks> blocks_in_order(const std::string& labels, const std::string& axes,
                                      End preferred) {
    const auto count = static_cast<std::int64_t>(labels.size());
    const auto equal = count / static_cast<std::int64_t>(axes.size());
    Blocks blocks{axes, {}};
    std::int64_t begin = 0;
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
        std::size_t next = labels.size(), least = to_size(begin);
        for (const char later : axes.substr(i + 1)) next = std::min(next, labels.find(later));
        if (labels.find(axes[i]) != std::string::npos) least = labels.rfind(axes[i]) + 1;
        next = std::min(next, labels.size());
        if (least > next || least < to_size(begin)) return std::nullopt;
        const std::int64_t usual = begin + equal;
        const bool is_equal =
            preferred == End::equal && to_size(usual) >= least && to_size(usual) <= next;
        const std::int64_t end = is_equal ? usual : static_cast<std::int64_t>(next);
        blocks.pairs.push_back(end - begin);
        begin = end;
    }
    blocks.pairs.push_back(count - begin);
    const std::size_t last = labels.rfind(axes.back());
    if (last != std::string::npos && static_cast<std::int64_t>(last) < begin) return std::nullopt;
    return blocks;
}

/// Returns the blocks in this order with either end, each once. Pairs that are the same everywhere
/// are the slow ones at the end of a block, most often of cosines, so that both must be tried.
std::vector<Blocks> blocks_in_order(const std::string& labels, const std::string& axes) {
    std::vector<Blocks> found;
    for (const End preferred : {End::equal, End::seen}) {
        const auto blocks = blocks_in_order(labels, axes, preferred);
        if (blocks && (found.empty() || found.front().pairs != blocks->pairs)) {
            found.push_back(*blocks);
        }
    }
    return found;
}

/// Returns the axes in this order in turn; none if a pair belongs to another axis than its turn's.
std::vector<Blocks> in_turn(const std::string& labels, const std::string& axes) {
    if (labels.size() % axes.size() != 0) return {};
    for (std::size_t pair = 0; pair < labels.size(); ++pair) {
        if (labels[pair] != '*' && labels[pair] != axes[pair % axes.size()]) return {};
    }
    const auto each = static_cast<std::int64_t>(labels.size() / axes.size());
    return {{axes, std::vector(axes.size(), each), true}};
}

}  // namespace

std::size_t Blocks::rank_of(std::int64_t pair) const {
    if (are_in_turn) return to_size(pair) % axes.size();
    std::size_t rank = 0;
    while (rank + 1 < pairs.size() && pair >= pairs[rank]) pair -= pairs[rank++];
    return rank;
}

std::int64_t Blocks::pair(std::size_t rank, std::int64_t k) const {
    if (!are_in_turn) return first(rank) + k;
    return static_cast<std::int64_t>(rank) + k * std::ssize(axes);
}

std::int64_t Blocks::first(std::size_t rank) const {
    const auto end = pairs.begin() + static_cast<std::ptrdiff_t>(rank);
    return std::accumulate(pairs.begin(), end, std::int64_t{0});
}

std::string Blocks::split(std::string_view usual_axes) const {
    if (std::ranges::all_of(pairs, [&](std::int64_t n) { return n == pairs.front(); })) return "";
    std::vector<std::int64_t> channels;
    for (const char axis : usual_axes) channels.push_back(2 * pairs[axes.find(axis)]);
    return joined(channels, ",");
}

std::vector<Blocks> blocks_of(const GridFrame& frame) {
    std::vector<Blocks> found;
    std::string axes(frame.axes());
    const std::string usual = axes;
    std::ranges::sort(axes);
    std::vector<std::string> orders{usual};
    do {
        if (axes != usual) orders.push_back(axes);
    } while (std::ranges::next_permutation(axes).found);
    const auto add_all = [&](const auto& arranged) {
        for (const std::string& order : orders) {
            for (Blocks& blocks : arranged(frame.axis_of_pair, order)) {
                found.push_back(std::move(blocks));
            }
        }
    };
    add_all([](const auto& labels, const auto& order) { return blocks_in_order(labels, order); });
    if (found.empty()) add_all(in_turn);
    return found;
}

}  // namespace pegen::recognition
