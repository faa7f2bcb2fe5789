#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "kinds.h"
#include "strike.h"
#include "writers.h"

namespace {

const std::vector<std::string> names{"a.npy", "b.csv", "c.json"};

/// The folder of a walk. Each name has a whole file from the start, so that no name may ever be
/// missing; `files_of_others` belong to other programs.
struct Place {
    std::vector<Writer> writers;
    std::map<std::string, std::string> files_of_others;
};

/// Finds out which hidden names the program makes, and returns a name that looks like them.
std::string similar_name(const Session& session, const Writer& writer) {
    const Scene scene{"", writer.arguments({"a.npy"}), {{"a.npy", "old"}}};
    for (int nth = 1; nth < 100; ++nth) {
        const std::string fault = fmt::format("commit:{}:signal{}", nth, SIGKILL);
        for (const auto& [name, what] :
             session.stage.play(scene, with_fault(session, fault)).after) {
            if (!is_temporary(name)) continue;
            std::string similar = name;
            similar.back() = name.back() == '2' ? '3' : '2';
            return similar;
        }
    }
    return ".pe-gen-a.npy-2";
}

Place make_place(const Session& session) {
    Place place{make_writers(session, 12), {}};
    const std::string theirs = "somebody else's";
    for (const char* name : {".pe-gen-a.npy-1", ".pe-gen-a.npy", ".pe-gen-b.csv-1", "a.npy~"}) {
        place.files_of_others[name] = theirs;
    }
    place.files_of_others[similar_name(session, place.writers[0])] = theirs;
    return place;
}

/// One walk: starts, ends and awaits runs in a random order.
class Walk {
  public:
    Walk(const Session& session, Tally& tally, const Place& place, unsigned seed)
        : session_(session), tally_(tally), place_(place), seed_(seed), engine_(seed) {
        Scene scene;
        for (const std::string& name : names) {
            scene.before.emplace_back(name, place.writers[0].files.at(name));
        }
        for (const auto& file : place.files_of_others) scene.before.push_back(file);
        session.stage.before(scene);
    }

    void go(int steps) {
        const std::size_t most_at_once = 2 + pick(9);
        for (int step = 0; step < steps; ++step) {
            if (runs_.size() < most_at_once) {
                start();
            } else {
                await_one();
            }
            if (pick(6) == 0) kill_one();
            check("at each step");
        }
        while (!runs_.empty()) await_one();
        check("in the end");
        if (!was_killed_) check_no_stray();
    }

  private:
    struct RandomRun {
        int process;
        std::vector<std::string> outputs;
        bool may_fail, is_signalled;
    };

    std::size_t pick(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
    }

    std::string about(const std::string& what) const {
        return fmt::format("seed {}, {}", seed_, what);
    }

    void start() {
        std::vector<std::string> outputs;
        for (const std::string& name : names) {
            if (pick(2) == 0) outputs.push_back(name);
        }
        if (outputs.empty()) outputs = names;
        constexpr std::array lacks{"",    "", "unnamed", "exchange", "unnamed,exchange,noreplace",
                                   "proc"};
        constexpr std::array faults{"linkat", "rename", "renameat2", "fdatasync", "open"};
        const bool may_fail = pick(4) == 0;
        const std::string fault =
            may_fail ? fmt::format("{}:{}:5", faults[pick(faults.size())], 1 + pick(6)) : "";
        Setup setup = with_fault(session_, fault, lacks[pick(lacks.size())]);
        setup.environment.push_back(fmt::format("PEGEN_SLOW={}:{}", 1 + pick(3000), pick(1000)));
        const Writer& writer = place_.writers[pick(place_.writers.size())];
        runs_.push_back(
            {session_.stage.start(writer.arguments(outputs), setup), outputs, may_fail, false});
    }

    void kill_one() {
        RandomRun& run = runs_[pick(runs_.size())];
        const bool is_hard = pick(4) == 0;
        ::usleep(static_cast<useconds_t>(pick(20'000)));
        ::kill(run.process, is_hard ? SIGKILL : SIGTERM);
        run.is_signalled = true;
        was_killed_ = was_killed_ || is_hard;
    }

    void await_one() {
        std::vector<int> processes;
        for (const RandomRun& run : runs_) processes.push_back(run.process);
        const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(first_to_end(processes));
        const RandomRun run = *first;
        const int status = wait_for(run.process, 0);
        runs_.erase(first);
        tally_.count(status);
        if (status == 0) {
            judge_names(session_, tally_, place_.writers, run.outputs, about("after status 0"));
        }
        const bool is_failure = status != 0 && status < 128;
        if (is_failure && !run.may_fail) tally_.violate(about(fmt::format("status {}", status)));
        if (status > 128 && !run.is_signalled) tally_.violate(about("ended by a signal"));
    }

    void check(const std::string& when) {
        judge_names(session_, tally_, place_.writers, names, about(when));
        for (const auto& [name, bytes] : place_.files_of_others) {
            if (content(session_.stage.place() + "/" + name) == bytes) continue;
            tally_.violate(about(when + ": not theirs any more: " + name));
        }
    }

    void check_no_stray() {
        for (const auto& [name, what] : session_.stage.now()) {
            if (is_temporary(name) && !place_.files_of_others.contains(name)) {
                tally_.violate(about("a hidden name is left"));
            }
        }
    }

    const Session& session_;
    Tally& tally_;
    const Place& place_;
    unsigned seed_;
    std::mt19937 engine_;
    std::vector<RandomRun> runs_;
    bool was_killed_ = false;
};

/// The whole part takes other walks each time, unless a seed is given to repeat some.
unsigned first_seed(const Session& session) {
    if (const char* const given = std::getenv("PEGEN_SEED")) {
        return static_cast<unsigned>(std::strtoul(given, nullptr, 10));
    }
    return session.is_whole ? std::random_device()() : 1;
}

}  // namespace

void walk_at_random(Session& session) {
    const Place place = make_place(session);
    Tally tally;
    const unsigned first = first_seed(session);
    const unsigned walks = session.is_whole ? 100 : 2;
    for (unsigned i = 0; i < walks; ++i) Walk(session, tally, place, first + i).go(60);
    session.report(
        fmt::format("{} random walks of 2 to 10 runs at once, from seed {}", walks, first), tally);
}
