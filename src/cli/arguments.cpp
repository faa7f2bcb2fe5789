#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "cli/mistakes.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/registry.h"

namespace pegen::cli {
namespace {

using Words = std::vector<std::string>;

/// A word of a signature with its value.
struct Given {
    std::string name;  ///< "img-size"
    std::string value;
    std::ptrdiff_t place;  ///< the number of arguments before it that are not such words
};

/// What the words of a command line mean for an encoding or a preset.
struct Context {
    const std::vector<const ParameterSpec*>& specs;
    std::optional<Parameters> defaults;
    const std::vector<Given>& given;

    bool has(std::string_view option) const {
        return std::ranges::any_of(specs, [&](const ParameterSpec* spec) {
            return std::ranges::count(option_names(*spec), fmt::format("--{}", option)) > 0;
        });
    }
    bool has_choice(std::string_view option, std::string_view choice) const {
        return std::ranges::any_of(specs, [&](const ParameterSpec* spec) {
            return spec->name == option && has_word(spec->choices, choice);
        });
    }
    /// Returns the default value as text; "" if there is none.
    std::string usual(std::string_view option) const {
        return defaults && defaults->has(option) ? to_string(defaults->value(option)) : "";
    }
};

std::int64_t integer_of(std::string_view text, const Given& given) {
    return parse_integer(text, fmt::format("--{}", given.name));
}

/// Returns the sizes in "224", "224x192" or "16,224,224".
std::vector<std::int64_t> sizes_of(const Given& given) {
    std::vector<std::int64_t> sizes;
    const char separator = given.value.find('x') == given.value.npos ? ',' : 'x';
    for (const std::string_view size : fields(given.value, separator)) {
        if (size.empty() || size.find_first_not_of("0123456789") != size.npos) {
            sizes.clear();
            break;
        }
        sizes.push_back(integer_of(size, given));
    }
    if (sizes.empty() || sizes.size() > 3 || std::ranges::count(sizes, 0) > 0) {
        throw UsageError(fmt::format(
            "--{} {}: must be one size from 1, as in 14, or height and width, 14x10, or "
            "depth too, 8x14x10",
            given.name, given.value));
    }
    if (sizes.size() == 1) sizes.push_back(sizes.front());
    return sizes;
}

Words extents_of(const std::vector<std::int64_t>& sizes) {
    constexpr std::array<std::string_view, 3> names{"--depth", "--height", "--width"};
    Words words;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        words.emplace_back(names[names.size() - sizes.size() + i]);
        words.push_back(fmt::format("{}", sizes[i]));
    }
    return words;
}

Words grid_size(const Given& given, const Context&) { return extents_of(sizes_of(given)); }

/// Returns the numbers of patches. The patches of a video are of one frame if they have two sizes.
Words image_size(const Given& given, const Context& context) {
    const auto patch = std::ranges::find(context.given, "patch-size", &Given::name);
    if (patch == context.given.end()) {
        throw UsageError(fmt::format("--{} {}: needs --patch-size, the pixels of a patch",
                                     given.name, given.value));
    }
    std::vector<std::int64_t> sizes = sizes_of(given), of_patch = sizes_of(*patch);
    if (of_patch.size() < sizes.size()) of_patch.insert(of_patch.begin(), 1);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (of_patch.size() == sizes.size() && sizes[i] % of_patch[i] == 0) {
            sizes[i] /= of_patch[i];
            continue;
        }
        throw UsageError(fmt::format("--{} {}: must be a multiple of --patch-size {}", given.name,
                                     given.value, patch->value));
    }
    return extents_of(sizes);
}

Words nothing(const Given&, const Context&) { return {}; }

Words octaves(const Given& given, const Context&) {
    return {"--freqs", fmt::format("pow2:{}", integer_of(given.value, given))};
}

/// Returns the usual initializer with another deviation.
Words deviation(const Given& given, const Context& context) {
    const std::string usual = context.usual("init");
    std::vector<std::string> numbers;
    const std::string_view after_name = std::string_view(usual).substr(usual.find(':') + 1);
    for (const std::string_view number : fields(after_name, ',')) numbers.emplace_back(number);
    if (!usual.starts_with("trunc-normal:") || numbers.size() < 2) {
        return {"--init", fmt::format("normal:0,{}", given.value)};
    }
    numbers[1] = given.value;
    return {"--init", "trunc-normal:" + joined(numbers, ",")};
}

