#include "cli/identify/report.h"

#include <fmt/format.h>

#include <array>

#include "core/names.h"
#include "core/utf8.h"
#include "formats/command.h"

namespace pegen::cli {
namespace {

using recognition::Agreement;
using recognition::Alternative;
using recognition::Candidate;
using recognition::Identification;
using recognition::Level;
using recognition::Verdict;

std::string notes_text(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes) text += report_line("note", note);
    return text;
}

std::string alternative_text(const Alternative& alternative) {
    const std::vector<std::string>& presets = alternative.candidate.presets;
    std::string text = command_text(alternative.candidate.command);
    if (!presets.empty()) text += fmt::format(" ({})", preset_names(presets));
    if (!alternative.told_apart_by.empty()) {
        text += fmt::format("; {} would tell", alternative.told_apart_by);
    }
    return text;
}

Json words_json(const std::vector<std::string>& words) {
    Json json = Json::array();
    for (const std::string& word : words) json.push_back(word);
    return json;
}

Json alternative_json(const Alternative& alternative) {
    Json json{{"command", words_json(alternative.candidate.command)},
              {"presets", words_json(alternative.candidate.presets)},
              {"same", "at this size"}};
    if (!alternative.told_apart_by.empty()) json["told_apart_by"] = alternative.told_apart_by;
    return json;
}

}  // namespace

std::string preset_names(const std::vector<std::string>& presets) {
    constexpr std::size_t longest = 60, kept = 40;
    std::string text;
    for (const std::string& preset : presets) {
        const bool is_long = preset.size() > longest;
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ",
                            preset.substr(0, is_long ? kept : preset.size()), is_long ? "..." : "");
    }
    return text;
}

std::string command_text(const std::vector<std::string>& command) {
    std::vector<std::string> words;
    for (const std::string& word : command) words.push_back(shell_word(word));
    return joined(words, " ");
}

std::string report_line(std::string_view name, std::string_view text) {
    return fmt::format("{:<12}{}\n", name, one_line(text));
}

std::string agreement_text(const Agreement& agreement, DType format) {
    if (agreement.largest == 0) return "every value is the same";
    const std::string level = agreement.level == Level::rounding
                                  ? "within rounding"
                                  : fmt::format("as {} code makes it", info(format).name);
    return fmt::format("{}: largest difference {:.2g}, at ({})", level, agreement.largest,
                       joined(agreement.place, ", "));
}

std::string_view verdict_text(Verdict verdict, std::string_view ambiguous) {
    switch (verdict) {
        case Verdict::identified:
            return "identified";
        case Verdict::ambiguous:
            return ambiguous;
        case Verdict::not_identified:
            break;
    }
    return "not identified";
}

Json agreement_json(const Agreement& agreement) {
    constexpr std::array names{"rounding", "float32", "none"};
    return {{"level", names[static_cast<std::size_t>(agreement.level)]},
            {"largest_difference", agreement.largest},
            {"place", agreement.place},
            {"evidence_bits", static_cast<std::int64_t>(agreement.evidence)}};
}

std::string as_text(const Identification& answer) {
    std::string text = report_line(
        "verdict", verdict_text(answer.verdict, "identified up to what this size does not show"));
    if (answer.found) {
        const Candidate& found = *answer.found;
        text += report_line("command", command_text(found.command));
        if (!answer.resized.empty()) text += report_line("resized", answer.resized);
        text += report_line("agreement", agreement_text(found.agreement));
        if (!found.presets.empty()) text += report_line("also called", preset_names(found.presets));
        for (const Alternative& alternative : answer.alternatives) {
            text += report_line("or", alternative_text(alternative));
        }
        text += notes_text(found.notes);
    } else if (answer.nearest) {
        text += report_line("nearest", command_text(answer.nearest->command));
        text += report_line("departure", answer.departure);
        text += notes_text(answer.nearest->notes);
    }
    text += notes_text(answer.notes);
    return text;
}

Json as_json(const Identification& answer, const Table& table, std::string_view file) {
    Json json{{"file", file},
              {"shape", table.shape.extents()},
              {"dtype", info(table.dtype).name},
              {"verdict", answer.verdict == Verdict::identified  ? "identified"
                          : answer.verdict == Verdict::ambiguous ? "ambiguous"
                                                                 : "not identified"},
              {"command", nullptr},
              {"encoding", nullptr},
              {"resized", nullptr},
              {"agreement", agreement_json({})},
              {"presets", Json::array()},
              {"alternatives", Json::array()},
              {"nearest", nullptr},
              {"notes", Json::array()}};
    if (answer.found) {
        const Candidate& found = *answer.found;
        json["command"] = words_json(found.command);
        json["encoding"] = found.encoding->name;
        if (!answer.resized.empty()) json["resized"] = answer.resized;
        json["agreement"] = agreement_json(found.agreement);
        json["presets"] = words_json(found.presets);
        for (const Alternative& alternative : answer.alternatives) {
            json["alternatives"].push_back(alternative_json(alternative));
        }
        json["notes"] = words_json(found.notes);
    }
    if (answer.nearest) {
        json["nearest"] = {{"command", words_json(answer.nearest->command)},
                           {"encoding", answer.nearest->encoding->name},
                           {"departure", answer.departure}};
    }
    for (const std::string& note : answer.notes) json["notes"].push_back(note);
    return json;
}

}  // namespace pegen::cli
