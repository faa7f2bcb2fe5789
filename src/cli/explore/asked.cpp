#include "cli/explore/asked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "cli/arguments.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "figure/figure.h"
#include "formats/pdf.h"

namespace pegen::cli {
namespace {

/// Keys of a query besides options and the place.
constexpr std::array other_keys{"beside", "at", "named", "array"};

/// What a page says of the place that its figure has.
constexpr std::array place_parameters{
    ParameterSpec{
        .name = "within", .type = ParameterType::size, .range = {.lowest = 64, .highest = 4096}},
    ParameterSpec{.name = "density", .range = {.lowest = 0.1, .highest = 10}},
    ParameterSpec{.name = "dark", .type = ParameterType::flag},
};

std::vector<std::int64_t> indices(std::string_view text) {
    std::vector<std::int64_t> all;
    for (const std::string_view part : fields(text, ',')) {
        std::int64_t index = 0;
        const auto [end, error] = std::from_chars(part.begin(), part.end(), index);
        if (error != std::errc() || end != part.end()) {
            throw UsageError(
                fmt::format("--at {}: must be an index for each axis, as in 7,3", text));
        }
        all.push_back(index);
    }
    return all;
}

/// Throws: UsageError for an option that a page may not set.
void check_options(const Subject& subject, const std::vector<GivenOption>& options) {
    const std::vector<const ParameterSpec*> allowed = options_of_pages(subject);
    for (const GivenOption& option : options) {
        const bool is_several = option.text == "all" || option.text.find(',') != option.text.npos;
        if (option.spec->name == "table" && is_several) {
            throw UsageError(fmt::format("--table {}: a page shows one table", option.text));
        }
        if (std::ranges::count(allowed, option.spec) > 0) continue;
        const bool names_file = option.spec->type == ParameterType::path;
        throw UsageError(
            fmt::format("--{}: {}", option.spec->name,
                        names_file ? "names a file, which a page does not" : "is not for a page"));
    }
}

bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~").find(c) != std::string_view::npos;
}

}  // namespace

Subject subject_of_pages(std::string_view name) {
    const Subject subject = find_subject(name);
    const bool is_listed = std::ranges::count(all_encodings(), subject.encoding) > 0;
    if (!is_listed) {
        throw UsageError(fmt::format("{}: is made of files, which a page does not name", name));
    }
    return subject;
}

bool is_for_pages(std::string_view option) {
    return !has_word(formats::pdf.idle_parameters, option);
}

std::vector<const ParameterSpec*> options_of_pages(const Subject& subject) {
    std::vector<const ParameterSpec*> options;
    for (const auto& specs : {subject.encoding->parameters, table_options(), figure_parameters()}) {
        for (const ParameterSpec& spec : specs) {
            if (spec.type == ParameterType::path || !is_for_pages(spec.name)) continue;
            options.push_back(&spec);
        }
    }
    return options;
}

Asked asked_for(const Subject& subject, Arguments given) {
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("unexpected argument '{}'; options begin with --",
                                     given.positionals.front()));
    }
    check_options(subject, given.options);
    // Options of a figure have an effect only if a figure is written.
    given.options.push_back({find_option(output_options(), "png"), "figure.png"});
    Request request = make_request(subject, given.options);
    const auto is_idle = [&](const GivenOption& option) { return !has_effect(request, option); };
    if (std::erase_if(given.options, is_idle) > 0) request = make_request(subject, given.options);
    return {std::move(request), ""};
}

Asked asked_for(std::string_view name, std::span<const http::Field> query) {
    const Subject subject = subject_of_pages(name);
    Parameters place{place_parameters};
    std::vector<std::string> settings;
    for (const auto& [key, value] : query) {
        if (place.knows(key)) {
            place.set(key, value, Origin::user);
        } else if (std::ranges::count(other_keys, key) == 0) {
            settings.push_back(fmt::format("--{}={}", key, value));
        }
    }
    const std::vector<std::string_view> arguments(settings.begin(), settings.end());
    Asked asked =
        asked_for(subject, parse_arguments(arguments, options_of(subject), subject.name()));
    for (const auto& [key, value] : query) {
        if (key == "beside") asked.beside = value;
        if (key == "at") asked.at = indices(value);
    }
    if (place.has("within")) asked.within = place.reals("within");
    if (place.has("density")) asked.density = place.real("density");
    asked.is_dark = place.flag("dark");
    return asked;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += is_unreserved(c) ? std::string(1, c)
                                   : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return result;
}

std::string query_of(const std::vector<GivenOption>& options) {
    std::string query;
    for (const GivenOption& option : options) {
        query += fmt::format("{}{}={}", query.empty() ? "" : "&", option.spec->name,
                             escaped(option.text));
    }
    return query;
}

}  // namespace pegen::cli
