#include "cli/ask_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <vector>

#include "core/names.h"
#include "core/signals.h"
#include "figure/image.h"

namespace pegen::cli {
namespace {

// The picture of kitty's question has one pixel and is not kept. DA1 is last: terminals answer in
// order.
constexpr std::string_view questions =
    "\x1b]11;?\x1b\\"
    "\x1b[>q"
    "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
    "\x1b[16t"
    "\x1b[c";

/// Returns the part of `text` before `end`, and removes both from it; nothing if there is no `end`.
std::optional<std::string_view> taken_until(std::string_view& text, std::string_view end) {
    const std::size_t at = text.find(end);
    if (at == text.npos) return std::nullopt;
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(at + end.size());
    return part;
}

int number_of(std::string_view digits, int base = 10) {
    int number = -1;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number, base);
    return error == std::errc() && end == digits.end() ? number : -1;
}

/// Reads what follows CSI: parameters and intermediate bytes, then a letter.
void read_control(std::string_view& rest, TerminalAnswers& answers) {
    const auto* const end = std::ranges::find_if(rest, [](char c) { return c >= '@' && c <= '~'; });
    if (end == rest.end()) return;
    const std::string_view parameters(rest.begin(), end);
    rest.remove_prefix(parameters.size() + 1);
    if (*end == 'c' && parameters.starts_with('?')) {
        // The first number is the class of the terminal, the others are attributes.
        const std::vector<std::string_view> numbers = fields(parameters.substr(1), ';');
        answers.is_complete = true;
        answers.has_sixel = std::find(numbers.begin() + 1, numbers.end(), "4") != numbers.end();
    }
    if (*end == 't' && parameters.starts_with("6;")) {
        const std::vector<std::string_view> numbers = fields(parameters, ';');
        const int height = numbers.size() == 3 ? number_of(numbers[1]) : 0;
        const int width = numbers.size() == 3 ? number_of(numbers[2]) : 0;
        constexpr int most = 400;  // of --show-cell
        if (std::clamp(width, 1, most) == width && std::clamp(height, 1, most) == height) {
            answers.cell_width = width;
            answers.cell_height = height;
        }
    }
}

/// Reads "11;rgb:RRRR/GGGG/BBBB", whose numbers have one to four hexadecimal digits.
void read_background(std::string_view text, TerminalAnswers& answers) {
    constexpr std::string_view begin = "11;rgb:";
    if (!text.starts_with(begin)) return;
    const std::vector<std::string_view> parts = fields(text.substr(begin.size()), '/');
    if (parts.size() != 3) return;
    std::array<double, 3> shares{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const int number = parts[i].size() <= 4 ? number_of(parts[i], 16) : -1;
        if (number < 0) return;
        shares[i] = static_cast<double>(number) / ((1 << 4 * parts[i].size()) - 1);
    }
    answers.is_dark = luminance(shares[0], shares[1], shares[2]) < 0.5;
}

/// The controlling terminal, which echoes nothing and gives every byte at once as long as the
/// object lives.
class QuietTerminal {
  public:
    QuietTerminal() : descriptor_(::open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
        if (descriptor_ < 0 || ::tcgetattr(descriptor_, &before_) != 0) return;
        before_signal_.emplace(act_before_signal, this);
        termios quiet = before_;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
        quiet.c_cc[VMIN] = 1;
        quiet.c_cc[VTIME] = 0;
        is_quiet_ = ::tcsetattr(descriptor_, TCSANOW, &quiet) == 0;
    }
    QuietTerminal(const QuietTerminal&) = delete;
    QuietTerminal& operator=(const QuietTerminal&) = delete;
    ~QuietTerminal() {
        if (is_asked_) discard_input();
        if (is_quiet_) restore();
        before_signal_.reset();
        if (descriptor_ >= 0) ::close(descriptor_);
    }

