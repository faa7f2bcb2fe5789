#include "cli/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "cli/print.h"
#include "core/error.h"
#include "core/signals.h"
#include "files/output_file.h"
#include "files/system.h"
#include "numerics/real.h"

namespace pegen::cli {

Failure current_failure() {
    try {
        throw;
    } catch (const PostponedSignals::Waiting&) {
        throw;  // the signal ends the program
    } catch (const ReaderGone& error) {
        return {ExitStatus::file, printable(error.what()), true};
    } catch (const UsageError& error) {
        return {ExitStatus::usage, printable(error.what())};
    } catch (const FormatError& error) {
        return {ExitStatus::malformed, printable(error.what())};
    } catch (const FileError& error) {
        return {ExitStatus::file, printable(error.what())};
    } catch (const InternalError& error) {
        return {ExitStatus::fault, printable(error.what())};
    } catch (const std::bad_alloc&) {
        return {ExitStatus::memory, "out of memory"};
    } catch (const std::length_error&) {
        return {ExitStatus::memory, "out of memory"};
    } catch (const std::exception& error) {
        return {ExitStatus::fault, printable(fmt::format("a fault of pe-gen's: {}", error.what()))};
    } catch (...) {
        return {ExitStatus::fault, "a fault of pe-gen's"};
    }
}

namespace {

/// Opens the root folder, which cannot be read or written as a file, in place of each standard
/// stream that is closed. Otherwise the next opened file would become that stream.
void reserve_standard_streams() {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) == -1 && open("/", as_place) == -1) return;
    }
}

constexpr std::string_view no_memory = "pe-gen: out of memory\n";

void end_without_memory() {
    act_as_before_signals();
    print_error(no_memory);
    ::_exit(static_cast<int>(ExitStatus::memory));
}

/// True unless the program was started with SIGPIPE ignored. If true, the program dies by SIGPIPE
/// when nobody reads its standard output any more, as other tools do, but without leaving files
/// behind.
bool dies_by_closed_pipes = false;

/// Reports the exception being handled and returns its status; works even when out of memory.
ExitStatus report_failure() {
    try {
        const Failure failure = current_failure();
        if (failure.is_reader_gone && dies_by_closed_pipes) {
            std::signal(SIGPIPE, SIG_DFL);
            std::raise(SIGPIPE);
        }
        print_error(fmt::format("pe-gen: {}\n", failure.message));
        return failure.status;
    } catch (const std::bad_alloc&) {
        print_error(no_memory);
        return ExitStatus::memory;
    }
}

/// Ends the program when an exception is not caught: removes temporary files even after an internal
/// error. Lack of memory can also end here, since destructors of nlohmann_json allocate and must
/// not throw.
[[noreturn]] void terminate() {
    act_as_before_signals();
    const ExitStatus status = std::current_exception() ? report_failure() : ExitStatus::fault;
    ::_exit(static_cast<int>(status));
}

}  // namespace

int run_process(int argc, char** argv, ExitStatus (*run)(std::span<const std::string_view>)) {
    reserve_standard_streams();
    // With these signals ignored, write() reports a closed pipe or a file that grows too large as
    // an error.
    dies_by_closed_pipes = std::signal(SIGPIPE, SIG_IGN) != SIG_IGN;
    std::signal(SIGXFSZ, SIG_IGN);
    watch_signals();
    std::set_terminate(terminate);
    numerics::call_without_memory(end_without_memory);
    try {
        return static_cast<int>(run(std::vector<std::string_view>(argv + 1, argv + argc)));
    } catch (...) {
        return static_cast<int>(report_failure());
    }
}

}  // namespace pegen::cli
