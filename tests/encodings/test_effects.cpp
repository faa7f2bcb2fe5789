#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/drawn/draws.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"

using namespace pegen;
using trials::Command;

namespace {

/// Returns the bytes of the command's table; empty if the command is refused.
std::vector<std::byte> bytes_of(const Command& command) {
    try {
        const Table table = made_by(command);
        std::vector<std::byte> bytes(static_cast<std::size_t>(total_bytes(table)));
        table.rows({0, table.shape.rows()}, bytes);
        return bytes;
    } catch (const UsageError&) {
        return {};
    }
}

/// Returns values of the parameter that may make another table than its value in the command.
std::vector<std::string> other_values(const Parameters::Entry& entry) {
    const ParameterSpec& spec = *entry.spec;
    if (spec.type == ParameterType::flag) return {"true", "false"};
    std::vector<std::string> texts{"0", "1", "2", "0.5", "0,1,5", "normal:0,1"};
    for (const std::string_view choice : words(spec.choices)) texts.emplace_back(choice);
    const std::string text = to_string(entry);
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string rest = text.substr(end);
    try {
        const double number = parse_real(text.substr(0, end), spec.name);
        for (const double other : {number + 1, 2 * number}) texts.push_back(shortest(other) + rest);
    } catch (const UsageError&) {
    }
    return texts;
}

/// Returns the command without one of its parameters, which then has its default.
Command without(const Command& command, std::string_view parameter) {
    Command result = command;
    result.parameters = Parameters(command.encoding->parameters);
    for (const Parameters::Entry& entry : command.parameters.entries()) {
        if (entry.origin != Origin::user || entry.spec->name == parameter) continue;
        result.parameters.set(entry.spec->name, to_string(entry), Origin::user);
    }
    return result;
}

/// True if the other value makes another table.
bool has_effect(const Command& command, const Parameters::Entry& entry,
                const std::vector<std::byte>& bytes) {
    const auto is_other = [&](const Command& other) {
        const std::vector<std::byte> others = bytes_of(other);
        return !others.empty() && others != bytes;
    };
    if (entry.origin == Origin::user && is_other(without(command, entry.spec->name))) return true;
    return std::ranges::any_of(other_values(entry), [&](const std::string& text) {
        Command other = command;
        try {
            other.parameters.set(entry.spec->name, text, Origin::user);
        } catch (const UsageError&) {
            return false;
        }
        return is_other(other);
    });
}

/// Commands that show an effect of parameters which the drawn commands do not show.
constexpr std::array telling{
    "alibi --image 3 --prefix cls",
    "buckets --table vectors --d 3",
    "formula --value x*i*h --image 2x3 --d 2 --heads 3",
    "fourier --pad-to 200",
    "learned-grid --view tokens --keep-channels 0:3",
    "learned-grid --max-sizes 60,40",
    "learned-grid --init normal:0,1 --rng torch-scalar",
    "mrope --sequence video:4x2x2,text:3",
    "rope --d 8 --scaling longrope --original-max-position-embeddings 64 "
    "--max-position-embeddings 256 --seq-len 32 --short-factor 1,2,3,4 --long-factor 1,1,1,1",
    "rope --d 8 --scaling longrope --original-max-position-embeddings 64 "
    "--max-position-embeddings 256 --seq-len 128 --short-factor 1,2,3,4 --long-factor 1,1,1,1",
    "rope-grid --d 14 --split 4,8 --unrotated 2 --unrotated-at front",
    "rope --d 8 --arith bfloat16 --rounded frequencies",
    "sinusoid --d 7 --odd zero-pad",
    "sinusoid --arith bfloat16 --rounded frequencies",
    "swin-v2 --table bias --height 3 --width 3 --heads 2 --units 6,6 --spacing linear --norm",
};

/// True if the parameter cannot change alone: it needs a file, or depends on other parameters.
bool is_bound(const Encoding& encoding, const ParameterSpec& spec) {
    return spec.type == ParameterType::path ||
           has_word("layer-type layers max-point module separators", spec.name) ||
           (has_word("buckets formula", encoding.name) && spec.name == "image") ||
           (encoding.name == "mrope" && spec.name == "d") ||
           (encoding.name == "rope-mixed" && spec.name == "depth");
}

/// Returns the parameters of an encoding that changed no table in any command.
std::set<std::string_view> without_effect(const Encoding& encoding) {
    constexpr int most_draws = 300;
    std::set<std::string_view> left;
    for (const ParameterSpec& spec : encoding.parameters) {
        if (!is_bound(encoding, spec)) left.insert(spec.name);
    }
    const auto ask = [&](const Command& command) {
        const std::vector<std::byte> bytes = bytes_of(command);
        for (const Parameters::Entry& entry : command.parameters.entries()) {
            if (!left.contains(entry.spec->name)) continue;
            if (has_effect(command, entry, bytes)) left.erase(entry.spec->name);
        }
    };
    ask(trials::command_of(encoding.name));
    for (const std::string_view text : telling) {
        if (text.substr(0, text.find(' ')) == encoding.name) ask(trials::command_of(text));
    }
    trials::Random random(1);
    for (int draw = 0; draw < most_draws && !left.empty(); ++draw) {
        ask(trials::drawn_command(encoding, random));
    }
    return left;
}

}  // namespace

TEST_CASE("encodings: each parameter changes a table") {
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        for (const std::string_view name : without_effect(*encoding)) {
            FAIL_CHECK("--", name, " changes no table. If it does, add a command to `telling`");
        }
    }
}

TEST_CASE(
    "encodings: a table that the seed changes is called initial, but a matrix of frequencies") {
    for (const Encoding* encoding : all_encodings()) {
        Parameters first(encoding->parameters);
        if (!first.knows("seed") || has_word("random-fourier rope-mixed", encoding->name)) continue;
        Parameters second = first;
        second.set("seed", "1", Origin::user);
        for (const TableSpec& spec : encoding->tables) {
            CAPTURE(encoding->name);
            CAPTURE(spec.name);
            const auto values = [&](const Parameters& parameters) {
                return all_values(make_table(*encoding, spec, parameters, spec.dtype));
            };
            CHECK(spec.is_initial == (values(first) != values(second)));
        }
    }
}

TEST_CASE("encodings: no table has a zero with a sign by default, nor any preset's") {
    const auto check = [](std::string_view name, const Encoding& encoding,
                          const Parameters& parameters) {
        for (const TableSpec& spec : encoding.tables) {
            CAPTURE(name);
            CAPTURE(spec.name);
            try {
                const Table table = make_table(encoding, spec, parameters, spec.dtype);
                const std::int64_t rows = std::min<std::int64_t>(table.shape.rows(), 600);
                const auto is_negative_zero = [](double x) { return x == 0 && std::signbit(x); };
                CHECK(std::ranges::none_of(read_rows(table, {0, rows}), is_negative_zero));
            } catch (const UsageError&) {
            }
        }
    };
    for (const Encoding* encoding : all_encodings()) {
        check(encoding->name, *encoding, Parameters(encoding->parameters));
    }
    for (const Preset& preset : all_presets()) {
        if (preset.name == "pips") continue;  // the sine of 0 times a negative coordinate is -0
        check(preset.name, *preset.encoding, parameters_of(preset));
    }
}