    /// True if a byte can be read before `end`.
    bool has_input(std::chrono::steady_clock::time_point end) const {
        using namespace std::chrono;
        const auto left = ceil<milliseconds>(end - steady_clock::now()).count();
        pollfd readable{descriptor_, POLLIN, 0};
        return ::poll(&readable, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) > 0 &&
               (readable.revents & POLLIN) != 0;
    }

    bool is_quiet() const { return is_quiet_; }

    bool write(std::string_view text) {
        is_asked_ = true;
        return ::write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    }

    /// Appends what can be read now. Returns false if there is nothing.
    bool read(std::string& text) const {
        std::array<char, 1024> some{};
        const ssize_t count = ::read(descriptor_, some.data(), some.size());
        if (count <= 0) return false;
        text.append(some.data(), static_cast<std::size_t>(count));
        return true;
    }

  private:
    // Neither waits for a terminal that is stopped, and a handler of signals may call both.
    void discard_input() const { ::tcflush(descriptor_, TCIFLUSH); }
    void restore() const { ::tcsetattr(descriptor_, TCSANOW, &before_); }

    static void act_before_signal(const void* subject) {
        const auto* const terminal = static_cast<const QuietTerminal*>(subject);
        terminal->discard_input();
        terminal->restore();
    }

    int descriptor_;
    termios before_{};
    bool is_quiet_ = false;
    bool is_asked_ = false;
    std::optional<BeforeSignal> before_signal_;
};

/// True if the terminal at standard output is the controlling one, and this process belongs to its
/// foreground job.
bool is_in_foreground() { return ::tcgetpgrp(STDOUT_FILENO) == ::getpgrp(); }

}  // namespace

TerminalAnswers answers_in(std::string_view sent) {
    constexpr std::string_view string_end = "\x1b\\";
    TerminalAnswers answers;
    while (taken_until(sent, "\x1b")) {
        if (sent.empty()) break;
        const char kind = sent.front();
        sent.remove_prefix(1);
        if (kind == '[') {
            read_control(sent, answers);
        } else if (kind == ']') {
            const std::string_view text = sent.substr(0, sent.find_first_of("\x1b\a"));
            sent.remove_prefix(text.size());
            read_background(text, answers);
        } else if (kind == '_') {
            answers.has_kitty |= taken_until(sent, string_end) == "Gi=31;OK";
        } else if (kind == 'P' && sent.starts_with(">|")) {
            const std::string_view text = sent.substr(2, sent.find('\x1b') - 2);
            sent.remove_prefix(2 + text.size());
            answers.name = text;
        }
    }
    return answers;
}

std::string_view graphics_of(const TerminalAnswers& answers, bool is_iterm2) {
    if (!answers.is_complete) return "blocks";
    if (answers.has_kitty) return "kitty";
    constexpr std::array with_iterm2{"iTerm2", "WezTerm", "mintty"};
    const bool is_named = std::ranges::any_of(
        with_iterm2, [&](std::string_view name) { return answers.name.starts_with(name); });
    if (is_named || (is_iterm2 && answers.name.empty())) return "iterm2";
    return answers.has_sixel ? "sixel" : "blocks";
}

TerminalAnswers ask_terminal() {
    using std::chrono::steady_clock;
    if (!is_in_foreground()) return {};
    QuietTerminal terminal;
    if (!terminal.is_quiet() || terminal.has_input(steady_clock::now())) return {};
    const auto end = steady_clock::now() + std::chrono::milliseconds(250);
    if (!terminal.write(questions)) return {};
    TerminalAnswers answers;
    constexpr std::size_t most = 4096;
    for (std::string sent; !answers.is_complete;) {
        const bool is_late = steady_clock::now() >= end;
        if (is_late || !terminal.has_input(end) || !terminal.read(sent)) return {};
        if (sent.size() <= most) {
            answers = answers_in(sent);
        } else {
            sent.resize(most + 1);  // no answers: read on, so that nothing is left
        }
    }
    return answers;
}

}  // namespace pegen::cli
