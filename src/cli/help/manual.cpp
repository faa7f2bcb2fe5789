#include "cli/help/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/print.h"
#include "cli/request.h"
#include "cli/subject.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::cli {
namespace {

constexpr std::string_view program = "pe-gen";

/// Returns a text in which roff interprets no character: special characters are escaped, also a dot
/// or an apostrophe at the beginning of a line.
std::string roff(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const bool is_at_start = result.empty() || result.back() == '\n';
        if (is_at_start && (c == '.' || c == '\'')) result += "\\&";
        switch (c) {
            case '\\':
                result += "\\e";
                break;
            case '-':
                result += "\\-";
                break;
            case '^':
                result += "\\(ha";
                break;
            case '~':
                result += "\\(ti";
                break;
            case '`':
                result += "\\(ga";
                break;
            case '\'':
                result += "\\(aq";
                break;
            default:
                result += c;
        }
    }
    return result;
}

/// The maximum length of a line before its characters are escaped. With escapes, lines should stay
/// within the 80 bytes that mandoc -Tlint allows.
constexpr std::size_t widest = 60;

/// Returns a paragraph: each sentence begins on a new line, and lines are wrapped at spaces.
std::string prose(std::string_view text) {
    std::string lines;
    std::size_t width = 0;
    for (const std::string_view word : words(text)) {
        const bool is_behind_sentence = lines.ends_with('.') && !lines.ends_with("..");
        const bool is_first = lines.empty();
        if (!is_first && (is_behind_sentence || width + word.size() > widest)) {
            lines += '\n';
            width = 0;
        } else if (!is_first) {
            lines += ' ';
        }
        lines += word;
        width += word.size() + 1;
    }
    return roff(lines) + "\n";
}

std::string capitals(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::toupper(c));
    return result;
}

std::string section(std::string_view title) {
    return fmt::format(".SH \"{}\"\n", roff(capitals(title)));
}

/// Returns lines without filling, as in the text. A long line is continued after a backslash.
std::string block(std::string_view text) {
    std::string lines;
    for (std::string_view line : words(text, '\n')) {
        for (; line.size() > widest; line.remove_prefix(widest)) {
            lines += roff(line.substr(0, widest)) + "\\\n";
        }
        lines += roff(line) + "\n";
    }
    return fmt::format(".RS 4\n.nf\n{}.fi\n.RE\n", lines);
}

std::string entry_of(std::string_view name, std::string_view text) {
    return fmt::format(".TP\n\\fB{}\\fR\n{}", roff(name), text.empty() ? "\n" : prose(text));
}

std::string option_entry(const ParameterSpec& spec, std::string_view initial) {
    const std::string_view letter = letter_of(spec);
    std::string head = letter.empty() ? "" : fmt::format("\\fB\\-{}\\fR, ", letter);
    head += fmt::format("\\fB{}\\fR", roff(fmt::format("--{}", spec.name)));
    if (!placeholder(spec).empty()) head += fmt::format("\\fI{}\\fR", roff(placeholder(spec)));
    const std::string aliases = long_aliases(spec);
    const std::string also = aliases.empty() ? "" : fmt::format(" (also {})", aliases);
    return fmt::format(".TP\n{}\n{}", head, prose(explanation(spec, initial) + also));
}

std::string option_sections(const std::vector<OptionGroup>& groups) {
    std::string text;
    for (const OptionGroup& group : groups) {
        if (group.specs.empty()) continue;
        text += section(group.title);
        for (const ParameterSpec* spec : group.specs) {
            text += option_entry(*spec, spec->default_value);
        }
    }
    return text;
}

std::string examples_of_page(const std::vector<std::string>& examples) {
    std::string text = section("Examples");
    std::string lines;
    for (const std::string& example : examples) lines += fmt::format("pe-gen {}\n", example);
    return text + block(lines);
}

std::string head(std::string_view page, std::string_view summary, std::string_view synopsis) {
    return fmt::format(
        ".TH \"{}\" 1 \"{}\" \"pe\\-gen {}\" \"pe\\-gen manual\"\n.nh\n.SH NAME\n{} \\-\n{}"
        ".SH SYNOPSIS\n\\fBpe\\-gen\\fR {}\n",
        roff(capitals(page)), PEGEN_DATE, PEGEN_VERSION, roff(page), prose(summary),
        roff(synopsis));
}

std::string see_also(std::string_view page) {
    return section("See also") + (page == program ? "\\fBpe\\-gen\\-sinusoid\\fR(1), "
                                                    "\\fBpe\\-gen\\-help\\fR(1)\n"
                                                  : "\\fBpe\\-gen\\fR(1)\n");
}

std::string page_name(std::string_view name) {
    std::string page = fmt::format("{}-{}", program, name);
    std::ranges::replace(page, ' ', '-');
    return page;
}

std::string subject_page(const Subject& subject) {
    const Encoding& encoding = *subject.encoding;
    const std::string page = page_name(encoding.name);
    const Usage usage = subject_usage(subject, HelpLength::full);
    std::string text = head(page, usage.summary, usage.name + " " + usage.arguments);
    constexpr std::size_t width_of_page = 80 - 2 * 7;  // man indents on both sides
    text += section("Formula") + block(formula(encoding.formula, 0, width_of_page));
    text += section("Parameters");
    const Parameters defaults = subject.defaults();
    for (const Parameters::Entry& parameter : defaults.entries()) {
        text += option_entry(*parameter.spec, initial_value(parameter));
    }
    text += section("Tables");
    for (const TableSpec& table : encoding.tables) text += entry_of(table.name, table.summary);
    if (!encoding.presets.empty()) {
        text += section("Presets");
        for (const PresetSpec& preset : encoding.presets) {
            text += entry_of(preset.name, fmt::format("{}: {} {}", preset.summary, encoding.name,
                                                      preset.settings));
        }
    }
    return text + option_sections(usage.options) + examples_of_page(usage.examples) +
           section("Source") + prose(encoding.source) + see_also(page);
}

