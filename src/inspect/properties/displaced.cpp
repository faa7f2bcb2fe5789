#include "inspect/properties/displaced.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "inspect/careful_sum.h"

namespace pegen {
namespace {

std::string name_of(std::int64_t stride, std::int64_t channels) {
    if (stride == 1) return "interleaved";
    if (stride == channels / 2 || stride == (channels + 1) / 2) return "halves";
    return fmt::format("channels c and c + {}", stride);
}

/// Returns the pairing that takes, in blocks of 2 `stride` channels, each channel of the first half
/// with its counterpart in the second half.
Pairing pairing(std::int64_t channels, std::int64_t stride) {
    Pairing result{name_of(stride, channels), {}};
    for (std::int64_t channel = 0; channel + stride < channels; ++channel) {
        if (channel / stride % 2 == 0) result.pairs.push_back({channel, channel + stride});
    }
    return result;
}

/// Returns the distances between the channels of a pair that occur in public code.
std::vector<std::int64_t> usual_strides(std::int64_t channels) {
    std::vector<std::int64_t> strides;
    const auto add = [&](std::int64_t stride) {
        if (stride > 0 && stride < channels && std::ranges::count(strides, stride) == 0) {
            strides.push_back(stride);
        }
    };
    add(1);
    add((channels + 1) / 2);
    if (channels % 2 == 1) add(channels / 2);
    for (const std::int64_t parts : {4, 6}) {
        if (channels % parts == 0) add(channels / parts);
    }
    for (const std::int64_t axes : {2, 3}) {
        if (channels % (2 * axes) == 0) add(axes);
    }
    return strides;
}

bool is_in_order(const ChannelPair& a, const ChannelPair& b) { return a.first < b.first; }

}  // namespace

std::vector<Pairing> usual_pairings(std::int64_t channels) {
    std::vector<Pairing> pairings;
    for (const std::int64_t stride : usual_strides(channels)) {
        pairings.push_back(pairing(channels, stride));
    }
    return pairings;
}

Pairing named_pairing(std::vector<ChannelPair> pairs, std::int64_t channels) {
    for (auto& [first, second] : pairs) {
        if (second < first) std::swap(first, second);
    }
    std::ranges::sort(pairs, is_in_order);
    for (Pairing& usual : usual_pairings(channels)) {
        std::ranges::sort(usual.pairs, is_in_order);
        if (usual.pairs == pairs) return std::move(usual);
    }
    return {"by axes", std::move(pairs)};
}

namespace {

constexpr std::int64_t most_values = 1 << 20;
constexpr std::int64_t runs = 64;
constexpr std::int64_t values_at_once = 1 << 15;
constexpr std::int64_t fewest_positions = 3;

/// Returns runs of positions, `most` in all, evenly spread among the first `count` positions; or
/// all positions, if `count` is not more than `most`.
std::vector<RowRange> sampled(std::int64_t count, std::int64_t most) {
    if (count <= most) return {{0, count}};
    const std::int64_t number = std::min(runs, most);
    const std::int64_t length = most / number;
    std::vector<RowRange> ranges;
    for (std::int64_t run = 0; run < number; ++run) {
        const double share = static_cast<double>(run) / static_cast<double>(number - 1);
        const double first = std::floor(share * static_cast<double>(count - length));
        ranges.push_back({static_cast<std::int64_t>(first), length});
    }
    return ranges;
}

bool is_zero(const double* vector, std::int64_t channels) {
    return std::all_of(vector, vector + channels, [](double x) { return x == 0; });
}

/// True if t + D is a position of the same group and on the same line along the axis as position t.
bool is_in_reach(const PositionAxis& axis, std::int64_t t, std::int64_t offset) {
    return PositionVectors::index_along(axis, t) + offset < axis.extent;
}

void append(std::vector<double>& all, const double* vector, std::int64_t channels) {
    all.insert(all.end(), vector, vector + channels);
}

/// The sums from which the best rotation of a pair of channels, taken as a complex number, follows.
struct Rotation {
    CarefulSum cosine;
    CarefulSum sine;

