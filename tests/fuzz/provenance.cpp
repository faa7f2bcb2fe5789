// Any bytes as what a file says about its origin: refused as malformed, or a command that is one
// line and that a shell runs without expanding anything.

#include "core/error.h"
#include "fuzz_target.h"
#include "formats/command.h"

using namespace pegen;
using pegen::fuzz::require;

namespace {

/// True if everything that a shell would interpret is quoted.
bool is_harmless(std::string_view command) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,.:/@% ";
    bool is_quoted = false;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const auto byte = static_cast<unsigned char>(command[i]);
        if (byte < ' ' || byte == 0x7f) return false;
        if (byte == '\'') {
            is_quoted = !is_quoted;
        } else if (!is_quoted && plain.find(command[i]) == std::string_view::npos) {
            // A backslash or '$' may precede a quote; a quote after a backslash is a character.
            const std::string_view next = command.substr(i, 2);
            if (next != "\\'" && next != "$'") return false;
            if (next == "\\'") ++i;
        }
    }
    return !is_quoted;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    try {
        const std::string command = command_of("a.png", fuzz::as_text(bytes, size));
        if (command.empty()) return 0;
        require(command.starts_with("pe-gen "));
        require(is_harmless(command));
    } catch (const FormatError& error) {
        require(std::string_view(error.what()).starts_with("a.png: "));
    }
    return 0;
}
