#pragma once

#include <cstddef>

namespace pegen {

/// From now on a signal that ends programs, such as Ctrl-C's, first does what BeforeSignal asks for
/// and waits while a PostponedSignals lives. The program still dies by it. A signal that is
/// ignored, as under nohup, stays ignored. Called once, by main.
void watch_signals();

/// From now on these signals are ignored: what was asked for has been done, and the program is
/// about to say so. Called inside a PostponedSignals, one that waits there is dropped.
void ignore_signals();

/// Does what BeforeSignal asks for now: the program is about to end without unwinding.
void act_as_before_signals();

/// While it lives, a signal that ends the program calls act(text) before. `text` outlives it.
/// Of several hundred at a time, the latest may go without.
class BeforeSignal {
  public:
    using Act = void (*)(const char* text);  ///< async-signal-safe

    BeforeSignal(Act act, const char* text);
    BeforeSignal(const BeforeSignal&) = delete;
    BeforeSignal& operator=(const BeforeSignal&) = delete;
    ~BeforeSignal();

  private:
    std::size_t slot_;
};

/// While one lives, in any thread, signals wait: for steps that must not be torn apart.
class PostponedSignals {
  public:
    struct Waiting {};

    PostponedSignals();
    PostponedSignals(const PostponedSignals&) = delete;
    PostponedSignals& operator=(const PostponedSignals&) = delete;
    /// The last one lets a signal that waits end the program.
    ~PostponedSignals();

    /// The last moment to give up. Throws: Waiting, which nobody catches: once every
    /// PostponedSignals is left, the program ends.
    void give_way() const;
};

}  // namespace pegen
