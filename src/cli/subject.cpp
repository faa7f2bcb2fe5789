#include "cli/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/mistakes.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "files/array_file.h"

namespace pegen::cli {
namespace {

bool is_known(std::string_view name) {
    const std::string wanted = hyphenated(name);
    return find_encoding(wanted) || find_preset(wanted);
}

}  // namespace

Parameters Subject::defaults() const {
    return preset ? parameters_of(*preset) : Parameters(encoding->parameters);
}

Subject find_subject(std::string_view name) {
    const std::string wanted = hyphenated(name);
    if (const Encoding* encoding = find_encoding(wanted)) return {encoding, nullptr};
    if (const Preset* preset = find_preset(wanted)) return {preset->encoding, preset};
    if (std::ranges::count(all_commands(), wanted, &Command::name) > 0) {
        throw UsageError(fmt::format("'{}': is a command, not an encoding or a preset", name));
    }
    throw UsageError(unknown_name(name));
}

Subject typed_subject(std::string_view name) {
    const std::string small = lower_case(name);
    return find_subject(!is_known(name) && is_known(small) ? small : name);
}

bool names_file(std::string_view name) {
    if (is_known(name) || is_known(lower_case(name))) return false;
    std::error_code error;  // a file that cannot be examined is refused when it is opened
    return name == "-" || name.starts_with("-:") || name.find_first_of("./") != name.npos ||
           std::filesystem::exists(array_path(name).file, error);
}

bool names_encoding(std::string_view name) {
    std::error_code error;  // a file that cannot be examined is refused when it is opened
    return is_known(name) && !std::filesystem::exists(name, error);
}

Subject find_mechanism(std::string_view name) {
    if (name.starts_with('-')) {
        throw UsageError(fmt::format(
            "{}: the mechanism comes first, as in pe-gen attention shaw {}", name, name));
    }
    const std::string wanted = hyphenated(name);
    std::vector<std::string_view> names;
    for (const Encoding* mechanism : all_mechanisms()) {
        names.push_back(mechanism->name.substr(mechanism->name.find(' ') + 1));
        if (names.back() == wanted) return {mechanism, nullptr};
    }
    throw UsageError(fmt::format("attention {}: must be one of {}{}", name, joined(names, ", "),
                                 did_you_mean(wanted, names)));
}

NamedArguments named_arguments(std::span<const std::string_view> arguments) {
    const bool has_two_words = arguments.front() == "attention" && arguments.size() > 1;
    if (has_two_words) return {find_mechanism(arguments[1]), arguments.subspan(2)};
    return {typed_subject(arguments.front()), arguments.subspan(1)};
}

}  // namespace pegen::cli