Words causal(const Given&, const Context&) { return {"--mask", "causal"}; }

bool always(const Context&) { return true; }
bool has_no_window(const Context& context) { return !context.has("window"); }
bool has_causal(const Context& context) { return context.has_choice("mask", "causal"); }
bool has_octaves(const Context& context) { return context.usual("freqs").starts_with("pow2:"); }

/// Words that say the same in other code's signatures.
struct Signature {
    std::string_view names;    ///< without "--", separated by spaces
    std::string_view options;  ///< the options that must be there, separated by spaces
    bool (*applies)(const Context& context);
    Words (*meaning)(const Given& given, const Context& context);
    bool is_flag = false;
};

constexpr std::array signatures{
    Signature{"grid-size", "height width", always, grid_size},
    Signature{"window-size", "height width", has_no_window, grid_size},
    Signature{"img-size image-size", "height width", always, image_size},
    Signature{"patch-size", "height width", always, nothing},
    Signature{"num-freqs num-frequencies n-freqs multires L", "freqs", has_octaves, octaves},
    Signature{"std initializer-range", "init", always, deviation},
    Signature{"causal", "mask", has_causal, causal, true},
};

const Signature* signature_of(std::string_view name, const Context& context) {
    const auto found = std::ranges::find_if(signatures, [&](const Signature& signature) {
        return has_word(signature.names, name) && signature.applies(context) &&
               std::ranges::all_of(words(signature.options),
                                   [&](std::string_view option) { return context.has(option); });
    });
    return found == signatures.end() || context.has(name) ? nullptr : &*found;
}

std::optional<Parameters> defaults_of(std::string_view owner) {
    if (const Encoding* encoding = find_encoding(owner)) return Parameters(encoding->parameters);
    if (const Preset* preset = find_preset(owner)) return parameters_of(*preset);
    return {};
}

}  // namespace

std::vector<std::string> without_signatures(std::span<const std::string_view> arguments,
                                            const std::vector<const ParameterSpec*>& specs,
                                            std::string_view owner) {
    std::vector<Given> given;
    Context context{specs, {}, given};
    const auto is_signature = [&](std::string_view argument) {
        return argument.starts_with("--") &&
               std::ranges::any_of(signatures, [&](const Signature& signature) {
                   return has_word(signature.names,
                                   hyphenated(argument.substr(2, argument.find('=') - 2)));
               });
    };
    Words result(arguments.begin(), arguments.end());
    if (std::ranges::none_of(arguments, is_signature)) return result;
    context.defaults = defaults_of(owner);
    result.clear();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        const std::size_t equals = argument.find('=');
        const std::string name =
            is_signature(argument) ? hyphenated(argument.substr(2, equals - 2)) : "";
        const Signature* const signature = signature_of(name, context);
        if (!signature) {
            result.emplace_back(argument);
            continue;
        }
        std::string value;
        if (equals != argument.npos) {
            value = argument.substr(equals + 1);
            if (signature->is_flag) {
                throw UsageError(fmt::format("--{} {}: takes no value", name, value));
            }
        } else if (!signature->is_flag) {
            if (++i == arguments.size() || arguments[i].starts_with("--")) {
                throw UsageError(fmt::format("--{}: needs a value", name));
            }
            value = arguments[i];
        }
        given.push_back({name, value, std::ssize(result)});
    }
    // From behind, so that the places before it stay.
    for (std::size_t i = given.size(); i-- > 0;) {
        const Given& one = given[i];
        const bool has_image = std::ranges::any_of(given, [](const Given& other) {
            return other.name == "img-size" || other.name == "image-size";
        });
        if (one.name == "patch-size" && !has_image) {
            throw UsageError(fmt::format(
                "--patch-size {}: needs --img-size, the pixels of an image", one.value));
        }
        const Words meaning = signature_of(one.name, context)->meaning(one, context);
        result.insert(result.begin() + one.place, meaning.begin(), meaning.end());
    }
    return result;
}