    void add(const double* near, const double* far, const ChannelPair& pair) {
        const double a = near[pair.first], b = near[pair.second];
        const double c = far[pair.first], d = far[pair.second];
        cosine.add(a * c + b * d);
        sine.add(a * d - b * c);
    }
};

}  // namespace

std::vector<Displacement> displacements_of(const PositionVectors& vectors) {
    std::vector<Displacement> all;
    for (std::size_t axis = 0; axis < vectors.axes.size(); ++axis) {
        const std::int64_t extent = vectors.axes[axis].extent;
        if (!vectors.axes[axis].step || extent < fewest_positions) continue;
        const std::int64_t half = extent / 2;
        std::set<std::int64_t> offsets{half};
        for (std::int64_t offset = 1; offset <= std::min<std::int64_t>(8, half); ++offset) {
            offsets.insert(offset);
        }
        for (std::int64_t offset = 16; offset <= half; offset *= 2) offsets.insert(offset);
        for (const std::int64_t offset : offsets) all.push_back({axis, offset});
    }
    return all;
}

std::int64_t looked_at(const PositionVectors& vectors) {
    const std::int64_t most =
        std::max(rows_holding(most_values, vectors.channels), fewest_positions);
    return std::min(vectors.count(), most);
}

DisplacedVectors read_displaced(const PositionVectors& vectors, const Displacement& displacement) {
    const PositionAxis& axis = vectors.axes[displacement.axis];
    const std::int64_t channels = vectors.channels, shift = displacement.offset * axis.stride;
    const std::int64_t block = rows_holding(values_at_once, channels);
    DisplacedVectors found;
    for (const RowRange& range : sampled(vectors.count() - shift, looked_at(vectors))) {
        for (std::int64_t done = 0; done < range.count; done += block) {
            const RowRange some{range.first + done, std::min(block, range.count - done)};
            const std::vector<double> near = vectors.read(some);
            const std::vector<double> far = vectors.read({some.first + shift, some.count});
            for (std::int64_t i = 0; i < some.count; ++i) {
                const double *a = near.data() + i * channels, *b = far.data() + i * channels;
                if (!is_in_reach(axis, some.first + i, displacement.offset)) continue;
                if (channels > 1 && (is_zero(a, channels) || is_zero(b, channels))) continue;
                found.positions.push_back(some.first + i);
                append(found.near, a, channels);
                append(found.far, b, channels);
            }
        }
    }
    return found;
}

Turn turn_of(const DisplacedVectors& vectors, std::int64_t channels,
             const std::vector<ChannelPair>& pairs, const std::vector<bool>& is_idle) {
    std::vector<Rotation> rotations(pairs.size());
    const std::size_t count = vectors.positions.size();
    const double *near = vectors.near.data(), *far = vectors.far.data();
    for (std::size_t t = 0; t < count; ++t, near += channels, far += channels) {
        for (std::size_t k = 0; k < pairs.size(); ++k) rotations[k].add(near, far, pairs[k]);
    }
    std::vector<double> cosines, sines;
    for (const Rotation& rotation : rotations) {
        const double x = rotation.cosine.value(), y = rotation.sine.value();
        const double length = std::hypot(x, y);
        cosines.push_back(length > 0 ? x / length : 1);
        sines.push_back(length > 0 ? y / length : 0);
    }
    Turn turn{.looked_at = static_cast<std::int64_t>(count)};
    double largest = 0;  // the square of the largest distance
    near = vectors.near.data(), far = vectors.far.data();
    for (std::size_t t = 0; t < count; ++t, near += channels, far += channels) {
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const double a = near[pairs[k].first], b = near[pairs[k].second];
            const double x = far[pairs[k].first] - (cosines[k] * a - sines[k] * b);
            const double y = far[pairs[k].second] - (sines[k] * a + cosines[k] * b);
            const double square = x * x + y * y;
            if (!(square > largest) || is_idle[k]) continue;
            largest = square;
            turn.position = vectors.positions[t];
            turn.pair = k;
        }
    }
    turn.residual = std::sqrt(largest);
    return turn;
}

Products products_of(const DisplacedVectors& vectors, std::int64_t channels,
                     const std::vector<std::int64_t>& used) {
    Products all{.looked_at = std::ssize(vectors.positions)};
    CarefulSum sum, squares;
    const double *near = vectors.near.data(), *far = vectors.far.data();
    for (const std::int64_t t : vectors.positions) {
        double dot = 0, square = 0, distance = 0;
        for (const std::int64_t channel : used) {
            const double apart = far[channel] - near[channel];
            dot += near[channel] * far[channel];
            square += near[channel] * near[channel];
            distance += apart * apart;
        }
        distance = std::sqrt(distance);
        const bool is_first = t == vectors.positions.front();
        const auto lower = [&](double value, double& least, std::int64_t& at) {
            if (is_first || value < least) least = value, at = t;
        };
        const auto higher = [&](double value, double& most, std::int64_t& at) {
            if (is_first || value > most) most = value, at = t;
        };
        lower(dot, all.lowest, all.lowest_at);
        higher(dot, all.highest, all.highest_at);
        lower(distance, all.shortest, all.shortest_at);
        higher(distance, all.longest, all.longest_at);
        sum.add(dot);
        squares.add(square);
        near += channels;
        far += channels;
    }
    if (all.looked_at > 0) {
        all.mean = sum.over(static_cast<double>(all.looked_at));
        all.mean_square = squares.over(static_cast<double>(all.looked_at));
    }
    return all;
}

}  // namespace pegen
