#pragma once

#include <map>
#include <string>
#include <vector>

#include "session.h"

/// A run among others that write the same names, and the files it writes when it runs alone.
struct Writer {
    std::string table;  ///< its arguments, without outputs
    std::map<std::string, std::string> files;

    /// Returns the whole command line with these outputs, which must be among `files`.
    std::string arguments(const std::vector<std::string>& outputs) const;
};

/// Makes writers of different tables to a.npy, b.csv and c.json.
std::vector<Writer> make_writers(const Session& session, int count);

/// True if the file exists, is whole, and comes from one of the writers.
bool is_whole(const Session& session, const std::vector<Writer>& writers, const std::string& name);

/// Counts a violation for each of these names that is not a whole file, and for each hidden name.
void judge_names(const Session& session, Tally& tally, const std::vector<Writer>& writers,
                 const std::vector<std::string>& names, const std::string& about);
void judge_no_hidden(const Session& session, Tally& tally, const std::string& about);

/// Waits until SIGSTOP has stopped the process, and returns true; returns false if it has ended.
/// Ends the process if neither happens within ten seconds.
bool is_stopped(int process);
