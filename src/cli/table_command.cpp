#include "cli/table_command.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/mistakes.h"
#include "cli/request.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/combined/table_parts.h"
#include "encodings/registry.h"

namespace pegen::cli {
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

}  // namespace pegen::cli
