#include "cli/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/names.h"
#include "core/signals.h"
#include "figure/image.h"

namespace pegen::cli {
namespace {

/// True if the locale is UTF-8, like "en_GB.UTF-8", "C.utf8" or, on macOS, "UTF-8"; also if no
/// locale is set.
bool is_utf8(const Environment& environment) {
    for (const std::string_view locale :
         {environment.lc_all, environment.lc_ctype, environment.lang}) {
        if (locale.empty()) continue;
        const std::string name = lower_case(locale);
        return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
    }
    return true;
}

struct Kind {
    std::string_view term;
    TerminalColours colours;
};

/// Terminals whose names do not contain the number of their colours.
constexpr Kind kinds[]{
    {"alacritty", TerminalColours::truecolor},
    {"contour", TerminalColours::truecolor},
    {"foot", TerminalColours::truecolor},
    {"foot-extra", TerminalColours::truecolor},
    {"wezterm", TerminalColours::truecolor},
    {"xterm-ghostty", TerminalColours::truecolor},
    {"xterm-kitty", TerminalColours::truecolor},
    // For the following names Terminfo has 8 colours, but today every such terminal has 256.
    {"putty", TerminalColours::palette256},
    {"screen", TerminalColours::palette256},
    {"tmux", TerminalColours::palette256},
    {"xterm", TerminalColours::palette256},
};

TerminalColours colours_of_term(std::string_view term) {
    if (term.ends_with("-direct")) return TerminalColours::truecolor;
    if (term.find("256color") != std::string_view::npos) return TerminalColours::palette256;
    const auto* const kind = std::ranges::find(kinds, term, &Kind::term);
    return kind != std::end(kinds) ? kind->colours : TerminalColours::none;
}

/// Returns the colours according to TERM and COLORTERM. Ignores COLORTERM in GNU Screen, which
/// inherits it from the outer terminal but misreads the codes of 24-bit colours. tmux, whose TERM
/// may be screen, supports these codes.
TerminalColours said_colours(const Environment& environment) {
    const std::string_view term = environment.term;
    if (term.empty() || term == "dumb") return TerminalColours::none;
    const bool is_gnu_screen = term.starts_with("screen") && environment.tmux.empty();
    // Windows Terminal sets no COLORTERM.
    const bool has_truecolor = environment.colorterm == "truecolor" ||
                               environment.colorterm == "24bit" || !environment.wt_session.empty();
    return has_truecolor && !is_gnu_screen ? TerminalColours::truecolor : colours_of_term(term);
}

bool is_forced(const Environment& environment) {
    return !environment.force_color.empty() ||
           (!environment.clicolor_force.empty() && environment.clicolor_force != "0");
}

TerminalColours forced_colours(const Environment& environment) {
    const std::string_view forced = environment.force_color;
    if (forced == "0" || forced == "false") return TerminalColours::none;
    if (forced == "3") return TerminalColours::truecolor;
    const TerminalColours said = said_colours(environment);
    return said == TerminalColours::none ? TerminalColours::palette256 : said;
}

int extent(int window, std::string_view variable, int usual) {
    if (window > 0) return window;
    constexpr int most = 9999;
    int count = 0;
    const char* const end = variable.data() + variable.size();
    const auto [rest, error] = std::from_chars(variable.data(), end, count);
    const bool is_valid = error == std::errc() && rest == end && count >= 1 && count <= most;
    return is_valid ? count : usual;
}

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

Environment environment_of_process() {
    return {.no_color = variable("NO_COLOR"),
            .force_color = variable("FORCE_COLOR"),
            .clicolor_force = variable("CLICOLOR_FORCE"),
            .term = variable("TERM"),
            .colorterm = variable("COLORTERM"),
            .wt_session = variable("WT_SESSION"),
            .tmux = variable("TMUX"),
            .sty = variable("STY"),
            .zellij = variable("ZELLIJ"),
            .term_program = variable("TERM_PROGRAM"),
            .lc_terminal = variable("LC_TERMINAL"),
            .ci = variable("CI"),
            .lc_all = variable("LC_ALL"),
            .lc_ctype = variable("LC_CTYPE"),
            .lang = variable("LANG"),
            .columns = variable("COLUMNS"),
            .lines = variable("LINES")};
}

WindowSize window_size(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) < 0) return {0, 0};
    return {size.ws_col, size.ws_row, size.ws_xpixel, size.ws_ypixel};
}

}  // namespace

TerminalColours colours_of(const Environment& environment, bool is_terminal) {
    if (!environment.no_color.empty() || !is_utf8(environment)) return TerminalColours::none;
    if (is_forced(environment)) return forced_colours(environment);
    return is_terminal ? said_colours(environment) : TerminalColours::none;
}

bool may_be_asked(const Environment& environment) {
    const std::string_view term = environment.term, forced = environment.force_color;
    const bool is_forbidden = !environment.no_color.empty() || forced == "0" || forced == "false" ||
                              !environment.ci.empty();
    const bool prints_questions = term.empty() || term == "dumb" || term == "linux" ||
                                  environment.term_program == "Apple_Terminal";
    const bool is_within_another = !environment.tmux.empty() || !environment.sty.empty() ||
                                   !environment.zellij.empty() || term.starts_with("screen") ||
                                   term.starts_with("tmux");
    return !is_forbidden && !prints_questions && !is_within_another;
}

Terminal describe_terminal(const Environment& environment, bool is_terminal, WindowSize window) {
    return {.columns = extent(window.columns, environment.columns, 80),
            .lines = extent(window.lines, environment.lines, 24),
            .colours = colours_of(environment, is_terminal),
            .cell_width = window.columns > 0 ? window.width / window.columns : 0,
            .cell_height = window.lines > 0 ? window.height / window.lines : 0,
            .may_be_asked = is_terminal && may_be_asked(environment),
            .is_iterm2 =
                environment.term_program == "iTerm.app" || environment.lc_terminal == "iTerm2"};
}

Terminal find_terminal() {
    return describe_terminal(environment_of_process(), ::isatty(STDOUT_FILENO) == 1,
                             window_size(STDOUT_FILENO));
}

int columns_for_help() {
    constexpr int usual = 80;
    const int at_output = window_size(STDOUT_FILENO).columns;
    const int window = at_output > 0 ? at_output : window_size(STDERR_FILENO).columns;
    return extent(0, variable("COLUMNS"), window > 0 ? window : usual);
}

int columns_for_reports() {
    constexpr int usual = 100;
    return window_size(STDOUT_FILENO).columns > 0 ? columns_for_help() : usual;
}

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
