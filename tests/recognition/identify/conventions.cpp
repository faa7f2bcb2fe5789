#include "recognition/identify/conventions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "encodings/registry.h"

namespace pegen::trials {
namespace {

/// The values of an extent in small and in medium tables.
struct Extent {
    std::string_view name;
    std::int64_t small;
    std::int64_t medium;
};

constexpr std::array extents{
    Extent{"len", 24, 50},  Extent{"d", 24, 96},      Extent{"num-pos-feats", 12, 32},
    Extent{"height", 5, 8}, Extent{"width", 6, 9},    Extent{"depth", 2, 3},
    Extent{"heads", 4, 12}, Extent{"mem-len", 8, 16}, Extent{"max-size", 16, 24},
};

/// What can be tried where an encoding refuses the first value: squares, and other widths.
constexpr std::array others{
    Extent{"d", 32, 64},
    Extent{"d", 48, 128},
    Extent{"width", 5, 8},
};

bool can_be_made(const Command& command) {
    try {
        plan_table(*command.encoding, *command.table, command.parameters, command.dtype);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Sets the extent if it has a value and the encoding does not refuse the new one by itself.
void resize(Parameters& parameters, const Extent& extent, TableSize size) {
    for (const Parameters::Entry& entry : parameters.entries()) {
        if (entry.spec->name != extent.name) continue;
        if (!std::holds_alternative<std::int64_t>(entry.value)) return;
        const std::int64_t value = size == TableSize::small ? extent.small : extent.medium;
        parameters.set(extent.name, fmt::format("{}", value), Origin::user);
        return;
    }
}

}  // namespace

Parameters resized(const Command& command, TableSize size) {
    if (size == TableSize::own) return command.parameters;
    Command changed = command;
    for (const Extent& extent : extents) resize(changed.parameters, extent, size);
    if (can_be_made(changed)) return changed.parameters;
    for (const Extent& other : others) {
        Command again = changed;
        resize(again.parameters, other, size);
        if (can_be_made(again)) return again.parameters;
        resize(changed.parameters, extents[1], size);
    }
    return command.parameters;
}

std::vector<Command> all_conventions(TableSize size) {
    std::vector<Command> commands;
    const auto add = [&](const Encoding& encoding, const TableSpec& table,
                         const Parameters& parameters, std::string_view name) {
        Command command{&encoding, &table, parameters, table.dtype, std::string(name)};
        command.parameters = resized(command, size);
        if (can_be_made(command)) commands.push_back(std::move(command));
    };
    for (const Encoding* encoding : all_encodings()) {
        for (const TableSpec& table : encoding->tables) {
            add(*encoding, table, Parameters(encoding->parameters), encoding->name);
        }
    }
    for (const Preset& preset : all_presets()) {
        add(*preset.encoding, preset.encoding->tables.front(), parameters_of(preset), preset.name);
    }
    return commands;
}

}  // namespace pegen::trials
