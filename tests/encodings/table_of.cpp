#include "encodings/table_of.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "encodings/registry.h"

using namespace pegen;

Table table_of(std::string_view command, DType dtype) {
    constexpr std::string_view mechanism = "attention ";
    const std::size_t before_name = command.starts_with(mechanism) ? mechanism.size() : 0;
    const std::string_view name = command.substr(0, command.find(' ', before_name));
    std::string_view settings = command.substr(name.size());
    const Preset* preset = find_preset(name);
    const Encoding* const found = preset ? preset->encoding : find_encoding(name);
    INFO("Nothing in PEGEN_ENCODINGS of src/encodings/registry.cpp is called ", name);
    REQUIRE((found != nullptr));
    const Encoding& encoding = *found;
    const TableSpec* table = &encoding.tables.front();
    constexpr std::string_view table_option = " --table ";
    if (const auto at = settings.find(table_option); at != std::string_view::npos) {
        table = find_table(encoding, settings.substr(at + table_option.size()));
        settings = settings.substr(0, at);
    }
    Parameters parameters = preset ? parameters_of(*preset) : Parameters(encoding.parameters);
    parameters.set_all(settings, Origin::user);
    return make_table(encoding, *table, parameters, dtype, preset ? preset->name : "");
}

std::vector<double> all_values(const Table& table) {
    return read_rows(table, {0, table.shape.rows()});
}

std::vector<double> values_of(std::string_view command, DType dtype) {
    return all_values(table_of(command, dtype));
}

std::string refusal_of(std::string_view command, DType dtype) {
    try {
        table_of(command, dtype);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}
