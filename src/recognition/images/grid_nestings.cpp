#include "recognition/images/grid_nestings.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "core/error.h"
#include "encodings/images/grid_layout.h"

namespace pegen::recognition {
namespace {

using evidence::PointGrid;
using evidence::WaveColumns;
using numerics::ChannelRun;
using numerics::Function;

constexpr int of_no_pair = -2;

/// Returns, for each column, the index of the axis whose wave the nesting puts there, or
/// of_no_pair.
std::vector<int> axes_of_columns(const encodings::GridNesting& nesting, std::string_view names) {
    std::vector<int> axes(nesting.d, of_no_pair);
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
        for (const ChannelRun& run : layout_of(nesting, names[axis]).runs) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                axes[run.first_channel + i * run.channel_stride] = static_cast<int>(axis);
            }
        }
    }
    return axes;
}

/// True if every column may hold what the nesting puts there. A slow cosine may have the same value
/// at all points; a column without a wave must have.
bool is_possible(const encodings::GridNesting& nesting, const PointGrid& grid,
                 std::string_view names) {
    const std::vector<int> expected = axes_of_columns(nesting, names);
    return std::ranges::equal(expected, grid.axis_of_column, [](int axis, int found) {
        return found == axis || found == PointGrid::no_axis;
    });
}

/// Returns the number of channels from the first column of each axis to the first column of the
/// next axis, in the order of `blocks`; none if the axes are not in this order. Up to `still`
/// constant columns before the first varying column of an axis are counted as this axis's, since a
/// wave that turns by whole turns is constant.
std::optional<std::vector<std::int64_t>> measured_widths(const PointGrid& grid,
                                                         std::string_view names,
                                                         std::string_view blocks,
                                                         std::int64_t still) {
    const auto& columns = grid.axis_of_column;
    std::vector<std::int64_t> begins;
    for (const char block : blocks) {
        const auto first = std::ranges::find(columns, static_cast<int>(names.find(block)));
        if (first == columns.end()) return std::nullopt;
        std::int64_t begin = begins.empty() ? 0 : first - columns.begin();
        for (std::int64_t i = 0; i < still && begin > 0; ++i) {
            if (columns[begin - 1] == PointGrid::no_axis) --begin;
        }
        begins.push_back(begin);
    }
    if (!std::ranges::is_sorted(begins)) return std::nullopt;
    begins.push_back(std::ssize(columns));
    std::vector<std::int64_t> widths;
    for (std::size_t i = 1; i < begins.size(); ++i) widths.push_back(begins[i] - begins[i - 1]);
    return widths;
}

/// Returns the shares, one for each of `blocks`, as a list in the order of --split: t, y, x.
std::string split_of(std::string_view blocks, const std::vector<std::string>& shares) {
    std::string split;
    for (const char axis : std::string_view("tyx")) {
        const std::size_t rank = blocks.find(axis);
        if (rank == blocks.npos) continue;
        if (!split.empty()) split += ',';
        split += shares[rank];
    }
    return split;
}

/// Returns the values of --split to try, the simplest first.
std::vector<std::string> splits_of(const PointGrid& grid, std::string_view names,
                                   std::string_view blocks) {
    std::vector<std::string> splits{"equal"};
    const std::int64_t d = std::ssize(grid.axis_of_column);
    for (const std::int64_t still : {0, 1, 2}) {
        const auto widths = measured_widths(grid, names, blocks, still);
        if (!widths) return splits;
        std::vector<std::string> parts, counts;
        constexpr std::int64_t largest_denominator = 16;
        bool are_simple = true;
        for (const std::int64_t width : *widths) {
            const std::int64_t common = std::gcd(width, d);
            are_simple = are_simple && d / common <= largest_denominator;
            parts.push_back(fmt::format("{}/{}", width / common, d / common));
            counts.push_back(fmt::format("{}", width));
        }
        if (are_simple) splits.push_back(split_of(blocks, parts));
        splits.push_back(split_of(blocks, counts));
    }
    // An odd share is rounded, so its measured width does not show the share.
    if (names.size() == 2) splits.insert(splits.end(), {"1/4,3/4", "3/4,1/4"});
    if (names.size() == 3) splits.insert(splits.end(), {"1/2,1/4,1/4", "1/4,3/8,3/8"});
    return splits;
}

std::optional<std::vector<std::int64_t>> channels_by_block(const encodings::GridSplit& split,
                                                           std::string_view blocks) {
    try {
        const std::vector<std::int64_t> channels = encodings::channels_of_axes(split);
        std::vector<std::int64_t> by_block(blocks.size());
        std::size_t next = 0;
        for (const char axis : std::string_view("tyx")) {
            const std::size_t rank = blocks.find(axis);
            if (rank != blocks.npos) by_block[rank] = channels[next++];
        }
        return by_block;
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

}  // namespace

std::vector<WaveColumns> wave_columns(const encodings::GridNesting& nesting, char axis) {
    return evidence::columns_of(layout_of(nesting, axis)).pairs;
}

std::vector<ProposedNesting> nestings_of(const PointGrid& grid, std::string_view names) {
    std::vector<ProposedNesting> found;
    const std::int64_t d = std::ssize(grid.axis_of_column);
    const auto add = [&](ProposedNesting proposed) {
        const bool is_known = std::ranges::any_of(found, [&](const ProposedNesting& other) {
            if (other.nesting.first != proposed.nesting.first) return false;
            return std::ranges::all_of(names, [&](char axis) {
                const auto same = [](const WaveColumns& a, const WaveColumns& b) {
                    return a.sine == b.sine && a.cosine == b.cosine;
                };
                return std::ranges::equal(wave_columns(other.nesting, axis),
                                          wave_columns(proposed.nesting, axis), same);
            });
        });
        if (!is_known && is_possible(proposed.nesting, grid, names)) {
            found.push_back(std::move(proposed));
        }
    };
    std::string blocks(names);
    std::ranges::sort(blocks);
    do {
        for (const std::string& split : splits_of(grid, names, blocks)) {
            for (const char* odd : {"error", "zero-pad", "round-up"}) {
                const auto channels = channels_by_block({split, odd, d, std::ssize(names)}, blocks);
                if (!channels) continue;
                const bool are_equal =
                    std::ranges::adjacent_find(*channels, std::not_equal_to()) == channels->end();
                for (const char* order : {"akf", "afk", "fak", "kaf", "kfa", "fka"}) {
                    if (order[0] != 'a' && !are_equal) continue;
                    for (const Function first : {Function::sin, Function::cos}) {
                        add({{order, blocks, *channels, d, first}, split, odd});
                    }
                }
                if (std::string_view(odd) == "error") break;
            }
        }
    } while (std::ranges::next_permutation(blocks).found);
    return found;
}

}  // namespace pegen::recognition
