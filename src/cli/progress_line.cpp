#include "cli/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

namespace pegen::cli {
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

/// A job in the background would write into the output of the job in the foreground.
bool is_in_foreground() {
    const pid_t group = ::tcgetpgrp(STDERR_FILENO);
    return group < 0 || group == ::getpgrp();  // -1: it is not our controlling terminal
}

/// The columns of the terminal but one, which the cursor needs.
std::size_t columns() {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0) return 79;
    return size.ws_col - 1U;
}

/// Clears the line that the cursor is in.
constexpr const char* clear_line = "\r\x1b[K";

/// Writes to standard error and ignores failures: there is nowhere to report them.
void show(std::string_view text) {
    [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
}

void show_text(const void* text) { show(static_cast<const char*>(text)); }

}  // namespace

ProgressLine::ProgressLine(Verbosity verbosity) {
    if (verbosity == Verbosity::quiet || !can_show()) return;
    try {
        drawer_ = std::jthread([this](const std::stop_token& stop) { draw_often(stop); });
    } catch (const std::system_error&) {
        // Without a thread there is no line.
    }
}

ProgressLine::~ProgressLine() {
    drawer_ = {};
    clear();
}

void ProgressLine::begin(std::string title, std::int64_t bytes_per_row) {
    hide();
    const std::lock_guard lock(state_);
    is_hidden_ = false;
    title_ = std::move(title);
    work_ = {.bytes_per_row = bytes_per_row};
    begun_ = steady_clock::now();
}

void ProgressLine::update(std::int64_t done, std::int64_t total) {
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

void ProgressLine::draw_often(const std::stop_token& stop) {
    std::unique_lock lock(sleep_);
    for (auto next = steady_clock::now() + first_delay;; next = steady_clock::now() + delay) {
        wake_.wait_until(lock, stop, next, [] { return false; });
        if (stop.stop_requested()) return;
        draw();
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
    if (!drawn_) drawn_.emplace(show_text, clear_line);
    show(std::string(clear_line) + line);
}

void ProgressLine::clear() {
    if (!drawn_) return;
    show(clear_line);
    drawn_.reset();
}

}  // namespace pegen::cli
