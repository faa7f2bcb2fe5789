#include <doctest/doctest.h>

#include "cli/terminal.h"

using namespace pegen;
using cli::colours_of;
using cli::describe_terminal;
using cli::Environment;

namespace {

constexpr auto truecolor = TerminalColours::truecolor;
constexpr auto palette256 = TerminalColours::palette256;
constexpr auto none = TerminalColours::none;

}  // namespace

TEST_CASE("terminal: TERM and COLORTERM say what colours there are") {
    struct Case {
        std::string_view term;
        std::string_view colorterm;
        TerminalColours colours;
    };
    for (const Case& c : {
             Case{"xterm-256color", "truecolor", truecolor},  // VTE, Konsole, iTerm2, VS Code
             Case{"xterm-256color", "24bit", truecolor},
             Case{"xterm-256color", "", palette256},  // Terminal of macOS; mosh
             Case{"rxvt-unicode-256color", "rxvt-xpm", palette256},
             Case{"xterm-kitty", "", truecolor},  // kitty through ssh
             Case{"alacritty", "", truecolor},
             Case{"xterm-direct", "", truecolor},
             Case{"foot-direct", "", truecolor},
             Case{"xterm", "", palette256},  // in most containers
             Case{"tmux-256color", "truecolor", truecolor},
             Case{"tmux-256color", "", palette256},
             Case{"linux", "", none},
             Case{"vt220", "", none},
             Case{"xterm-mono", "", none},
             Case{"dumb", "truecolor", none},
             Case{"", "truecolor", none},
         }) {
        CAPTURE(c.term);
        CAPTURE(c.colorterm);
        CHECK(colours_of({.term = c.term, .colorterm = c.colorterm}, true) == c.colours);
        CHECK(colours_of({.term = c.term, .colorterm = c.colorterm}, false) == none);
    }
}

TEST_CASE("terminal: Windows Terminal is recognized by its session") {
    CHECK(colours_of({.term = "xterm-256color", .wt_session = "4c1e"}, true) == truecolor);
}

TEST_CASE("terminal: GNU Screen has 256 colours, tmux has all, even if TERM is screen") {
    const Environment screen{.term = "screen.xterm-256color", .colorterm = "truecolor"};
    CHECK(colours_of(screen, true) == palette256);
    CHECK(colours_of({.term = "screen", .colorterm = "truecolor"}, true) == palette256);
    CHECK(colours_of({.term = "screen", .colorterm = "truecolor", .tmux = "/tmp/tmux,1,0"}, true) ==
          truecolor);
}

TEST_CASE("terminal: forced colours are those the terminal has, at least 256") {
    const auto forced = [](std::string_view by, std::string_view term) {
        return colours_of({.force_color = by, .term = term}, false);
    };
    CHECK(forced("1", "") == palette256);
    CHECK(forced("1", "dumb") == palette256);
    CHECK(forced("true", "linux") == palette256);
    CHECK(forced("2", "xterm-kitty") == truecolor);
    CHECK(forced("3", "") == truecolor);
    CHECK(colours_of({.clicolor_force = "1", .term = "xterm-kitty"}, false) == truecolor);
    CHECK(colours_of({.clicolor_force = "0", .term = "xterm-kitty"}, false) == none);
    CHECK(colours_of({.clicolor_force = "0", .term = "xterm-kitty"}, true) == truecolor);
}

TEST_CASE("terminal: colours are forbidden, even if they are forced") {
    const std::string_view kitty = "xterm-kitty";
    CHECK(colours_of({.no_color = "1", .term = kitty}, true) == none);
    CHECK(colours_of({.no_color = "1", .force_color = "3", .term = kitty}, true) == none);
    CHECK(colours_of({.force_color = "0", .term = kitty}, true) == none);
    CHECK(colours_of({.force_color = "false", .clicolor_force = "1", .term = kitty}, true) == none);
}

