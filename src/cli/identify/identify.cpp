#include "recognition/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/identify/kernel_report.h"
#include "cli/identify/report.h"
#include "cli/options.h"
#include "cli/position_arrays.h"
#include "cli/print.h"
#include "cli/process.h"
#include "cli/progress_line.h"
#include "cli/request.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/parallel.h"
#include "core/parameters.h"
#include "core/signals.h"
#include "encodings/other_encodings.h"
#include "encodings/registry.h"
#include "files/archive.h"
#include "files/array_file.h"
#include "files/folders.h"
#include "files/npy.h"
#include "files/output_file.h"
#include "files/sha256.h"
#include "formats/command.h"
#include "numerics/self_test.h"
#include "recognition/agreement.h"
#include "recognition/candidate.h"
#include "recognition/evidence/distribution.h"
#include "recognition/kernel/kernel.h"
#include "recognition/kernel/rotary_kernel.h"
#include "recognition/permuted.h"
#include "recognition/views.h"

namespace pegen::cli {
namespace {

using recognition::Permutation;
using recognition::PermutationKind;

constexpr std::array permutation_options{
    ParameterSpec{.name = "permuted",
                  .type = ParameterType::path,
                  .summary = "a weight or bias of queries or keys, in another order"},
    ParameterSpec{.name = "of", .type = ParameterType::path, .summary = "the original one"},
};

constexpr std::array report_options{json_option, quiet_option};

std::string_view lines_of(const Permutation& found, const Table& table) {
    return table.shape.rank() == 1 ? "elements" : found.axis == 0 ? "rows" : "columns";
}

/// Returns the command that makes the permuted weight from the original; empty if there is no such
/// command.
std::vector<std::string> command_of(const Permutation& found, const std::string& original) {
    if (found.kind != PermutationKind::pairing || found.is_transposed || found.times > 1) return {};
    std::vector<std::string> command{"pe-gen",
                                     "apply",
                                     "rope-permute",
                                     "--from",
                                     std::string(recognition::name_of(found.from)),
                                     "--to",
                                     std::string(recognition::name_of(found.to)),
                                     "--heads",
                                     fmt::format("{}", found.heads)};
    if (found.rotary_offset > 0) {
        command.insert(command.end(), {"--rotary-offset", fmt::format("{}", found.rotary_offset)});
    }
    if (found.rotary_offset + found.rotary_dim != found.lines / found.heads) {
        command.insert(command.end(), {"--rotary-dim", fmt::format("{}", found.rotary_dim)});
    }
    if (found.axis != 0) command.insert(command.end(), {"--axis", fmt::format("{}", found.axis)});
    command.insert(command.end(), {"--x", original});
    return command;
}

/// Returns which heads were reordered, and how: "of 4 heads of 16 channels were put from the
/// pairing half into interleaved".
std::string change_of(const Permutation& found) {
    const std::string part = found.rotary_offset > 0
                                 ? fmt::format(", in each the {} channels from {} on,",
                                               found.rotary_dim, found.rotary_offset)
                                 : "";
    return fmt::format("of {} {} of {} channels{} were put from the pairing {} into {}{}",
                       found.heads, found.heads == 1 ? "head" : "heads", found.count / found.heads,
                       part, recognition::name_of(found.from), recognition::name_of(found.to),
                       found.times > 1 ? ", and then once more: permute them only once" : "");
}

/// Returns in words how the heads of a fused projection were put into groups, or back.
std::string groups_text(const Permutation& found, std::string_view lines) {
    const std::string groups =
        fmt::format("group by group, {} groups of {} {} of queries, one of keys and one of values",
                    found.heads, found.queries, found.queries == 1 ? "head" : "heads");
    const std::string_view apart = "all queries, then all keys, then all values";
    return fmt::format(
        "The {} are a fused projection, in heads of {}: {}, as in Megatron; the original has {}.",
        lines, found.block, found.to_groups ? groups : std::string(apart),
        found.to_groups ? std::string(apart) : groups);
}

std::vector<std::string> notes_of(const Permutation& found, const Table& table) {
    const std::string_view lines = lines_of(found, table);
    std::vector<std::string> notes;
    switch (found.kind) {
        case PermutationKind::same:
            notes.emplace_back(found.is_transposed
                                   ? "The one array is the other transposed, and nothing else."
                                   : "The arrays are equal: nothing is permuted.");
            break;
        case PermutationKind::pairing:
            notes.push_back(fmt::format("The {} {}.", lines, change_of(found)));
            break;
        case PermutationKind::part:
            notes.push_back(fmt::format(
                "The {} {} to {} {}. The others are where they were, as in a fused projection of "
                "queries, keys and values: apply rope-permute to each part by itself.",
                lines, found.first, found.first + found.count - 1, change_of(found)));
            break;
        case PermutationKind::groups:
            notes.push_back(groups_text(found, lines));
            break;
        case PermutationKind::other:
            notes.push_back(
                fmt::format("The {} are the same in another order, which is no change of the "
                            "pairing of any number of heads.",
                            lines));
            break;
        case PermutationKind::different:
            notes.push_back(fmt::format(
                "{} of {} {} are not those of the original, from {} on: values differ, not only "
                "their order.",
                found.missing, found.lines, lines, found.first_missing));
            break;
    }
    if (found.is_transposed && found.kind != PermutationKind::same) {
        notes.emplace_back(
            "The permuted array is transposed besides: compare it with the original transposed.");
    }
    if (found.format) {
        notes.push_back(
            fmt::format("The values are rounded to {} besides.", info(*found.format).name));
    }
    if (found.ambiguous > 0) {
        notes.push_back(
            fmt::format("{} {} equal others: their order cannot be told.", found.ambiguous, lines));
    }
    if (!found.heads_alike.empty()) {
        notes.push_back(fmt::format("Other numbers of heads give the same: {}.",
                                    joined(found.heads_alike, ", ")));
    }
    return notes;
}

std::string verdict_of(const Permutation& found) {
    if (found.kind == PermutationKind::same && !found.is_transposed) return "identified";
    if (found.kind == PermutationKind::groups && !found.is_transposed) return "identified";
    if (found.kind != PermutationKind::pairing || found.is_transposed) return "not identified";
    return found.heads_alike.empty() ? "identified" : "ambiguous";
}

std::string permutation_text(const Permutation& found, const Table& table,
                             const std::string& original) {
    const bool is_ambiguous = verdict_of(found) == "ambiguous";
    std::string text =
        report_line("verdict", is_ambiguous ? "identified up to what these arrays do not show"
                                            : verdict_of(found));
    const std::vector<std::string> command = command_of(found, original);
    if (!command.empty()) {
        text += report_line("command", command_text(command));
        text += report_line("agreement",
                            found.format ? fmt::format("every value is the same when rounded to {}",
                                                       info(*found.format).name)
                                         : "every value is the same");
    }
    for (const std::string& note : notes_of(found, table)) text += report_line("note", note);
    return text;
}

Json permutation_json(const Permutation& found, const Table& table, const std::string& original,
                      const std::string& permuted) {
    constexpr std::array kinds{"same", "pairing", "part", "groups", "other", "different"};
    const std::vector<std::string> command = command_of(found, original);
    Json json{{"permuted", permuted},
              {"of", original},
              {"shape", table.shape.extents()},
              {"dtype", info(table.dtype).name},
              {"verdict", verdict_of(found)},
              {"kind", kinds[static_cast<std::size_t>(found.kind)]},
              {"command", command.empty() ? Json(nullptr) : Json(command)},
              {"axis", found.axis},
              {"from", nullptr},
              {"to", nullptr},
              {"heads", nullptr},
              {"rotary_dim", nullptr},
              {"rotary_offset", nullptr},
              {"times", found.times},
              {"rounded_to", found.format ? Json(info(*found.format).name) : Json(nullptr)},
              {"transposed", found.is_transposed},
              {"missing", found.missing},
              {"notes", notes_of(found, table)}};
    if (found.kind == PermutationKind::pairing || found.kind == PermutationKind::part) {
        json["from"] = recognition::name_of(found.from);
        json["to"] = recognition::name_of(found.to);
        json["heads"] = found.heads;
        json["rotary_dim"] = found.rotary_dim;
        json["rotary_offset"] = found.rotary_offset;
    }
    return json;
}

/// Returns the options --permuted and --of.
std::span<const ParameterSpec> permuted_options() { return permutation_options; }

/// Runs `pe-gen identify --permuted Wq.npy --of Wq0.npy`: finds out how the rows of the original
/// weight (--of) were reordered to give the permuted one. Throws: as run().
ExitStatus run_identify_permuted(std::span<const std::string_view> arguments) {
    const std::vector<OptionGroup> groups{option_group("Options", permutation_options),
                                          option_group("Options", report_options)};
    const Arguments given = parse_arguments(arguments, options_in(groups), "identify");
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("unexpected argument '{}'; --permuted and --of name the two arrays",
                        printable(given.positionals.front())));
    }
    const Parameters own = set_options(permutation_options, given.options);
    const Parameters common = set_options(report_options, given.options);
    for (const auto& [name, other] : {std::pair{"permuted", "of"}, std::pair{"of", "permuted"}}) {
        if (own.has(name)) continue;
        throw UsageError(fmt::format(
            "--{}: needs --{}, too, as in pe-gen identify --permuted wq.npy --of original.npy",
            other, name));
    }
    const std::string &permuted = own.word("permuted"), &original = own.word("of");
    if (array_path(permuted).file == "-" && array_path(original).file == "-") {
        throw UsageError("--permuted - --of -: standard input can be only one of them");
    }
    const Table to = open_array(permuted).table, from = open_array(original).table;
    const Verbosity verbosity = common.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    ProgressLine progress(verbosity);
    progress.begin("identify", row_bytes(to));
    const Permutation found = recognition::find_permutation(
        from, to, [&](std::int64_t done, std::int64_t total) { progress.update(done, total); });
    progress.hide();
    if (verbosity == Verbosity::normal || common.flag("json")) {
        print(report(common.flag("json"), "identify-permuted",
                     permutation_json(found, to, original, permuted),
                     permutation_text(found, to, original)));
    }
    return verdict_of(found) == "not identified" ? ExitStatus::no : ExitStatus::done;
}

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

