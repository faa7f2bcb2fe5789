#include "cli/explain/report.h"

#include <fmt/format.h>

#include "cli/text_layout.h"
#include "core/names.h"
#include "formats/command.h"
#include "inspect/cell_text.h"

namespace pegen::cli {
namespace {

constexpr std::size_t text_column = 20;

std::string command_of(const Subject& subject, const TableSpec& table, const Parameters& parameters,
                       std::span<const std::int64_t> at) {
    std::string command = fmt::format("pe-gen explain {}", subject.name());
    for (const Parameters::Entry& entry : parameters.entries()) {
        if (entry.origin != Origin::user) continue;
        const std::string text = to_string(entry);
        if (entry.spec->type == ParameterType::flag) {
            command += fmt::format(" --{}{}", entry.spec->name, text == "true" ? "" : "=false");
        } else {
            command += fmt::format(" --{}{}{}", entry.spec->name, text.starts_with('-') ? '=' : ' ',
                                   shell_word(text));
        }
    }
    if (&table != &subject.encoding->tables.front()) {
        command += fmt::format(" --table {}", table.name);
    }
    return command + fmt::format(" --at {}", joined(at, ","));
}

std::string row(std::string_view name, std::string_view text) {
    return two_columns(name, text, text_column, report_width());
}

std::string indices_text(const std::vector<ExplainedIndex>& at) {
    std::vector<std::string> texts;
    for (const ExplainedIndex& index : at) {
        texts.push_back(index_text(index.axis, index.index, index.stands_for));
    }
    return joined(texts, "; ");
}

/// Returns the meaning of a channel: "cos of pair 1 along x; channel 2 has its sin".
std::string meaning(const Explanation& found) {
    std::string text = found.function;
    const std::string of = found.of.empty() ? "" : fmt::format(" along {}", found.of);
    if (found.pair) text += fmt::format("{}pair {}", text.empty() ? "" : " of ", *found.pair);
    text += of;
    if (found.partner) {
        text += fmt::format("; channel {} has its {}", *found.partner,
                            found.function == "sin" ? "cos" : "sin");
    }
    return text;
}

/// Returns a value and its error: "0.9984, too small by 1.2e-09".
std::string held_text(const std::string& value, const std::string& error) {
    if (error == "0") return fmt::format("{}, no error", value);
    if (error == "nan") return value;
    const bool is_small = error.starts_with('-');
    return fmt::format("{}, too {} by {}", value, is_small ? "small" : "large",
                       error.substr(is_small ? 1 : 0));
}

/// Returns the value that float32 arithmetic gives, and its error: "0.8797, too small by 0.023,
/// 3.9e+05 ulps".
std::string arithmetic_text(const Float32Value& found) {
    const std::string text = held_text(found.value, found.error);
    if (found.error == "0") return text;
    const bool is_negative = found.ulps.starts_with('-');
    return fmt::format("{}, {} ulps", text, found.ulps.substr(is_negative ? 1 : 0));
}

void set_text(Json& json, const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
}

Json json_of(const ExplainedIndex& index) {
    Json json{{"axis", index.axis}, {"index", index.index}};
    set_text(json, "stands_for", index.stands_for);
    return json;
}

}  // namespace

ExplainReport explain(const Subject& subject, const TableSpec& table, const Parameters& parameters,
                      std::span<const std::int64_t> at) {
    return {command_of(subject, table, parameters, at),
            explanation_of(*subject.encoding, table, parameters,
                           subject.preset ? subject.preset->name : "", at)};
}

std::string as_text(const ExplainReport& report) {
    const Explanation& found = report.found;
    const std::string name = found.preset.empty()
                                 ? found.encoding
                                 : fmt::format("{} ({})", found.preset, found.encoding);
    std::string text = row("table", fmt::format("{} of {}", found.table, name));
    if (!found.at.empty()) text += row("at", indices_text(found.at));
    const std::string holds = meaning(found);
    if (!holds.empty()) text += row("holds", holds);
    if (!found.frequency.empty()) {
        text += row("frequency", fmt::format("{} radians per position", found.frequency));
    }
    if (!found.wavelength.empty()) {
        text += row("wavelength", fmt::format("{} positions", found.wavelength));
    }
    if (!found.angle.empty()) text += row("angle", fmt::format("{} radians", found.angle));
    if (!found.formula.empty()) text += row("formula", found.formula);
    text += row("value", fmt::format("{} ({})", found.value, name_of(found.kind)));
    for (const HeldValue& held : found.dtypes) {
        text += row(info(held.dtype).name, held_text(held.value, held.error));
    }
    if (found.float32) text += row("float32 arithmetic", arithmetic_text(*found.float32));
    for (const std::string& note : found.notes) text += row("note", note);
    return text;
}

Json json_of(const ExplainReport& report) {
    const Explanation& found = report.found;
    Json json{{"command", report.command},
              {"encoding", found.encoding},
              {"preset", found.preset},
              {"table", found.table},
              {"at", Json::array()}};
    for (const ExplainedIndex& index : found.at) json["at"].push_back(json_of(index));
    set_text(json, "function", found.function);
    set_text(json, "of", found.of);
    if (found.pair) json["pair"] = *found.pair;
    if (found.partner) json["partner"] = *found.partner;
    set_text(json, "frequency", found.frequency);
    set_text(json, "wavelength", found.wavelength);
    set_text(json, "angle", found.angle);
    set_text(json, "formula", found.formula);
    json["value"] = found.value;
    json["value_is"] = name_of(found.kind);
    json["dtypes"] = Json::array();
    for (const auto& [dtype, value, error] : found.dtypes) {
        json["dtypes"].push_back({{"dtype", info(dtype).name}, {"value", value}, {"error", error}});
    }
    if (found.float32) {
        const auto& [value, error, ulps] = *found.float32;
        json["float32_arithmetic"] = {{"value", value}, {"error", error}, {"ulps", ulps}};
    }
    json["notes"] = found.notes;
    return json;
}

}  // namespace pegen::cli
