#pragma once

#include <cstddef>
#include <functional>

namespace pegen {

/// Installs handlers for all signals that end programs, but for SIGKILL and those that the C
/// library keeps for itself. From now on such a signal waits as long as a PostponedSignals lives,
/// then runs the acts of all BeforeSignals; the program still dies by it. By a fault of its own,
/// such as SIGSEGV or abort(), it dies at once and without them. A signal that is ignored, as under
/// nohup, stays ignored. Called once, by main.
void watch_signals();

/// Calls `last_step`, after which the work of the program is done: a signal that arrives meanwhile
/// ends the program only if `last_step` gives way to it or fails; from then on signals are ignored.
void end_with(const std::function<void()>& last_step);

/// Runs the acts of all BeforeSignals now: the program is about to end without unwinding.
void act_as_before_signals();

/// While it lives, a signal that ends the program first calls act(subject), which must outlive it.
/// Several hundred can live at a time; the acts of further ones are not called.
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

/// While one lives, in any thread, signals wait: for steps of which either all or none must happen.
class PostponedSignals {
  public:
    struct Waiting {};

    PostponedSignals();
    PostponedSignals(const PostponedSignals&) = delete;
    PostponedSignals& operator=(const PostponedSignals&) = delete;
    /// The last one lets a waiting signal end the program.
    ~PostponedSignals();

    /// Throws Waiting if a signal is waiting: the last moment to give up. Nobody catches Waiting:
    /// the program ends once every PostponedSignals is left.
    void give_way() const;
};

}  // namespace pegen
