#include "writers.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

std::string Writer::arguments(const std::vector<std::string>& outputs) const {
    std::string result = table;
    for (const std::string& name : outputs) {
        result += fmt::format(" --{} {}", name.substr(name.rfind('.') + 1), name);
    }
    return result;
}

std::vector<Writer> make_writers(const Session& session, int count) {
    const std::vector<std::string> names{"a.npy", "b.csv", "c.json"};
    std::vector<Writer> writers;
    for (int i = 1; i <= count; ++i) {
        // Of different sizes, the large ones of more than one write.
        Writer writer{fmt::format("sinusoid -q --d 8 --freq-scale {} --len {}", i, 5 + 150 * i),
                      {}};
        make_trial(session.stage, {"", writer.arguments(names), {}});
        for (const std::string& name : names) {
            writer.files[name] = content(session.stage.place() + "/" + name);
        }
        writers.push_back(std::move(writer));
    }
    return writers;
}

bool is_whole(const Session& session, const std::vector<Writer>& writers, const std::string& name) {
    const std::string bytes = content(session.stage.place() + "/" + name);
    return std::ranges::any_of(
        writers, [&](const Writer& writer) { return writer.files.at(name) == bytes; });
}

void judge_names(const Session& session, Tally& tally, const std::vector<Writer>& writers,
                 const std::vector<std::string>& names, const std::string& about) {
    for (const std::string& name : names) {
        if (!is_whole(session, writers, name)) tally.violate(about + ": torn: " + name);
    }
}

void judge_no_hidden(const Session& session, Tally& tally, const std::string& about) {
    for (const auto& [name, what] : session.stage.now()) {
        if (is_temporary(name)) tally.violate(about + ": a hidden name is left");
    }
}

bool is_stopped(int process) {
    for (int i = 0; i < 50'000; ++i, ::usleep(200)) {
        siginfo_t state{};
        ::waitid(P_PID, static_cast<id_t>(process), &state, WSTOPPED | WEXITED | WNOWAIT | WNOHANG);
        if (state.si_pid != 0) return state.si_code == CLD_STOPPED;
    }
    ::kill(process, SIGKILL);
    return is_stopped(process);
}
