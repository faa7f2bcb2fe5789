#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// All that is in a folder: kind, mode and content of each name.
using Snapshot = std::map<std::string, std::string>;

/// A command line, and what is in its folder before: names and contents; "a -> b" is a link.
struct Scene {
    std::string name;
    std::string arguments;
    std::vector<std::pair<std::string, std::string>> before;
};

/// How a run is made to fail.
struct Setup {
    std::vector<std::string> environment = {};  ///< "NAME=value", beside those of this process
    std::vector<std::string> wrapper = {};      ///< a command in front of the program
    std::function<void()> prepare = {};         ///< in the new process, before the program
    std::function<void(int process)> meanwhile = {};
};

struct Run {
    int status;  ///< 128 + n after a signal
    std::string errors;
    double seconds;
    Snapshot after;
};

/// Where scenes are played: a folder that is furnished anew for each run.
class Stage {
  public:
    Stage(std::string program, std::string folder);

    /// Runs longer than a minute are ended with SIGKILL.
    Run play(const Scene& scene, const Setup& setup = {}) const;

    /// The same in the folder as the last run left it.
    Run play_on(const Scene& scene, const Setup& setup = {}) const;

    Snapshot before(const Scene& scene) const;

    /// For a file that is no output.
    std::string aside(const std::string& name) const { return folder_ + "/" + name; }

    /// Where the next scenes are played.
    std::string place() const { return folder_ + "/scene"; }

  private:
    void furnish(const Scene& scene) const;
    void enter() const;

    std::string program_;
    std::string folder_;
};

std::string content(const std::string& path);
