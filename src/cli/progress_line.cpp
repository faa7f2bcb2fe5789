#include "cli/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <system_error>

#include "cli/print.h"
#include "core/number.h"
#include "core/utf8.h"

namespace pegen::cli {
namespace {

/// The minimum time, in seconds, over which a speed is measured: over less time it would be a
/// guess.
constexpr double least_seconds = 0.5;

/// Returns a time with its unit, rounded up, so that "0 s" means the end.
std::string time_text(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    constexpr double day = 24 * hour;
    if (seconds <= 100) return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds <= 100 * minute) return fmt::format("{:.0f} min", std::ceil(seconds / minute));
    if (seconds <= 100 * hour) return fmt::format("{:.0f} h", std::ceil(seconds / hour));
    return fmt::format("{:.0f} days", std::ceil(seconds / day));
}

std::string percent_text(const Work& work) {
    if (work.total == 0) return "";
    // Rounded down, so that 100 % means the end.
    return fmt::format("{:.0f} %", std::floor(100 * (static_cast<double>(work.done) /
                                                     static_cast<double>(work.total))));
}

std::string amount_text(const Work& work) {
    const auto bytes = [&](std::int64_t rows) {
        return bytes_text(static_cast<double>(rows) * static_cast<double>(work.bytes_per_row));
    };
    if (work.bytes_per_row == 0 || work.done == 0) return "";
    return work.total == 0 ? bytes(work.done)
                           : fmt::format("{} of {}", bytes(work.done), bytes(work.total));
}

std::string speed_text(const Work& work) {
    if (work.bytes_per_row == 0 || work.done == 0 || work.seconds < least_seconds) return "";
    return bytes_text(static_cast<double>(work.done) * static_cast<double>(work.bytes_per_row) /
                      work.seconds) +
           "/s";
}

std::string remaining_text(const Work& work) {
    if (work.total == 0) return time_text(work.seconds);
    if (work.done == 0 || work.seconds < least_seconds) return "";
    return time_text(work.seconds * (static_cast<double>(work.total - work.done) /
                                     static_cast<double>(work.done))) +
           " left";
}

}  // namespace

std::string progress_text(std::string_view title, const Work& work, std::size_t width) {
    std::array<std::string, 5> parts{std::string(title), percent_text(work), amount_text(work),
                                     speed_text(work), remaining_text(work)};
    for (const std::size_t next_to_go : {3U, 2U, 4U, 0U, 1U}) {
        std::string line;
        for (const std::string& part : parts) {
            if (part.empty()) continue;
            if (!line.empty()) line += "  ";
            line += part;
        }
        if (line.size() <= width) return line;
        parts[next_to_go].clear();
    }
    return "";
}

namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto first_delay = 500ms;
constexpr auto delay = 100ms;

bool can_show() {
    if (::isatty(STDERR_FILENO) != 1) return false;
    const char* kind = std::getenv("TERM");
    return kind && std::string_view(kind) != "dumb";
}

/// True if this process belongs to the foreground job. A background job must not write into the
/// output of the foreground job.
bool is_in_foreground() {
    const pid_t group = ::tcgetpgrp(STDERR_FILENO);
    return group < 0 || group == ::getpgrp();  // -1: not our controlling terminal
}

/// Returns the columns of the terminal minus one, which the cursor needs.
std::size_t columns() {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0) return 79;
    return size.ws_col - 1U;
}

/// The control sequence that clears the line with the cursor.
constexpr const char* clear_line = "\r\x1b[K";

// The state of the line for the signal handler. There is only one terminal.
std::atomic<bool> is_shown;           ///< true while a drawn line is visible
std::atomic<bool> is_over;            ///< true once nothing may be drawn any more
std::atomic<std::thread::id> writer;  ///< the thread that is drawing now; none if no thread is

/// Draws `line`, unless the program is about to end. The order matters: show() stores `writer`,
/// then reads `is_over`; clear_for_good() stores `is_over`, then reads `writer`.
void show(const std::string& line) {
    writer = std::this_thread::get_id();
    if (!is_over) {
        is_shown = true;
        print_error(line);
    }
    writer = std::thread::id();
}

/// Clears the line before a signal ends the program. Waits until another thread has finished
/// drawing, but only 0.1 s, since the terminal may be stopped.
void clear_for_good(const void*) {
    is_over = true;
    constexpr timespec millisecond{0, 1'000'000};
    const auto is_drawing = [] {
        const std::thread::id thread = writer;
        return thread != std::thread::id() && thread != std::this_thread::get_id();
    };
    for (int i = 0; i < 100 && is_drawing(); ++i) {
        ::nanosleep(&millisecond, nullptr);
    }
    if (is_shown) print_error(clear_line);
}

}  // namespace

ProgressLine::ProgressLine(Verbosity verbosity) {
    if (verbosity == Verbosity::quiet || !can_show()) return;
    before_signal_.emplace(clear_for_good, nullptr);
    try {
        drawer_ = std::thread([this] { draw_often(); });
    } catch (const std::system_error&) {
        // If no thread can be started, no line is shown.
    }
}

ProgressLine::~ProgressLine() {
    if (drawer_.joinable()) {
        {
            const std::lock_guard lock(sleep_);
            is_over_ = true;
        }
        wake_.notify_one();
        drawer_.join();
    }
    clear();
}

void ProgressLine::begin(std::string_view title, std::int64_t bytes_per_row) {
    hide();
    const std::lock_guard lock(state_);
    is_hidden_ = false;
    title_ = one_line(title);
    work_ = {.bytes_per_row = bytes_per_row};
    begun_ = steady_clock::now();
}

void ProgressLine::update(std::int64_t done, std::int64_t total) {
    if (done == 0 && total == 0) return;  // only a sign that the work goes on: nothing to show
    const std::lock_guard lock(state_);
    if (work_.done > 0 && total != work_.total) {
        work_.done = 0;
        begun_ = steady_clock::now();
    }
    work_.done = std::max(done, work_.done);
    work_.total = total;
}

void ProgressLine::hide() {
    const std::lock_guard terminal(terminal_);
    {
        const std::lock_guard lock(state_);
        is_hidden_ = true;
    }
    clear();
}

void ProgressLine::draw_often() {
    std::unique_lock lock(sleep_);
    for (auto next = steady_clock::now() + first_delay;; next = steady_clock::now() + delay) {
        if (wake_.wait_until(lock, next, [&] { return is_over_; })) return;
        lock.unlock();
        draw();
        lock.lock();
    }
}

void ProgressLine::draw() {
    const std::lock_guard terminal(terminal_);
    std::unique_lock lock(state_);
    if (is_hidden_ || !is_in_foreground()) return;
    Work work = work_;
    work.seconds = std::chrono::duration<double>(steady_clock::now() - begun_).count();
    const std::string line = progress_text(title_, work, columns());
    lock.unlock();
    show(clear_line + line);
}

void ProgressLine::clear() {
    if (is_shown.exchange(false)) print_error(clear_line);
}

}  // namespace pegen::cli