TEST_CASE("terminal: half blocks need UTF-8") {
    const auto in_locale = [](std::string_view lc_all, std::string_view lc_ctype,
                              std::string_view lang) {
        return colours_of(
            {.term = "xterm-kitty", .lc_all = lc_all, .lc_ctype = lc_ctype, .lang = lang}, true);
    };
    CHECK(in_locale("", "", "") == truecolor);
    CHECK(in_locale("", "", "en_GB.UTF-8") == truecolor);
    CHECK(in_locale("", "", "C.utf8") == truecolor);
    CHECK(in_locale("", "UTF-8", "") == truecolor);
    CHECK(in_locale("", "", "C") == none);
    CHECK(in_locale("", "", "POSIX") == none);
    CHECK(in_locale("", "", "de_DE.ISO-8859-15@euro") == none);
    CHECK(in_locale("", "de_DE.UTF-8", "C") == truecolor);
    CHECK(in_locale("C", "de_DE.UTF-8", "de_DE.UTF-8") == none);
    CHECK(in_locale("C.UTF-8", "C", "C") == truecolor);
    CHECK(colours_of({.force_color = "3", .lang = "C"}, false) == none);
}

TEST_CASE("terminal: columns and lines come from the window, then the environment, then defaults") {
    const auto size = [](std::string_view columns, std::string_view lines, cli::WindowSize window) {
        const cli::Terminal terminal =
            describe_terminal({.columns = columns, .lines = lines}, true, window);
        return std::pair(terminal.columns, terminal.lines);
    };
    CHECK(size("120", "50", {100, 40}) == std::pair(100, 40));
    CHECK(size("120", "50", {0, 0}) == std::pair(120, 50));
    CHECK(size("120", "50", {100, 0}) == std::pair(100, 50));
    CHECK(size("", "", {0, 0}) == std::pair(80, 24));
    for (const std::string_view wrong : {"0", "-5", "1e2", "80 ", " 80", "10000", "99999999999"}) {
        CAPTURE(wrong);
        CHECK(size(wrong, "50", {0, 0}) == std::pair(80, 50));
    }
    CHECK(size("9999", "1", {0, 0}) == std::pair(9999, 1));
}

TEST_CASE("terminal: is asked unless it prints questions, is within another, or is not wanted") {
    CHECK(cli::may_be_asked({.term = "xterm-256color"}));
    CHECK(cli::may_be_asked({.force_color = "3", .term = "foot", .term_program = "WezTerm"}));
    CHECK(!cli::may_be_asked({}));
    CHECK(!cli::may_be_asked({.term = "dumb"}));
    CHECK(!cli::may_be_asked({.term = "linux"}));
    CHECK(!cli::may_be_asked({.term = "xterm", .term_program = "Apple_Terminal"}));
    CHECK(!cli::may_be_asked({.term = "tmux-256color"}));
    CHECK(!cli::may_be_asked({.term = "screen.xterm-256color"}));
    CHECK(!cli::may_be_asked({.term = "xterm", .tmux = "/tmp/tmux,1,0"}));
    CHECK(!cli::may_be_asked({.term = "xterm", .sty = "12.pts"}));
    CHECK(!cli::may_be_asked({.term = "xterm", .zellij = "0"}));
    CHECK(!cli::may_be_asked({.term = "xterm", .ci = "true"}));
    CHECK(!cli::may_be_asked({.no_color = "1", .term = "xterm"}));
    CHECK(!cli::may_be_asked({.force_color = "0", .term = "xterm"}));
    CHECK(describe_terminal({.term = "xterm"}, true, {80, 24}).may_be_asked);
    CHECK(!describe_terminal({.term = "xterm"}, false, {80, 24}).may_be_asked);
}

TEST_CASE("terminal: a character has its share of the window's pixels, if these are known") {
    const auto cell = [](cli::WindowSize window) {
        const cli::Terminal terminal = describe_terminal({}, true, window);
        return std::pair(terminal.cell_width, terminal.cell_height);
    };
    CHECK(cell({80, 24, 725, 432}) == std::pair(9, 18));
    CHECK(cell({80, 24}) == std::pair(0, 0));
    CHECK(cell({0, 0, 720, 432}) == std::pair(0, 0));
}

TEST_CASE("terminal: iTerm2 is known by its variables, also on another machine") {
    CHECK(describe_terminal({.term_program = "iTerm.app"}, true, {80, 24}).is_iterm2);
    CHECK(describe_terminal({.lc_terminal = "iTerm2"}, true, {80, 24}).is_iterm2);
    CHECK(!describe_terminal({.term_program = "WezTerm"}, true, {80, 24}).is_iterm2);
}
