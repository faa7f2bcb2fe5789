#include "cli/explore/replies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "cli/explain/report.h"
#include "cli/explore/asked.h"
#include "cli/explore/sides.h"
#include "cli/generate.h"
#include "cli/help/catalogue.h"
#include "cli/help/help.h"
#include "cli/identified_as.h"
#include "cli/position_arrays.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/number.h"
#include "core/progress.h"
#include "encodings/registry.h"
#include "figure/colormap.h"
#include "figure/plot.h"
#include "files/json_text.h"
#include "formats/png.h"
#include "formats/registry.h"
#include "formats/table_head.h"
#include "formats/text.h"
#include "formats/write.h"
#include "inspect/cell_text.h"
#include "inspect/neighbours.h"
#include "page/page.h"

namespace pegen::cli {
namespace {

/// Returns the parameters without those parameters that a page may not set.
Json settable(Json parameters) {
    Json kept = Json::array();
    for (Json& parameter : parameters) {
        if (parameter["type"] == "path") continue;
        if (!is_for_pages(parameter["name"].get<std::string>())) continue;
        kept.push_back(std::move(parameter));
    }
    return kept;
}

Json encodings() {
    Json list = encodings_json(all_encodings());
    for (std::size_t i = 0; i < list.size(); ++i) {
        Json& encoding = list[i];
        encoding["parameters"] = settable(std::move(encoding["parameters"]));
        const std::span<const TableSpec> tables = all_encodings()[i]->tables;
        for (std::size_t k = 0; k < tables.size(); ++k) {
            encoding["tables"][k]["idle"] = words(tables[k].idle_parameters);
        }
    }
    return list;
}

/// Returns the presets, each with its settings as an object.
Json presets() {
    Json list = presets_json();
    for (std::size_t i = 0; i < list.size(); ++i) {
        Json settings = Json::object();
        const Parameters parameters = parameters_of(all_presets()[i]);
        for (const Parameters::Entry& entry : parameters.entries()) {
            if (entry.origin != Origin::preset) continue;
            settings[std::string(entry.spec->name)] = to_string(entry);
        }
        list[i]["settings"] = std::move(settings);
    }
    return list;
}

Json plots() {
    Json list = names_json(all_plots());
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i]["options"] = words(all_plots()[i]->options);
    return list;
}

/// Returns the colormaps, each with some of its colours as a sample for the page.
Json colormaps() {
    Json list = names_json(all_colormaps());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Palette palette = all_colormaps()[i]->colours();
        std::vector<Rgb> some;
        for (std::size_t colour = 4; colour < palette.size(); colour += 8) {
            some.push_back(palette[colour]);
        }
        list[i]["colours"] = hexadecimal(some);
    }
    return list;
}

/// Returns the formats that hold the whole of one table.
Json formats() {
    Json list = Json::array();
    for (const Format* format : all_formats()) {
        if (format->is_shown || format->archive || format == &formats::text) continue;
        list.push_back({{"name", format->name}, {"summary", format->summary}});
    }
    return list;
}

/// Adds the presets that make the same table, and the neighbouring presets with the settings that
/// differ.
void add_neighbours(Json& about, const Preset& preset) {
    for (const auto& [neighbour, settings] : neighbours_of(preset)) {
        if (settings.empty()) {
            about["same"].push_back(neighbour->name);
            continue;
        }
        Json values = Json::object();
        for (const Parameters::Entry& setting : settings) {
            values[std::string(setting.spec->name)] = to_string(setting);
        }
        about["neighbours"].push_back({{"name", neighbour->name},
                                       {"summary", neighbour->summary},
                                       {"settings", std::move(values)}});
    }
}

/// Returns the value of the other table at the same indices, and the difference: the first table's
/// value minus this value. Both are null if the other table has no such cell.
Json other_cell(const Sides& sides) {
    const Table &first = sides.first.table, &other = sides.other.table;
    const std::vector<std::int64_t> at = cell_index(first.shape, first.axes, sides.asked.at);
    Json cell{{"name", sides.other.name}, {"value", nullptr}, {"difference", nullptr}};
    const std::optional<std::int64_t> element = element_at(other.shape, at);
    if (!element) return cell;
    cell["value"] = element_text(other, *element);
    cell["difference"] =
        shortest(read_value(first, *element_at(first.shape, at)) - read_value(other, *element));
    return cell;
}

