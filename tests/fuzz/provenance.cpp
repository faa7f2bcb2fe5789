// Any bytes as what a file says about its origin: refused as malformed, or a command that is one
// line, that a shell runs without expanding anything, and that gives pe-gen the recorded texts.

#include <algorithm>

#include "cli/arguments.h"
#include "cli/request.h"
#include "core/error.h"
#include "files/json_text.h"
#include "formats/command.h"
#include "fuzz_target.h"
#include "shell_words.h"

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

/// True if each given text option has the text recorded among `members`, unless the recorded value
/// is no text.
bool has_texts_of(const cli::Arguments& given, const Json& members) {
    return std::ranges::all_of(given.options, [&](const cli::GivenOption& option) {
        const auto member = members.find(option.spec->name);
        const bool is_text =
            option.spec->type == ParameterType::text || option.spec->type == ParameterType::path;
        const bool is_recorded = member && member->is_string();
        return !is_text || !is_recorded || member->get<std::string>() == option.text;
    });
}

/// Reads the command as pe-gen does when a shell has run it.
void check_arguments(std::string_view command, std::string_view provenance) {
    const std::vector<std::string> words = fuzz::shell_words(command);
    const std::vector<std::string_view> arguments(words.begin() + 1, words.end());
    const cli::NamedArguments named = cli::named_arguments(arguments);
    const cli::Arguments given =
        cli::parse_arguments(named.rest, cli::options_of(named.subject), named.subject.name());
    require(given.positionals.empty());
    const Json json = parse_json(provenance, "");
    require(has_texts_of(given, json["parameters"]));
    if (json.contains("figure")) require(has_texts_of(given, json["figure"]));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    try {
        const std::string command = command_of("a.png", fuzz::as_text(bytes, size));
        if (command.empty()) return 0;
        require(command.starts_with("pe-gen "));
        require(is_harmless(command));
        check_arguments(command, fuzz::as_text(bytes, size));
    } catch (const FormatError& error) {
        require(std::string_view(error.what()).starts_with("a.png: "));
    }
    return 0;
}
