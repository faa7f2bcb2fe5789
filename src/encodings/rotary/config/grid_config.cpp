#include "encodings/rotary/config/grid_config.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/registry.h"
#include "encodings/rotary/config/model_config.h"
#include "encodings/rotary/config/other_positions.h"
#include "encodings/rotary/config/unrotated_models.h"

namespace pegen::encodings {
namespace {

bool is_number(std::string_view text) { return text.find_first_not_of("-0123456789") == text.npos; }

/// A value of the file, as a user would type it, and the keys it comes from.
struct Found {
    std::string text;
    std::string source;
};

/// Adds a source to those of a value, unless it is among them.
void add_source(Found& value, const std::string& source) {
    if (source.empty() || value.source.find(source) != value.source.npos) return;
    value.source += value.source.empty() ? source : fmt::format(", {}", source);
}

/// Returns the value at a place such as "rope_parameters.rope_theta" or "image_size.1".
std::optional<Found> find(Section section, std::string_view place) {
    const std::vector<std::string_view> parts = words(place, '.');
    const bool has_index = parts.size() > 1 && is_number(parts.back());
    const std::size_t last = parts.size() - (has_index ? 2 : 1);
    for (std::size_t i = 0; i < last; ++i) {
        const std::optional<Section> inner = section.object_if_one(parts[i]);
        if (!inner) return std::nullopt;
        section = *inner;
    }
    const std::string_view key = parts[last];
    if (!section.has(key)) return std::nullopt;
    std::string text = section.numbers(key).value();
    const std::string source = fmt::format("{} {}", section.place(key), text);
    if (has_index && section.is_list(key)) {
        const std::vector<std::string> items = section.items(key);
        const auto index = static_cast<std::size_t>(parse_real(parts.back(), ""));
        if (index >= items.size()) return std::nullopt;
        text = items[index];
    }
    return Found{text, source};
}

/// Combines the values of all parts, which `separator` separates. A single part is kept as it is,
/// so that it may be a list. Returns nothing if a part has no value, or the result is no number.
template <class Value, class Combine>
std::optional<Found> combined(std::string_view text, char separator, Value value_of,
                              Combine combine) {
    std::optional<Found> all;
    for (const std::string_view part : words(text, separator)) {
        const std::optional<Found> next = value_of(part);
        if (!next) return std::nullopt;
        if (!all) {
            all = next;
            continue;
        }
        add_source(*all, next->source);
        const bool has_list = (all->text + next->text).find(',') != std::string::npos;
        const double value =
            has_list ? NAN : combine(parse_real(all->text, ""), parse_real(next->text, ""));
        if (!std::isfinite(value)) return std::nullopt;
        all->text = shortest(value);
    }
    return all;
}

std::optional<Found> value_of(const Section& section, std::string_view expression) {
    const auto atom = [&](std::string_view text) {
        return is_number(text) ? Found{std::string(text), ""} : find(section, text);
    };
    const auto quotient = [&](std::string_view text) {
        return combined(text, '/', atom, [](double a, double b) { return std::floor(a / b); });
    };
    const auto product = [&](std::string_view text) {
        return combined(text, '*', quotient, [](double a, double b) { return a * b; });
    };
    // Files say -1 or 0 for "none"; a sum may be 0 and mean it.
    const auto says_none = [&](std::string_view sum) {
        const std::optional<Found> first = atom(sum.substr(0, sum.find_first_of("+*/")));
        return first && (first->text == "0" || first->text.starts_with('-'));
    };
    std::optional<Found> value;
    for (const std::string_view sum : words(expression, '|')) {
        value = combined(sum, '+', product, [](double a, double b) { return a + b; });
        if (value && !says_none(sum)) break;
    }
    return value;
}

/// Returns the word with its placeholders filled; nothing if one has no value and no default.
std::optional<Found> filled(const Section& section, std::string_view model, std::string_view word) {
    Found result;
    while (!word.empty()) {
        const std::size_t open = word.find('{');
        result.text += word.substr(0, open);
        if (open == word.npos) break;
        const std::size_t close = word.find('}', open);
        const std::vector<std::string_view> parts =
            fields(word.substr(open + 1, close - open - 1), ':');
        const std::optional<Found> value = value_of(section, parts.front());
        if (!value && parts.size() == 1) return std::nullopt;
        result.text += value ? value->text : std::string(parts.back());
        add_source(result,
                   value ? value->source : fmt::format("default of {}: {}", model, parts.back()));
        word.remove_prefix(close + 1);
    }
    return result;
}

}  // namespace

SizedCommand sized_command(const Section& section, std::string_view model,
                           std::string_view pattern) {
    SizedCommand command;
    std::string_view option;
    for (const std::string_view word : words(pattern)) {
        if (word.starts_with("--")) {
            option = word;
            continue;
        }
        const std::optional<Found> value = filled(section, model, word);
        if (!value) continue;
        command.text += option.empty() ? value->text : fmt::format(" {} {}", option, value->text);
        if (!value->source.empty()) {
            command.taken.push_back({std::string(option.substr(2)), value->source});
        }
    }
    return command;
}

void check_makes_table(std::string_view command, std::string_view path) {
    const std::string_view name = command.substr(0, command.find(' '));
    const Preset* const preset = find_preset(name);
    const Encoding& encoding = preset ? *preset->encoding : *find_encoding(name);
    Parameters p = preset ? parameters_of(*preset) : Parameters(encoding.parameters);
    const TableSpec& table = encoding.tables.front();
    try {
        p.set_all(command.substr(name.size()), Origin::user);
        plan_table(encoding, table, p, table.dtype);
    } catch (const UsageError& error) {
        throw FormatError(path, fmt::format("asks for pe-gen {}, but {}", command, error.what()));
    }
}

namespace {

/// Returns the object with the vision encoder of the file; the file itself if it has none.
Section vision_part(Section section) {
    for (const char* key : {"thinker_config", "vision_config"}) {
        if (const std::optional<Section> part = section.object(key, "hidden_size")) section = *part;
    }
    return section;
}

/// Older files call the vision encoder by the name of the whole model.
constexpr std::array ends_of_names{"", "_vision", "_vision_model"};

/// Returns the commands of these patterns, which semicolons separate. Throws: FormatError if one
/// makes no table.
std::string commands_of(const Section& part, std::string_view patterns) {
    std::vector<std::string> commands;
    for (const std::string_view pattern : fields(patterns, ';')) {
        const std::string command = sized_command(part, "", pattern).text;
        check_makes_table(command, part.path);
        commands.push_back("pe-gen " + command);
    }
    return joined(commands, ", ");
}

}  // namespace

SizedCommand read_grid_config(std::string_view path) {
    const Json json = read_config(path);
    const Section file{path, "", &json};
    const Section part = vision_part(file);
    const bool is_of_diffusers = file.has("_class_name");
    const std::string name =
        is_of_diffusers ? file.text("_class_name").value()
                        : part.text("model_type").value_or(file.text("model_type").value_or(""));
    check_condition(part, name);
    for (const char* end : ends_of_names) {
        const std::string full = name + end;
        const std::string_view command = grid_command(full);
        if (!command.empty()) return sized_command(part, full, command);
    }
    part.refuse(is_of_diffusers ? "_class_name" : "model_type",
                fmt::format("'{:.60}' is not known to have rotary positions on a grid; give the "
                            "parameters in the place of --config",
                            name));
}

std::string vision_commands(const Section& file) try {
    const Section part = vision_part(file);
    if (!part.prefix.ends_with("vision_config.")) return "";
    const std::optional<std::string> own = part.text("model_type");
    for (const std::string_view end : ends_of_names) {
        const std::string name = own.value_or(file.text("model_type").value_or("")) + end.data();
        const std::string_view grid = grid_command(name);
        if (!grid.empty()) return commands_of(part, grid);
        const bool is_of_vision = own || !end.empty();
        const UnrotatedPositions* other = is_of_vision ? find_unrotated(part, name) : nullptr;
        if (other) return commands_of(part, other->commands);
    }
    return "";
} catch (const FormatError&) {
    return "";  // a fault of a part that nobody asked for
}

}  // namespace pegen::encodings
