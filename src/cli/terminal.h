#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/screen.h"

namespace pegen::cli {

/// The environment variables that describe a terminal; a variable that is not set is empty.
struct Environment {
    std::string_view no_color = {};
    std::string_view force_color = {};
    std::string_view clicolor_force = {};
    std::string_view term = {};
    std::string_view colorterm = {};
    std::string_view wt_session = {};
    std::string_view tmux = {};
    std::string_view sty = {};
    std::string_view zellij = {};
    std::string_view term_program = {};
    std::string_view lc_terminal = {};
    std::string_view ci = {};
    std::string_view lc_all = {};
    std::string_view lc_ctype = {};
    std::string_view lang = {};
    std::string_view columns = {};
    std::string_view lines = {};
};

/// Returns which colours may be used, together with half blocks; `none` means plain characters. The
/// first rule that applies decides:
///  1. NO_COLOR is set, or the locale (the first of LC_ALL, LC_CTYPE and LANG that is set) is not
///     UTF-8, so that there are no half blocks: `none`. Without a locale, as in most containers,
///     UTF-8 is assumed, since nearly every terminal supports it.
///  2. FORCE_COLOR is set, or CLICOLOR_FORCE is set and not 0: the colours of rule 4, but at least
///     palette256, even if the output is not a terminal. FORCE_COLOR may also be 0 or false, for
///     `none`, and 3, for truecolor.
///  3. The output is not a terminal: `none`.
///  4. Otherwise TERM and COLORTERM decide. The result is `none` if TERM is not set or is dumb, if
///     TERM is unknown and there is no COLORTERM, and for terminals of 8 or 16 colours, such as
///     linux and vt220, on which plain characters show more.
/// A variable that is empty counts as not set.
TerminalColours colours_of(const Environment& environment, bool is_terminal);

/// True if the terminal may be asked whether it shows pictures (ask_terminal()). It may not
///  - if colours are forbidden (NO_COLOR, FORCE_COLOR of 0), or CI is set;
///  - if TERM is not set, dumb or linux, or TERM_PROGRAM is Apple_Terminal: these print parts of
///    the questions;
///  - in tmux, GNU Screen and Zellij, which answer for themselves and not for what they run in.
bool may_be_asked(const Environment& environment);

/// The size of a window in characters and in pixels; 0 if the size is not known.
struct WindowSize {
    int columns;
    int lines;
    int width = 0;
    int height = 0;
};

/// Standard output, which may be a terminal or not.
struct Terminal {
    int columns;
    int lines;
    TerminalColours colours;
    int cell_width;   ///< of a character, in pixels; 0 if it is not known
    int cell_height;  ///< 0 if it is not known
    bool may_be_asked;
    bool is_iterm2;  ///< the environment says so
};

/// Returns what is known of the terminal. Columns and lines are each taken from the window, if it
/// is known; else from COLUMNS and LINES, if these are whole numbers from 1 to 9999; else they are
/// 80 and 24.
Terminal describe_terminal(const Environment& environment, bool is_terminal, WindowSize window);

/// Describes the terminal at standard output, from its window and the environment of this process.
Terminal find_terminal();

/// Returns the columns for help: COLUMNS, as the user's choice; else the width of the window at
/// standard output; else the width at standard error, since a pager may show the text in that
/// window; else 80.
int columns_for_help();

/// Returns the columns for text that programs may read: without a window at standard output 100, so
/// that the text does not depend on where it is made; otherwise as for help.
int columns_for_reports();

/// What a terminal says about itself.
struct TerminalAnswers {
    /// True if it answered the last question, which every terminal knows, so that no more answers
    /// are to come. Without that answer nothing else counts.
    bool is_complete = false;
    bool has_kitty = false;  ///< kitty's graphics protocol
    bool has_sixel = false;
    std::string name = {};          ///< "WezTerm 20240203"; "" if it did not say
    int cell_width = 0;             ///< of a character, in pixels; 0 if it did not say
    int cell_height = 0;            ///< 0 if it did not say
    std::optional<bool> is_dark{};  ///< the background is
};

/// Finds the answers in what a terminal has sent. Anything else there is ignored; the terminal is
/// not trusted.
TerminalAnswers answers_in(std::string_view sent);

/// Returns the word of --show-as for the best that the terminal has: kitty, iterm2, sixel, or
/// blocks. `is_iterm2`, the hint of the environment, counts if the terminal does not say its name:
/// terminals pass the environment on to others that are started in them.
std::string_view graphics_of(const TerminalAnswers& answers, bool is_iterm2);

/// Asks the controlling terminal, if it is at standard output and this process belongs to its
/// foreground job, for: its background (OSC 11), its name (XTVERSION), kitty's graphics, the size
/// of a character (CSI 16 t), and, last, its attributes (DA1). Waits 250 ms at most for the
/// answers. Meanwhile what is typed is not echoed; afterwards, as well as after a signal, the
/// terminal is as before, and what it has sent until then is discarded. If something has been typed
/// already, the terminal is not asked, so that nothing of it is lost.
TerminalAnswers ask_terminal();

}  // namespace pegen::cli
