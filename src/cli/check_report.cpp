#include "cli/check_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/text_layout.h"
#include "core/number.h"
#include "core/one_line.h"
#include "files/json_text.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t name_width = 10;
constexpr std::size_t text_column = 20;

template <class Predicate>
std::vector<std::string_view> names_where(const CheckReport& report, Predicate is_meant) {
    std::vector<std::string_view> names;
    for (const Checked& checked : report.found.properties) {
        if (std::invoke(is_meant, checked)) names.push_back(checked.property->name);
    }
    return names;
}

std::string line_of(const Checked& checked) {
    std::string text = checked.finding.text;
    if (checked.finding.verdict == Verdict::fails && !checked.is_asked) text += " (not asked for)";
    return two_columns(
        fmt::format("{:<10}{}", checked.property->name, name_of(checked.finding.verdict)), text,
        text_column, report_width());
}

/// The properties that do not apply, each reason once: "-  rotation, offset: there is ...".
std::string senseless(const CheckReport& report) {
    std::vector<std::string_view> reasons;
    std::string text;
    for (const Checked& first : report.found.properties) {
        const std::string& reason = first.finding.text;
        const auto is_alike = [&](const Checked& checked) {
            return checked.finding.verdict == Verdict::not_applicable &&
                   checked.finding.text == reason;
        };
        if (!is_alike(first) || std::ranges::count(reasons, reason) > 0) continue;
        reasons.push_back(reason);
        text += two_columns(
            "-", fmt::format("{}: {}", fmt::join(names_where(report, is_alike), ", "), reason),
            name_width, report_width());
    }
    return text;
}

std::string verdict(const CheckReport& report) {
    std::vector<std::string> failed;
    for (const Checked& checked : report.found.properties) {
        if (!checked.has_failed()) continue;
        const bool applies = checked.finding.verdict != Verdict::not_applicable;
        failed.push_back(
            fmt::format("{}{}", checked.property->name, applies ? "" : " (does not apply)"));
    }
    if (!failed.empty()) return fmt::format("fails: {}", fmt::join(failed, ", "));
    const auto kept = names_where(report, [](const Checked& checked) {
        return checked.is_asked && checked.finding.verdict == Verdict::holds;
    });
    if (kept.empty()) return "nothing is promised or asked for that applies";
    return fmt::format("holds: {}", fmt::join(kept, ", "));
}

/// JSON has no infinities.
Json json_of(double number) {
    return std::isfinite(number) ? Json(number) : Json(shortest(number));
}

Json json_of(const ReportValue& value) {
    return std::visit(
        []<class T>(const T& some) -> Json {
            if constexpr (std::is_same_v<T, double>) {
                return json_of(some);
            } else if constexpr (std::is_same_v<T, std::vector<double>>) {
                Json list = Json::array();
                for (const double number : some) list.push_back(json_of(number));
                return list;
            } else {
                return some;
            }
        },
        value);
}

Json json_of(const Checked& checked) {
    Json json{{"name", checked.property->name},
              {"formula", checked.property->formula},
              {"source", checked.property->source},
              {"verdict", checked.finding.verdict == Verdict::not_applicable
                              ? "does not apply"
                              : name_of(checked.finding.verdict)},
              {"asked", checked.is_asked},
              {"text", checked.finding.text}};
    Json numbers = Json::object();
    for (const auto& [name, value] : checked.finding.numbers) {
        numbers[std::string(name)] = json_of(value);
    }
    json["numbers"] = std::move(numbers);
    return json;
}

}  // namespace

bool CheckReport::holds() const {
    return std::ranges::none_of(found.properties, &Checked::has_failed);
}

std::string as_text(const CheckReport& report) {
    std::string text =
        two_columns("table",
                    fmt::format("{}: {}, {}", one_line(report.name), to_string(report.table.shape),
                                info(report.table.dtype).name),
                    name_width, report_width());
    if (!report.found.left_out.empty()) {
        text += two_columns("left out", report.found.left_out, name_width, report_width());
    }
    for (const Checked& checked : report.found.properties) {
        if (checked.finding.verdict != Verdict::not_applicable) text += line_of(checked);
    }
    return text + senseless(report) +
           two_columns("verdict", verdict(report), name_width, report_width());
}

std::string as_json(const CheckReport& report) {
    Json properties = Json::array();
    for (const Checked& checked : report.found.properties) properties.push_back(json_of(checked));
    const Json json{{"name", report.name},
                    {"shape", report.table.shape.extents()},
                    {"dtype", info(report.table.dtype).name},
                    {"left_out", report.found.left_out},
                    {"holds", report.holds()},
                    {"failed", names_where(report, &Checked::has_failed)},
                    {"properties", std::move(properties)}};
    return json_line(json) + "\n";
}

}  // namespace pegen::cli
