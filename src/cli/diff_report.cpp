#include "cli/diff_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/one_line.h"
#include "files/json_text.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;

/// "at (3, 1): 0.5 in A, 0.25 in B"
std::string at(const std::optional<Place>& place) {
    return fmt::format("at ({}{}): {} in A, {} in B", fmt::join(place->index, ", "),
                       place->index.size() == 1 ? "," : "", place->a, place->b);
}

std::string line_of(std::string_view name, std::string_view text) {
    return fmt::format("{:<10}{}\n", name, text);
}

std::string text_of(const Side& side) {
    return fmt::format("{}: {}, {}", one_line(side.name), to_string(side.table.shape),
                       info(side.table.dtype).name);
}

double share(const Difference& found) {
    return found.values > 0
               ? static_cast<double>(found.differing) / static_cast<double>(found.values)
               : 0;
}

std::string verdict(const DiffReport& report) {
    if (!report.found) return "different: the shapes are not equal";
    if (report.found->differing == 0) return "equal: all values are the same";
    return report.is_equal() ? "equal within the tolerance" : "different";
}

Json json_of(const Side& side) {
    return {{"name", side.name},
            {"shape", side.table.shape.extents()},
            {"dtype", info(side.table.dtype).name}};
}

Json json_of(const std::optional<Place>& place) {
    if (!place) return nullptr;
    return {{"index", place->index}, {"a", place->a}, {"b", place->b}};
}

}  // namespace

std::string as_text(const DiffReport& report) {
    std::string text =
        line_of("A", text_of(report.sides.a)) + line_of("B", text_of(report.sides.b));
    if (report.found && report.found->differing > 0) {
        const Difference& found = *report.found;
        text +=
            line_of("differing",
                    fmt::format("{} of {} values ({:.3g} %), {} beyond the tolerance",
                                found.differing, found.values, 100 * share(found), found.beyond));
        const bool is_nan = found.largest_place->a == "nan" || found.largest_place->b == "nan";
        text += line_of("largest", fmt::format("{:.6g} {}", is_nan ? NAN : found.largest,
                                               at(found.largest_place)));
        if (found.ulp_dtype && found.ulps_place) {
            text += line_of("ULP", fmt::format("{} of {} {}", found.largest_ulps,
                                               info(*found.ulp_dtype).name, at(found.ulps_place)));
        }
    }
    text += line_of("verdict", verdict(report));
    return report.reason.empty() ? text : text + line_of("reason", report.reason);
}

std::string as_json(const DiffReport& report) {
    Json json{{"equal", report.is_equal()},
              {"a", json_of(report.sides.a)},
              {"b", json_of(report.sides.b)}};
    if (report.found) {
        const Difference& found = *report.found;
        json["values"] = found.values;
        json["differing"] = found.differing;
        json["share"] = share(found);
        json["beyond"] = found.beyond;
        json["largest"] = std::isfinite(found.largest) ? Json(found.largest) : Json("Infinity");
        json["largest_finite"] = found.largest_finite;
        json["largest_at"] = json_of(found.largest_place);
        json["ulp_dtype"] = found.ulp_dtype ? Json(info(*found.ulp_dtype).name) : Json();
        json["largest_ulps"] = found.largest_ulps;
        json["largest_ulps_at"] = json_of(found.ulps_place);
    }
    json["reason"] = report.reason.empty() ? Json() : Json(report.reason);
    return json_line(json) + "\n";
}

}  // namespace pegen::cli
