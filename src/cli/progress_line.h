#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "core/progress.h"
#include "core/signals.h"

namespace pegen::cli {

/// The progress of a piece of work.
struct Work {
    std::int64_t done = 0;           ///< rows that are done
    std::int64_t total = 0;          ///< rows in total; 0 if not known
    std::int64_t bytes_per_row = 0;  ///< 0 if amounts are not shown
    double seconds = 0;              ///< since the work began
};

/// Returns the text of a progress line: "sinusoid  37 %  1.2 GB of 3.2 GB  2.1 GB/s  1 s left". If
/// it is longer than `width` characters, leaves out the speed, then the amount, the time and the
/// title.
std::string progress_text(std::string_view title, const Work& work, std::size_t width);

enum class Verbosity { normal, quiet };

/// A line on standard error that shows the progress of long work. The line is shown only if
/// standard error is a terminal, this process is its foreground job, and the verbosity is not
/// quiet. The line appears half a second after construction, is redrawn ten times a second, and is
/// cleared at the end, by an exception or by a signal. One line serves many pieces of work.
class ProgressLine {
  public:
    explicit ProgressLine(Verbosity verbosity);
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    /// Begins a piece of work and starts its clock. `bytes_per_row` is Work::bytes_per_row.
    void begin(std::string_view title, std::int64_t bytes_per_row = 0);

    /// Reports progress, with the arguments of a Progress. A new `total` begins another part of the
    /// work and restarts the clock.
    void update(std::int64_t done, std::int64_t total);

    /// Returns a Progress that calls update(). The line must outlive it.
    Progress progress() {
        return [this](std::int64_t done, std::int64_t total) { update(done, total); };
    }

    /// Clears the line, which then stays hidden until the next begin().
    void hide();

  private:
    void draw_often();
    void draw();
    void clear();

    std::optional<BeforeSignal> before_signal_;  ///< clears the line
    std::mutex terminal_;  ///< held while drawing or clearing; locked before state_

    std::mutex state_;  ///< guards the next 4 members; never held while the terminal may block
    bool is_hidden_ = true;
    std::string title_;
    Work work_;
    std::chrono::steady_clock::time_point begun_;

    std::condition_variable wake_;
    std::mutex sleep_;  ///< guards is_over_
    bool is_over_ = false;
    std::thread drawer_;
};

}  // namespace pegen::cli