namespace {

bool is_long_option(std::string_view argument) {
    return argument.size() > 2 && argument.starts_with("--");
}

bool is_short_option(std::string_view argument) {
    return argument.size() > 1 && argument[0] == '-' &&
           std::isalpha(static_cast<unsigned char>(argument[1])) != 0;
}

/// True for a negative number such as "-5" or "-.5", which is a value although it begins like an
/// option.
bool is_negative_number(std::string_view argument) {
    return argument.size() > 1 && argument[0] == '-' &&
           (std::isdigit(static_cast<unsigned char>(argument[1])) || argument[1] == '.');
}

/// True for an array of standard input, such as "-:cos".
bool is_array_of_standard_input(std::string_view argument) { return argument.starts_with("-:"); }

/// Returns the names of an option for CLI11: "--output,-o".
std::string names_of(const ParameterSpec& spec) { return joined(option_names(spec), ","); }

[[noreturn]] void refuse_missing_value(std::string_view name) {
    throw UsageError(fmt::format("{}: needs a value", name));
}

/// True if the option may occur in the arguments that prepared() returned. Considers joined short
/// options, such as "-of".
bool may_occur(const ParameterSpec& spec, const std::vector<std::string>& arguments) {
    return std::ranges::any_of(option_names(spec), [&](const std::string& name) {
        return std::ranges::any_of(arguments, [&](const std::string& argument) {
            return is_long_option(name) ? argument.starts_with(name) : is_short_option(argument);
        });
    });
}

/// True for any word that begins like a long option, and for every short option in `specs`.
bool is_option(std::string_view argument, const std::vector<const ParameterSpec*>& specs) {
    return is_long_option(argument) || std::ranges::any_of(specs, [&](const ParameterSpec* spec) {
               return std::ranges::count(option_names(*spec), argument) > 0;
           });
}

/// Returns the value of an option: a word in small letters if it is no choice with its capitals.
std::string value_of(const ParameterSpec& spec, const std::string& text) {
    const std::string small = lower_case(hyphenated(text));
    const bool is_small = spec.type == ParameterType::word && has_word(spec.choices, small);
    return is_small && !has_word(spec.choices, hyphenated(text)) ? small : text;
}

/// Returns the name of an option as users may type it: '_' for '-', and capitals if no option has
/// them.
std::string option_name(std::string_view typed, const std::vector<const ParameterSpec*>& specs) {
    const std::string name = hyphenated(typed), small = lower_case(name);
    const auto is_known = [&](const std::string& candidate) {
        return std::ranges::any_of(specs, [&](const ParameterSpec* spec) {
            return std::ranges::count(option_names(*spec), candidate) > 0;
        });
    };
    return !is_known(name) && is_known(small) ? small : name;
}

bool takes_value(std::string_view name, const std::vector<const ParameterSpec*>& specs) {
    return std::ranges::any_of(specs, [&](const ParameterSpec* spec) {
        const std::vector<std::string> names = option_names(*spec);
        return spec->type != ParameterType::flag && std::ranges::find(names, name) != names.end();
    });
}

/// Rewrites the arguments for CLI11: puts '-' for '_' in names, and '=' between an option and a
/// value that looks like an option; makes an empty value an argument of its own.
std::vector<std::string> prepared(std::span<const std::string_view> arguments,
                                  const std::vector<const ParameterSpec*>& specs) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (i + 1 == arguments.size() && arguments[i] == "--") break;  // it ends the options
        if (!is_long_option(arguments[i])) {
            const bool is_assigned =
                is_short_option(arguments[i]) && arguments[i].size() > 3 && arguments[i][2] == '=';
            result.emplace_back(arguments[i].substr(0, is_assigned ? 2 : arguments[i].npos));
            if (is_assigned) result.back() += arguments[i].substr(3);
            continue;
        }
        const std::size_t name_end = arguments[i].find('=');
        const std::string name = option_name(arguments[i].substr(0, name_end), specs);
        if (name_end == std::string_view::npos) {
            const bool is_followed = i + 1 < arguments.size() && takes_value(name, specs);
            if (is_followed && is_option(arguments[i + 1], specs)) refuse_missing_value(name);
            const bool is_tied = is_followed && (is_negative_number(arguments[i + 1]) ||
                                                 is_array_of_standard_input(arguments[i + 1]));
            result.push_back(is_tied ? fmt::format("{}={}", name, arguments[++i]) : name);
            continue;
        }
        const std::string_view value = arguments[i].substr(name_end + 1);
        result.push_back(value.empty() ? name : fmt::format("{}={}", name, value));
        if (value.empty()) result.emplace_back();
    }
    return result;
}

}  // namespace