std::string model_text(const std::vector<Entry>& entries,
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

Json entry_json(const Entry& entry) {
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

Json model_json(const std::vector<Entry>& entries,
                const std::optional<Configuration>& configuration, const Archive& archive,
                std::string_view path) {
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
    for (const Entry& entry : entries) json["arrays"].push_back(entry_json(entry));
    return json;
}

enum class ReportForm { text, json, none };

/// Runs `pe-gen identify MODEL` for the arrays of a model: identifies the arrays whose names or
/// shapes are usual for positions, all of them if they are few, and compares them with what the
/// model's configuration asks for: the file itself, or a config.json or params.json beside it.
/// Arrays with the same values are one entry of the report. Ends with `no` if no array is
/// identified, or one differs from the configuration. `path` is the path of the archive. Throws: as
/// run().
ExitStatus identify_model(const Archive& archive, std::string_view path, ReportForm form,
                          ProgressLine& line) {
    const std::optional<Configuration> configuration = configuration_of(archive, path);
    const std::vector<Entry> entries = entries_of(archive, configuration, line);
    if (form != ReportForm::none) {
        print(report(form == ReportForm::json, "identify-model",
                     model_json(entries, configuration, archive, path),
                     model_text(entries, configuration, archive, path)));
    }
    const bool is_known = std::ranges::any_of(entries, [](const Entry& entry) {
        return entry.standing == Standing::agrees || (entry.answer && entry.answer->found);
    });
    const bool differs = std::ranges::count(entries, Standing::differs, &Entry::standing) > 0;
    return is_known && !differs ? ExitStatus::done : ExitStatus::no;
}

/// Says how far a search came if a signal ends it. To be made before the progress line, which is
/// cleared first.
class SearchReport {
  public:
    explicit SearchReport(Verbosity verbosity) : is_quiet_(verbosity == Verbosity::quiet) {}

    recognition::SearchStage stage() {
        return [this](std::string_view tried) { begin(tried); };
    }

    /// The search is over.
    void end() { text_ = nullptr; }

  private:
    void begin(std::string_view tried) {
        if (is_quiet_) return;
        texts_.push_back(fmt::format("pe-gen: ended before an answer, while it tried {}{}\n", tried,
                                     before_.empty() ? "" : "; before that " + before_));
        text_ = &texts_.back();
        before_ += fmt::format("{}{}", before_.empty() ? "" : "; ", tried);
    }

    static void say(const void* report) {
        const std::string* const text = static_cast<const SearchReport*>(report)->text_;
        if (text) print_error(*text);
    }

    bool is_quiet_;
    std::string before_;             ///< what was tried without an answer
    std::deque<std::string> texts_;  ///< all of them, since a signal may come at any time
    std::atomic<const std::string*> text_ = nullptr;
    BeforeSignal before_signal_{say, this};
};

constexpr std::array kernel_options{
    ParameterSpec{.name = "before",
                  .type = ParameterType::path,
                  .summary = "an array that your code was applied to, best of random numbers"},
    ParameterSpec{.name = "after", .type = ParameterType::path, .summary = "what it made of it"},
    ParameterSpec{.name = "position-axis",
                  .type = ParameterType::integer,
                  .range = any_index,
                  .summary = "the axis along which positions are counted [found]"},
    ParameterSpec{.name = "heads",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = any_count,
                  .summary = "heads in the last axis, one after the other, each rotated alike"},
};

constexpr std::array common_options{json_option, threads_option, quiet_option};

Table open_floats(const std::string& path) {
    Table table = open_array(path).table;
    if (!is_floating(table.dtype)) {
        throw UsageError(fmt::format("{}: has elements of type {}; a kernel turns real numbers",
                                     printable(path), info(table.dtype).name));
    }
    return table;
}

recognition::KernelQuestion question_of(const Parameters& own) {
    for (const auto& [name, other] : {std::pair{"before", "after"}, std::pair{"after", "before"}}) {
        if (own.has(name)) continue;
        throw UsageError(
            fmt::format("--{}: needs --{}, too, as in pe-gen identify --before x.npy --after y.npy",
                        other, name));
    }
    const std::string &before = own.word("before"), &after = own.word("after");
    if (array_path(before).file == "-" && array_path(after).file == "-") {
        throw UsageError("--before - --after -: standard input can be only one of them");
    }
    recognition::KernelQuestion question{.before = open_floats(before),
                                         .after = open_floats(after),
                                         .path = before,
                                         .position_axis = {},
                                         .heads = own.integer("heads")};
    const Shape& shape = question.before.shape;
    if (shape.rank() > 0 && shape.columns() % question.heads != 0) {
        throw UsageError(fmt::format("--heads {}: must divide {}, the last extent of {}, {}",
                                     question.heads, shape.columns(), printable(before),
                                     to_string(shape)));
    }
    if (own.has("position-axis")) {
        const std::int64_t axis = own.integer("position-axis");
        if (axis >= shape.rank() - 1) {
            throw UsageError(
                fmt::format("--position-axis {}: {} has shape {}; the last axis is that of the "
                            "channels, so it must be less than {}",
                            axis, printable(before), to_string(shape), shape.rank() - 1));
        }
        question.position_axis = static_cast<int>(axis);
    }
    return question;
}

/// Runs `pe-gen identify --before X.npy --after Y.npy`: finds out how a kernel changed an array.
/// Throws: as run().
ExitStatus run_identify_kernel(std::span<const std::string_view> arguments) {
    const std::vector<OptionGroup> groups{option_group("Options", kernel_options),
                                          option_group("Options", common_options)};
    const Arguments given = parse_arguments(arguments, options_in(groups), "identify");
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("unexpected argument '{}'; --before and --after name the two arrays, as in "
                        "pe-gen identify --before x.npy --after y.npy",
                        printable(given.positionals.front())));
    }
    const Parameters own = set_options(kernel_options, given.options);
    const Parameters common = set_options(common_options, given.options);
    if (common.has("threads")) limit_threads(common.integer("threads"));
    const Verbosity verbosity = common.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    numerics::self_test();
    const recognition::KernelQuestion question = question_of(own);
    SearchReport report(verbosity);
    ProgressLine line(verbosity);
    line.begin("identify");
    const recognition::KernelIdentification answer =
        recognition::identify_kernel(question, line.progress(), report.stage());
    line.hide();
    report.end();
    if (verbosity == Verbosity::normal || common.flag("json")) {
        print(cli::report(common.flag("json"), "identify-kernel",
                          as_json(answer, question, own.word("after")), as_text(answer, question)));
    }
    return answer.verdict == recognition::Verdict::not_identified ? ExitStatus::no
                                                                  : ExitStatus::done;
}