/// Returns the page of a preset: what it is, not the parameters, which its encoding's page has.
std::string preset_page(const Preset& preset) {
    const Usage usage = subject_usage({preset.encoding, &preset}, HelpLength::full);
    const std::string page = page_name(preset.name);
    std::string text = head(page, usage.summary, usage.name + " " + usage.arguments) +
                       section("Description") + prose(equivalence(preset));
    if (!preset.note.empty()) text += ".PP\n" + prose(preset.note);
    if (!preset.aliases.empty()) {
        text += section("Other names") + prose(joined(words(preset.aliases), ", "));
    }
    return text + examples_of_page(usage.examples) + section("Source") + prose(preset.source) +
           section("See also") +
           fmt::format("\\fB{}\\fR(1), for all parameters and options\n",
                       roff(page_name(preset.encoding->name)));
}

std::string command_page(const Command& command) {
    const Usage usage = command.usage({}, HelpLength::full);
    const std::string page = page_name(command.name);
    std::string text = head(page, usage.summary, usage.name + " " + usage.arguments);
    if (!usage.remark.empty()) text += section("Description") + prose(usage.remark);
    const Operands& operands = usage.operands;
    if (!operands.words.empty()) {
        text += section(operands.title.empty() ? "Operands" : operands.title);
        for (const NamedWord& word : operands.words) text += entry_of(word.name, word.summary);
    }
    for (const Glossary& glossary : usage.glossaries) {
        text += section(glossary.title);
        for (const auto& [name, meaning] : glossary.entries) text += entry_of(name, meaning);
    }
    return text + option_sections(usage.options) + examples_of_page(usage.examples) +
           see_also(page);
}

std::string program_page() {
    std::string text = head(program, "generate and plot position encodings of Transformers",
                            "NAME [parameters] [-o FILE] [options]");
    text += section("Description") +
            prose(
                "NAME is an encoding or a preset. FILE.npy is the table, FILE.png a figure of it; "
                "without -o the table is printed. Each encoding, preset and command has a page of "
                "its own, such as pe-gen-sinusoid, pe-gen-whisper and pe-gen-diff.");
    text += section("Commands");
    for (const Command& command : all_commands()) {
        text +=
            entry_of(fmt::format("pe-gen {} {}", command.name, command.arguments), command.summary);
    }
    text += section("Encodings");
    for (const Encoding* encoding : all_encodings()) {
        text += entry_of(encoding->name, encoding->summary);
    }
    text += section("Presets");
    for (const Preset& preset : all_presets()) text += entry_of(preset.name, preset.summary);
    return text + see_also(program);
}

/// A page and its source: a subject, a command, or the program if all pointers are null.
struct Page {
    std::string name;
    const Encoding* encoding = nullptr;
    const Command* command = nullptr;
    const Preset* preset = nullptr;

    std::string text() const {
        if (preset) return preset_page(*preset);
        if (encoding) return subject_page({encoding, nullptr});
        return command ? command_page(*command) : program_page();
    }
};

std::vector<Page> all_pages() {
    std::vector<Page> pages{{std::string(program)}};
    for (const Encoding* encoding : all_encodings()) {
        pages.push_back({page_name(encoding->name), encoding});
    }
    for (const Encoding* mechanism : all_mechanisms()) {
        pages.push_back({page_name(mechanism->name), mechanism});
    }
    for (const Encoding* encoding : {&array_of_file(), &concatenation()}) {
        pages.push_back({page_name(encoding->name), encoding});
    }
    for (const Preset& preset : all_presets()) {
        pages.push_back({page_name(preset.name), nullptr, nullptr, &preset});
    }
    for (const Command& command : all_commands()) {
        const std::string name = page_name(command.name);
        const bool is_there = std::ranges::count(pages, name, &Page::name) > 0;
        if (!is_there) pages.push_back({name, nullptr, &command});
    }
    return pages;
}

}  // namespace

std::vector<std::string> manual_pages() {
    std::vector<std::string> names;
    for (const Page& page : all_pages()) names.push_back(page.name);
    return names;
}

std::string manual_page(std::string_view name) {
    std::string wanted = hyphenated(name);
    if (const Preset* const preset = find_preset(wanted)) wanted = preset->name;
    std::vector<std::string_view> known;
    const std::vector<Page> pages = all_pages();
    for (const Page& page : pages) {
        if (page.name == wanted || page.name == page_name(wanted)) return page.text();
        if (page.name != program) {
            known.push_back(std::string_view(page.name).substr(program.size() + 1));
        }
    }
    throw UsageError(
        fmt::format("manual {}: there is no such page{}", name, did_you_mean(wanted, known)));
}

Usage manual_usage(std::span<const std::string_view>, HelpLength) {
    return command_usage("manual", {"manual sinusoid", "manual sinusoid | man -l -"}, {},
                         {.are_names = true, .words = command_words()});
}

ExitStatus run_manual(std::span<const std::string_view> arguments) {
    if (arguments.size() > 1) throw UsageError("manual: takes one name, as in pe-gen manual rope");
    if (arguments.empty()) return print(program_page());
    if (arguments.front() == "pages") {
        return print(fmt::format("{}\n", joined(manual_pages(), "\n")));
    }
    return print(manual_page(arguments.front()));
}

}  // namespace pegen::cli
