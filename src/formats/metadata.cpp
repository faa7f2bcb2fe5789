#include "formats/metadata.h"

#include <variant>

namespace pegen {
namespace {

struct AsJson {
    nlohmann::ordered_json operator()(std::monostate) const { return nullptr; }
    template <class T>
    nlohmann::ordered_json operator()(const T& value) const {
        return value;
    }
};

}  // namespace

nlohmann::ordered_json provenance_json(const Provenance& provenance) {
    nlohmann::ordered_json json;
    json["encoding"] = provenance.encoding;
    if (!provenance.preset.empty()) json["preset"] = provenance.preset;
    json["table"] = provenance.table;
    nlohmann::ordered_json& parameters = json["parameters"] = nlohmann::ordered_json::object();
    for (const Parameters::Entry& entry : provenance.parameters.entries()) {
        parameters[std::string(entry.spec->name)] = std::visit(AsJson{}, entry.value);
    }
    return json;
}

}  // namespace pegen
