#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string_view>
#include <vector>

#include "pegen/cli/exit_status.h"
#include "pegen/cli/run.h"

namespace {

/// A closed standard stream is replaced by one that refuses to be written, lest the next file that
/// is opened takes its place.
void reserve_standard_streams() {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) == -1 && open("/dev/null", O_RDONLY) == -1) return;
    }
}

}  // namespace

int main(int argc, char** argv) {
    reserve_standard_streams();
    // A closed pipe or a file that grows too large is an error of write() like others.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return static_cast<int>(
            pegen::cli::run(std::vector<std::string_view>(argv + 1, argv + argc)));
    } catch (...) {
        const pegen::cli::Failure failure = pegen::cli::current_failure();
        fmt::print(stderr, "pe-gen: {}\n", failure.message);
        return static_cast<int>(failure.status);
    }
}
