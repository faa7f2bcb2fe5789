#include "strike.h"

#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <cctype>
#include <chrono>
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
        if (!fs::exists(seen)) return;  // the program makes no more such calls
        look(std::move(run), strike.lacks.empty() ? fault : fault + " without " + strike.lacks);
    }
}

void judge_strikes(const Session& session, Tally& tally, const Trial& trial, const Strike& strike) {
    const bool removes_nothing = strike.call == "unlink" && std::isdigit(strike.what[0]);
    strike_each(session, trial.scene, strike, [&](Run run, const std::string& fault) {
        if (removes_nothing) forgive_strays(tally, run);
        judge(tally, trial, run, Words::line, fault);
    });
}

std::span<const Signal> ending_signals() {
    static constexpr std::array<Signal, 3> signals{
        {{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}}};
    return signals;
}

InterruptedRun interrupt(const Session& session, const Trial& trial, int signal) {
    static std::mt19937 engine(6);
    // Some signals come too late.
    const double wait = std::uniform_real_distribution<double>(0, trial.seconds * 1.2)(engine);
    const auto send = [&](int process) {
        std::this_thread::sleep_for(std::chrono::duration<double>(wait));
        ::kill(process, signal);
    };
    Run run = session.stage.play(trial.scene, {.meanwhile = send});
    const double seconds_left = run.seconds - wait;
    return {std::move(run), seconds_left};
}
