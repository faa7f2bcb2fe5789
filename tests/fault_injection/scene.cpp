#include "scene.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace fs = std::filesystem;

namespace {

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

Snapshot snapshot(const std::string& folder) {
    Snapshot result;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        struct stat status {};
        if (::lstat(entry.path().c_str(), &status) < 0) throw std::runtime_error("lstat failed");
        std::string what = fmt::format("{:o} ", status.st_mode);
        if (entry.is_symlink()) {
            what += fs::read_symlink(entry.path()).string();
        } else if (entry.is_regular_file()) {
            what += content(entry.path().string());
        }
        result[entry.path().lexically_relative(folder).string()] = std::move(what);
    }
    return result;
}

std::string new_folder(const std::string& parent) {
    fs::create_directories(parent);
    std::string name = fs::absolute(parent) / "stage-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    return name;
}

void copy_for_all(const std::string& file, const std::string& copy) {
    fs::copy_file(file, copy);
    fs::permissions(copy, fs::perms(0755));
}

[[noreturn]] void become(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(126);
}

}  // namespace

std::size_t first_to_end(const std::vector<int>& processes, int seconds) {
    std::vector<pollfd> ends;
    for (const int process : processes) {
        ends.push_back({static_cast<int>(::syscall(SYS_pidfd_open, process, 0)), POLLIN, 0});
    }
    ::poll(ends.data(), ends.size(), seconds * 1000);
    for (const pollfd& end : ends) ::close(end.fd);
    auto found = std::ranges::find_if(ends, [](const pollfd& end) { return end.revents != 0; });
    if (found == ends.end()) {
        found = std::ranges::find_if(ends, [](const pollfd& end) { return end.fd >= 0; });
    }
    return static_cast<std::size_t>(found - ends.begin());
}

int wait_for(int process, int seconds) {
    const auto handle = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    pollfd end{handle, POLLIN, 0};
    const bool is_hung = ::poll(&end, 1, seconds * 1000) == 0;
    if (is_hung) ::kill(-process, SIGKILL);
    ::close(handle);
    int status = 0;
    ::waitpid(process, &status, 0);
    if (is_hung) return hung;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Stage::Stage(const std::string& program, const std::string& library, const std::string& parent)
    : folder_(new_folder(parent)) {
    fs::permissions(folder_, fs::perms(0755));
    fs::create_directory(place());
    copy_for_all(program, aside("pe-gen"));
    copy_for_all(library, aside("faults.so"));
}

Stage::~Stage() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void Stage::furnish(const Scene& scene) const {
    for (const auto& entry : fs::directory_iterator(place())) fs::remove_all(entry.path());
    fs::permissions(place(), fs::perms(0777));
    for (const auto& [name, bytes] : scene.before) {
        const std::string path = place() + "/" + name;
        fs::create_directories(fs::path(path).parent_path());
        if (bytes.starts_with("-> ")) {
            fs::create_symlink(bytes.substr(3), path);
        } else {
            std::ofstream(path, std::ios::binary) << bytes;
            fs::permissions(path, fs::perms(0646));
        }
    }
}

Snapshot Stage::before(const Scene& scene) const {
    furnish(scene);
    return snapshot(place());
}

Snapshot Stage::now() const { return snapshot(place()); }

Run Stage::play(const Scene& scene, const Setup& setup) const {
    furnish(scene);
    return play_on(scene, setup);
}

int Stage::start(const std::string& arguments, const Setup& setup,
                 const std::string& errors) const {
    std::vector<std::string> command = setup.wrapper;
    command.emplace_back("../pe-gen");
    for (std::string& word : words(arguments)) command.push_back(std::move(word));

    const pid_t process = ::fork();
    if (process == 0) {
        enter(aside(errors));
        for (const std::string& pair : setup.environment) {
            ::putenv(const_cast<char*>(pair.c_str()));
        }
        if (setup.prepare) setup.prepare();
        become(command);
    }
    ::setpgid(process, process);  // the new process calls it, too: either may be first
    return process;
}

Run Stage::play_on(const Scene& scene, const Setup& setup) const {
    using Clock = std::chrono::steady_clock;
    const auto start_time = Clock::now();
    const int process = start(scene.arguments, setup);
    if (setup.meanwhile) setup.meanwhile(process);
    const int status = wait_for(process, setup.seconds);
    const double seconds = std::chrono::duration<double>(Clock::now() - start_time).count();
    return {status, content(aside("errors")), seconds, now()};
}

/// Sets up the new process: process group, folder, streams and signals.
void Stage::enter(const std::string& errors) const {
    ::setpgid(0, 0);
    if (::chdir(place().c_str()) != 0) ::_exit(126);
    ::umask(022);
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    ::dup2(::open(errors.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666), STDERR_FILENO);
    // Some signals make the kernel write a core file; the limit prevents it.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    // Some signals are ignored under nohup or in the background of a script; they get their default
    // action.
    for (int signal = 1; signal <= SIGRTMAX; ++signal) ::signal(signal, SIG_DFL);
}