constexpr std::int64_t most_points = 2000;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// The indices along an axis at which a curve has values: 0, step, 2 step, ... below `extent`.
struct Steps {
    int axis;
    std::int64_t extent;
    std::int64_t step;
};

/// Returns the values of the cells along the axis of `steps`, with the indices of `at` along all
/// other axes; null where the table has no such cell.
Json values_along(const Table& table, std::vector<std::int64_t> at, const Steps& steps) {
    const std::int64_t columns = table.shape.columns();
    std::vector<double> row;
    std::optional<std::int64_t> row_at_hand;
    Json values = Json::array();
    for (std::int64_t i = 0; i < steps.extent; i += steps.step) {
        at[steps.axis] = i;
        const std::optional<std::int64_t> element = element_at(table.shape, at);
        if (element && row_at_hand != *element / columns) {
            row_at_hand = *element / columns;
            row = read_rows(table, {*row_at_hand, 1});
        }
        values.push_back(element ? number_or_null(row[*element % columns]) : Json());
    }
    return values;
}

/// Returns the name of the index that stays fixed along the curve: "channel 37".
std::string name_across(const Table& table, const std::vector<std::int64_t>& at, int axis) {
    const int rank = table.shape.rank();
    if (rank < 2) return "";
    const std::size_t other = axis == rank - 1 ? rank - 2 : rank - 1;
    const Axis& fixed = table.axes[other];
    return index_text(fixed.name, at[other], stands_for(fixed, at[other]));
}

/// Returns the curves through a cell, along the last two axes. `other` is the table to compare
/// with, or nullptr.
Json curves_of(const Table& table, const Side* other, std::span<const std::int64_t> asked_at) {
    const std::vector<std::int64_t> at = cell_index(table.shape, table.axes, asked_at);
    const int rank = table.shape.rank();
    Json curves = Json::array();
    for (int axis = std::max(0, rank - 2); axis < rank; ++axis) {
        const std::int64_t extent = table.shape[axis];
        const Steps steps{axis, extent, (extent + most_points - 1) / most_points};
        Json curve{{"axis", axis},
                   {"name", name_across(table, at, axis)},
                   {"from", 0},
                   {"step", steps.step},
                   {"values", values_along(table, at, steps)}};
        if (other) {
            curve["beside"] = {{"name", other->name},
                               {"values", values_along(other->table, at, steps)}};
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

const Format& format_named(std::string_view name) {
    for (const Format* format : all_formats()) {
        if (format->name == name && !format->is_shown && !format->archive) return *format;
    }
    throw UsageError(fmt::format("{}: is no format of a file of one table", name));
}

}  // namespace

http::Reply specs_reply(const http::Request&) {
    return json_reply({{"version", PEGEN_VERSION},
                       {"start", usual_subject},
                       {"encodings", encodings()},
                       {"presets", presets()},
                       {"options", parameters_json(table_options())},
                       {"figure", settable(parameters_json(formats::png.parameters()))},
                       {"plots", plots()},
                       {"colormaps", colormaps()},
                       {"formats", formats()}});
}

http::Reply about_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    const Encoding& encoding = *asked.request.subject.encoding;
    const Preset* const preset = asked.request.subject.preset;
    // The parameters with the expressions evaluated, as the table is made.
    const Parameters parameters =
        planned_table(asked.request, asked.wanted()).table.provenance.parameters;
    Json about{{"name", asked.request.subject.name()},
               {"kind", preset ? "preset" : "encoding"},
               {"summary", preset ? preset->summary : encoding.summary},
               {"encoding", encoding.name},
               {"equivalence", preset ? equivalence(*preset) : ""},
               {"aliases", Json::array()},
               {"note", preset ? preset->note : ""},
               {"formula", formula_with(encoding, parameters)},
               {"general", encoding.formula_of ? encoding.formula : ""},
               {"source", preset ? preset->source : encoding.source},
               {"same", Json::array()},
               {"neighbours", Json::array()}};
    if (preset) {
        about["aliases"] = words(preset->aliases);
        add_neighbours(about, *preset);
    }
    return json_reply(about);
}

http::Reply cell_reply(const http::Request& request) {
    Asked asked = asked_for(request.path[1], request.query);
    check_work(planned_table(asked.request, asked.wanted()), most_values_drawn);
    const auto sides = sides_of(asked, request);
    if (sides) asked = sides->asked;
    const Request& table = asked.request;
    Json cell = json_of(explain(table.subject, *asked.wanted().spec, table.parameters, asked.at));
    if (sides) cell["beside"] = other_cell(*sides);
    return json_reply(cell);
}

http::Reply curves_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    if (const auto sides = sides_of(asked, request)) {
        const Json curves = curves_of(sides->first.table, &sides->other, sides->asked.at);
        return json_reply({{"curves", curves}});
    }
    const Table table =
        table_within(planned_table(asked.request, asked.wanted()), most_values_drawn);
    return json_reply({{"curves", curves_of(table, nullptr, asked.at)}});
}

