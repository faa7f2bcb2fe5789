#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "pegen/core/error.h"
#include "pegen/core/names.h"

namespace pegen::cli {
namespace {

bool is_long_option(std::string_view argument) {
    return argument.size() > 2 && argument.starts_with("--");
}

/// "-5", "-.5": a value, though it begins like an option.
bool is_negative_number(std::string_view argument) {
    return argument.size() > 1 && argument[0] == '-' &&
           (std::isdigit(static_cast<unsigned char>(argument[1])) || argument[1] == '.');
}

/// The arguments as CLI11 understands them: names with '-', negative numbers tied to their option.
std::vector<std::string> prepared(std::span<const std::string_view> arguments) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string argument(arguments[i]);
        if (is_long_option(argument)) {
            const std::size_t name_end = std::min(argument.find('='), argument.size());
            argument.replace(0, name_end, hyphenated(arguments[i].substr(0, name_end)));
            const bool has_value = name_end < argument.size();
            if (!has_value && i + 1 < arguments.size() && is_negative_number(arguments[i + 1])) {
                argument += fmt::format("={}", arguments[++i]);
            }
        }
        result.push_back(std::move(argument));
    }
    return result;
}

/// "--output,-o": an alias of one letter is a short option.
std::string names_of(const ParameterSpec& spec) {
    std::string names = fmt::format("--{}", spec.name);
    for (const std::string_view alias : words(spec.aliases)) {
        names += fmt::format(",{}{}", alias.size() > 1 ? "--" : "-", alias);
    }
    return names;
}

[[noreturn]] void refuse_unknown(std::string_view argument,
                                 const std::vector<const ParameterSpec*>& specs) {
    const std::string_view name = argument.substr(0, argument.find('='));
    std::vector<std::string> options;
    for (const ParameterSpec* spec : specs) {
        for (const std::string_view option : words(names_of(*spec), ',')) {
            // "-d" is first of all a "--d" that lacks a hyphen.
            if (option.substr(1) == name) options.assign(1, std::string(option));
            options.emplace_back(option);
        }
    }
    throw UsageError(fmt::format("{}: unknown option{}", name,
                                 did_you_mean(name, {options.begin(), options.end()})));
}

/// "--d: needs a value" from what CLI11 says of the option.
[[noreturn]] void refuse_missing_value(std::string_view what) {
    throw UsageError(fmt::format("{}: needs a value", what.substr(0, what.find(':'))));
}

}  // namespace

bool Arguments::has(const ParameterSpec& spec) const {
    return std::ranges::find(options, &spec, &GivenOption::spec) != options.end();
}

Arguments parse_arguments(std::span<const std::string_view> arguments,
                          const std::vector<const ParameterSpec*>& specs) {
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    std::vector<CLI::Option*> options;
    for (const ParameterSpec* spec : specs) {
        const bool is_flag = spec->type == ParameterType::flag;
        CLI::Option* option =
            is_flag ? app.add_flag(names_of(*spec)) : app.add_option(names_of(*spec));
        options.push_back(option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast));
    }
    std::vector<std::string> reversed = prepared(arguments);
    std::reverse(reversed.begin(), reversed.end());
    try {
        app.parse(reversed);
    } catch (const CLI::ArgumentMismatch& error) {
        refuse_missing_value(error.what());
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    Arguments result;
    for (std::string& extra : app.remaining()) {
        if (extra.size() > 1 && extra[0] == '-') refuse_unknown(extra, specs);
        result.positionals.push_back(std::move(extra));
    }
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (!options[i]->results().empty()) {
            result.options.push_back({specs[i], options[i]->results().back()});
        }
    }
    return result;
}

}  // namespace pegen::cli
