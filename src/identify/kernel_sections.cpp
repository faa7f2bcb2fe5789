#include "identify/kernel_sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/to_size.h"
#include "identify/rotary_search.h"

namespace pegen::identify {
namespace {

/// Two channels, the lower one first.
using Pair = std::array<std::int64_t, 2>;

/// The rows of a sample that are looked at for pairs.
std::vector<std::int64_t> some_rows(const KernelSample& sample) {
    constexpr std::int64_t enough = 64;
    const std::int64_t rows = sample.positions * sample.samples;
    std::vector<std::int64_t> some;
    for (std::int64_t i = 0; i < std::min(rows, enough); ++i) {
        some.push_back(i * rows / std::min(rows, enough));
    }
    return some;
}

bool is_changed(const KernelSample& sample, std::int64_t channel) {
    return std::ranges::any_of(some_rows(sample), [&](std::int64_t row) {
        const std::size_t place = to_size(row * sample.channels + channel);
        return sample.before[place] != sample.after[place];
    });
}

/// True if the two channels have the same length after as before, in all rows.
bool keep_their_length(const KernelSample& sample, const Pair& pair, double unit) {
    return std::ranges::all_of(some_rows(sample), [&](std::int64_t row) {
        const auto length = [&](const std::vector<double>& values) {
            return std::hypot(values[to_size(row * sample.channels + pair[0])],
                              values[to_size(row * sample.channels + pair[1])]);
        };
        const double before = length(sample.before);
        return std::fabs(length(sample.after) - before) <= 4 * unit * before;
    });
}

/// Returns the pairs if each channel that the kernel changes has one partner, and no other.
std::vector<Pair> pairs_of(const KernelSample& sample, double unit) {
    std::vector<std::int64_t> channels;
    for (std::int64_t channel = 0; channel < sample.channels; ++channel) {
        if (is_changed(sample, channel)) channels.push_back(channel);
    }
    std::vector<std::int64_t> partner(to_size(sample.channels), -1);
    std::vector<Pair> pairs;
    for (const std::int64_t a : channels) {
        for (const std::int64_t b : channels) {
            if (b <= a || !keep_their_length(sample, {a, b}, unit)) continue;
            if (partner[to_size(a)] >= 0 || partner[to_size(b)] >= 0) return {};
            partner[to_size(a)] = b;
            partner[to_size(b)] = a;
            pairs.push_back({a, b});
        }
    }
    return 2 * pairs.size() == channels.size() ? pairs : std::vector<Pair>();
}

/// Returns the channels of some pairs as halves.
KernelSample only_pairs(const KernelSample& sample, std::span<const Pair> pairs) {
    KernelSample some = sample;
    some.channels = 2 * std::ssize(pairs);
    some.before.clear();
    some.after.clear();
    for (std::int64_t row = 0; row < sample.positions * sample.samples; ++row) {
        for (const std::size_t half : {0U, 1U}) {
            for (const Pair& pair : pairs) {
                const std::size_t place = to_size(row * sample.channels + pair[half]);
                some.before.push_back(sample.before[place]);
                some.after.push_back(sample.after[place]);
            }
        }
    }
    return some;
}

/// "0 and 16, 1 and 17, 2 and 18"
std::string some_of(std::span<const Pair> pairs) {
    std::vector<std::string> texts;
    for (const Pair& pair : pairs.first(std::min<std::size_t>(3, pairs.size()))) {
        texts.push_back(fmt::format("{} and {}", pair[0], pair[1]));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string positions_text(const Positions& positions) {
    constexpr std::int64_t some = 12;
    std::vector<double> first;
    for (std::int64_t row = 0; row < std::min(some, positions.size()); ++row) {
        first.push_back(positions[row]);
    }
    return fmt::format("{}{}", fmt::join(first, ", "), positions.size() > some ? ", ..." : "");
}

/// Says how some pairs turn; none if that is not found.
std::optional<std::string> turning_of(std::span<const Pair> pairs,
                                      const std::vector<KernelView>& views) {
    for (const KernelView& view : views) {
        const KernelSample sample = only_pairs(read_sample(view), pairs);
        const RotaryFindings found = find_rotary_kernels(sample, view);
        if (found.agreeing.empty()) continue;
        const RotaryKernel& kernel = found.agreeing.front().kernel;
        return fmt::format(
            "The {} pairs from channels {} on turn {} the angles of {}, at positions {} along axis "
            "{}.",
            pairs.size(), fmt::format("{} and {}", pairs[0][0], pairs[0][1]),
            kernel.is_inverse ? "back by" : "by", angles_command(kernel),
            positions_text(kernel.positions(view.positions)), view.axes.position);
    }
    return {};
}

/// Says how the pairs turn, in as many sections of equal size; none if one is not found.
std::vector<std::string> turnings_of(std::span<const Pair> pairs, std::size_t sections,
                                     const std::vector<KernelView>& views) {
    std::vector<std::string> sentences;
    const std::size_t each = pairs.size() / sections;
    for (std::size_t section = 0; section < sections; ++section) {
        const auto sentence = turning_of(pairs.subspan(section * each, each), views);
        if (!sentence) return {};
        sentences.push_back(*sentence);
    }
    return sentences;
}

}  // namespace

Sections sections_of(const std::vector<KernelView>& views) {
    const KernelSample sample = read_sample(views.front());
    std::vector<Pair> pairs;
    for (const double unit : {sample.half_unit(), 0x1p-11, 0x1p-8}) {
        if (pairs.empty() && unit >= sample.half_unit()) pairs = pairs_of(sample, unit);
    }
    Sections found;
    if (pairs.empty()) return found;
    found.pairs =
        fmt::format("Channels are rotated in {} pairs, such as {}.", pairs.size(), some_of(pairs));
    for (const std::size_t sections : {1U, 2U, 3U}) {
        if (pairs.size() % sections != 0 || !found.turnings.empty()) continue;
        found.turnings = turnings_of(pairs, sections, views);
    }
    return found;
}

}  // namespace pegen::identify
