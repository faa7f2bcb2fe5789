#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/explore/asked.h"
#include "cli/explore/beside.h"
#include "cli/explore/bounds.h"
#include "cli/explore/page_command.h"
#include "cli/explore/picture.h"
#include "cli/explore/replies.h"
#include "cli/generate.h"

namespace pegen::cli {
namespace {

using nlohmann::ordered_json;

std::string_view origin_name(Origin origin) {
    switch (origin) {
        case Origin::specification:
            return "specification";
        case Origin::preset:
            return "preset";
        case Origin::user:
            break;
    }
    return "user";
}

ordered_json head_of(const Asked& asked, const Table& table) {
    ordered_json parameters = ordered_json::array();
    for (const Parameters::Entry& entry : table.provenance.parameters.entries()) {
        if (entry.spec->type == ParameterType::path) continue;
        parameters.push_back({{"name", entry.spec->name},
                              {"value", to_string(entry)},
                              {"origin", origin_name(entry.origin)}});
    }
    ordered_json axes = ordered_json::array();
    for (std::size_t i = 0; i < table.axes.size(); ++i) {
        axes.push_back({{"name", table.axes[i].name},
                        {"label", table.axes[i].label},
                        {"size", table.shape[static_cast<int>(i)]}});
    }
    return {{"command", page_command(asked, table, "png")},
            {"name", asked.request.subject.name()},
            {"encoding", table.provenance.encoding},
            {"preset", table.provenance.preset},
            {"table", table.provenance.table},
            {"dtype", info(table.dtype).name},
            {"shape", table.shape.extents()},
            {"title", table.title},
            {"parameters", std::move(parameters)},
            {"axes", std::move(axes)}};
}

http::Reply reply_of(ordered_json head, std::vector<Picture> pictures) {
    std::vector<std::string> pixels, notes;
    head["pictures"] = ordered_json::array();
    for (Picture& picture : pictures) {
        head["pictures"].push_back(picture.about);
        pixels.push_back(std::move(picture.pixels));
        for (const std::string& note : picture.notes) {
            if (std::ranges::count(notes, note) == 0) notes.push_back(note);
        }
    }
    head["notes"] = notes;
    return framed_reply(head, std::move(pixels));
}

http::Reply reply_of(const Sides& sides) {
    const Asked& asked = sides.asked;
    Beside shown = beside(sides);
    ordered_json head = head_of(asked, planned_table(asked.request, asked.wanted()).table);
    head["comparison"] = {{"sentences", shown.sentences},
                          {"is_command_known", shown.is_command_known}};
    return reply_of(std::move(head), std::move(shown.pictures));
}

}  // namespace

http::Reply draw_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    const PlannedTable planned = planned_table(asked.request, asked.wanted());
    check_figure(planned.table, asked.figure());
    if (const auto sides = sides_of(asked, request)) return reply_of(*sides);
    const Table table = table_within(planned, most_values_drawn);
    const std::string label(asked.request.subject.name());
    return reply_of(head_of(asked, table),
                    {drawn("this", label, table, fitted_to(asked.within, asked.figure()))});
}

}  // namespace pegen::cli
