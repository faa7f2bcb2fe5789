#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "pegen/cli/run.h"
#include "pegen/core/error.h"

namespace {

/// One line, whatever the user typed.
std::string printable(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        result += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
    return result;
}

int fail(int status, std::string_view message) {
    fmt::print(stderr, "pe-gen: {}\n", printable(message));
    return status;
}

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
        pegen::cli::run(std::vector<std::string_view>(argv + 1, argv + argc));
        return 0;
    } catch (const pegen::UsageError& error) {
        return fail(2, error.what());
    } catch (const pegen::FormatError& error) {
        return fail(3, error.what());
    } catch (const pegen::FileError& error) {
        return fail(4, error.what());
    } catch (const pegen::InternalError& error) {
        return fail(70, error.what());
    } catch (const std::bad_alloc&) {
        return fail(5, "out of memory");
    } catch (const std::length_error&) {
        return fail(5, "out of memory");
    }
}
