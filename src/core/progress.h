#pragma once

#include <cstdint>
#include <functional>

namespace pegen {

/// A function that is called from time to time with the number of rows done so far and the number
/// of all rows; `total` is 0 if it is not known. Calls come from several threads at once, and a
/// later call may have a smaller `done`. Must be quick.
using Progress = std::function<void(std::int64_t done, std::int64_t total)>;

/// A Progress that does nothing.
inline void ignore_progress(std::int64_t, std::int64_t) {}

/// A scope whose work reports to `progress`: everything that this thread computes while the object
/// lives, and that parallel_for and parallel_in_order compute for it. Loops of known length call
/// report(), all other work calls report_work(). Reports also reach the Reportings outside of this
/// one. An exception that a Progress throws ends the work.
class Reporting {
  public:
    explicit Reporting(const Progress& progress);  ///< `progress` must outlive the object
    explicit Reporting(Progress&&) = delete;
    Reporting(const Reporting&) = delete;
    Reporting& operator=(const Reporting&) = delete;
    ~Reporting();

  private:
    friend void report(std::int64_t done, std::int64_t total);

    const Progress& progress_;
    const Reporting* const outer_;
};

/// Calls the Progress of each Reporting with these arguments; 0 and 0 say only that the work goes
/// on.
void report(std::int64_t done, std::int64_t total);

/// Calls report(0, 0) about every tenth of a millisecond, if `operations` is the number of
/// arithmetic operations, of some nanoseconds each, since the last call. All code that may take
/// longer than a moment calls this function.
void report_work(std::int64_t operations);

/// A scope in which this thread reports as another thread does, which waits for it.
class SharedReporting {
  public:
    explicit SharedReporting(const Reporting* of_other);
    SharedReporting(const SharedReporting&) = delete;
    SharedReporting& operator=(const SharedReporting&) = delete;
    ~SharedReporting();

    /// Returns the innermost Reporting of this thread; nullptr if there is none.
    static const Reporting* of_this_thread();

  private:
    const Reporting* const own_;
};

}  // namespace pegen