constexpr ParameterSpec data_option{
    .name = "data",
    .type = ParameterType::path,
    .summary =
        "a folder: write there what the command needs of the array itself, such as "
        "points.npy"};

constexpr std::array identify_options{
    summarized(json_option, "print the answer as one JSON object"),
    data_option,
    threads_option,
    quiet_option,
};

/// Returns the options of `identify FILE`, of `identify --before` and of `identify --permuted`.
std::vector<OptionGroup> all_options() {
    return {option_group("Options", identify_options),
            option_group("What a kernel does (--before X.npy --after Y.npy)", kernel_options),
            option_group("How a weight is permuted (--permuted Wq.npy --of Wq0.npy)",
                         permuted_options())};
}

/// Returns the first of the arguments that is one of the options, as "--name"; "" if there is none.
std::string first_of(std::span<const std::string_view> arguments,
                     std::span<const ParameterSpec> options) {
    for (const std::string_view argument : arguments) {
        if (!argument.starts_with("--")) continue;
        const std::string_view name = argument.substr(2, argument.find('=') - 2);
        const auto is_it = [&](const ParameterSpec& spec) { return is_called(spec, name); };
        if (std::ranges::any_of(options, is_it)) return fmt::format("--{}", name);
    }
    return "";
}

/// Makes the folder if it is below the current folder. Any other folder must exist already.
void make_folder(const std::filesystem::path& folder, MadeFolders& folders) {
    const std::filesystem::path normal = folder.lexically_normal();
    const bool is_below = normal.is_relative() && *normal.begin() != "..";
    if (is_below) folders.make_for((normal / "file").string());
}

