#include "cli/print.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.h"
#include "core/utf8.h"
#include "files/output_file.h"

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

}  // namespace

std::string printable(std::string_view text) {
    // What begins with a long path ends with the reason.
    constexpr std::size_t most = 4000, half = most / 2;
    if (text.size() > most) {
        return fmt::format("{} ... {}", printable(text.substr(0, half)),
                           printable(text.substr(text.size() - half)));
    }
    try {
        return without_controls(text);
    } catch (const UsageError&) {
        return only_ascii(text);
    }
}

ExitStatus print(std::string_view text) {
    OutputFile standard_output("-");
    standard_output.write(text);
    standard_output.finish();
    return ExitStatus::done;
}

void print_error(std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

ExitStatus print_version() { return print("pe-gen " PEGEN_VERSION "\n"); }

}  // namespace pegen::cli
