#include "cli/clear_on_signal.h"

#include <unistd.h>

namespace pegen::cli {
namespace {

extern "C" void clear_and_die(int signal) {
    [[maybe_unused]] const ssize_t count =
        ::write(STDERR_FILENO, clear_line.data(), clear_line.size());
    ::raise(signal);
}

}  // namespace

ClearOnSignal::ClearOnSignal() {
    struct sigaction action {};
    action.sa_handler = clear_and_die;
    // raise() ends the program at once: nothing can be drawn in between.
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        ::sigaction(signals_[i], nullptr, &before_[i]);
        // One that is ignored, as under nohup, stays so.
        if (before_[i].sa_handler == SIG_DFL) ::sigaction(signals_[i], &action, nullptr);
    }
}

ClearOnSignal::~ClearOnSignal() {
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        ::sigaction(signals_[i], &before_[i], nullptr);
    }
}

}  // namespace pegen::cli