OutputFile written(const evidence::DataFile& data, const std::filesystem::path& folder) {
    OutputFile file((folder / data.name).string());
    file.write(npy_header(data.table.dtype, data.table.shape));
    std::vector<std::byte> rows(total_bytes(data.table));
    data.table.rows({0, data.table.shape.rows()}, rows);
    file.write(rows);
    file.finish();
    return file;
}

const std::vector<evidence::DataFile>* data_of(const recognition::Identification& answer) {
    const auto& candidate = answer.found ? answer.found : answer.nearest;
    return candidate && !candidate->proposal.data.empty() ? &candidate->proposal.data : nullptr;
}

}  // namespace

Usage identify_usage(std::span<const std::string_view>, HelpLength) {
    return command_usage("identify",
                         {"identify mine.npy", "identify weights.safetensors:pos_embed",
                          "identify model.safetensors", "identify --before x.npy --after y.npy"},
                         all_options(), {.are_files = true});
}

ExitStatus run_identify(std::span<const std::string_view> arguments) {
    const std::string of_kernel = first_of(arguments, kernel_options),
                      of_weight = first_of(arguments, permuted_options()),
                      of_file = first_of(arguments, std::span(&data_option, 1));
    const auto refuse = [](const std::string& option, std::string_view question) {
        throw UsageError(fmt::format("{}: is for identify {}; leave it out", option, question));
    };
    if (!of_kernel.empty() && !of_weight.empty()) refuse(of_kernel, "--before X --after Y");
    if (!of_file.empty() && !(of_kernel + of_weight).empty()) refuse(of_file, "FILE");
    if (!of_kernel.empty()) return run_identify_kernel(arguments);
    if (!of_weight.empty()) return run_identify_permuted(arguments);
    const std::vector<OptionGroup> groups{option_group("Options", identify_options)};
    const Arguments given = parse_arguments(arguments, options_in(groups), "identify");
    if (given.positionals.size() == 2) {
        throw UsageError(fmt::format(
            "identify: needs one file; an array of one is {0}:{1}; pe-gen compare {0} {1} compares "
            "two",
            given.positionals[0], given.positionals[1]));
    }
    if (given.positionals.size() != 1) {
        throw UsageError(
            "identify: needs one file, as in pe-gen identify mine.npy; - is standard input");
    }
    const Parameters options = set_options(identify_options, given.options);
    if (options.has("threads")) limit_threads(options.integer("threads"));
    const Verbosity verbosity = options.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    numerics::self_test();
    const std::string_view path = given.positionals.front();
    if (names_encoding(path)) {
        throw UsageError(fmt::format(
            "identify: '{}' is an encoding; identify reads a file, and pe-gen describe {} says "
            "what an encoding is",
            path, path));
    }
    const ArrayPath parts = array_path(path);
    const Archive archive = open_archive(parts.file);
    SearchReport report(verbosity);
    ProgressLine line(verbosity);
    if (!parts.name && archive.members.size() > 1) {
        if (options.has("data")) {
            throw UsageError("--data: needs the name of one array, as in weights.npz:bias");
        }
        return identify_model(archive, path,
                              options.flag("json")             ? ReportForm::json
                              : verbosity == Verbosity::normal ? ReportForm::text
                                                               : ReportForm::none,
                              line);
    }
    const Table table = array_in(archive, parts.name).table;
    if (table.shape.size() == 0) {
        throw UsageError(fmt::format("{}: has shape {} and no values to identify", printable(path),
                                     to_string(table.shape)));
    }
    line.begin(fmt::format("identify: {}", path), row_bytes(table));
    const recognition::Identification answer =
        recognition::identify(table, line.progress(), report.stage());
    line.hide();
    report.end();

    MadeFolders folders;
    std::vector<OutputFile> files;
    const std::vector<evidence::DataFile>* const data = data_of(answer);
    if (options.has("data") && data) {
        make_folder(options.word("data"), folders);
        for (const evidence::DataFile& part : *data) {
            files.push_back(written(part, options.word("data")));
        }
    }
    if (verbosity == Verbosity::normal || options.flag("json")) {
        print(cli::report(options.flag("json"), "identify", as_json(answer, table, path),
                          as_text(answer)));
    }
    if (!files.empty()) {
        std::vector<OutputFile*> all;
        for (OutputFile& file : files) all.push_back(&file);
        end_with([&] { commit(all); });
    }
    return answer.verdict == recognition::Verdict::not_identified ? ExitStatus::no
                                                                  : ExitStatus::done;
}

}  // namespace pegen::cli
