#include "cli/exit_status.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "cli/print.h"
#include "core/error.h"

namespace pegen::cli {

Failure current_failure() {
    try {
        throw;
    } catch (const UsageError& error) {
        return {ExitStatus::usage, printable(error.what())};
    } catch (const FormatError& error) {
        return {ExitStatus::malformed, printable(error.what())};
    } catch (const FileError& error) {
        return {ExitStatus::file, printable(error.what())};
    } catch (const InternalError& error) {
        return {ExitStatus::self_test, printable(error.what())};
    } catch (const std::bad_alloc&) {
        return {ExitStatus::memory, "out of memory"};
    } catch (const std::length_error&) {
        return {ExitStatus::memory, "out of memory"};
    }
}

}  // namespace pegen::cli
