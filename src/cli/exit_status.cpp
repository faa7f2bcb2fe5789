#include "pegen/cli/exit_status.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string_view>

#include "pegen/core/error.h"

namespace pegen::cli {
namespace {

/// One line of a bearable length, whatever the user typed.
std::string printable(std::string_view text) {
    constexpr std::size_t most = 4000;
    std::string result;
    for (const char c : text.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        result += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
    return text.size() > most ? result + " ..." : result;
}

}  // namespace

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
