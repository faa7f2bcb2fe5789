#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/explore/asked.h"
#include "cli/explore/replies.h"
#include "cli/help/catalogue.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "figure/colormap.h"
#include "figure/plot.h"
#include "formats/png.h"
#include "formats/registry.h"
#include "formats/text.h"

namespace pegen::cli {
namespace {

using nlohmann::ordered_json;

/// Returns the parameters without those parameters that a page may not set.
ordered_json settable(ordered_json parameters) {
    const std::vector<std::string_view> idle = words(formats::png.idle_parameters);
    ordered_json kept = ordered_json::array();
    for (ordered_json& parameter : parameters) {
        if (parameter["type"] == "path") continue;
        if (std::ranges::count(idle, parameter["name"].get<std::string>()) > 0) continue;
        kept.push_back(std::move(parameter));
    }
    return kept;
}

ordered_json encodings() {
    ordered_json list = encodings_json(all_encodings());
    for (std::size_t i = 0; i < list.size(); ++i) {
        ordered_json& encoding = list[i];
        encoding["parameters"] = settable(std::move(encoding["parameters"]));
        const std::span<const TableSpec> tables = all_encodings()[i]->tables;
        for (std::size_t k = 0; k < tables.size(); ++k) {
            encoding["tables"][k]["idle"] = words(tables[k].idle_parameters);
        }
    }
    return list;
}

/// Returns the presets, each with its settings as an object.
ordered_json presets() {
    ordered_json list = presets_json();
    for (std::size_t i = 0; i < list.size(); ++i) {
        ordered_json settings = ordered_json::object();
        const Parameters parameters = parameters_of(all_presets()[i]);
        for (const Parameters::Entry& entry : parameters.entries()) {
            if (entry.origin != Origin::preset) continue;
            settings[std::string(entry.spec->name)] = to_string(entry);
        }
        list[i]["settings"] = std::move(settings);
    }
    return list;
}

ordered_json plots() {
    ordered_json list = names_json(all_plots());
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i]["options"] = words(all_plots()[i]->options);
    return list;
}

/// Returns the colormaps, each with some of its colours as a sample for the page.
ordered_json colormaps() {
    ordered_json list = names_json(all_colormaps());
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
ordered_json formats() {
    ordered_json list = ordered_json::array();
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
