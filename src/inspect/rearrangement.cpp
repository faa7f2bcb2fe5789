#include "inspect/rearrangement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <unordered_map>

#include "core/names.h"
#include "inspect/overlap.h"

namespace pegen {
namespace {

using Channel = std::vector<double>;

/// Returns how far two values are apart; nothing if that is more than the closeness allows.
std::optional<double> apart_if_close(double a, double b, double position,
                                     const Closeness& closeness) {
    if (bits_of(a) == bits_of(b)) return 0.0;
    if (closeness.is_exact() || !std::isfinite(a) || !std::isfinite(b)) return {};
    const double apart = std::fabs(a - b), size = std::max(1.0, std::fabs(b));
    const double allowed = closeness.position * position + closeness.relative * size;
    if (apart > std::min(allowed, size / 64)) return {};
    return apart;
}

/// Returns the largest difference of two channels; nothing if a difference is more than the
/// closeness allows.
std::optional<double> apart_if_close(const Channel& a, const Channel& b, const Overlap& overlap) {
    double largest = 0;
    for (std::size_t i = 0; i < overlap.first.size(); ++i) {
        const auto apart = apart_if_close(a[overlap.first[i]], b[overlap.second[i]],
                                          overlap.positions[i], overlap.closeness);
        if (!apart) return {};
        largest = std::max(largest, *apart);
    }
    return largest;
}

bool are_equal(const Channel& a, const Channel& b, const Overlap& overlap) {
    return apart_if_close(a, b, overlap).has_value();
}

/// An order of channels in which public code bases differ.
struct Order {
    std::string_view words;
    std::int64_t unit;  ///< the number of channels must be a multiple of it
    std::int64_t (*channel)(std::int64_t c, std::int64_t count);
};

constexpr std::array orders{
    Order{"", 1, [](std::int64_t c, std::int64_t) { return c; }},
    Order{"its two halves exchanged", 2,
          [](std::int64_t c, std::int64_t count) { return (c + count / 2) % count; }},
    Order{"its even channels first, then its odd ones", 2,
          [](std::int64_t c, std::int64_t count) {
              return c < count / 2 ? 2 * c : 2 * (c - count / 2) + 1;
          }},
    Order{"its two halves interleaved", 2,
          [](std::int64_t c, std::int64_t count) { return c / 2 + c % 2 * (count / 2); }},
    Order{"each channel and the next exchanged", 2,
          [](std::int64_t c, std::int64_t) { return c ^ 1; }},
    Order{"its quarters in the order 1, 3, 2, 4", 4,
          [](std::int64_t c, std::int64_t count) {
              constexpr std::array<std::int64_t, 4> quarters{0, 2, 1, 3};
              const std::int64_t quarter = count / 4;
              return quarters[c / quarter] * quarter + c % quarter;
          }},
};

Rearrangement rearrangement(const Alignment& alignment, const Overlap& overlap) {
    return {.shift = alignment.shift, .channels = {}, .order = "", .zeros = overlap.zeros};
}

std::optional<Rearrangement> in_order(const Order& order, const PositionTable& a,
                                      const PositionTable& b, const Alignment& alignment,
                                      const Overlap& overlap) {
    const auto count = std::ssize(a.channels);
    if (a.channels.size() != b.channels.size() || count % order.unit != 0) return {};
    Rearrangement found = rearrangement(alignment, overlap);
    found.order = order.words;
    for (std::int64_t c = 0; c < count; ++c) {
        found.channels.push_back(order.channel(c, count));
        const Channel& other = b.channels[found.channels.back()];
        if (!are_equal(a.channels[c], other, overlap)) return {};
    }
    return found;
}

std::size_t hash_of(const Channel& channel, const std::vector<std::size_t>& positions) {
    std::uint64_t hash = 0;
    for (const std::size_t position : positions) {
        hash = (std::rotl(hash, 5) ^ bits_of(channel[position])) * 0x9e3779b97f4a7c15U;
    }
    return hash;
}

/// Pairs each channel of `a` with the closest channel of `b` that is still free.
std::optional<Rearrangement> in_any_close_order(const PositionTable& a, const PositionTable& b,
                                                const Alignment& alignment,
                                                const Overlap& overlap) {
    std::vector<bool> is_taken(b.channels.size());
    Rearrangement found = rearrangement(alignment, overlap);
    for (const Channel& channel : a.channels) {
        std::optional<std::size_t> closest;
        double least = 0;
        for (std::size_t c = 0; c < b.channels.size(); ++c) {
            if (is_taken[c]) continue;
            const auto apart = apart_if_close(channel, b.channels[c], overlap);
            if (!apart || (closest && *apart >= least)) continue;
            closest = c;
            least = *apart;
        }
        if (!closest) return {};
        is_taken[*closest] = true;
        found.channels.push_back(static_cast<std::int64_t>(*closest));
    }
    return found;
}

/// Pairs each channel of `a` with a channel of `b` that has the same values.
std::optional<Rearrangement> in_any_order(const PositionTable& a, const PositionTable& b,
                                          const Alignment& alignment, const Overlap& overlap) {
    if (!overlap.closeness.is_exact()) return in_any_close_order(a, b, alignment, overlap);
    std::unordered_multimap<std::size_t, std::size_t> left;
    // Channels are inserted from the last to the first: of equal channels, the first is found
    // first.
    for (std::size_t c = b.channels.size(); c-- > 0;) {
        left.emplace(hash_of(b.channels[c], overlap.second), c);
    }
    Rearrangement found = rearrangement(alignment, overlap);
    for (const Channel& channel : a.channels) {
        auto [candidate, end] = left.equal_range(hash_of(channel, overlap.first));
        while (candidate != end && !are_equal(channel, b.channels[candidate->second], overlap)) {
            ++candidate;
        }
        if (candidate == end) return {};
        found.channels.push_back(static_cast<std::int64_t>(candidate->second));
        left.erase(candidate);
    }
    return found;
}

bool has_zeros(const PositionTable& table) {
    for (std::int64_t position = 0; position < table.positions(); ++position) {
        if (is_zero(table, position)) return true;
    }
    return false;
}

std::vector<Alignment> all_alignments(const PositionTable& a, const PositionTable& b) {
    std::vector<Alignment> alignments;
    for (const bool is_without_zeros : {false, true}) {
        if (is_without_zeros && !has_zeros(a) && !has_zeros(b)) break;
        for (const std::int64_t shift : {0, 1, -1, 2, -2, 3, -3}) {
            alignments.push_back({shift, is_without_zeros});
        }
    }
    return alignments;
}

/// Measures the differences that a rearrangement leaves.
void measure(Rearrangement& found, const PositionTable& a, const PositionTable& b,
             const Overlap& overlap) {
    if (overlap.closeness.is_exact()) return;
    for (std::size_t c = 0; c < a.channels.size(); ++c) {
        const Channel& other = b.channels[found.channels[c]];
        for (std::size_t i = 0; i < overlap.first.size(); ++i) {
            const double apart =
                difference(a.channels[c][overlap.first[i]], other[overlap.second[i]]);
            found.largest = std::max(found.largest, apart);
            found.in_units =
                std::max(found.in_units, apart / (std::max(1.0, overlap.positions[i]) * 0x1p-23));
        }
    }
}

/// Returns what search(alignment, overlap) finds for the first alignment for which it succeeds.
template <class Search>
std::optional<Rearrangement> find_alignment(const PositionTable& a, const PositionTable& b,
                                            const std::vector<Alignment>& alignments,
                                            const Closeness& closeness, Search search) {
    for (const Alignment& alignment : alignments) {
        const Overlap overlap = overlap_of(a, b, alignment, closeness);
        // If more positions were left out than remain, unrelated tables could look equal.
        if (overlap.first.size() <= overlap.zeros.size()) continue;
        if (auto found = search(alignment, overlap)) {
            measure(*found, a, b, overlap);
            return found;
        }
    }
    return {};
}

/// Returns the distance from 1 to the next number of the dtype, but at least that distance in
/// float32, in which the values of wider types may have been computed.
double epsilon_of(DType dtype) {
    switch (dtype) {
        case DType::float16:
            return 0x1p-10;
        case DType::bfloat16:
            return 0x1p-7;
        default:
            return 0x1p-23;
    }
}

}  // namespace

Closeness closeness_of_float32(DType dtype) {
    return {.position = 0x1p-22, .relative = 2 * epsilon_of(dtype)};
}

std::optional<Rearrangement> find_rearrangement(const PositionTable& a, const PositionTable& b,
                                                const Closeness& closeness) {
    const std::vector<Alignment> alignments = all_alignments(a, b);
    const auto as_they_are = [&](const Alignment& alignment, const Overlap& overlap) {
        return in_order(orders.front(), a, b, alignment, overlap);
    };
    const auto rearranged = [&](const Alignment& alignment, const Overlap& overlap) {
        for (const Order& order : std::span(orders).subspan(1)) {
            if (auto found = in_order(order, a, b, alignment, overlap)) return found;
        }
        return in_any_order(a, b, alignment, overlap);
    };
    if (auto found = find_alignment(a, b, alignments, closeness, as_they_are)) return found;
    return find_alignment(a, b, alignments, closeness, rearranged);
}

std::string order_text(const Rearrangement& found, std::string_view channels) {
    if (!found.order.empty()) return fmt::format(", with {}", found.order);
    if (std::ranges::is_sorted(found.channels)) return "";
    constexpr std::size_t most_shown = 16;
    const std::size_t shown = std::min(found.channels.size(), most_shown);
    return fmt::format(", with its {} in the order {}{}", channels,
                       joined(std::span(found.channels).first(shown), ", "),
                       shown < found.channels.size() ? " ..." : "");
}

std::string exceptions_text(const Rearrangement& found, std::string_view owner) {
    if (found.zeros.empty()) return "";
    if (found.zeros.size() == 1) {
        return fmt::format(", but for row {}, which is zeros in {}", found.zeros.front(), owner);
    }
    return fmt::format(", but for {} rows, which are zeros in {}", found.zeros.size(), owner);
}

}  // namespace pegen
