#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pegen::cli {

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
