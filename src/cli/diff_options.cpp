#include "cli/diff_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/arguments.h"
#include "cli/request.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "figure/figure.h"
#include "files/target.h"
#include "formats/png.h"

namespace pegen::cli {
namespace {

using Words = std::span<const std::string_view>;

constexpr Range at_least_zero{.lowest = 0};

constexpr std::array options{
    ParameterSpec{.name = "atol",
                  .default_value = "0",
                  .range = at_least_zero,
                  .summary = "values may differ by X"},
    ParameterSpec{
        .name = "rtol", .default_value = "0", .range = at_least_zero, .summary = "and by X |b|"},
    ParameterSpec{.name = "ulp",
                  .type = ParameterType::integer,
                  .range = any_index,
                  .summary = "or if they are at most N floats apart"},
    ParameterSpec{
        .name = "position-tolerance",
        .default_value = "0",
        .range = at_least_zero,
        .summary = "and by X p 2^-23 at position p, the error of float32 code; X is 1 if left out"},
    ParameterSpec{.name = "position-axis",
                  .type = ParameterType::integer,
                  .range = any_index,
                  .summary = "the axis along which positions are counted"},
    ParameterSpec{.name = "first-position",
                  .range = any_position,
                  .summary = "the position of row 0, if both tables are files [0]"},
    ParameterSpec{.name = "png", .type = ParameterType::path, .summary = "draw A - B to FILE"},
    json_option,
    threads_option,
    summarized(quiet_option, "print nothing; the exit status is the answer"),
};

bool is_number(std::string_view word) {
    try {
        parse_real(word, "");
        return true;
    } catch (const UsageError&) {
        return false;
    }
}

/// Inserts the value 1 after a --position-tolerance that no number follows.
std::vector<std::string_view> with_implied_values(Words arguments) {
    std::vector<std::string_view> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        result.push_back(arguments[i]);
        const bool is_followed = i + 1 < arguments.size() && is_number(arguments[i + 1]);
        if (hyphenated(arguments[i]) == "--position-tolerance" && !is_followed) {
            result.push_back("1");
        }
    }
    return result;
}

/// Refuses an encoding or preset in the place of a file: its "--" was forgotten.
void refuse_bare_names(Words arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool is_value = i > 0 && arguments[i - 1].starts_with('-');
        if (is_value || !names_encoding(arguments[i])) continue;
        throw UsageError(fmt::format(
            "diff: there is no file '{0}'; put an encoding last, after --: pe-gen diff FILE -- {0}",
            arguments[i]));
    }
}

}  // namespace

std::vector<OptionGroup> diff_options() {
    std::vector<OptionGroup> groups{{"Options", {}}, {"Figure options, with --png", {}, false}};
    for (const ParameterSpec& spec : options) groups[0].specs.push_back(&spec);
    for (const ParameterSpec& spec : figure_parameters()) {
        const bool is_idle = has_word(formats::png.idle_parameters, spec.name);
        if (!is_idle) groups[1].specs.push_back(&spec);
    }
    return groups;
}

DiffSettings parse_diff_settings(Words arguments) {
    refuse_bare_names(arguments);
    const Arguments given =
        parse_arguments(with_implied_values(arguments), options_in(diff_options()), "diff");
    DiffSettings settings{set_options(options, given.options),
                          set_options(figure_parameters(), given.options), given.positionals};
    for (const GivenOption& option : given.options) {
        if (!is_among(options, option.spec) && !settings.own.has("png")) {
            throw UsageError(fmt::format("--{}: has no effect without --png", option.spec->name));
        }
    }
    if (settings.own.has("png")) check_extension(formats::png, settings.own.word("png"));
    if (settings.own.has("png") && same_file(settings.own.word("png"), "-")) {
        throw UsageError(fmt::format("--png {}: standard output has the report; name a file",
                                     settings.own.word("png")));
    }
    return settings;
}

}  // namespace pegen::cli
