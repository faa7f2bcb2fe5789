#include "rule.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace {

/// Counts the violations of a run.
class Complaint {
  public:
    Complaint(Tally& tally, const Trial& trial, const Run& run, const std::string& fault)
        : tally_(tally),
          about_(fmt::format("{} ({}, status {})", fault, trial.scene.name, run.status)) {}

    void operator()(const std::string& what) const { tally_.violate(about_ + ": " + what); }

  private:
    Tally& tally_;
    std::string about_;
};

bool is_one_line(const std::string& text) {
    return text.starts_with("pe-gen: ") && text.find('\n') == text.size() - 1;
}

bool are_lines(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("pe-gen: ")) return false;
    }
    return text.ends_with('\n');
}

/// True if OpenMP's run time has ended the process, with a message of its own.
bool is_by_openmp(const Run& run) {
    return run.status == 1 && run.errors.starts_with("\nlibgomp: ");
}

std::string names_in(const Snapshot& folder) {
    std::string names;
    for (const auto& [name, what] : folder) names += " " + name;
    return names;
}

/// Checks the status and message of a run that is not done.
void judge_words(const Run& run, Words words, const Complaint& violate) {
    if (words == Words::none || is_by_openmp(run)) return;
    if (run.status == 128 + SIGABRT || run.status == 128 + SIGSEGV) {
        violate("crashed: " + run.errors);
    }
    if (run.status > 128) return;
    if (run.status != 4 && run.status != 5) violate("status");
    const bool is_said = words == Words::line ? is_one_line(run.errors) : are_lines(run.errors);
    if (!is_said) violate("says '" + run.errors + "'");
}

void judge_end(const Trial& trial, const Run& run, Words words, const Complaint& violate) {
    if (run.status == hung) return violate("hangs");
    if (run.status != 0) return judge_words(run, words, violate);
    if (run.after != trial.after) {
        violate("done, but not what it should be:" + names_in(run.after));
    }
}

bool has(const Snapshot& folder, const std::string& name, const std::string& what) {
    const auto found = folder.find(name);
    return found != folder.end() && found->second == what;
}

}  // namespace

Trial make_trial(const Stage& stage, const Scene& scene) {
    Snapshot before = stage.before(scene);
    Run run = stage.play(scene);
    if (run.status != 0) throw std::runtime_error("without a fault: " + run.errors);
    return {scene, std::move(before), std::move(run.after), run.seconds};
}

void Tally::count(int status) {
    ++runs;
    ++(status == 0 ? done : status > 128 ? killed : failed);
}

void Tally::expect_all_done(const std::string& reason) {
    if (done != runs) violate(reason, runs - done);
}

void Tally::expect_none_failed() {
    if (failed > 0) violate("a signal is no failure", failed);
}

void Tally::print(const std::string& fault) const {
    int broken = 0;
    for (const auto& [what, count] : violations) broken += count;
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", fault, runs, done, failed, killed,
               broken == 0 ? "holds" : fmt::format("BROKEN {} times", broken));
    constexpr int most_lines = 20;
    int lines = 0;
    for (const auto& [what, count] : violations) {
        if (lines++ < most_lines) fmt::print("  {} times: {}\n", count, what);
    }
    if (lines > most_lines) fmt::print("  and {} more kinds\n", lines - most_lines);
    std::fflush(stdout);
}

void judge(Tally& tally, const Trial& trial, const Run& run, Words words,
           const std::string& fault) {
    tally.count(run.status);
    const Complaint violate(tally, trial, run, fault);
    if (run.status != 0 && run.after != trial.before) {
        violate("not as before:" + names_in(run.after));
    }
    judge_end(trial, run, words, violate);
}

void judge_each_file(Tally& tally, const Trial& trial, const Run& run, Words words,
                     const std::string& fault) {
    tally.count(run.status);
    const Complaint violate(tally, trial, run, fault);
    bool has_stray = false;
    for (const auto& [name, what] : run.after) {
        if (is_temporary(name)) {
            has_stray = true;
        } else if (!has(trial.before, name, what) && !has(trial.after, name, what)) {
            violate("torn: " + name);
        }
    }
    for (const auto& [name, what] : trial.before) {
        if (!run.after.contains(name)) violate("lost: " + name);
    }
    tally.strays += has_stray ? 1 : 0;
    judge_end(trial, run, words, violate);
}

bool is_temporary(const std::string& name) { return name.find(".pe-gen-") != std::string::npos; }

bool forgive_strays(Run& run) {
    return std::erase_if(run.after, [](const auto& entry) { return is_temporary(entry.first); }) >
           0;
}
