#include <algorithm>

#include "cli/explore/asked.h"
#include "cli/explore/replies.h"
#include "cli/help/catalogue.h"
#include "core/json.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "figure/colormap.h"
#include "figure/plot.h"
#include "formats/png.h"
#include "formats/registry.h"
#include "formats/text.h"

namespace pegen::cli {
namespace {

/// Returns the parameters without those parameters that a page may not set.
Json settable(Json parameters) {
    const std::vector<std::string_view> idle = words(formats::png.idle_parameters);
    Json kept = Json::array();
    for (Json& parameter : parameters) {
        if (parameter["type"] == "path") continue;
        if (std::ranges::count(idle, parameter["name"].get<std::string>()) > 0) continue;
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

}  // namespace pegen::cli
