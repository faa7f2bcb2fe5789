#include "cli/table_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/mistakes.h"
#include "cli/options.h"
#include "cli/request.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/combined/table_parts.h"
#include "encodings/corruption.h"
#include "encodings/encoding.h"
#include "encodings/registry.h"

namespace pegen::cli {
namespace {

bool is_printed(const RequestedTable& table) {
    return table.targets.size() == 1 && table.targets.front().path == "-" &&
           table.targets.front().format->name == "text";
}

}  // namespace

std::vector<Words> parts_of(Words arguments) {
    std::vector<Words> parts;
    for (;;) {
        const auto end = std::ranges::find(arguments, "--");
        const auto count = static_cast<std::size_t>(end - arguments.begin());
        parts.push_back(arguments.first(count));
        if (end == arguments.end()) return parts;
        arguments = arguments.subspan(count + 1);
    }
}

Request parse_behind_dashes(Words words, std::string_view command, std::string_view example) {
    if (words.empty() || words.front().starts_with('-')) {
        throw UsageError(
            fmt::format("{}: a name must follow '--', as in pe-gen {}", command, example));
    }
    const NamedArguments named = named_arguments(words);
    Request request = parse_request(named.subject, named.rest);
    if (is_corruption(request.corruption)) {
        throw UsageError(
            fmt::format("{}: a table after '--' is as its code makes it; write one with "
                        "noise or other flaws to a file first",
                        command));
    }
    if (request.tables.size() > 1 && all_targets(request).empty()) {
        throw UsageError(
            fmt::format("{}: {}: --table must name one table", command, request.subject.name()));
    }
    const bool only_table = request.run.action == Action::generate && !request.run.threads &&
                            request.run.placing == Placing{} && is_printed(request.tables.front());
    if (!only_table) {
        throw UsageError(fmt::format(
            "{}: only what makes a table may stand after '--'; move all else before it", command));
    }
    return request;
}

namespace {

constexpr std::string_view example = "concat -- sinusoid --d 8 -- binary --bits 8";

/// Returns the words of a part as an item of --parts: without aliases. A file becomes the array
/// that `pe-gen plot` reads.
std::string part_text(Words behind) {
    std::vector<std::string_view> all(behind.begin(), behind.end());
    if (!all.empty() && names_file(all.front())) all.insert(all.begin(), array_of_file().name);
    const Request request = parse_behind_dashes(all, "concat", example);
    if (request.is_dtype_given) {
        throw UsageError(
            fmt::format("concat: {}: --dtype is that of the whole table; move it "
                        "before the first --",
                        request.subject.name()));
    }
    std::string text(request.subject.name());
    const TableSpec& table = *request.tables.front().spec;
    if (&table != request.subject.encoding->tables.data()) {
        text += fmt::format(" --table={}", table.name);
    }
    for (const Parameters::Entry& entry : request.parameters.entries()) {
        if (entry.origin != Origin::user) continue;
        const std::string option = fmt::format("--{}={}", entry.spec->name, to_string(entry));
        text += " " + encodings::word_of_part(option);
    }
    return text;
}

/// Returns the arguments of concat, in which the option --parts has what is behind each --.
Arguments concat_arguments(Words words) {
    const Subject subject{&concatenation(), nullptr};
    const std::vector<Words> parts = parts_of(words);
    Arguments given = parse_arguments(parts.front(), options_of(subject), subject.name());
    const auto option = find_option(options_of(subject), encodings::parts_parameter.name);
    if (parts.size() > 1 && given.has(*option)) {
        throw UsageError("concat --parts: the tables stand behind -- already; leave --parts out");
    }
    std::string text;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (i > 1) text += "; ";
        text += part_text(parts[i]);
    }
    if (parts.size() > 1) given.options.push_back({option, text});
    return given;
}

}  // namespace

TableCommand table_command(Words words) {
    const auto [subject, rest] = named_arguments(words);
    const bool is_concat = subject.encoding == &concatenation();
    TableCommand command{subject, is_concat
                                      ? concat_arguments(rest)
                                      : parse_arguments(rest, options_of(subject), subject.name())};
    name_file(command.given, *subject.encoding);
    if (is_concat && !command.given.positionals.empty()) {
        throw UsageError(fmt::format(
            "unexpected argument '{0}'; tables stand behind --, as in pe-gen "
            "concat -- {1}",
            command.given.positionals.front(), joined(command.given.positionals, " -- ")));
    }
    if (!command.given.positionals.empty()) {
        throw UsageError(unexpected_arguments(command.given.positionals, subject));
    }
    return command;
}

Table other_table(std::string_view text, std::string_view name) {
    const std::vector<std::string_view> all = words(text);
    if (all.empty()) throw UsageError("--with: needs the name of an encoding or a preset");
    const Subject subject = typed_subject(all.front());
    const Arguments given =
        parse_arguments(std::span(all).subspan(1), options_of(subject), subject.name());
    const Parameters parameters = with_options(subject.defaults(), given.options);
    for (const GivenOption& option : given.options) {
        const bool is_own = is_among(subject.encoding->parameters, option.spec);
        if (is_own && option.spec->type != ParameterType::path) continue;
        throw UsageError(fmt::format(
            "--with '{}': --{} cannot be used here; use only parameters that name no files", text,
            option.spec->name));
    }
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("--with '{}': unexpected argument '{}'; separate encodings by ';'", text,
                        given.positionals.front()));
    }
    return make_table(*subject.encoding, existing_table(*subject.encoding, name), parameters,
                      DType::float64);
}

}  // namespace pegen::cli
