#pragma once

#include <map>
#include <string>

#include "scene.h"

/// A scene, and what a run without a fault makes of it: what all others are held against.
struct Trial {
    Scene scene;
    Snapshot before;
    Snapshot after;
    double seconds;  ///< of the run without a fault
};

/// Throws: std::runtime_error if the run without a fault fails.
Trial make_trial(const Stage& stage, const Scene& scene);

/// What the runs with one kind of fault came to.
struct Tally {
    int runs = 0, done = 0, failed = 0, killed = 0;
    int strays = 0;  ///< runs that left a hidden name
    std::map<std::string, int> violations;

    void count(const Run& run);
    void violate(const std::string& what, int times = 1) { violations[what] += times; }

    /// For faults that no run may fail of, and why.
    void expect_all_done(const std::string& reason);

    /// For signals: a run is done, or ended by one.
    void expect_none_failed();

    /// A row of the table, and a line for each violation.
    void print(const std::string& fault) const;
};

/// What has to be said of a failure: a line, a line for each job that failed, or nothing, where the
/// fault may strike the C library before the program begins, or ends it.
enum class Words { line, lines, none };

/// The rule: all is done, or all is as it was.
void judge(Tally& tally, const Trial& trial, const Run& run, Words words, const std::string& fault);

/// What is left of the rule after SIGKILL, or where a manifest lists many files: each is whole, old
/// or new, and none is lost. Hidden names are counted.
void judge_each_file(Tally& tally, const Trial& trial, const Run& run, Words words,
                     const std::string& fault);

/// What a file is called for a moment.
bool is_temporary(const std::string& name);

/// Where no name can be removed, nobody can remove one: takes the hidden ones out of `run`,
/// counted.
void forgive_strays(Tally& tally, Run& run);
