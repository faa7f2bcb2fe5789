#include "encodings/drawn/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::trials {

std::string text_of(const Command& command) {
    const Preset* const preset = find_preset(command.name);
    const Parameters defaults =
        preset ? parameters_of(*preset) : Parameters(command.encoding->parameters);
    std::string text = command.name;
    if (command.table != &command.encoding->tables.front()) {
        text += fmt::format(" --table {}", command.table->name);
    }
    for (std::size_t i = 0; i < command.parameters.entries().size(); ++i) {
        const Parameters::Entry& entry = command.parameters.entries()[i];
        if (are_same(entry.value, defaults.entries()[i].value)) continue;
        text += fmt::format(" --{}={}", entry.spec->name, to_string(entry));
    }
    if (command.dtype != command.table->dtype) {
        text += fmt::format(" --dtype {}", info(command.dtype).name);
    }
    return text;
}

Command command_of(std::string_view text) {
    constexpr std::string_view mechanism = "attention ";
    const std::size_t before_name = text.starts_with(mechanism) ? mechanism.size() : 0;
    const std::string_view name = text.substr(0, text.find(' ', before_name));
    const Preset* const preset = find_preset(name);
    const Encoding* const encoding = preset ? preset->encoding : find_encoding(name);
    if (!encoding) {
        throw std::runtime_error(fmt::format(
            "Nothing in PEGEN_ENCODINGS of src/encodings/registry.cpp is called {}", name));
    }
    Command command{encoding, &encoding->tables.front(),
                    preset ? parameters_of(*preset) : Parameters(encoding->parameters),
                    encoding->tables.front().dtype, std::string(name)};
    const std::vector<std::string_view> settings = words(text.substr(name.size()));
    std::string others;
    std::optional<DType> dtype;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        if (settings[i] == "--table") {
            command.table = find_table(*encoding, settings[++i]);
            command.dtype = command.table->dtype;
        } else if (settings[i] == "--dtype") {
            dtype = std::ranges::find(dtypes, settings[++i], &DTypeInfo::name)->dtype;
        } else {
            others += fmt::format("{}{}", others.empty() ? "" : " ", settings[i]);
        }
    }
    command.dtype = dtype.value_or(command.dtype);
    command.parameters.set_all(others, Origin::user);
    return command;
}

Table made_by(const Command& command) {
    const bool is_preset = find_preset(command.name) != nullptr;
    return make_table(*command.encoding, *command.table, command.parameters, command.dtype,
                      is_preset ? command.name : "");
}

}  // namespace pegen::trials
