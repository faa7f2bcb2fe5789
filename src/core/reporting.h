#pragma once

#include <cstdint>

#include "core/progress.h"

namespace pegen {

/// As long as it lives, what this thread computes, and what parallel_for and parallel_in_order
/// compute for it, reports to `progress`: loops of known length by report(), all others by
/// report_work(). Reports also reach the Reportings outside of this one. What a Progress throws
/// ends the work.
class Reporting {
  public:
    explicit Reporting(const Progress& progress);  ///< which outlives it
    explicit Reporting(Progress&&) = delete;
    Reporting(const Reporting&) = delete;
    Reporting& operator=(const Reporting&) = delete;
    ~Reporting();

  private:
    friend void report(std::int64_t done, std::int64_t total);

    const Progress& progress_;
    const Reporting* const outer_;
};

/// Calls the Progress of each Reporting. Arguments are as for a Progress; 0 and 0 say only that the
/// work goes on.
void report(std::int64_t done, std::int64_t total);

/// Calls report(0, 0) about every tenth of a millisecond, if `operations` are the arithmetic
/// operations done since the last call, of some nanoseconds each. Whatever may take longer than a
/// moment calls this.
void report_work(std::int64_t operations);

/// As long as it lives, this thread reports as another one does, which waits for it.
class SharedReporting {
  public:
    explicit SharedReporting(const Reporting* of_other);
    SharedReporting(const SharedReporting&) = delete;
    SharedReporting& operator=(const SharedReporting&) = delete;
    ~SharedReporting();

    /// The innermost Reporting of this thread; nullptr if there is none.
    static const Reporting* of_this_thread();

  private:
    const Reporting* const own_;
};

}  // namespace pegen
