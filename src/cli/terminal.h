#pragma once

#include <string_view>

#include "formats/screen.h"

namespace pegen::cli {

/// The environment variables that say something about a terminal; those that are not set are empty.
struct Environment {
    std::string_view no_color = {};
    std::string_view force_color = {};
    std::string_view clicolor_force = {};
    std::string_view term = {};
    std::string_view colorterm = {};
    std::string_view wt_session = {};
    std::string_view tmux = {};
    std::string_view lc_all = {};
    std::string_view lc_ctype = {};
    std::string_view lang = {};
    std::string_view columns = {};
    std::string_view lines = {};
};

/// What may be drawn, in colours and half blocks or in plain characters. The first that applies:
///  1. none: NO_COLOR; a locale (the first of LC_ALL, LC_CTYPE and LANG that is set) that is not
///     UTF-8, so that there are no half blocks. Without a locale, as in most containers, UTF-8 is
///     taken for granted: there hardly is a terminal without.
///  2. Forced, by FORCE_COLOR (0 and false: none; 3: truecolor) or CLICOLOR_FORCE (0 does not
///     count): what TERM and COLORTERM say, at least palette256, terminal or not.
///  3. none: what is not a terminal.
///  4. What TERM and COLORTERM say. Without a TERM, with dumb, or with one that is not known and no
///     COLORTERM: none; and none for 8 or 16 colours, as linux and vt220 have: there plain
///     characters tell more.
/// A variable that is empty is not set.
TerminalColours colours_of(const Environment& environment, bool is_terminal);

/// Columns and lines of a window in characters; 0: not known.
struct WindowSize {
    int columns;
    int lines;
};

/// What standard output leads to.
struct Terminal {
    int columns;
    int lines;
    TerminalColours colours;
};

/// Columns and lines, each by itself, are the window's, or those of COLUMNS and LINES if they are
/// whole numbers from 1 to 9999, or 80 and 24.
Terminal describe_terminal(const Environment& environment, bool is_terminal, WindowSize window);

/// The terminal that standard output is, now, in this process's environment.
Terminal find_terminal();

}  // namespace pegen::cli
