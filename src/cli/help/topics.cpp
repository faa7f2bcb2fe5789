#include "cli/help/topics.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/help/help.h"
#include "cli/print.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "formats/registry.h"

namespace pegen::cli {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view help_for_all = "--help=all";

bool asks_for_help(std::string_view word) {
    return word == "--help" || word == "-h" || word == help_for_all;
}

bool is_option(std::string_view word) { return word.starts_with('-'); }

/// Returns the words up to the first option.
Words words_in_front(Words words) {
    return words.first(
        static_cast<std::size_t>(std::ranges::find_if(words, is_option) - words.begin()));
}

/// Returns the words that name the topic: the name of an encoding, or a command and its part,
/// "apply rope". All other words are arguments.
Words name_in_front(Words words) {
    words = words_in_front(words);
    const bool is_command = !words.empty() && find_command(words.front());
    return words.first(std::min<std::size_t>(words.size(), is_command ? 2 : 1));
}

HelpQuestion question_of(Words in_front, Words behind) {
    HelpQuestion question{{in_front.begin(), in_front.end()}};
    question.topic.insert(question.topic.end(), behind.begin(), behind.end());
    if (!behind.empty() && behind.back() == "all") {
        question.topic.pop_back();
        question.length = HelpLength::full;
    }
    return question;
}

std::string all_names(const auto& things) {
    std::vector<std::string_view> names;
    for (const auto& thing : things) names.push_back(thing.name);
    return paragraph(joined(names, ", "), 2);
}

std::string formats_section() {
    std::string text = "\nFormats\n";
    for (const Format* format : all_formats()) {
        text += entry(fmt::format("--{}{}", format->name, format->is_shown ? "" : " FILE"),
                      format->summary);
    }
    return text + entry("--emit LANGUAGE", "source code of a small table, for a test");
}

std::string program_help(HelpLength length) {
    std::string text = paragraph("pe-gen: generate and plot position encodings of Transformers", 0);
    text += examples_section(
        {"sinusoid --d 128 --len 400 -o out.png", "whisper --d 384 --len 1500 -o whisper.npy",
         "rope --d 64 --len 128 --show", "describe fairseq", "compare opennmt tensor2tensor"});
    text += "\nUsage\n" + paragraph("pe-gen NAME [parameters] [-o FILE] [options]", 2) +
            paragraph("pe-gen COMMAND ...", 2) +
            paragraph(
                "NAME is an encoding or a preset. FILE.npy is the table, FILE.png a figure "
                "of it; without -o the table is printed.",
                2);
    text += "\nCommands\n";
    for (const Command& command : all_commands()) text += entry(command.name, command.summary);
    text += "\nEncodings\n";
    for (const Encoding* encoding : all_encodings()) {
        text += entry(encoding->name, encoding->summary);
    }
    if (length == HelpLength::full) {
        text += "\n" +
                paragraph("Presets: encodings exactly as public code bases implement them", 0) +
                all_names(all_presets()) + formats_section();
    }
    const auto more = [](std::string_view command, std::string_view what) {
        constexpr std::size_t column = 27;
        return two_columns(fmt::format("  pe-gen {}", command), what, column);
    };
    text += "\nMore\n" + more("NAME --help", "parameters and outputs of NAME") +
            more("NAME --help all", "every option of NAME") +
            more("COMMAND --help", "how to use a command") +
            more("list presets", fmt::format("the {} presets: encodings exactly as public code "
                                             "bases implement them",
                                             all_presets().size()));
    if (length == HelpLength::brief) {
        text += more("--help all", "this help, with presets and formats");
    }
    return text + more("--version", "the version");
}

}  // namespace

std::optional<HelpQuestion> help_question(Words arguments) {
    const auto asking = std::ranges::find_if(arguments, asks_for_help);
    if (asking == arguments.end()) return {};
    const auto count = static_cast<std::size_t>(asking - arguments.begin());
    HelpQuestion question = question_of(name_in_front(arguments.first(count)),
                                        words_in_front(arguments.subspan(count + 1)));
    if (*asking == help_for_all) question.length = HelpLength::full;
    return question;
}

std::string help_on(const HelpQuestion& question) {
    if (question.topic.empty()) return program_help(question.length);
    if (const Command* command = find_command(question.topic.front())) {
        const Words part = std::span(question.topic).subspan(1);
        return usage_help(command->usage(part, question.length), question.length);
    }
    const NamedArguments named = named_arguments(question.topic);
    if (!named.rest.empty()) {
        throw UsageError(
            fmt::format("help: takes one name, as in pe-gen help {}", question.topic.front()));
    }
    return usage_help(subject_usage(named.subject, question.length), question.length);
}

Usage help_usage(Words, HelpLength) {
    return command_usage("help", {"help sinusoid", "help sinusoid all", "help apply rope"}, {},
                         {.most = 2, .are_names = true, .words = command_words()});
}

ExitStatus run_help(Words arguments) {
    const Words names = words_in_front(arguments);
    if (names.size() < arguments.size()) {
        throw UsageError(fmt::format("{}: help takes names only, as in pe-gen help sinusoid",
                                     arguments[names.size()]));
    }
    return print(help_on(question_of({}, names)));
}

}  // namespace pegen::cli
