#include "cli/help/option_text.h"

#include <fmt/format.h>

#include <variant>

#include "core/names.h"

namespace pegen::cli {

std::string_view placeholder(const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::integer:
            return " N";
        case ParameterType::real:
            return " X";
        case ParameterType::integers:
            return " N,...";
        case ParameterType::reals:
            return " X,...";
        case ParameterType::size:
            return " WxH";
        case ParameterType::word:
            return " WORD";
        case ParameterType::text:
            return " TEXT";
        case ParameterType::path:
            return " FILE";
        case ParameterType::flag:
            break;
    }
    return "";
}

std::string long_aliases(const ParameterSpec& spec) {
    std::string result;
    for (const std::string_view alias : words(spec.aliases)) {
        if (alias.size() > 1) result += fmt::format("{}--{}", result.empty() ? "" : " ", alias);
    }
    return result;
}

std::string explanation(const ParameterSpec& spec, std::string_view initial) {
    std::string text(spec.summary);
    if (spec.type == ParameterType::word) {
        text += fmt::format(": {}", joined(words(spec.choices), ", "));
    }
    if (!initial.empty()) text += fmt::format(" [{}]", initial);
    return text;
}

std::string initial_value(const Parameters::Entry& parameter) {
    const bool is_shown = parameter.spec->type != ParameterType::flag &&
                          !std::holds_alternative<NoValue>(parameter.value);
    return is_shown ? to_string(parameter) : "";
}

}  // namespace pegen::cli
