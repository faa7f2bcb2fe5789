#include "recognition/rotary/grid_frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/names.h"
#include "core/shape.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/rotary/grid_order.h"
#include "recognition/evidence/point_grid.h"

namespace pegen::recognition {
namespace {

constexpr std::array order_parameters = joined(
    std::array{encodings::height_parameter, encodings::width_parameter, encodings::depth_parameter},
    encodings::grid_order_parameters);

/// Returns the point of the grid in each row behind the prefix.
std::vector<std::int64_t> points_in_order(const GridFrame& frame) {
    std::vector<std::int64_t> points(frame.depth * frame.height * frame.width);
    std::iota(points.begin(), points.end(), 0);
    if (frame.merge == 1 && frame.window == 0) return points;
    Parameters p(order_parameters);
    p.resolve("height", frame.height);
    p.resolve("width", frame.width);
    p.resolve("merge", frame.merge);
    p.resolve("window", frame.window);
    const std::vector<std::int64_t> order = encodings::token_order(p);
    const std::int64_t area = frame.height * frame.width;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i);
        points[i] = row / area * area + order[row % area];
    }
    return points;
}

void place_rows(GridFrame& frame) {
    const std::vector<std::int64_t> points = points_in_order(frame);
    frame.row_of.resize(points.size());
    frame.point_of.assign(points.size() + to_size(frame.prefix + frame.suffix), -1);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::int64_t row = frame.prefix + static_cast<std::int64_t>(i);
        frame.row_of[points[i]] = row;
        frame.point_of[row] = points[i];
    }
}

bool are_equal(const TurningTable& table, std::int64_t a, std::int64_t b, std::int64_t pair) {
    for (const auto* const columns : {&table.columns().cosines, &table.columns().sines}) {
        if (columns->empty()) continue;
        const std::int64_t column = (*columns)[pair];
        const Measured at_a = cell(table.array(), a, column);
        const Measured at_b = cell(table.array(), b, column);
        if (std::fabs(at_a.value - at_b.value) > at_a.error + at_b.error) return false;
    }
    return true;
}

/// Returns the pairs that are not the same everywhere within their errors. The pairs whose values
/// differ most, in units of their errors, are first: they refute a wrong grid soonest.
std::vector<std::int64_t> varying_pairs(const TurningTable& table) {
    const auto range_of = [&](std::int64_t column) {
        double low = std::numeric_limits<double>::infinity(), high = -low, least_error = low;
        for (std::int64_t row = 0; row < table.rows(); ++row) {
            const Measured at = cell(table.array(), row, column);
            low = std::min(low, at.value);
            high = std::max(high, at.value);
            least_error = std::min(least_error, at.error);
        }
        return (high - low) / least_error;
    };
    std::vector<double> ranges(table.pairs());
    std::vector<std::int64_t> pairs;
    for (std::int64_t pair = 0; pair < table.pairs(); ++pair) {
        for (const auto* const columns : {&table.columns().cosines, &table.columns().sines}) {
            if (columns->empty()) continue;
            ranges[pair] = std::max(ranges[pair], range_of((*columns)[pair]));
        }
        constexpr double least = 2;
        if (ranges[pair] > least) pairs.push_back(pair);
    }
    std::ranges::stable_sort(pairs, std::greater(),
                             [&](std::int64_t pair) { return ranges[pair]; });
    return pairs;
}

bool depends_only_on(const TurningTable& table, const GridFrame& frame, std::int64_t pair,
                     char axis) {
    // A sample of the points suffices: a proposal is compared with all values later. Points far
    // from each other differ sooner than neighbours do.
    constexpr std::int64_t enough = 1024;
    const auto points = std::ssize(frame.row_of);
    std::int64_t step = 1 + 5 * points / 8;
    while (std::gcd(step, points) != 1) ++step;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(points, enough); ++i) {
        const std::int64_t point = i * step % points;
        const std::int64_t other = frame.point(axis, frame.place(axis, point));
        if (!are_equal(table, frame.row_of[point], frame.row_of[other], pair)) {
            return false;
        }
    }
    return true;
}

/// Finds the axis of each pair. False if a pair depends on several axes, or all pairs on the same
/// axis.
bool find_axes(const TurningTable& table, const std::vector<std::int64_t>& varying,
               GridFrame& frame) {
    frame.axis_of_pair.assign(table.pairs(), '*');
    for (const std::int64_t pair : varying) {
        std::string only;
        for (const char axis : frame.axes()) {
            if (depends_only_on(table, frame, pair, axis)) only += axis;
        }
        if (only.empty()) return false;
        if (only.size() == 1) frame.axis_of_pair[pair] = only.front();
    }
    std::size_t seen = 0;
    for (const char axis : frame.axes()) {
        if (frame.axis_of_pair.find(axis) != std::string::npos) ++seen;
    }
    return seen >= 2;
}

/// True if the first pairs may belong to an axis t of one point.
bool may_have_one_slice(const GridFrame& frame) {
    return !frame.has_depth && frame.axis_of_pair.front() == '*';
}

GridFrame with_one_slice(GridFrame frame) {
    frame.has_depth = true;
    return frame;
}

