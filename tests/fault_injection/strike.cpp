#include "strike.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>
#include <utility>

namespace fs = std::filesystem;

Setup with_fault(const Session& session, const std::string& fault, const std::string& lacks) {
    return {.environment = {fmt::format("LD_PRELOAD={}", Stage::preloaded), "PEGEN_FAULT=" + fault,
                            "PEGEN_LACKS=" + lacks, "PEGEN_SEEN=" + session.stage.aside("seen")}};
}

void strike_each(const Session& session, const Scene& scene, const Strike& strike,
                 const Look& look) {
    const std::string seen = session.stage.aside("seen");
    for (int nth = strike.first;; nth += strike.stride) {
        const std::string fault =
            fmt::format("{}:{}{}:{}", strike.call, nth, strike.goes_on ? "+" : "", strike.what);
        fs::remove(seen);
        Run run = session.stage.play(scene, with_fault(session, fault, strike.lacks));
        if (!fs::exists(seen)) return;  // the program makes no further call of this kind
        look(std::move(run), strike.lacks.empty() ? fault : fault + " without " + strike.lacks);
    }
}

void judge_strikes(const Session& session, Tally& tally, const Trial& trial, const Strike& strike) {
    const bool removes_nothing = strike.call == "unlink" && std::isdigit(strike.what[0]);
    strike_each(session, trial.scene, strike, [&](Run run, const std::string& fault) {
        if (removes_nothing && forgive_strays(run)) ++tally.strays;
        judge(tally, trial, run, Words::line, fault);
    });
}

namespace {

bool ends_by_default(int signal) {
    const pid_t process = ::fork();
    if (process == 0) {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        ::signal(signal, SIG_DFL);
        ::raise(signal);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(process, &status, WUNTRACED);
    if (!WIFSTOPPED(status)) return WIFSIGNALED(status);
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    return false;
}

std::vector<int> find_ending_signals() {
    std::vector<int> found;
    for (int signal = 1; signal <= SIGRTMAX; ++signal) {
        struct sigaction action {};
        ::sigaction(signal, nullptr, &action);
        // SIGKILL and SIGSTOP cannot be handled, and the C library keeps two signals for itself.
        const bool can_be_handled = ::sigaction(signal, &action, nullptr) == 0;
        if (can_be_handled && ends_by_default(signal)) found.push_back(signal);
    }
    return found;
}

}  // namespace

const std::vector<int>& ending_signals() {
    static const std::vector<int> signals = find_ending_signals();
    return signals;
}

std::string name_of(int signal) {
    const char* const name = ::sigabbrev_np(signal);
    return name ? fmt::format("SIG{}", name) : fmt::format("SIGRTMIN+{}", signal - SIGRTMIN);
}

InterruptedRun interrupt(const Session& session, const Trial& trial, int signal) {
    static std::mt19937 engine(6);
    // Some signals come after the end of the run.
    const double wait = std::uniform_real_distribution<double>(0, trial.seconds * 1.2)(engine);
    const auto send = [&](int process) {
        std::this_thread::sleep_for(std::chrono::duration<double>(wait));
        ::kill(process, signal);
    };
    Run run = session.stage.play(trial.scene, {.meanwhile = send});
    const double seconds_left = run.seconds - wait;
    return {std::move(run), seconds_left};
}
