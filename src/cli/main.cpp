#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "cli/exit_status.h"
#include "cli/run.h"
#include "core/signals.h"
#include "numerics/out_of_memory.h"

namespace {

/// A closed standard stream is replaced by one that refuses to be read and written, lest the next
/// file that is opened takes its place. The root folder is there on every system.
void reserve_standard_streams() {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) == -1 && open("/", O_PATH) == -1) return;
    }
}

/// Whether anybody hears it or not.
void tell(std::string_view text) {
    [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
}

constexpr std::string_view no_memory = "pe-gen: out of memory\n";

void end_without_memory() {
    pegen::act_as_before_signals();
    tell(no_memory);
    ::_exit(static_cast<int>(pegen::cli::ExitStatus::memory));
}

/// Destructors of nlohmann_json ask for memory, and must not throw.
void terminate() {
    try {
        if (std::current_exception()) throw;
    } catch (const std::bad_alloc&) {
        end_without_memory();
    } catch (...) {
    }
    std::abort();
}

/// Of the exception that is being handled, which is told, even if there is no memory for the words.
pegen::cli::ExitStatus told_failure() {
    try {
        const pegen::cli::Failure failure = pegen::cli::current_failure();
        tell(fmt::format("pe-gen: {}\n", failure.message));
        return failure.status;
    } catch (const std::bad_alloc&) {
        tell(no_memory);
        return pegen::cli::ExitStatus::memory;
    }
}

}  // namespace

int main(int argc, char** argv) {
    reserve_standard_streams();
    // A closed pipe or a file that grows too large is an error of write() like others.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    pegen::watch_signals();
    std::set_terminate(terminate);
    pegen::numerics::call_without_memory(end_without_memory);
    try {
        return static_cast<int>(
            pegen::cli::run(std::vector<std::string_view>(argv + 1, argv + argc)));
    } catch (...) {
        return static_cast<int>(told_failure());
    }
}
