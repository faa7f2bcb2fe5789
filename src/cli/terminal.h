#pragma once

#include <string_view>

#include "formats/screen.h"

namespace pegen::cli {

/// The environment variables that describe a terminal; empty if they are not set.
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

/// Returns which colours, and with them half blocks, may be used; none means plain characters. The
/// first rule that applies:
///  1. none: if NO_COLOR is set, or the locale (the first of LC_ALL, LC_CTYPE and LANG that is set)
///     is not UTF-8, so that there are no half blocks. Without a locale, as in most containers,
///     UTF-8 is assumed: nearly every terminal has it.
///  2. If FORCE_COLOR (0 and false: none; 3: truecolor) or CLICOLOR_FORCE (other than 0) is set:
///     what TERM and COLORTERM say, at least palette256, even if this is not a terminal.
///  3. none: if this is not a terminal.
///  4. What TERM and COLORTERM say. none if TERM is not set or dumb, or unknown without COLORTERM,
///     and for terminals of 8 or 16 colours, such as linux and vt220, on which plain characters
///     show more.
/// A variable that is empty counts as not set.
TerminalColours colours_of(const Environment& environment, bool is_terminal);

/// The size of a window in characters; 0 if it is not known.
struct WindowSize {
    int columns;
    int lines;
};

/// The terminal, or the lack of one, at standard output.
struct Terminal {
    int columns;
    int lines;
    TerminalColours colours;
};

/// Takes columns and lines, each by itself, from the window, else from COLUMNS and LINES if these
/// are whole numbers from 1 to 9999, else 80 and 24.
Terminal describe_terminal(const Environment& environment, bool is_terminal, WindowSize window);

/// Describes the terminal at standard output, by the environment of this process.
Terminal find_terminal();

/// The columns for text that is read at once: COLUMNS, as the user's word, else the window at
/// standard output, else that at standard error, in front of which a pager shows the text, else 80.
int columns_for_help();

/// The columns for text that programs may read: those of the window at standard output, as for
/// help; without one 100, so that the text does not depend on where it is made.
int columns_for_reports();

}  // namespace pegen::cli
