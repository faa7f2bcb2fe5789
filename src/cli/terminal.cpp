#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>

#include "core/names.h"

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

}  // namespace pegen::cli
