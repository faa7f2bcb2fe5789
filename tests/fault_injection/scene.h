#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// The content of a folder: kind, mode and content of each name.
using Snapshot = std::map<std::string, std::string>;

/// A command line, and the content of its folder before: names and contents; "a -> b" is a link.
struct Scene {
    std::string name;
    std::string arguments;
    std::vector<std::pair<std::string, std::string>> before;
};

/// The way a run is made to fail.
struct Setup {
    std::vector<std::string> environment =
        {};                                 ///< "NAME=value", in addition to those of this process
    std::vector<std::string> wrapper = {};  ///< a command in front of the program
    std::function<void()> prepare = {};     ///< in the new process, before the program
    std::function<void(int process)> meanwhile = {};
    int seconds = 60;  ///< limit of the run time; a longer run is ended
};

/// The status of a run that took too long.
constexpr int hung = 124;

struct Run {
    int status;  ///< 128 + n after a signal, or `hung`
    std::string errors;
    double seconds;
    Snapshot after;
};

/// The place where scenes are played: a new folder, removed with the object. One folder in it gets
/// the files of the scene anew for each run.
class Stage {
  public:
    /// Copies `program` and `library` to a new folder in `parent`. The copies can be run by every
    /// user, from `place()`, even if `parent` is closed to them.
    Stage(const std::string& program, const std::string& library, const std::string& parent);
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;
    ~Stage();

    Run play(const Scene& scene, const Setup& setup = {}) const;

    /// Like play(), but keeps the folder as the last run left it.
    Run play_on(const Scene& scene, const Setup& setup = {}) const;

    /// Starts the program in place() and returns its process. Its messages go to the file
    /// `aside(errors)`.
    int start(const std::string& arguments, const Setup& setup,
              const std::string& errors = "errors") const;

    Snapshot before(const Scene& scene) const;
    Snapshot now() const;

    /// Returns the path of a file that is not an output.
    std::string aside(const std::string& name) const { return folder_ + "/" + name; }

    /// The folder of the next scenes, and the working directory of the program.
    std::string place() const { return folder_ + "/scene"; }

    /// The path of the library relative to `place()`, since LD_PRELOAD would split a path at spaces
    /// and colons.
    static constexpr const char* preloaded = "../faults.so";

  private:
    void furnish(const Scene& scene) const;
    void enter(const std::string& errors) const;

    std::string folder_;
};

/// Waits until the process ends and returns its status. If that takes longer, ends the process and
/// all that it has started with SIGKILL.
int wait_for(int process, int seconds = 60);

/// Waits until one of the processes ends, and returns its index; if that takes longer, the index of
/// a process that still runs. Ignores entries that are -1.
std::size_t first_to_end(const std::vector<int>& processes, int seconds = 60);

std::string content(const std::string& path);