/// Returns the heights and widths of grids of this many points, the most nearly square first.
std::vector<std::vector<std::int64_t>> images_of(std::int64_t points) {
    std::vector<std::vector<std::int64_t>> all = evidence::grids_of(points, 2);
    std::ranges::stable_sort(all, {}, [](const auto& image) { return std::ranges::max(image); });
    return all;
}

/// Returns the grids of this many points whose tokens run along the rows, x fastest.
std::vector<GridFrame> plain_frames(std::int64_t points) {
    std::vector<GridFrame> frames;
    for (const auto& image : images_of(points)) {
        frames.push_back({.height = image[0], .width = image[1]});
    }
    for (const auto& slices : images_of(points)) {
        for (const auto& image : images_of(slices[1])) {
            frames.push_back(
                {.has_depth = true, .depth = slices[0], .height = image[0], .width = image[1]});
        }
    }
    return frames;
}

/// Returns the grids of this many points whose tokens are ordered by blocks and windows.
std::vector<GridFrame> ordered_frames(std::int64_t points) {
    std::vector<GridFrame> frames;
    for (const GridFrame& plain : plain_frames(points)) {
        for (const std::int64_t merge : {2, 1, 4, 3}) {
            if (plain.height % merge != 0 || plain.width % merge != 0) continue;
            for (const std::int64_t window : {0, 2, 4, 7, 8, 12, 14, 16}) {
                const bool is_plain = merge == 1 && window == 0;
                if (is_plain || window % merge != 0 || window == merge) continue;
                // A window that covers the whole grid changes nothing.
                if (window >= plain.height && window >= plain.width) continue;
                frames.push_back(plain);
                frames.back().merge = merge;
                frames.back().window = window;
            }
        }
    }
    return frames;
}

/// True if the first point and its neighbours along x and y, in the frame's order of tokens, allow
/// each pair to depend on one axis only.
bool may_be(const TurningTable& table, const std::vector<std::int64_t>& varying,
            const GridFrame& frame) {
    const std::int64_t below = frame.merge > 1    ? frame.merge
                               : frame.window > 0 ? std::min(frame.window, frame.width)
                                                  : frame.width;
    const std::int64_t first = frame.prefix;
    for (const std::int64_t pair : varying) {
        if (!are_equal(table, first, first + 1, pair) &&
            !are_equal(table, first, first + below, pair)) {
            return false;
        }
    }
    return true;
}

/// Returns the possible numbers of unrotated rows at one end of the table, counted from row `first`
/// in the direction `step`.
std::vector<std::int64_t> unturned(const TurningTable& table, std::int64_t first,
                                   std::int64_t step) {
    std::int64_t count = 0;
    while (count < table.rows() && table.may_be_unturned(first + step * count)) ++count;
    std::vector<std::int64_t> counts{0};
    // The first point of a grid has the position 0, too, and is not rotated; the next points hardly
    // are.
    constexpr std::int64_t few = 8;
    for (std::int64_t less = std::min(count, count > few ? 1 : few); less >= 0; --less) {
        if (less < count) counts.push_back(count - less);
    }
    return counts;
}

}  // namespace

std::int64_t GridFrame::place(char axis, std::int64_t point) const {
    if (axis == 't') return point / (height * width);
    return axis == 'y' ? point / width % height : point % width;
}

std::vector<Setting> GridFrame::settings() const {
    std::vector<Setting> settings;
    const auto add = [&](std::string_view name, std::int64_t value) {
        settings.push_back({name, std::to_string(value)});
    };
    if (has_depth) add("depth", depth);
    add("height", height);
    add("width", width);
    if (merge != 1) add("merge", merge);
    if (window != 0) add("window", window);
    if (prefix != 0) add("prefix-tokens", prefix);
    if (suffix != 0) add("suffix-tokens", suffix);
    return settings;
}

std::vector<GridFrame> grid_frames(const TurningTable& table, TokenOrder order) {
    // Two neighbouring axes of a grid may be taken for a single axis.
    constexpr std::size_t most_of_points = 6, most = 24;
    constexpr std::int64_t most_points = 1 << 18;
    // Rows that are placed in all grids together: most grids of a long table are refuted at once.
    std::int64_t rows_left = 1 << 23;
    std::vector<GridFrame> found;
    if (table.rows() != table.array().extents[0] || table.rows() > most_points) return found;
    const std::vector<std::int64_t> varying = varying_pairs(table);
    if (varying.size() < 2) return found;
    const auto prefixes = unturned(table, 0, 1), suffixes = unturned(table, table.rows() - 1, -1);
    for (const std::int64_t prefix : prefixes) {
        for (const std::int64_t suffix : suffixes) {
            const std::int64_t points = table.rows() - prefix - suffix;
            if (points < 4) continue;
            const std::size_t end = std::min(most, found.size() + most_of_points);
            for (GridFrame& frame :
                 order == TokenOrder::rows ? plain_frames(points) : ordered_frames(points)) {
                if (found.size() >= end) break;
                frame.prefix = prefix;
                frame.suffix = suffix;
                if (!may_be(table, varying, frame)) continue;
                rows_left -= points;
                if (rows_left < 0) return found;
                place_rows(frame);
                if (!find_axes(table, varying, frame)) continue;
                found.push_back(frame);
                if (may_have_one_slice(frame)) found.push_back(with_one_slice(frame));
            }
        }
    }
    return found;
}

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
