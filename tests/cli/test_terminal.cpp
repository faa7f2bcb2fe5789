#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>

#include "cli/folder.h"
#include "cli/terminal.h"
#include "formats/shown_pictures.h"

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

using cli::answers_in;
using cli::graphics_of;
using cli::TerminalAnswers;
using testing::Folder;

namespace {

constexpr std::string_view attributes = "\x1b[?62;22c", with_sixel = "\x1b[?63;1;2;4;22c";
constexpr std::string_view kitty = "\x1b_Gi=31;OK\x1b\\";

std::string graphics_in(std::string_view sent, bool is_iterm2 = false) {
    return std::string(graphics_of(answers_in(sent), is_iterm2));
}

std::string all_of(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

/// What a terminal, of 80 x 24 characters of 9 x 18 pixels, was sent in a session of a shell, in
/// which the program runs once.
struct Session {
    std::string sent;  ///< by the program, after the questions
    bool is_asked = false;
    bool is_restored = false;  ///< the modes of the terminal are those before
    std::string status;
    std::string left;  ///< what the program left to be read
};

struct Played {
    std::string_view answer;         ///< to the questions
    std::string_view typed = "";     ///< before the program begins
    std::string_view variable = "";  ///< of the environment, "CI=1"
    std::string setting = "";        ///< of the shell, "set -m"
};

/// The last question, which all terminals answer.
constexpr std::string_view last_question = "\x1b[c";

Session play(const std::string& arguments, const Played& played) {
    const Folder folder;
    const winsize size{24, 80, 720, 432};
    int screen = -1;
    const pid_t shell = ::forkpty(&screen, nullptr, nullptr, &size);
    REQUIRE(shell >= 0);
    // What is typed before is not read by the shell, whose script is an argument. In the end the
    // terminal gives what is left, without waiting for a whole line.
    const std::string script = "trap : INT\n" + played.setting +
                               "\nbefore=$(stty -g)\n"
                               "echo begin\nwhile ! [ -e go ]; do sleep 0.01; done\n"
                               "'" PEGEN_PROGRAM "' " +
                               arguments +
                               "\nstatus=$?\nafter=$(stty -g)\nstty raw -echo min 0 time 2\n"
                               "printf '<end><%s><' $status\n"
                               "[ \"$before\" = \"$after\" ] && printf restored\n"
                               "printf '><'\ndd bs=9999 count=1 2>/dev/null\nprintf '><all>'\n";
    if (shell == 0) {
        for (const char* name : {"CI", "NO_COLOR", "FORCE_COLOR", "TMUX", "STY", "ZELLIJ",
                                 "TERM_PROGRAM", "LC_TERMINAL", "LC_ALL", "LC_CTYPE"}) {
            ::unsetenv(name);
        }
        ::setenv("LANG", "C.UTF-8", 1);
        ::setenv("TERM", "xterm-256color", 1);
        std::string variable(played.variable);
        if (!variable.empty()) ::putenv(variable.data());
        ::signal(SIGINT, SIG_DFL);
        if (::chdir(folder.path("").c_str()) == 0) {
            ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
        }
        ::_exit(127);
    }
    const auto send = [&](std::string_view text) {
        while (!text.empty()) {
            const ssize_t count = ::write(screen, text.data(), text.size());
            if (count <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(count));
        }
    };
    Session session;
    std::string all;
    bool has_begun = false;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (all.find("<all>") == all.npos && std::chrono::steady_clock::now() < end) {
        pollfd readable{screen, POLLIN, 0};
        if (::poll(&readable, 1, 100) <= 0) continue;
        char some[4096];
        const ssize_t count = ::read(screen, some, sizeof some);
        if (count <= 0) break;
        all.append(some, static_cast<std::size_t>(count));
        if (!has_begun && all.find("begin\r\n") != all.npos) {
            has_begun = true;
            send(played.typed);
            std::ofstream go(folder.path("go"));
        }
        if (!session.is_asked && all.find(last_question) != all.npos) {
            session.is_asked = true;
            send(played.answer);
        }
    }
    ::kill(shell, SIGKILL);
    ::waitpid(shell, nullptr, 0);
    ::close(screen);
    const std::size_t from = session.is_asked ? all.find(last_question) + last_question.size() : 0;
    const std::size_t to = all.find("<end><");
    REQUIRE_MESSAGE((to != all.npos), all);
    session.sent = all.substr(from, to - from);
    const std::string report = all.substr(to + 6);
    session.status = report.substr(0, report.find('>'));
    session.is_restored = report.find("><restored><") != report.npos;
    const std::size_t left = report.find("><", report.find("><") + 2) + 2;
    session.left = report.substr(left, report.rfind("><all>") - left);
    return session;
}

const std::string command = "sinusoid --d 16 --len 20 --show";

/// Plays until the program has seen the answer in time, which the machine may be too slow for.
Session played_in_time(const Played& played) {
    Session session;
    for (int i = 0; i < 20; ++i) {
        session = play(command, played);
        if (session.sent.find("Embedding Dimension") == session.sent.npos) break;
    }
    return session;
}

}  // namespace

TEST_CASE("ask terminal: finds what terminals answer") {
    const TerminalAnswers answers =
        answers_in(all_of({"\x1b]11;rgb:1c1c/1C1c/1c1c\x1b\\", "\x1bP>|WezTerm 2024\x1b\\", kitty,
                           "\x1b[6;36;18t", with_sixel}));
    CHECK(answers.is_complete);
    CHECK(answers.has_kitty);
    CHECK(answers.has_sixel);
    CHECK(answers.name == "WezTerm 2024");
    CHECK(answers.cell_width == 18);
    CHECK(answers.cell_height == 36);
    CHECK(answers.is_dark == true);
    CHECK(answers_in("\x1b]11;rgb:f/f/e\a").is_dark == false);
    CHECK(answers_in("\x1b]11;rgb:ffff/0000/0000\a").is_dark == true);
    CHECK(answers_in("\x1b]11;rgb:0000/ffff/0000\a").is_dark == false);
}

TEST_CASE("ask terminal: takes the best that a terminal has") {
    CHECK(graphics_in(all_of({kitty, with_sixel})) == "kitty");
    CHECK(graphics_in(all_of({"\x1bP>|iTerm2 3.5.0\x1b\\", with_sixel})) == "iterm2");
    CHECK(graphics_in(all_of({"\x1bP>|foot(1.16)\x1b\\", with_sixel})) == "sixel");
    CHECK(graphics_in(attributes) == "blocks");
    CHECK(graphics_in("\x1b[?4;6c") == "blocks");    // a class, no attribute
    CHECK(graphics_in("\x1b[?62;44c") == "blocks");  // another attribute
}

TEST_CASE("ask terminal: the environment names iTerm2 only where the terminal has no name") {
    CHECK(graphics_in(attributes, true) == "iterm2");
    CHECK(graphics_in(all_of({"\x1bP>|foot(1.16)\x1b\\", with_sixel}), true) == "sixel");
    CHECK(graphics_in("", true) == "blocks");
}

TEST_CASE("ask terminal: without the last answer nothing counts") {
    const std::string all = all_of({"\x1bP>|iTerm2 3\x1b\\", kitty, "\x1b[6;36;18t", with_sixel});
    for (std::size_t size = 0; size < all.size(); ++size) {
        CAPTURE(size);
        CHECK(graphics_in(all.substr(0, size)) == "blocks");
    }
    CHECK(graphics_in(all) == "kitty");
}

TEST_CASE("ask terminal: ignores what is no answer") {
    for (const char* sent : {"",
                             "c",
                             "\x1b",
                             "\x1b[",
                             "\x1b[c",
                             "\x1b[4c",
                             "\x1b]11;rgb:\x1b\\",
                             "\x1b]11;rgb:1/2\a",
                             "\x1b]11;rgb:1/2/g\a",
                             "\x1b]11;rgb:1/2/\a",
                             "\x1b]11;rgb:11111/2/3\a",
                             "\x1bP>|",
                             "\x1b_Gi=31;ENOTSUP\x1b\\",
                             "\x1b_Gi=32;OK\x1b\\",
                             "\x1b[6;18t",
                             "\x1b[6;0;9t",
                             "\x1b[6;-1;9t",
                             "\x1b[6;18;401t",
                             "\x1b[6;99999999999;9t",
                             "\x1b[8;24;80t"}) {
        CAPTURE(sent);
        const TerminalAnswers answers = answers_in(sent);
        CHECK(!answers.is_complete);
        CHECK(!answers.has_kitty);
        CHECK(!answers.has_sixel);
        CHECK(answers.cell_width == 0);
        CHECK(!answers.is_dark);
    }
    CHECK(graphics_in(all_of({"ls\r\x1b[A\xff\xfe", kitty, "q", attributes, "x"})) == "kitty");
}

TEST_CASE("ask terminal: a terminal with graphics is shown the pixels of the PNG") {
    const Folder folder;
    folder.make("sinusoid --d 16 --len 20 --figsize 8x4.6 --dpi 90 --tight --png a.png");
    folder.make(
        "sinusoid --d 16 --len 20 --figsize 8x4.6 --dpi 90 --tight --theme dark --png b.png");
    for (const auto& [as, answer, png] : {
             std::tuple("kitty", all_of({kitty, attributes}), "a.png"),
             std::tuple("kitty", all_of({"\x1b]11;rgb:0/0/0\a", kitty, attributes}), "b.png"),
             std::tuple("iterm2", all_of({"\x1bP>|mintty 3.7\x1b\\", attributes}), "a.png"),
             std::tuple("sixel", std::string(with_sixel), "a.png"),
         }) {
        const Session session = played_in_time({.answer = answer});
        CHECK(session.is_asked);
        CHECK(session.status == "0");
        CHECK(session.is_restored);
        CHECK(session.left == "");
        const testing::ShownPicture picture = testing::picture_in(session.sent, as);
        CHECK(picture.rest == "\r\n");
        const testing::ShownPicture expected =
            testing::picture_of_png(testing::content(folder.path(png)));
        CHECK(picture.width == expected.width);
        CHECK(picture.height == expected.height);
        const bool is_same = picture.pixels == expected.pixels;
        CHECK((is_same || std::string_view(as) == "sixel"));
    }
}

TEST_CASE("ask terminal: a terminal says how large its characters are") {
    const Session session =
        played_in_time({.answer = all_of({kitty, "\x1b[6;36;18t", attributes})});
    CHECK(testing::picture_in(session.sent, "kitty").width == 80 * 18);
}

TEST_CASE("ask terminal: half blocks, whatever else is answered or not, and nothing is left") {
    std::string garbage;
    for (int i = 0; i < 1000; ++i)
        garbage += "\x1b[\x1b]11;rgb:///\x1bP>|\xff" + std::string(kitty);
    for (const std::string& answer :
         {std::string(attributes), std::string(), std::string("\x1b_Gi=31;"), garbage}) {
        CAPTURE(answer.size());
        const Session session = play(command, {.answer = answer});
        CHECK(session.is_asked);
        CHECK(session.status == "0");
        CHECK(session.sent.find("Embedding Dimension") != session.sent.npos);
        CHECK(session.sent.find("\x1b_G") == session.sent.npos);
        CHECK(session.is_restored);
        CHECK(session.left == "");
    }
}

TEST_CASE("ask terminal: what follows the answers is discarded") {
    const std::string answer = all_of({kitty, attributes}) + std::string(3000, 'x');
    // Bytes that are still on their way when the program goes on are not discarded.
    std::string left = "x";
    for (int i = 0; i < 20 && !left.empty(); ++i) left = play(command, {.answer = answer}).left;
    CHECK(left == "");
}

TEST_CASE("ask terminal: SIGINT restores the terminal and discards what was answered") {
    const Session session = play(command, {.answer = all_of({kitty, "\x03"})});
    CHECK(session.is_asked);
    CHECK(session.status == "130");
    CHECK(session.sent.find("Embedding Dimension") == session.sent.npos);
    CHECK(session.is_restored);
    CHECK(session.left == "");
}

TEST_CASE("ask terminal: a command that is refused leaves the terminal as before") {
    const Session session = play(command + " --row-grid 3x3", {.answer = attributes});
    CHECK(session.status == "2");
    CHECK(session.is_restored);
    CHECK(session.left == "");
}

TEST_CASE("ask terminal: what is typed ahead stays, and then nothing is asked") {
    const Session session = play(command, {.answer = kitty, .typed = "ls\r"});
    CHECK(!session.is_asked);
    CHECK(session.sent.find("Embedding Dimension") != session.sent.npos);
    CHECK(session.is_restored);
    CHECK(session.left == "ls\n");
}

TEST_CASE("ask terminal: is not asked where that is no use or not wanted") {
    for (const std::string variable :
         {"CI=1", "NO_COLOR=1", "TERM=dumb", "TMUX=/tmp/tmux,1,0", "STY=1.a",
          "TERM=screen-256color", "TERM_PROGRAM=Apple_Terminal"}) {
        CAPTURE(variable);
        const Session session = play(command, {.answer = kitty, .variable = variable});
        CHECK(!session.is_asked);
        CHECK(session.sent.find("Embedding Dimension") != session.sent.npos);
    }
    for (const std::string options : {" --show-as blocks", " --show-colours 256", " | cat"}) {
        CAPTURE(options);
        CHECK(!play(command + options, {.answer = kitty}).is_asked);
    }
    const Session grey = play(command + " --show-colours none", {.answer = kitty});
    CHECK(!grey.is_asked);
    CHECK(grey.sent.find("\x1b[48;") == grey.sent.npos);
    const std::string in_background = command + " &\nwait $!";
    CHECK(!play(in_background, {.answer = kitty, .setting = "set -m"}).is_asked);
    CHECK(!play("sinusoid --d 2 --len 2", {.answer = kitty}).is_asked);
}

TEST_CASE("ask terminal: --show-as takes the pixels that the window has, without a question") {
    const Session session = play(command + " --show-as kitty", {.answer = ""});
    CHECK(!session.is_asked);
    constexpr std::string_view mark = "begin\r\n";
    REQUIRE(session.sent.starts_with(mark));
    CHECK(testing::picture_in(session.sent.substr(mark.size()), "kitty").width == 720);
}
