#include "cli/identify/permuted.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "cli/arguments.h"
#include "cli/identify/report.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "files/array_file.h"
#include "recognition/kernel/convention.h"
#include "recognition/permuted.h"

namespace pegen::cli {
namespace {

using recognition::Permutation;
using recognition::PermutationKind;

constexpr std::array options{
    ParameterSpec{.name = "permuted",
                  .type = ParameterType::path,
                  .summary = "a weight or bias of queries or keys, in another order"},
    ParameterSpec{.name = "of", .type = ParameterType::path, .summary = "the original one"},
};

constexpr std::array common_options{json_option, quiet_option};

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

std::string as_text(const Permutation& found, const Table& table, const std::string& original) {
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

Json as_json(const Permutation& found, const Table& table, const std::string& original,
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

}  // namespace

std::span<const ParameterSpec> permuted_options() { return options; }

ExitStatus run_identify_permuted(std::span<const std::string_view> arguments) {
    const std::vector<OptionGroup> groups{option_group("Options", options),
                                          option_group("Options", common_options)};
    const Arguments given = parse_arguments(arguments, options_in(groups), "identify");
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("unexpected argument '{}'; --permuted and --of name the two arrays",
                        printable(given.positionals.front())));
    }
    const Parameters own = set_options(options, given.options);
    const Parameters common = set_options(common_options, given.options);
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
                     as_json(found, to, original, permuted), as_text(found, to, original)));
    }
    return verdict_of(found) == "not identified" ? ExitStatus::no : ExitStatus::done;
}

}  // namespace pegen::cli
