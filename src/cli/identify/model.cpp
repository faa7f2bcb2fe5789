#include "cli/identify/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/identify/report.h"
#include "cli/options.h"
#include "cli/position_arrays.h"
#include "cli/print.h"
#include "cli/request.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "encodings/other_encodings.h"
#include "encodings/registry.h"
#include "files/sha256.h"
#include "formats/command.h"
#include "recognition/agreement.h"
#include "recognition/candidate.h"
#include "recognition/evidence/distribution.h"
#include "recognition/identify.h"
#include "recognition/views.h"

namespace pegen::cli {
namespace {

using recognition::Candidate;
using recognition::Identification;
using recognition::Sample;

/// The tensors of GGUF that the frequencies of rotary positions are divided by.
constexpr std::array<std::string_view, 3> divisors{"rope_freqs.weight", "rope_factors_long.weight",
                                                   "rope_factors_short.weight"};

// What the model's configuration asks for.

/// A table that a configuration asks for.
struct Asked {
    const Encoding* encoding;
    Parameters parameters;
    std::string command;
    std::vector<FileDescription::Taken> taken;  ///< what the parameters have from the file
};

struct Configuration {
    std::string path;
    std::string title;  ///< "config.json: rotary positions of llama", or why there are none
    std::vector<Asked> asked{};
};

/// Returns the table of a command that describes a configuration; none if it names no encoding.
std::optional<Asked> asked_by(const std::string& command, const OtherEncodings& other) {
    const std::vector<std::string_view> all = words(command);
    if (all.size() < 2) return {};
    try {
        const Subject subject = typed_subject(all[1]);
        const Arguments given =
            parse_arguments(std::span(all).subspan(2), options_of(subject), subject.name());
        return Asked{subject.encoding, with_options(subject.defaults(), given.options), command,
                     other.taken};
    } catch (const UsageError&) {
        return {};
    }
}

/// Returns what the file asks for.
Configuration configuration_in(const std::string& path) {
    const Encoding& encoding = configurable_encoding();
    Parameters parameters(encoding.parameters);
    parameters.set("config", path, Origin::user);
    try {
        const FileDescription file = encoding.describe_config(parameters);
        return {path,
                file.title,
                {{&encoding, file.parameters, command_of(encoding, file), file.taken}}};
    } catch (const OtherEncodings& other) {
        Configuration configuration{path, other.title};
        for (const std::string& command : other.commands) {
            if (auto asked = asked_by(command, other)) configuration.asked.push_back(*asked);
        }
        return configuration;
    } catch (const FormatError& error) {
        return {path, error.what()};
    }
}

/// Returns the configuration of the model: in the file itself or beside its arrays.
std::optional<Configuration> configuration_of(const Archive& archive, std::string_view path) {
    if (archive.format == "gguf") return configuration_in(std::string(path));
    if (path == "-") return {};
    std::error_code error;  // a folder that cannot be examined has no configuration
    const std::filesystem::path given(path);
    const std::filesystem::path folder =
        std::filesystem::is_directory(given, error) ? given : given.parent_path();
    for (const char* const name : {"config.json", "params.json"}) {
        const std::filesystem::path file = folder / name;
        if (std::filesystem::is_regular_file(file, error)) return configuration_in(file.string());
        if (std::filesystem::exists(std::filesystem::symlink_status(file, error))) {
            return Configuration{file.string(),
                                 fmt::format("{}: not read; no regular file", file.string())};
        }
    }
    return {};
}

// What one array is.

enum class Standing { silent, agrees, differs };

/// An array, or several of the same values.
struct Entry {
    std::vector<std::string> names{};
    std::int64_t alike = 0;        ///< arrays of this name in other layers that were not looked at
    std::optional<Table> table{};  ///< nothing if the array is not read
    std::string_view verdict = "not read";
    std::string text{};                      ///< what it is, in words
    std::optional<Identification> answer{};  ///< nothing if nothing was asked
    Standing standing = Standing::silent;
    std::string remark{};  ///< on the configuration
};

/// Returns the candidates for an array of these extents among the tables that are asked for. A
/// parameter that neither the file nor the user gives has the value that fits the array.
std::vector<Candidate> fitting(const Asked& asked, const Sample& sample) {
    std::vector<Candidate> found;
    std::vector<Parameters> choices{asked.parameters};
    const auto is_open = [&](std::string_view name) {
        return asked.parameters.knows(name) && !asked.parameters.given(name);
    };
    if (is_open("len")) {
        choices.front().set("len", fmt::format("{}", sample.extents.front()), Origin::user);
    }
    for (const ParameterSpec& spec : asked.encoding->parameters) {
        if (spec.name != "layout" || !is_open("layout")) continue;
        for (const std::string_view layout : words(spec.choices)) {
            choices.push_back(choices.front());
            choices.back().set("layout", layout, Origin::user);
        }
    }
    for (const TableSpec& table : asked.encoding->tables) {
        for (const Parameters& parameters : choices) {
            try {
                const Plan plan = plan_of(*asked.encoding, parameters, table.name);
                if (squeezed(plan.shape.extents()) != sample.extents) continue;
                found.push_back(recognition::candidate_of(*asked.encoding, table, parameters));
            } catch (const Error&) {
                continue;  // what the encoding refuses is not asked for
            }
        }
    }
    return found;
}

/// Compares the table of a candidate with the array as float32 code may have made it.
bool agrees(const Candidate& candidate, const Sample& sample) {
    const std::optional<Table> table = recognition::table_of(candidate, sample.precision);
    if (!table) return false;
    recognition::Proposal proposal = candidate.proposal;
    std::vector<double> frequencies;
    if (candidate.table->has_frequencies) {
        frequencies = read_rows(*table, {0, table->shape.rows()});
        proposal.angle = [&](std::int64_t row, std::int64_t) { return frequencies[row]; };
    } else {
        proposal.angle = [](std::int64_t row, std::int64_t) { return static_cast<double>(row); };
    }
    const recognition::Agreement agreement =
        recognition::agreement_of(*table, sample, proposal, recognition::Scope::leading);
    return agreement.level != recognition::Level::none && agreement.values > 0;
}

/// Returns what the array was made with where the configuration says something else: "base 10000,
/// where the configuration says rope_theta 500000".
std::string other_values(const Candidate& found, const Asked& asked) {
    std::string text;
    for (const FileDescription::Taken& taken : asked.taken) {
        if (has_word(found.table->idle_parameters, taken.parameter)) continue;
        if (!found.parameters.knows(taken.parameter) || !asked.parameters.knows(taken.parameter)) {
            continue;
        }
        const std::string own = to_string(found.parameters.value(taken.parameter));
        if (own == to_string(asked.parameters.value(taken.parameter))) continue;
        // A scaling that is missing says it all: its factors are missing, too.
        if (!text.empty() && own == "none") continue;
        text += fmt::format("{}{} {}, where the configuration says {}", text.empty() ? "" : "; ",
                            taken.parameter, own, taken.source);
    }
    return text;
}

/// Returns the candidate of the encoding among the answers; nullptr if there is none.
const Candidate* of_encoding(const Identification& answer, const Encoding& encoding) {
    if (answer.found && answer.found->encoding == &encoding) return &*answer.found;
    const auto other =
        std::ranges::find_if(answer.alternatives, [&](const recognition::Alternative& alternative) {
            return alternative.candidate.encoding == &encoding;
        });
    return other == answer.alternatives.end() ? nullptr : &other->candidate;
}

/// Returns the command that was asked for, with the candidate's table and layout.
std::string command_of(const Candidate& candidate, const Asked& asked) {
    std::string command = asked.command;
    if (candidate.table != candidate.encoding->tables.data()) {
        command += fmt::format(" --table {}", candidate.table->name);
    }
    const Parameters& parameters = candidate.parameters;
    if (parameters.knows("layout") && parameters.given("layout") &&
        !asked.parameters.given("layout")) {
        command += fmt::format(" --layout {}", parameters.word("layout"));
    }
    return command;
}

/// Compares the extents of T5's weights, a number for each bucket and head, with the command's.
/// Returns false if these are no such weights.
bool compare_buckets(const Asked& asked, const Sample& sample, Entry& entry) {
    const Parameters& p = asked.parameters;
    const bool is_bias = entry.names.front().find("relative_attention_bias") != std::string::npos;
    if (!is_bias || sample.rank() != 2 || !p.knows("num-buckets") || !p.knows("heads")) {
        return false;
    }
    const std::vector<std::int64_t>& extents = sample.extents;
    const std::int64_t buckets = p.integer("num-buckets"), heads = p.integer("heads");
    if (extents == std::vector{buckets, heads}) {
        entry.standing = Standing::agrees;
        entry.remark = fmt::format("the buckets and heads of {}", asked.command);
    } else {
        entry.standing = Standing::differs;
        entry.remark = fmt::format("{} buckets and {} heads, where {} has {} and {}", extents[0],
                                   extents[1], asked.command, buckets, heads);
    }
    return true;
}

/// Compares the entry with the configuration: the values of tables that it computes, the extents of
/// learned ones.
void compare_with(const Configuration& configuration, const Sample& sample, Entry& entry) {
    for (const Asked& asked : configuration.asked) {
        if (compare_buckets(asked, sample, entry)) return;
        const std::vector<Candidate> candidates = fitting(asked, sample);
        for (const Candidate& candidate : candidates) {
            const bool is_learned = candidate.table->is_initial;
            if (!is_learned && !agrees(candidate, sample)) continue;
            entry.standing = Standing::agrees;
            entry.remark = fmt::format("the {} of {}", is_learned ? "extents" : "values",
                                       command_of(candidate, asked));
            return;
        }
        const Candidate* const found =
            entry.answer ? of_encoding(*entry.answer, *asked.encoding) : nullptr;
        const bool is_rotary = !candidates.empty() && is_rotary_name(entry.names.front());
        if (found || is_rotary) {
            const std::string values = found ? other_values(*found, asked) : "";
            entry.standing = Standing::differs;
            entry.remark = values.empty() ? "not the values of " + asked.command : values;
        }
    }
    if (entry.standing == Standing::differs || (entry.answer && entry.answer->found)) return;
    for (const Asked& asked : configuration.asked) {
        if (!asked.parameters.knows("len") || !asked.parameters.given("len")) continue;
        const TableSpec& table = asked.encoding->tables.front();
        const Plan plan = plan_of(*asked.encoding, asked.parameters, table.name);
        const std::vector<std::int64_t> extents = squeezed(plan.shape.extents());
        const bool differs_in_rows =
            table.is_initial && extents.size() == 2 && sample.extents.size() == 2 &&
            extents[1] == sample.extents[1] && extents[0] != sample.extents[0];
        if (!differs_in_rows) continue;
        entry.standing = Standing::differs;
        entry.remark =
            fmt::format("{} rows, where {} has {}", sample.extents[0], asked.command, extents[0]);
    }
}

/// Returns what an array is, in words. `values` are its first values.
std::string text_of(const Identification& answer, const std::vector<double>& values) {
    if (answer.found) {
        return fmt::format("{}; {}{}", command_text(answer.found->command),
                           answer.resized.empty() ? "" : "resized " + answer.resized + "; ",
                           agreement_text(answer.found->agreement));
    }
    if (answer.nearest) {
        return fmt::format("near {}: {}", command_text(answer.nearest->command), answer.departure);
    }
    if (!answer.notes.empty()) return joined(answer.notes, "; ");
    // Indices and masks are not trained.
    const bool are_whole =
        std::ranges::all_of(values, [](double value) { return value == std::rint(value); });
    return are_whole ? "whole numbers of no rule that is known"
                     : "of no rule that is known: trained, if it is a parameter";
}

/// Returns the entry of an array that was read.
Entry identified(std::string name, Table table, const std::optional<Configuration>& configuration,
                 ProgressLine& line) {
    Entry entry{.names = {std::move(name)}, .table = std::move(table)};
    if (std::ranges::count(divisors, entry.names.front()) > 0) {
        entry.verdict = "divisors";
        entry.text = "divisors of the frequencies, which the configuration takes";
        return entry;
    }
    const Sample sample = recognition::views_of(*entry.table).front().sample();
    const std::string distribution = evidence::distribution_of(sample);
    if (distribution.empty()) {
        line.begin(fmt::format("identify: {}", entry.names.front()), row_bytes(*entry.table));
        entry.answer = recognition::identify(*entry.table, line.progress());
        line.hide();
        entry.verdict = verdict_text(entry.answer->verdict, "ambiguous");
        entry.text = text_of(*entry.answer, sample.values);
    } else {
        entry.verdict = "random";
        entry.text = fmt::format("random numbers, {}, as before training", distribution);
    }
    if (configuration) compare_with(*configuration, sample, entry);
    return entry;
}

/// Returns what tells the values of arrays apart: dtype, shape and a digest; "" for an array that
/// is too large to be read for that.
std::string fingerprint(const Table& table) {
    constexpr std::int64_t most_values = std::int64_t{1} << 26, at_once = 1 << 16;
    if (table.shape.size() > most_values) return "";
    Sha256 digest;
    const std::int64_t rows = table.shape.rows(),
                       step = rows_holding(at_once, table.shape.columns());
    std::vector<std::byte> bytes;
    for (std::int64_t first = 0; first < rows; first += step) {
        const std::int64_t count = std::min(step, rows - first);
        bytes.resize(count * row_bytes(table));
        table.rows({first, count}, bytes);
        digest.add(bytes);
    }
    return fmt::format("{} {} {}", info(table.dtype).name, to_string(table.shape), digest.hex());
}

/// Returns the name with every number between separators replaced, which layers have in common.
std::string without_numbers(std::string_view name) {
    std::string text;
    for (const char letter : name) {
        const bool is_digit = letter >= '0' && letter <= '9';
        const bool is_in_word =
            !text.empty() && std::string_view("._/#").find(text.back()) == std::string_view::npos;
        if (!is_digit || is_in_word) text += letter;
        if (is_digit && !is_in_word && !text.ends_with('#')) text += '#';
    }
    return text;
}

Entry not_read(const std::string& name, std::string_view reason) {
    return {.names = {name}, .text = fmt::format("not read: {}", reason)};
}

/// Returns the arrays whose names or shapes are usual for positions; if there are none, all of a
/// small file.
std::vector<ArchiveMember> possible_positions(const Archive& archive, std::vector<Entry>& refused) {
    constexpr std::size_t few = 8;
    std::vector<ArchiveMember> found, others;
    for (const ArchiveMember& member : archive.members) {
        const bool is_named = is_position_name(member.name);
        try {
            const Table table = member.open().table;
            if (table.shape.size() < 2) continue;
            (is_named || has_position_shape(table) ? found : others).push_back(member);
        } catch (const FormatError& error) {
            if (is_named) refused.push_back(not_read(member.name, error.what()));
        }
    }
    return found.empty() && others.size() <= few ? others : found;
}

/// Returns an entry for each different array among those that may be positions.
std::vector<Entry> entries_of(const Archive& archive,
                              const std::optional<Configuration>& configuration,
                              ProgressLine& line) {
    // A stranger's file may have as many as it likes, each of which takes a second.
    constexpr std::int64_t most_entries = 32;
    std::vector<Entry> entries;
    std::map<std::string, std::size_t> known;    // fingerprint -> entry
    std::map<std::string, std::size_t> unknown;  // name without numbers, shape -> entry
    for (const ArchiveMember& member : possible_positions(archive, entries)) {
        const Table table = member.open().table;
        const std::string kind = without_numbers(member.name) + to_string(table.shape);
        if (const auto other = unknown.find(kind); other != unknown.end()) {
            ++entries[other->second].alike;
            continue;
        }
        const std::string values = fingerprint(table);
        if (const auto same = known.find(values); same != known.end()) {
            entries[same->second].names.push_back(member.name);
            continue;
        }
        if (std::ssize(entries) >= most_entries) {
            const std::string rule = fmt::format("more than {} different arrays", most_entries);
            entries.push_back(not_read(member.name, rule));
            break;
        }
        if (!values.empty()) known.emplace(values, entries.size());
        Entry entry = identified(member.name, table, configuration, line);
        if (!entry.answer || !entry.answer->found) unknown.emplace(kind, entries.size());
        entries.push_back(std::move(entry));
    }
    return entries;
}

// The report.

std::string names_text(const Entry& entry) {
    std::string text = entry.names.front();
    if (entry.table) {
        text +=
            fmt::format(", {} {}", to_string(entry.table->shape), info(entry.table->dtype).name);
    }
    if (entry.names.size() > 1) {
        text += fmt::format("; {} more with the same values, to {}", entry.names.size() - 1,
                            entry.names.back());
    }
    if (entry.alike > 0) {
        text += fmt::format("; {} more of this name and shape, not looked at", entry.alike);
    }
    return text;
}

constexpr std::array standing_names{"silent", "agrees", "differs"};

std::string_view name_of(Standing standing) {
    return standing_names[static_cast<std::size_t>(standing)];
}

std::string as_text(const std::vector<Entry>& entries,
                    const std::optional<Configuration>& configuration, const Archive& archive,
                    std::string_view path) {
    std::int64_t possible = 0;
    for (const Entry& entry : entries) possible += std::ssize(entry.names) + entry.alike;
    std::string text =
        report_line("model", fmt::format("{}, {}, {} arrays, of which {} may be positions", path,
                                         archive.format, archive.members.size(), possible));
    if (configuration) {
        text += report_line("config", configuration->title);
        for (const Asked& asked : configuration->asked) text += report_line("", asked.command);
    }
    for (const Entry& entry : entries) {
        text += "\n" + report_line("array", names_text(entry));
        text += report_line("made by", entry.text);
        if (entry.answer && entry.answer->found && !entry.answer->found->presets.empty()) {
            text += report_line("also called", preset_names(entry.answer->found->presets));
        }
        if (entry.standing != Standing::silent) {
            text +=
                report_line("config", fmt::format("{}: {}", name_of(entry.standing), entry.remark));
        }
    }
    return text;
}

Json as_json(const Entry& entry) {
    Json json{{"names", entry.names},  {"alike", entry.alike}, {"verdict", entry.verdict},
              {"text", entry.text},    {"command", nullptr},   {"config", name_of(entry.standing)},
              {"remark", entry.remark}};
    if (entry.table) {
        json["shape"] = entry.table->shape.extents();
        json["dtype"] = info(entry.table->dtype).name;
    }
    if (entry.answer && entry.answer->found) json["command"] = entry.answer->found->command;
    return json;
}

Json as_json(const std::vector<Entry>& entries, const std::optional<Configuration>& configuration,
             const Archive& archive, std::string_view path) {
    Json json{{"file", path},
              {"format", archive.format},
              {"members", archive.members.size()},
              {"config", nullptr},
              {"arrays", Json::array()}};
    if (configuration) {
        json["config"] = {{"file", configuration->path},
                          {"title", configuration->title},
                          {"commands", Json::array()}};
        for (const Asked& asked : configuration->asked) {
            json["config"]["commands"].push_back(asked.command);
        }
    }
    for (const Entry& entry : entries) json["arrays"].push_back(as_json(entry));
    return json;
}

}  // namespace

ExitStatus identify_model(const Archive& archive, std::string_view path, ReportForm form,
                          ProgressLine& line) {
    const std::optional<Configuration> configuration = configuration_of(archive, path);
    const std::vector<Entry> entries = entries_of(archive, configuration, line);
    if (form != ReportForm::none) {
        print(report(form == ReportForm::json, "identify-model",
                     as_json(entries, configuration, archive, path),
                     as_text(entries, configuration, archive, path)));
    }
    const bool is_known = std::ranges::any_of(entries, [](const Entry& entry) {
        return entry.standing == Standing::agrees || (entry.answer && entry.answer->found);
    });
    const bool differs = std::ranges::count(entries, Standing::differs, &Entry::standing) > 0;
    return is_known && !differs ? ExitStatus::done : ExitStatus::no;
}

}  // namespace pegen::cli
