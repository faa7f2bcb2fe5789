#include "cli/exit_status.h"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <stdexcept>

#include "cli/print.h"
#include "core/error.h"
#include "core/signals.h"
#include "files/output_file.h"

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

}  // namespace pegen::cli
