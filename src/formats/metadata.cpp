#include "formats/metadata.h"

#include <string>
#include <variant>

#include "core/number.h"
#include "figure/chosen_font.h"
#include "figure/figure.h"
#include "files/json_text.h"

namespace pegen {
namespace {

struct AsJson {
    Json operator()(NoValue) const { return nullptr; }
    template <class T>
    Json operator()(const T& value) const {
        return value;
    }
};

Json json_of(const Value& value) { return std::visit(AsJson{}, value); }

Json parameters_json(const Parameters& all) {
    Json parameters = Json::object();
    for (const Parameters::Entry& entry : all.entries()) {
        if (entry.spec->is_rare && is_default(entry)) continue;
        parameters[std::string(entry.spec->name)] = json_of(entry.value);
    }
    return parameters;
}

/// Adds "corruption": the parameters that are not the default, if the table has such.
void add_corruption(Json& json, const Parameters& corruption) {
    Json parameters = Json::object();
    for (const Parameters::Entry& entry : corruption.entries()) {
        if (is_default(entry)) continue;
        Json value = json_of(entry.value);
        double number = 0;  // of a text such as the strength of noise
        const std::string text = value.is_string() ? value.get<std::string>() : "";
        const auto read = read_double(text, number);
        if (!text.empty() && read.ptr == text.data() + text.size()) value = number;
        parameters[std::string(entry.spec->name)] = std::move(value);
    }
    if (!parameters.empty()) json["corruption"] = std::move(parameters);
}

}  // namespace

Json provenance_json(const Provenance& provenance) {
    // The value is an object from the start: when null turns into an object and memory runs out,
    // the library leaves an object without content behind and crashes when it destroys that object.
    Json json = Json::object();
    json["encoding"] = text_or_null(provenance.encoding);
    if (!provenance.preset.empty()) json["preset"] = provenance.preset;
    json["table"] = text_or_null(provenance.table);
    json["parameters"] = parameters_json(provenance.parameters);
    add_corruption(json, provenance.corruption);
    return json;
}

std::string figure_provenance(const Table& table, const Parameters& figure) {
    if (table.provenance.encoding.empty()) return "";
    Json json = provenance_json(table.provenance);
    if (table.dtype != DType::float32) json["dtype"] = info(table.dtype).name;
    Json options = Json::object();
    for (const Parameters::Entry& entry : figure.entries()) {
        if (is_default(entry) || !has_effect(entry.spec->name, table, figure)) continue;
        options[std::string(entry.spec->name)] = json_of(entry.value);
    }
    if (!options.empty()) json["figure"] = std::move(options);
    return json_line(json);
}

std::string target_provenance(const Format& format, const Table& table, const Parameters& options) {
    if (!is_figure(format)) return figure_provenance(table, {});
    return figure_provenance(table,
                             format.has_viewers_fonts ? options : with_found_font(options, table));
}

std::string archive_provenance(std::span<const Table> tables) {
    if (tables.empty() || tables.front().provenance.encoding.empty()) return "";
    const Provenance& first = tables.front().provenance;
    Json json = Json::object();
    json["encoding"] = first.encoding;
    if (!first.preset.empty()) json["preset"] = first.preset;
    json["tables"] = Json::object();
    for (const Table& table : tables) {
        json["tables"][table.provenance.table] = info(table.dtype).name;
    }
    if (!first.arrays.empty()) json["arrays"] = first.arrays;
    json["parameters"] = parameters_json(first.parameters);
    add_corruption(json, first.corruption);
    return json_line(json);
}

}  // namespace pegen
