#include "cli/completion/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/request.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "files/archive.h"
#include "files/array_file.h"

namespace pegen::cli {
namespace {

using Words = std::span<const std::string_view>;

bool is_option(std::string_view word) { return word.starts_with('-') && word != "-"; }

/// The command or subject whose arguments are completed.
struct Callee {
    std::vector<const ParameterSpec*> options;
    Operands operands{.most = 0};
    const Encoding* encoding = nullptr;  ///< encoding whose tables --table names
};

/// Returns the subject that find_subject() finds; nothing if there is no such name.
std::optional<Subject> found_subject(std::string_view name) {
    try {
        return find_subject(name);
    } catch (const UsageError&) {
        return {};
    }
}

Callee callee_of(const Subject& subject) {
    const bool has_file = !subject.encoding->file_parameter.empty();
    return {options_of(subject), {.most = has_file ? 1 : 0, .are_files = true}, subject.encoding};
}

/// Adds the parameters of the first encoding or preset among the words.
void add_parameters(Callee& callee, Words words) {
    for (const std::string_view word : words) {
        const std::optional<Subject> subject = found_subject(word);
        if (!subject) continue;
        callee.encoding = subject->encoding;
        for (const ParameterSpec& spec : subject->encoding->parameters) {
            callee.options.push_back(&spec);
        }
        return;
    }
}

/// Returns the usage of a part of a command; the usage of the command if there is no such part.
Usage usage_of(const Command& command, Words part) {
    try {
        return command.usage(part, HelpLength::full);
    } catch (const UsageError&) {
        return command.usage({}, HelpLength::full);
    }
}

Callee callee_of(const Command& command, Words arguments) {
    const bool has_part = !arguments.empty() && !is_option(arguments.front());
    // The commands plot, concat and attention shaw are also subjects.
    const std::string_view part = has_part ? arguments.front() : "";
    for (const std::string& name :
         {fmt::format("{} {}", command.name, part), std::string(command.name)}) {
        if (const auto subject = found_subject(name)) return callee_of(*subject);
    }
    Usage usage = usage_of(command, arguments.first(has_part ? 1 : 0));
    Callee callee{options_in(usage.options), std::move(usage.operands)};
    if (callee.operands.bring_parameters) add_parameters(callee, arguments);
    return callee;
}

Callee callee_of(Words part, bool is_behind_dashes) {
    const Command* const command = is_behind_dashes ? nullptr : find_command(part.front());
    if (command) return callee_of(*command, part.subspan(1));
    return callee_of(found_subject(part.front()).value_or(Subject{&array_of_file(), nullptr}));
}

/// Returns the option in a word such as --dtype or --dtype=float32; nullptr if there is none.
const ParameterSpec* option_typed(const Callee& callee, std::string_view word) {
    if (!is_option(word)) return nullptr;
    const std::string name = hyphenated(word.substr(0, word.find('=')));
    for (const ParameterSpec* spec : callee.options) {
        if (std::ranges::count(option_names(*spec), name) > 0) return spec;
    }
    return nullptr;
}

/// The words before the word that is completed.
struct Typed {
    std::vector<const ParameterSpec*> options;
    int operands = 0;
    const ParameterSpec* waiting = nullptr;  ///< the option whose value comes next
};

Typed typed_before(const Callee& callee, Words words) {
    Typed typed;
    for (const std::string_view word : words) {
        if (std::exchange(typed.waiting, nullptr)) continue;
        const ParameterSpec* const option = option_typed(callee, word);
        if (option) typed.options.push_back(option);
        if (!is_option(word)) ++typed.operands;
        const bool has_value = word.find('=') != word.npos;
        if (option && !has_value && option->type != ParameterType::flag) typed.waiting = option;
    }
    return typed;
}

/// Adds completions for the last name in a list of tables, --table a,b: the tables that the list
/// does not name yet.
void add_tables(Candidates& all, const Encoding& encoding, std::string_view prefix,
                std::string_view beginning) {
    const std::size_t last = beginning.rfind(',') + 1;  // 0 if there is no comma
    const std::vector<std::string_view> named = fields(beginning.substr(0, last), ',');
    const auto add = [&](std::string_view name, std::string_view summary) {
        if (!name.starts_with(beginning.substr(last)) || std::ranges::count(named, name) > 0)
            return;
        all.words.push_back(
            {fmt::format("{}{}{}", prefix, beginning.substr(0, last), name), summary});
    };
    for (const TableSpec& table : encoding.tables) add(table.name, table.summary);
    if (last == 0 && encoding.tables.size() > 1) add("all", "all tables");
}

/// Returns the path that a shell makes of a word which begins with "~/".
std::string without_tilde(std::string_view word) {
    const char* const home = word.starts_with("~/") ? std::getenv("HOME") : nullptr;
    return home ? fmt::format("{}{}", home, word.substr(1)) : std::string(word);
}

/// Adds the arrays of the file in FILE:NAME: by their whole names, or, if no name begins so, by
/// the ends that open_array() takes. Adds nothing if there is no such file, or it cannot be read.
void add_arrays(Candidates& all, std::string_view prefix, std::string_view beginning) {
    const ArrayPath path = array_path(without_tilde(beginning));
    if (!path.name || path.file == "-") return;
    const std::string_view typed = beginning.substr(0, beginning.size() - path.name->size());
    // A space or a line's end would end a word of the answer.
    const auto breaks = [](std::string_view text) {
        return text.find_first_of(" \n") != text.npos;
    };
    if (breaks(typed)) return;
    std::vector<std::string> ends;
    try {
        for (const ArchiveMember& member : open_archive(path.file, Pipes::refused).members) {
            const std::string_view name = member.name;
            if (breaks(name)) continue;
            if (name.starts_with(*path.name)) {
                all.words.push_back({fmt::format("{}{}{}", prefix, typed, name), ""});
            }
            for (auto dot = name.find_first_of("./"); dot != name.npos;
                 dot = name.find_first_of("./", dot + 1)) {
                if (name.substr(dot + 1).starts_with(*path.name)) {
                    ends.emplace_back(name.substr(dot + 1));
                }
            }
        }
    } catch (const std::exception&) {
        return;  // a shell can show no message while one types
    }
    if (!all.words.empty()) return;
    for (const std::string& end : ends) {
        if (std::ranges::count(ends, end) > 1) continue;
        all.words.push_back({fmt::format("{}{}{}", prefix, typed, end), ""});
    }
}

/// Adds the files that may be typed, or the arrays in the one that is.
void add_files(Candidates& all, std::string_view prefix, std::string_view beginning) {
    const std::size_t before = all.words.size();
    add_arrays(all, prefix, beginning);
    all.are_files = all.words.size() == before;
    all.before_file = prefix;
}

/// Adds the values of an option. `prefix` is put before each value: "" or "--dtype=".
void add_values(Candidates& all, const Callee& callee, const ParameterSpec& option,
                std::string_view prefix, std::string_view beginning) {
    if (option.type == ParameterType::path) {
        add_files(all, prefix, beginning);
        return;
    }
    const auto add = [&](std::string_view word, std::string_view summary) {
        if (word.starts_with(beginning)) {
            all.words.push_back({fmt::format("{}{}", prefix, word), summary});
        }
    };
    if (option.type == ParameterType::flag) {
        for (const char* word : {"true", "false"}) add(word, "");
    }
    for (const std::string_view word : words(option.choices)) add(word, "");
    if (option.name == "table" && callee.encoding) {
        add_tables(all, *callee.encoding, prefix, beginning);
    }
}

/// Adds the options that may still be given, by their names. If no name begins with `beginning`,
/// adds options by their aliases.
void add_options(Candidates& all, const Callee& callee, const Typed& typed,
                 std::string_view beginning) {
    const auto may_be_given = [&](const ParameterSpec* spec) {
        const bool may_be_again = is_among(output_options(), spec) || !spec->joined_by.empty();
        return may_be_again || std::ranges::count(typed.options, spec) == 0;
    };
    for (const ParameterSpec* spec : callee.options) {
        const std::string name = option_names(*spec).front();
        if (may_be_given(spec) && name.starts_with(beginning)) {
            all.words.push_back({name, spec->summary});
        }
    }
    if (std::string_view("--help").starts_with(beginning)) {
        all.words.push_back({"--help", "show the help"});
    }
    if (!all.words.empty()) return;
    for (const ParameterSpec* spec : callee.options) {
        for (const std::string& name : option_names(*spec)) {
            if (!may_be_given(spec) || !name.starts_with(beginning)) continue;
            all.words.push_back({name, spec->summary});
            break;
        }
    }
}

void add_names(Candidates& all, std::string_view beginning) {
    const auto add = [&](std::string_view name, std::string_view summary) {
        if (name.starts_with(beginning)) all.words.push_back({std::string(name), summary});
    };
    for (const Encoding* encoding : all_encodings()) add(encoding->name, encoding->summary);
    for (const Preset& preset : all_presets()) add(preset.name, preset.summary);
}

void add_operands(Candidates& all, const Operands& operands, std::string_view beginning) {
    for (const NamedWord& word : operands.words) {
        if (word.name.starts_with(beginning)) {
            all.words.push_back({std::string(word.name), word.summary});
        }
    }
    if (operands.are_names) add_names(all, beginning);
    if (operands.are_files) add_files(all, "", beginning);
}

/// Returns the completions of the first word of a command line.
Candidates first_words(std::string_view beginning) {
    Operands operands{.are_names = true, .words = command_words()};
    if (is_option(beginning) || beginning == "-") {
        operands = {.words = {{"--help", "show the help"}, {"--version", "print the version"}}};
    }
    Candidates all;
    add_operands(all, operands, beginning);
    return all;
}

}  // namespace

Candidates completed_words(Words typed) {
    const std::string_view beginning = typed.back();
    const Words before = typed.first(typed.size() - 1);
    const auto dashes = std::ranges::find(before.rbegin(), before.rend(), "--");
    const bool is_behind_dashes = dashes != before.rend();
    const Words part = before.last(static_cast<std::size_t>(dashes - before.rbegin()));
    Candidates all;
    if (part.empty()) {
        if (!is_behind_dashes) return first_words(beginning);
        add_operands(all, {.are_names = true, .are_files = true}, beginning);
        return all;
    }
    const Callee callee = callee_of(part, is_behind_dashes);
    const Typed earlier = typed_before(callee, part.subspan(1));
    const std::size_t equals = beginning.find('=');
    const bool is_value_behind = is_option(beginning) && equals != beginning.npos;
    if (earlier.waiting) {
        add_values(all, callee, *earlier.waiting, "", beginning);
    } else if (is_value_behind) {
        const ParameterSpec* const option = option_typed(callee, beginning);
        if (!option) return all;
        add_values(all, callee, *option, beginning.substr(0, equals + 1),
                   beginning.substr(equals + 1));
    } else if (earlier.operands < callee.operands.most && !beginning.starts_with('-')) {
        add_operands(all, callee.operands, beginning);
    } else {
        add_options(all, callee, earlier, beginning);
    }
    return all;
}

}  // namespace pegen::cli
