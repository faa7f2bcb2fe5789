#include "identify/likely_conventions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/to_size.h"
#include "identify/kernel_turns.h"

namespace pegen::identify {
namespace {

/// A convention under which the turns of a sample look like rotations.
struct Likely {
    Convention convention;
    double fit;
};

bool is_changed(const KernelSample& sample, std::int64_t channel) {
    for (std::size_t i = to_size(channel); i < sample.before.size();
         i += to_size(sample.channels)) {
        if (sample.before[i] != sample.after[i]) return true;
    }
    return false;
}

/// Returns the runs of channels that may be rotated, as (first, count): all, and those that hold
/// every channel that the kernel changes.
std::vector<std::pair<std::int64_t, std::int64_t>> rotated_runs(const KernelSample& sample) {
    const std::int64_t d = sample.channels;
    std::int64_t first = 0, end = d;
    while (first < d && !is_changed(sample, first)) ++first;
    while (end > first && !is_changed(sample, end - 1)) --end;
    std::vector<std::pair<std::int64_t, std::int64_t>> runs;
    const auto add = [&](std::int64_t from, std::int64_t count) {
        const bool holds_all =
            from >= 0 && from <= first && from + count >= end && from + count <= d;
        const std::pair run{from, count};
        if (holds_all && count >= 2 && count % 2 == 0 &&
            std::ranges::find(runs, run) == runs.end()) {
            runs.push_back(run);
        }
    };
    if (first == end) return runs;
    // Slow pairs may not show in a coarse format, so that more channels are rotated than change.
    add(0, d);
    for (const std::int64_t count : {d / 2, d / 4, d - d / 4, end + end % 2}) {
        add(0, count);
    }
    if (first == 0) return runs;
    for (const std::int64_t count : {d / 2, d / 4, d - d / 4, d - first + (d - first) % 2}) {
        add(d - count, count);
    }
    const std::int64_t even = first - first % 2;
    add(even, end - even + (end - even) % 2);
    return runs;
}

KernelSample first_positions(const KernelSample& sample, std::int64_t count) {
    KernelSample few = sample;
    few.positions = std::min(count, sample.positions);
    const std::size_t values = to_size(few.positions * few.samples * few.channels);
    few.before.resize(values);
    few.after.resize(values);
    return few;
}

}  // namespace

std::vector<Convention> likely_conventions(const KernelSample& sample, double unit) {
    constexpr std::int64_t enough_positions = 48;
    constexpr double least_fit = 0.6;
    constexpr std::size_t most = 8;
    const KernelSample few = first_positions(sample, enough_positions);
    std::vector<Likely> likely;
    std::vector<std::vector<Term>> seen;
    for (const auto& [first, dim] : rotated_runs(sample)) {
        for (const Convention& convention : conventions_of(first, dim)) {
            std::vector<Term> terms = terms_of(convention);
            if (std::ranges::find(seen, terms) != seen.end()) continue;
            seen.push_back(std::move(terms));
            const double fit = measure_turns(few, convention, unit).fit;
            if (fit >= least_fit) likely.push_back({convention, fit});
        }
    }
    // Equal but for chance: the usual one first.
    std::ranges::stable_sort(likely, std::ranges::greater(),
                             [](const Likely& l) { return std::rint(l.fit * 25); });
    if (likely.size() > most) likely.resize(most);
    std::vector<Convention> conventions;
    for (const Likely& each : likely) conventions.push_back(each.convention);
    return conventions;
}

}  // namespace pegen::identify