http::Reply arrays_reply(const http::Request& request) {
    const Archive archive = file_archive(request);
    if (std::ssize(archive.members) > most_arrays) {
        throw UsageError(
            fmt::format("{}: has {} arrays: a page lists at most {}; pe-gen info lists all",
                        archive.path, archive.members.size(), most_arrays));
    }
    Json arrays = Json::array();
    for (const ArchiveMember& member : archive.members) {
        report(0, 0);
        Json array{{"name", member.name}};
        try {
            const Table table = member.open().table;
            array["shape"] = table.shape.extents();
            array["dtype"] = info(table.dtype).name;
            array["usual"] = is_position_name(member.name) || has_position_shape(table);
        } catch (const FormatError& error) {
            array["refusal"] = error.what();
        }
        arrays.push_back(std::move(array));
    }
    return json_reply({{"arrays", arrays}});
}

http::Reply identify_reply(const http::Request& request) {
    const ArrayFile file = file_array(request);
    check_size(file.table, most_values_identified);
    const std::string sentence = identified_as(file.path, file.table, report).sentence;
    return json_reply({{"sentence", sentence}});
}

http::Reply values_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    const Table table =
        table_within(planned_table(asked.request, asked.wanted()), most_values_of_page);
    return framed_reply(table_head(table, asked.figure()), {element_bytes(table)});
}

http::Reply file_reply(const http::Request& request) {
    const Format& format = format_named(request.path[1]);
    const Asked asked = asked_for(request.path[2], request.query);
    const bool is_text = !format.is_binary && !format.draw;
    const Table table = table_within(planned_table(asked.request, asked.wanted()),
                                     is_text ? most_values_written : most_values_drawn);
    if (format.draw) check_figure(table, asked.figure());
    const Parameters options = is_figure(format) ? asked.figure() : Parameters(format.parameters());
    http::Reply reply{.type = "application/octet-stream"};
    reply.headers.emplace_back(
        "Content-Disposition",
        fmt::format("attachment; filename=\"{}.{}\"", asked.request.subject.name(), format.name));
    constexpr std::size_t most_at_once = std::size_t{1} << 20;
    std::function<std::string()> next_part = file_parts(table, format, options);
    while (reply.body.size() < most_at_once) {
        const std::string part = next_part();
        if (part.empty()) return reply;
        reply.body += part;
    }
    if (const auto size = file_size(table, format, options)) {
        reply.headers.emplace_back("Content-Length", fmt::format("{}", *size));
    }
    reply.more = std::move(next_part);
    return reply;
}

