#include "core/signals.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace pegen {
namespace {

/// Signals that do not end a program: they are ignored, or stop or continue it. Source: signal(7).
constexpr std::array harmless_signals{SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN,
                                      SIGTTOU, SIGURG,  SIGWINCH};

/// Signals by which the system reports a fault of the program, unless another process sends them.
constexpr std::array fault_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

template <typename Act>
void for_each_ending_signal(const Act& act) {
    // sigaction() refuses SIGKILL, SIGSTOP and the signals that the C library keeps for itself.
    for (int signal = 1; signal <= SIGRTMAX; ++signal) {
        if (std::ranges::find(harmless_signals, signal) == harmless_signals.end()) act(signal);
    }
}

struct Slot {
    std::atomic<bool> is_taken;
    std::atomic<const void*> subject;
    std::atomic<BeforeSignal::Act> act;
};

std::array<Slot, 512> slots;
std::atomic<int> sections;   ///< the number of PostponedSignals that live
thread_local int depth = 0;  ///< the number of PostponedSignals of this thread
std::atomic<int> waiting;    ///< the signal that arrived; 0 if none did

static_assert(std::atomic<BeforeSignal::Act>::is_always_lock_free);

[[noreturn]] void die_by(int signal) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    ::_exit(128 + signal);  // not reached, unless the signal is blocked
}

/// Ends the program by the signal, unless a section is under way. Stores the signal, then looks at
/// `sections`; PostponedSignals counts up `sections`, then looks at `waiting`. So at least one of
/// the two sees the other.
void end_unless_postponed(int signal) {
    waiting = signal;
    if (sections > 0) return;
    act_as_before_signals();
    die_by(signal);
}

/// True if the signal comes from a fault of the program itself, after which it cannot go on
/// until a section ends.
bool is_own_fault(int signal, const siginfo_t& origin) {
    if (signal == SIGABRT) return origin.si_pid == ::getpid();  // abort()
    const bool is_of_system = origin.si_code > 0;
    return is_of_system && std::ranges::find(fault_signals, signal) != fault_signals.end();
}

extern "C" void handle(int signal, siginfo_t* origin, void*) {
    if (is_own_fault(signal, *origin)) die_by(signal);
    end_unless_postponed(signal);
}

}  // namespace

void watch_signals() {
    struct sigaction action {};
    action.sa_sigaction = handle;
    // SA_NODEFER: raise() in the handler ends the program at once. SA_RESTART: if the signal has to
    // wait, interrupted system calls go on.
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    for_each_ending_signal([&](int signal) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_DFL) ::sigaction(signal, &action, nullptr);
    });
}

void act_as_before_signals() {
    // The latest act comes first, so that folders are removed after the files in them.
    for (auto slot = slots.rbegin(); slot != slots.rend(); ++slot) {
        if (const BeforeSignal::Act act = slot->act) act(slot->subject);
    }
}

void end_with(const std::function<void()>& last_step) {
    const PostponedSignals held;
    last_step();
    for_each_ending_signal([](int signal) { ::signal(signal, SIG_IGN); });
    waiting = 0;
}

BeforeSignal::BeforeSignal(Act act, const void* subject) : slot_(0) {
    while (slot_ < slots.size() && slots[slot_].is_taken.exchange(true)) ++slot_;
    if (slot_ == slots.size()) return;
    slots[slot_].subject = subject;
    slots[slot_].act = act;
}

BeforeSignal::~BeforeSignal() {
    if (slot_ == slots.size()) return;
    slots[slot_].act = nullptr;
    slots[slot_].is_taken = false;
}

PostponedSignals::PostponedSignals() {
    ++sections;
    // A thread that is already inside a section may finish it.
    if (depth++ > 0 || waiting == 0) return;
    // The signal arrived before this section began. It waits at most for the sections of other
    // threads.
    --sections;
    for (;; ::usleep(1000)) {
        if (const int signal = waiting) end_unless_postponed(signal);
    }
}

PostponedSignals::~PostponedSignals() {
    --depth;
    --sections;
    if (const int signal = waiting) end_unless_postponed(signal);
}

void PostponedSignals::give_way() const {
    if (waiting != 0) throw Waiting{};
}

}  // namespace pegen
