#include "cli/identify/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/one_line.h"
#include "files/json_text.h"
#include "formats/shell_word.h"

namespace pegen::cli {
namespace {

using recognition::Agreement;
using recognition::Alternative;
using recognition::Candidate;
using recognition::Identification;
using recognition::Level;
using recognition::Verdict;
using Json = nlohmann::ordered_json;

std::string line(std::string_view name, const std::string& text) {
    return fmt::format("{:<12}{}\n", name, one_line(text));
}

std::string place_text(const std::vector<std::int64_t>& place) {
    return fmt::format("({})", fmt::join(place, ", "));
}

std::string agreement_text(const Agreement& agreement) {
    if (agreement.largest == 0) return "every value is the same";
    const std::string_view level =
        agreement.level == Level::rounding ? "within rounding" : "as float32 code makes it";
    return fmt::format("{}: largest difference {:.2g}, at {}", level, agreement.largest,
                       place_text(agreement.place));
}

std::string_view verdict_text(Verdict verdict) {
    switch (verdict) {
        case Verdict::identified:
            return "identified";
        case Verdict::ambiguous:
            return "identified up to what this size does not show";
        default:
            return "not identified";
    }
}

/// Returns the names of presets. Shortens a very long name, such as one with a list of positions,
/// which the command shows in full.
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

std::string notes_text(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes) text += line("note", note);
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

std::string_view level_name(Level level) {
    return level == Level::rounding ? "rounding" : level == Level::float32 ? "float32" : "none";
}

Json agreement_json(const Agreement& agreement) {
    return {{"level", level_name(agreement.level)},
            {"largest_difference", agreement.largest},
            {"place", agreement.place},
            {"evidence_bits", static_cast<std::int64_t>(agreement.evidence)}};
}

Json alternative_json(const Alternative& alternative) {
    Json json{{"command", words_json(alternative.candidate.command)},
              {"presets", words_json(alternative.candidate.presets)},
              {"same", "at this size"}};
    if (!alternative.told_apart_by.empty()) json["told_apart_by"] = alternative.told_apart_by;
    return json;
}

}  // namespace

std::string command_text(const std::vector<std::string>& command) {
    std::vector<std::string> words;
    for (const std::string& word : command) words.push_back(shell_word(word));
    return fmt::format("{}", fmt::join(words, " "));
}

std::string as_text(const Identification& answer) {
    std::string text = line("verdict", std::string(verdict_text(answer.verdict)));
    if (answer.found) {
        const Candidate& found = *answer.found;
        text += line("command", command_text(found.command));
        text += line("agreement", agreement_text(found.agreement));
        if (!found.presets.empty()) text += line("also called", preset_names(found.presets));
        for (const Alternative& alternative : answer.alternatives) {
            text += line("or", alternative_text(alternative));
        }
        text += notes_text(found.notes);
    } else if (answer.nearest) {
        text += line("nearest", command_text(answer.nearest->command));
        text += line("departure", answer.departure);
        text += notes_text(answer.nearest->notes);
    }
    text += notes_text(answer.notes);
    return text;
}

std::string as_json(const Identification& answer, const Table& table, std::string_view file) {
    Json json{{"schema", "pe-gen/identify/1"},
              {"file", file},
              {"shape", table.shape.extents()},
              {"dtype", info(table.dtype).name},
              {"verdict", answer.verdict == Verdict::identified  ? "identified"
                          : answer.verdict == Verdict::ambiguous ? "ambiguous"
                                                                 : "not identified"},
              {"command", nullptr},
              {"encoding", nullptr},
              {"agreement", agreement_json({})},
              {"presets", Json::array()},
              {"alternatives", Json::array()},
              {"nearest", nullptr},
              {"notes", Json::array()}};
    if (answer.found) {
        const Candidate& found = *answer.found;
        json["command"] = words_json(found.command);
        json["encoding"] = found.encoding->name;
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
    return json_line(json) + "\n";
}

}  // namespace pegen::cli
