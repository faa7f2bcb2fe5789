#include "cli/explore/asked.h"
#include "cli/explore/replies.h"
#include "cli/generate.h"
#include "cli/help/help.h"
#include "core/json.h"
#include "core/names.h"
#include "inspect/neighbours.h"

namespace pegen::cli {
namespace {

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

}  // namespace

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

}  // namespace pegen::cli