bool Arguments::has(const ParameterSpec& spec) const {
    return std::ranges::find(options, &spec, &GivenOption::spec) != options.end();
}

Arguments parse_arguments(std::span<const std::string_view> arguments,
                          const std::vector<const ParameterSpec*>& specs, std::string_view owner) {
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    const std::vector<std::string> own = without_signatures(arguments, specs, owner);
    std::vector<std::string> reversed =
        prepared(std::vector<std::string_view>(own.begin(), own.end()), specs);
    // Only options that may occur are added: CLI11 compares the names of each new option with all
    // names so far.
    std::vector<CLI::Option*> options;
    for (const ParameterSpec* spec : specs) {
        if (!may_occur(*spec, reversed)) {
            options.push_back(nullptr);
            continue;
        }
        const bool is_flag = spec->type == ParameterType::flag;
        CLI::Option* option =
            is_flag ? app.add_flag(names_of(*spec)) : app.add_option(names_of(*spec));
        options.push_back(option->multi_option_policy(is_flag ? CLI::MultiOptionPolicy::TakeLast
                                                              : CLI::MultiOptionPolicy::TakeAll));
    }
    std::reverse(reversed.begin(), reversed.end());
    try {
        app.parse(reversed);
    } catch (const CLI::ArgumentMismatch& error) {
        const std::string_view what = error.what();  // "--d: 1 required"
        refuse_missing_value(what.substr(0, what.find(':')));
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    Arguments result;
    for (std::string& extra : app.remaining()) {
        const bool is_option = extra.size() > 1 && extra[0] == '-';
        if (is_option && !is_array_of_standard_input(extra)) {
            throw UsageError(unknown_option(extra, specs, owner));
        }
        result.positionals.push_back(std::move(extra));
    }
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (!options[i]) continue;
        const std::vector<std::string>& values = options[i]->results();
        // Output options may be repeated, since each names a file of its own. Other options with
        // paths may not, since a file would be ignored. Of all other options the last value counts.
        const bool are_all = is_among(output_options(), specs[i]);
        if (!are_all && values.size() > 1 && specs[i]->type == ParameterType::path) {
            throw UsageError(fmt::format("--{} {}: is the second --{}, after {}; give one of them",
                                         specs[i]->name, values.back(), specs[i]->name,
                                         values[values.size() - 2]));
        }
        if (!specs[i]->joined_by.empty() && !values.empty()) {
            result.options.push_back({specs[i], joined(values, specs[i]->joined_by)});
            continue;
        }
        const std::size_t first = are_all || values.empty() ? 0 : values.size() - 1;
        for (std::size_t k = first; k < values.size(); ++k) {
            result.options.push_back({specs[i], value_of(*specs[i], values[k])});
        }
    }
    return result;
}

Parameters with_options(Parameters parameters, const std::vector<GivenOption>& options) {
    for (const GivenOption& option : options) {
        const bool is_there =
            std::ranges::count(parameters.entries(), option.spec, &Parameters::Entry::spec) > 0;
        if (is_there) parameters.set(option.spec->name, option.text, Origin::user);
    }
    return parameters;
}

Parameters set_options(std::span<const ParameterSpec> specs,
                       const std::vector<GivenOption>& options) {
    Parameters parameters = with_options(Parameters(specs), options);
    parameters.evaluate_expressions();
    return parameters;
}

}  // namespace pegen::cli
