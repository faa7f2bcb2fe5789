#include "core/signals.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>

namespace pegen {
namespace {

constexpr std::array ending_signals{SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                    SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};

struct Slot {
    std::atomic<bool> is_taken;
    std::atomic<const void*> subject;
    std::atomic<BeforeSignal::Act> act;
};

std::array<Slot, 512> slots;
std::atomic<int> sections;   ///< PostponedSignals that live
thread_local int depth = 0;  ///< how many of them are this thread's
std::atomic<int> waiting;    ///< the signal that arrived; 0 if none did

static_assert(std::atomic<BeforeSignal::Act>::is_always_lock_free);

/// This handler stores the signal, then looks at `sections`; PostponedSignals counts up `sections`,
/// then looks at `waiting`. So at least one of the two sees the other.
extern "C" void end_by(int signal) {
    waiting = signal;
    if (sections > 0) return;
    act_as_before_signals();
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

}  // namespace

void watch_signals() {
    struct sigaction action {};
    action.sa_handler = end_by;
    // SA_NODEFER: raise() in the handler ends the program at once. SA_RESTART: if the signal has to
    // wait, interrupted system calls go on.
    action.sa_flags = SA_NODEFER | SA_RESTART;
    for (const int signal : ending_signals) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_DFL) ::sigaction(signal, &action, nullptr);
    }
}

void act_as_before_signals() {
    for (Slot& slot : slots) {
        if (const BeforeSignal::Act act = slot.act) act(slot.subject);
    }
}

void ignore_signals() {
    for (const int signal : ending_signals) ::signal(signal, SIG_IGN);
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
        if (const int signal = waiting) ::raise(signal);
    }
}

PostponedSignals::~PostponedSignals() {
    --depth;
    --sections;
    if (const int signal = waiting) ::raise(signal);
}

void PostponedSignals::give_way() const {
    if (waiting != 0) throw Waiting{};
}

}  // namespace pegen
