#include "session.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

const Trial& Session::trial(std::string_view scene) const {
    const auto found =
        std::ranges::find_if(trials, [&](const Trial& trial) { return trial.scene.name == scene; });
    if (found == trials.end()) throw std::out_of_range("no such scene");
    return *found;
}

std::span<const Trial> Session::trials_of_part() const {
    if (is_whole) return trials;
    return {&trial("three files"), 1};
}

void Session::report(const std::string& fault, const Tally& tally) {
    tally.print(fault);
    if (!tally.violations.empty()) is_broken = true;
}

void Session::skip(const std::string& fault, const std::string& need) const {
    fmt::print("| {} | skipped: needs {} |\n", fault, need);
}

Trial comparison(const Session& session) {
    make_trial(session.stage, {"", "sinusoid --d 8 --len 8 --npy table.npy", {}});
    const std::string table = content(session.stage.place() + "/table.npy");
    return make_trial(session.stage, {"a comparison",
                                      "diff a.npy b.npy --png old.png",
                                      {{"a.npy", table}, {"b.npy", table}, {"old.png", "old"}}});
}
