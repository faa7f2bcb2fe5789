#include "formats/metadata.h"

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace pegen {
namespace {

using Json = nlohmann::ordered_json;

struct AsJson {
    Json operator()(NoValue) const { return nullptr; }
    template <class T>
    Json operator()(const T& value) const {
        return value;
    }
};

Json json_of(const Value& value) { return std::visit(AsJson{}, value); }

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

Json provenance_json(const Provenance& provenance) {
    Json parameters = Json::object();
    for (const Parameters::Entry& entry : provenance.parameters.entries()) {
        parameters[std::string(entry.spec->name)] = json_of(entry.value);
    }
    // An object from the start: when null turns into an object and memory runs out, the library
    // leaves an object without content behind and crashes when it destroys that.
    Json json = Json::object();
    json["encoding"] = text_or_null(provenance.encoding);
    if (!provenance.preset.empty()) json["preset"] = provenance.preset;
    json["table"] = text_or_null(provenance.table);
    json["parameters"] = std::move(parameters);
    return json;
}

std::string figure_provenance(const Table& table, const Parameters& figure) {
    if (table.provenance.encoding.empty()) return "";
    Json json = provenance_json(table.provenance);
    if (table.dtype != DType::float32) json["dtype"] = info(table.dtype).name;
    Json options = Json::object();
    for (const Parameters::Entry& entry : figure.entries()) {
        if (!is_default(entry)) options[std::string(entry.spec->name)] = json_of(entry.value);
    }
    if (!options.empty()) json["figure"] = std::move(options);
    constexpr bool ascii_only = true;
    return json.dump(-1, ' ', ascii_only, Json::error_handler_t::replace);
}

}  // namespace pegen
