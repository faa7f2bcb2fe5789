#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "numerics/channel_layout.h"
#include "numerics/rotate.h"

namespace pegen::numerics {

/// A run of channels in the rows of a table in memory.
template <class T>
struct PlacedRun {
    ChannelRun run;
    T* first_row;
    std::int64_t row_stride;

    T* out() const { return first_row + run.first_channel; }
};

/// A plan of how rows are filled. The kernel writes into the table itself where a run has all
/// frequencies and its values lie side by side or alternate with the values of the next run; this
/// saves a fifth of the time. Other runs are copied from a row of all sines or of all cosines.
template <class T>
class RowPlan {
  public:
    RowPlan(std::int64_t frequencies, const std::vector<PlacedRun<T>>& runs) {
        std::vector<PlacedRun<T>> lists;
        for (auto run = runs.begin(); run != runs.end(); ++run) {
            const auto next = std::next(run);
            if (is_whole(*run, frequencies, 1)) {
                lists.push_back(*run);
            } else if (next != runs.end() && is_whole(*run, frequencies, 2) &&
                       is_whole(*next, frequencies, 2) && next->out() == run->out() + 1) {
                evaluations_.push_back({*run, *next, 2});
                run = next;
            } else {
                copied_.push_back(*run);
            }
        }
        if (!copied_.empty()) all_values_.resize(2 * frequencies);
        for (const Function function : {Function::sin, Function::cos}) {
            const auto has_function = [&](const PlacedRun<T>& run) {
                return run.run.function == function;
            };
            if (std::ranges::none_of(copied_, has_function)) continue;
            lists.push_back(
                {{.function = function, .count = frequencies}, all_values(function), 0});
        }
        for (std::size_t i = 0; i < lists.size(); i += 2) {
            const bool is_last = i + 1 == lists.size();
            evaluations_.push_back({lists[i], is_last ? PlacedRun<T>{} : lists[i + 1], 1});
        }
    }
    RowPlan(const RowPlan&) = delete;
    RowPlan& operator=(const RowPlan&) = delete;

    /// Fills row `row`. Calls evaluate(channels) for the values of every frequency.
    template <class Evaluate>
    void fill(std::int64_t row, const Evaluate& evaluate) {
        for (const auto& [first, second, stride] : evaluations_) {
            evaluate(Channels<T>{channel(first, row), channel(second, row), stride});
        }
        for (const PlacedRun<T>& placed : copied_) {
            const ChannelRun& run = placed.run;
            copy(all_values(run.function) + run.first_frequency, run.frequency_stride,
                 channel(placed, row).out, run.channel_stride, run.count);
        }
    }

  private:
    struct Evaluation {
        PlacedRun<T> first, second;
        std::size_t stride;
    };

    /// Copies the values of a run. With this loop inside fill(), such rows take a third longer.
    [[gnu::noinline]] static void copy(const T* from, std::int64_t from_stride, T* to,
                                       std::int64_t to_stride, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
    }

    static bool is_whole(const PlacedRun<T>& placed, std::int64_t frequencies,
                         std::int64_t channel_stride) {
        const ChannelRun& run = placed.run;
        return run.first_frequency == 0 && run.frequency_stride == 1 && run.count == frequencies &&
               run.channel_stride == channel_stride;
    }

    static Channel<T> channel(const PlacedRun<T>& run, std::int64_t row) {
        return {run.run.function, run.first_row ? run.out() + row * run.row_stride : nullptr};
    }

    T* all_values(Function function) {
        return all_values_.data() + (function == Function::sin ? 0 : all_values_.size() / 2);
    }

    std::vector<Evaluation> evaluations_;
    std::vector<PlacedRun<T>> copied_;
    std::vector<T> all_values_;  ///< for copied_: sin of every frequency, then cos
};

}  // namespace pegen::numerics
