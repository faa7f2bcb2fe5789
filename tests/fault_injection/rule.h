#pragma once

#include <map>
#include <string>

#include "scene.h"

/// A scene, and the result of a run without a fault, which all other runs are compared with.
struct Trial {
    Scene scene;
    Snapshot before;
    Snapshot after;
    double seconds;  ///< the folder after the run without a fault
};

/// Throws: std::runtime_error if the run without a fault fails.
Trial make_trial(const Stage& stage, const Scene& scene);

/// How the runs with one kind of fault ended.
struct Tally {
    int runs = 0, done = 0, failed = 0, killed = 0;
    int strays = 0;  ///< runs that left a hidden name
    std::map<std::string, int> violations;

    void count(int status);
    void violate(const std::string& what, int times = 1) { violations[what] += times; }

    /// Counts a violation for each run that is not done. For faults that must not make a run fail.
    void expect_all_done(const std::string& reason);

    /// Counts a violation for each failed run. For signals, after which a run must be done or ended
    /// by the signal.
    void expect_none_failed();

    /// Prints a row of the table, and a line for each violation.
    void print(const std::string& fault) const;
};

/// The messages that a failed run must print: a line, a line for each failed job, or no line if the
/// fault may hit the C library before the program begins, or end the program.
enum class Words { line, lines, none };

/// Checks the rule: after the run everything is done, or everything is as before.
void judge(Tally& tally, const Trial& trial, const Run& run, Words words, const std::string& fault);

/// Checks the weaker rule that holds after SIGKILL and for the many files of a manifest: each file
/// is old or new, and no file is lost. Counts hidden names.
void judge_each_file(Tally& tally, const Trial& trial, const Run& run, Words words,
                     const std::string& fault);

/// True for a hidden name that a file has during the commit.
bool is_temporary(const std::string& name);

/// Removes the hidden names from `run` and returns true if there were some. For faults of `unlink`,
/// after which no program could remove them.
bool forgive_strays(Run& run);