namespace {

http::Reply reply_of(const page::Page& page) {
    return {.type = "text/html; charset=utf-8",
            .body = page.html,
            .headers = {{"Content-Security-Policy", page.policy}}};
}

http::Reply page_reply(const http::Request&) {
    static const page::Page page = page::explorer();
    return reply_of(page);
}

http::Reply tour_reply(const http::Request&) {
    static const page::Page page = page::tour();
    return reply_of(page);
}

/// A kind of request: the first part of its path, the number of parts, and the function that
/// replies.
struct Route {
    std::string_view name;
    std::size_t parts;
    http::Reply (*reply)(const http::Request&);
    bool takes_file = false;  ///< a file may be sent as the body of a POST
};

constexpr std::array routes{
    Route{"", 0, page_reply},
    Route{"tour.html", 1, tour_reply},
    Route{"specs", 1, specs_reply},
    Route{"about", 2, about_reply},
    Route{"draw", 2, draw_reply, true},
    Route{"arrays", 1, arrays_reply, true},
    Route{"identify", 1, identify_reply, true},
    Route{"cell", 2, cell_reply, true},
    Route{"curves", 2, curves_reply, true},
    Route{"values", 2, values_reply},
    Route{"file", 3, file_reply},
};

const Route* route_of(const http::Request& request) {
    const std::string name = request.path.empty() ? "" : request.path.front();
    const auto found = std::ranges::find_if(routes, [&](const Route& route) {
        return route.name == name && route.parts == request.path.size();
    });
    return found == routes.end() ? nullptr : &*found;
}

/// Returns the option that a message is about: the option's name at the beginning of messages such
/// as "--odd: ..." and "--d 7: ..."; null for other messages.
Json option_of(std::string_view message) {
    if (!message.starts_with("--")) return nullptr;
    const std::string_view name = message.substr(2, message.find_first_of(" :,=") - 2);
    return name;
}

/// Returns a function that calls `more`. It throws GivenUp once nobody waits any more, or when all
/// its calls together have taken the time `left`.
std::function<std::string()> patient(std::function<std::string()> more, http::IsGivenUp is_given_up,
                                     std::chrono::steady_clock::duration left) {
    return [more = std::move(more), is_given_up = std::move(is_given_up), left]() mutable {
        const auto begin = std::chrono::steady_clock::now();
        const Progress given_up = patience(is_given_up, begin + left);
        const Reporting reporting(given_up);
        report(0, 0);
        std::string part = more();
        left -= std::chrono::steady_clock::now() - begin;
        return part;
    };
}

http::Reply error_reply(int status, std::string_view message) {
    return json_reply({{"message", message}, {"option", option_of(message)}}, status);
}

}  // namespace

http::Reply json_reply(const Json& json, int status) {
    return {.status = status, .type = "application/json", .body = utf8_json_line(json)};
}

http::Reply framed_reply(const Json& head, std::vector<std::string> parts) {
    http::Reply reply = json_reply(head);
    reply.type = "application/octet-stream";
    reply.body += '\n';
    std::size_t size = reply.body.size();
    for (const std::string& part : parts) size += part.size();
    reply.body.reserve(size);
    for (std::string& part : parts) reply.body += std::exchange(part, {});
    return reply;
}

http::Reply answer(const http::Request& request) {
    const Route* const route = route_of(request);
    if (!route) return error_reply(404, "there is nothing at this address");
    if (request.is_post != (request.is_post && route->takes_file)) {
        return error_reply(405, "takes no file: use GET");
    }
    const auto end = request.arrival + longest_work;
    const Progress given_up = patience(request.is_given_up, end);
    const Reporting reporting(given_up);
    try {
        report(0, 0);
        http::Reply reply = route->reply(request);
        if (reply.more) {
            reply.more = patient(std::move(reply.more), request.is_given_up,
                                 end - std::chrono::steady_clock::now());
        }
        return reply;
    } catch (const UsageError& error) {
        return error_reply(400, error.what());
    } catch (const FormatError& error) {
        return error_reply(400, error.what());
    } catch (const FileError& error) {
        return error_reply(400, error.what());
    } catch (const GivenUp& error) {
        return error_reply(503, error.what());
    }
}

}  // namespace pegen::cli
