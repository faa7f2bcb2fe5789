#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace pegen::bench {

/// Returns the wall time of one call, in seconds.
template <class F>
double seconds(F&& f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Calls `ours` and `yardstick` in turn, ours first in every other turn, so that a disturbance of
/// the machine affects both. Each of them returns the seconds it took. Sets the two medians as
/// counters, and as `ratio` the speed of `ours` divided by the speed of `yardstick`.
template <class Ours, class Yardstick>
void measure(benchmark::State& state, const std::string& yardstick_name, Ours ours,
             Yardstick yardstick) {
    std::vector<double> ours_seconds, yardstick_seconds;
    for ([[maybe_unused]] auto _ : state) {
        const bool is_ours_first = ours_seconds.size() % 2 == 0;
        if (is_ours_first) ours_seconds.push_back(ours());
        yardstick_seconds.push_back(yardstick());
        if (!is_ours_first) ours_seconds.push_back(ours());
        state.SetIterationTime(ours_seconds.back());
    }
    const double ours_median = median(ours_seconds);
    const double yardstick_median = median(yardstick_seconds);
    state.SetLabel(yardstick_name);
    state.counters["ours_ms"] = 1e3 * ours_median;
    state.counters["yardstick_ms"] = 1e3 * yardstick_median;
    state.counters["ratio"] = yardstick_median / ours_median;
}

/// Sets the rates of a benchmark, given how much one call of `ours` makes. Call after measure().
inline void set_amount(benchmark::State& state, double rows, double bytes) {
    const double ours = state.counters["ours_ms"] / 1e3;
    state.counters["rows_per_s"] = rows / ours;
    state.counters["bytes_per_s"] = bytes / ours;
}

}  // namespace pegen::bench
