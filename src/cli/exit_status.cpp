#include "cli/exit_status.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string_view>

#include "core/error.h"
#include "core/utf8.h"

namespace pegen::cli {
namespace {

std::string escaped(std::string_view bytes) {
    std::string result;
    for (const char byte : bytes) {
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    return result;
}

std::string without_controls(std::string_view text) {
    std::string result;
    for (const Character& character : decode_utf8(text)) {
        result +=
            is_control(character.code) ? escaped(character.bytes) : std::string(character.bytes);
    }
    return result;
}

/// For text that is not valid UTF-8: keeps ASCII, escapes every other byte.
std::string only_ascii(std::string_view text) {
    std::string result;
    for (const char& byte : text) {
        const bool is_shown = byte >= 0x20 && byte < 0x7f;
        result += is_shown ? std::string(1, byte) : escaped({&byte, 1});
    }
    return result;
}

/// Makes one line of limited length, whatever the user typed.
std::string printable(std::string_view text) {
    constexpr std::size_t most = 4000;
    const std::string_view shown = text.substr(0, most);
    const std::string_view rest = text.size() > most ? " ..." : "";
    try {
        return without_controls(shown).append(rest);
    } catch (const UsageError&) {
        return only_ascii(shown).append(rest);
    }
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
