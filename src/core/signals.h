#pragma once

#include <cstddef>
#include <functional>

namespace pegen {

/// Installs handlers for all signals that end programs, except SIGKILL and the signals that the C
/// library keeps for itself. From now on such a signal waits as long as a PostponedSignals lives,
/// then runs the acts of all BeforeSignals; the program still dies by it. A fault of the program
/// itself, such as SIGSEGV or abort(), ends it at once and without the acts. A signal that is
/// ignored, as under nohup, stays ignored. Called once, by main.
void watch_signals();

/// Calls `last_step`, which completes the work of the program. A signal that arrives meanwhile ends
/// the program only if `last_step` gives way to it or fails; afterwards signals are ignored.
void end_with(const std::function<void()>& last_step);

/// Runs the acts of all BeforeSignals now: the program is about to end without unwinding.
void act_as_before_signals();

/// An act that a signal runs before it ends the program: act(subject), while the object lives.
/// `subject` must outlive the object. Several hundred objects can live at a time; the acts of
/// further ones are not called.
class BeforeSignal {
  public:
    using Act = void (*)(const void* subject);  ///< must be async-signal-safe

    BeforeSignal(Act act, const void* subject);
    BeforeSignal(const BeforeSignal&) = delete;
    BeforeSignal& operator=(const BeforeSignal&) = delete;
    ~BeforeSignal();

  private:
    std::size_t slot_;
};

/// A section for steps of which either all or none must happen: while a PostponedSignals lives, in
/// any thread, signals wait.
class PostponedSignals {
  public:
    struct Waiting {};

    PostponedSignals();
    PostponedSignals(const PostponedSignals&) = delete;
    PostponedSignals& operator=(const PostponedSignals&) = delete;
    /// Ends the section. The last PostponedSignals lets a waiting signal end the program.
    ~PostponedSignals();

    /// Throws Waiting if a signal is waiting, where the steps can still be given up. Nobody catches
    /// Waiting: the program ends once every PostponedSignals is left.
    void give_way() const;
};

}  // namespace pegen
