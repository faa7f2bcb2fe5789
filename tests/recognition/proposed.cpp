#include "recognition/proposed.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "recognition/evidence/precision.h"
#include "recognition/identify/answers.h"
#include "recognition/recognized.h"

using namespace pegen;

namespace {

bool makes(const evidence::Proposal& proposal, const Encoding& encoding, const Table& table) {
    if (!proposal.rows.empty() || !proposal.channels.empty()) return false;
    const std::string_view name =
        proposal.table.empty() ? encoding.tables.front().name : proposal.table;
    const TableSpec* const spec = find_table(encoding, name);
    if (!spec) return false;
    Parameters parameters(encoding.parameters);
    std::vector<double> made;
    try {
        for (const auto& [parameter, value] : proposal.settings) {
            parameters.set(parameter, value, Origin::user);
        }
        const Table again = make_table(encoding, *spec, parameters, table.dtype);
        if (again.shape.size() != table.shape.size()) return false;
        made = all_values(again);
    } catch (const UsageError&) {
        return false;
    }
    const evidence::Precision precision = evidence::precision_of(table.dtype);
    const std::vector<double> values = all_values(table);
    return std::ranges::equal(made, values, [&](double a, double b) {
        // Numbers computed in double have an error that small values do not show.
        const double least = table.dtype == DType::float64 ? 1e-13 : 0;
        return std::fabs(a - b) <= evidence::unit_of(b, precision) + least;
    });
}

}  // namespace

std::string setting_of(const evidence::Proposal& proposal, std::string_view name) {
    const auto found = std::ranges::find(proposal.settings, name, &evidence::Setting::name);
    return found == proposal.settings.end() ? "" : found->value;
}

bool makes_one_of(const std::vector<evidence::Proposal>& proposals, std::string_view encoding,
                  const Table& table) {
    const Encoding* const found = find_encoding(encoding);
    return found && std::ranges::any_of(proposals, [&](const evidence::Proposal& proposal) {
               return makes(proposal, *found, table);
           });
}

std::string summary_of(const std::vector<evidence::Proposal>& proposals) {
    constexpr std::size_t most = 4;
    std::vector<std::string> lines = proposed(proposals);
    if (lines.size() > most) lines.resize(most);
    lines.push_back(fmt::format("{} in all\n", proposals.size()));
    return joined(lines, "\n");
}

void check_proposed(std::string_view command, DType dtype) {
    CAPTURE(command);
    CAPTURE(static_cast<int>(dtype));
    const std::string_view name = command.substr(0, command.find(' '));
    const Preset* const preset = find_preset(name);
    const std::string_view encoding = preset ? preset->encoding->name : name;
    const Table table = table_of(command, dtype);
    const std::vector<evidence::Proposal> proposals = find_recognized(encoding, table);
    CHECK(makes_one_of(proposals, encoding, table));
    check_stored(proposals, command, dtype);
}

void check_stored(const std::vector<evidence::Proposal>& proposals, std::string_view command,
                  DType dtype) {
    const std::string question = fmt::format("{} --dtype {}", command, info(dtype).name);
    std::string text = summary_of(proposals);
    if (!proposals.empty() && proposals.front().angle) {
        const auto& angle = proposals.front().angle;
        const Shape shape = table_of(command, dtype).shape;
        const std::int64_t last = shape[0] - 1, columns = shape.size() / shape[0];
        text += fmt::format("angles {:.6g} to {:.6g} at the last index of the first axis\n",
                            angle(last, 0), angle(last, columns - 1));
    }
    CHECK(trials::changed_answer("recognized", {question, text}) == "");
}

std::vector<std::string> proposed(const std::vector<evidence::Proposal>& proposals) {
    std::vector<std::string> all;
    for (const evidence::Proposal& proposal : proposals) {
        std::string& settings = all.emplace_back();
        for (const evidence::Setting& setting : proposal.settings) {
            settings +=
                fmt::format("{}--{} {}", settings.empty() ? "" : " ", setting.name, setting.value);
        }
    }
    return all;
}

bool is_proposed(const std::string& settings, const std::vector<evidence::Proposal>& proposals) {
    return std::ranges::count(proposed(proposals), settings) > 0;
}
