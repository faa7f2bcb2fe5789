#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "formats/command.h"
#include "formats/json.h"

using namespace pegen;
using Json = nlohmann::ordered_json;

namespace {

/// Returns the origin that a JSON file records: the settings, as typed, replace the settings of the
/// encoding or preset.
Json recorded(std::string_view name, std::string_view settings) {
    const Preset* preset = find_preset(name);
    const Encoding& encoding = preset ? *preset->encoding : *find_encoding(name);
    Parameters parameters = preset ? parameters_of(*preset) : Parameters(encoding.parameters);
    parameters.set_all(settings, Origin::user);
    const TableSpec& spec = encoding.tables.front();
    const Table table = make_table(encoding, spec, parameters, spec.dtype, preset ? name : "");
    const std::string head = formats::json.head(table, {});
    return Json::parse(head.substr(0, head.find(",\"data\":")) + "}");
}

std::string command(std::string_view name, std::string_view settings = "") {
    return command_of("a.png", recorded(name, settings).dump());
}

/// Returns the parameters of the first table with defaults; nothing if they contradict each other.
std::optional<Parameters> planned(std::string_view name, std::string_view settings) {
    const Preset* preset = find_preset(name);
    const Encoding& encoding = preset ? *preset->encoding : *find_encoding(name);
    Parameters parameters = preset ? parameters_of(*preset) : Parameters(encoding.parameters);
    try {
        parameters.set_all(settings, Origin::user);
        return plan_of(encoding, parameters, encoding.tables.front().name).parameters;
    } catch (const UsageError&) {
        return {};
    }
}

std::string refusal(const Json& provenance) {
    try {
        return command_of("a.png", provenance.dump());
    } catch (const FormatError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("command: defaults are left out for every encoding and preset") {
    for (const Encoding* encoding : all_encodings()) {
        CHECK(command(encoding->name) == "pe-gen " + std::string(encoding->name));
    }
    for (const Preset& preset : all_presets()) {
        CHECK(command(preset.name) == "pe-gen " + std::string(preset.name));
    }
}

TEST_CASE("command: what was said is said again") {
    CHECK(command("sinusoid", "--d 128 --len 400") == "pe-gen sinusoid --len 400 --d 128");
    CHECK(command("fairseq", "--reverse --base 500.5 --zero-row none") ==
          "pe-gen fairseq --base 500.5 --reverse --zero-row none");
    CHECK(command("sinusoid", "--positions 1,2.5,4") == "pe-gen sinusoid --positions 1,2.5,4");
    CHECK(command("learned", "--init uniform:-1,1") == "pe-gen learned --init uniform:-1,1");
    CHECK(command("detr", "--valid 3x4 --height 8 --width 8") ==
          "pe-gen detr --height 8 --width 8 --valid 3x4");
}

TEST_CASE("command: every choice and every flag of every encoding and preset is said again") {
    std::vector<std::pair<std::string_view, const Encoding*>> subjects;
    for (const Encoding* encoding : all_encodings()) {
        subjects.emplace_back(encoding->name, encoding);
    }
    for (const Preset& preset : all_presets()) subjects.emplace_back(preset.name, preset.encoding);
    int said = 0;
    for (const auto& [name, encoding] : subjects) {
        for (const ParameterSpec& spec : encoding->parameters) {
            const bool is_flag = spec.type == ParameterType::flag;
            for (const std::string_view value : words(is_flag ? "true" : spec.choices)) {
                const std::string setting =
                    fmt::format("--{}{}", spec.name, is_flag ? "" : fmt::format(" {}", value));
                const std::optional<Parameters> wanted = planned(name, setting);
                if (!wanted) continue;
                const std::string text = command(name, setting);
                CAPTURE(text);
                const std::size_t start = std::string_view("pe-gen ").size() + name.size();
                const auto said_again = planned(name, text.substr(start));
                REQUIRE(said_again);
                CHECK(said_again->entries().size() == wanted->entries().size());
                for (std::size_t i = 0; i < wanted->entries().size(); ++i) {
                    CHECK(to_string(said_again->entries()[i]) == to_string(wanted->entries()[i]));
                }
                ++said;
            }
        }
    }
    CHECK(said > 1000);
}

TEST_CASE("command: a text of a stranger's is one word of the shell") {
    Json provenance = recorded("learned", "");
    provenance["parameters"]["init"] = "x'; rm -rf ~";
    CHECK(refusal(provenance).find("rm -rf") != std::string::npos);  // resolve() refuses it, too
    provenance = recorded("detr", "");
    provenance["parameters"]["mask"] = "a b'; $(c).npy";
    CHECK(command_of("a.png", provenance.dump()) == "pe-gen detr --mask 'a b'\\''; $(c).npy'");
}

TEST_CASE("command: dtype and options of the figure are part of it") {
    Json provenance = recorded("sinusoid", "--d 8");
    provenance["dtype"] = "float16";
    provenance["figure"] = {{"cmap", "viridis"},
                            {"title", "it's"},
                            {"figsize", {3.5, 2.0}},
                            {"no-colorbar", true},
                            {"dpi", 100.0}};
    CHECK(command_of("a.png", provenance.dump()) ==
          "pe-gen sinusoid --d 8 --dtype float16 --cmap viridis --title 'it'\\''s' --no-colorbar "
          "--figsize 3.5x2");
    Json integers = recorded("t5", "");
    integers["dtype"] = "int32";
    CHECK(command_of("a.png", integers.dump()) == "pe-gen t5 --dtype int32");
    provenance["dtype"] = "float7; ls";
    CHECK(refusal(provenance) == "a.png: its provenance: 'float7; ls' is not a dtype");
    provenance.erase("dtype");
    provenance["figure"] = {{"colour", 1}};
    CHECK(refusal(provenance) ==
          "a.png: its provenance: 'figure' has no parameter 'colour' that this program knows");
    provenance["figure"] = 1;
    CHECK(refusal(provenance) == "a.png: its provenance has no figure");
}

TEST_CASE("command: a figure that records no dtype is of float32") {
    Json provenance = recorded("attention shaw", "");
    CHECK(command_of("a.png", provenance.dump()) == "pe-gen attention shaw");
    provenance.erase("dtype");
    CHECK(command_of("a.png", provenance.dump()) == "pe-gen attention shaw --dtype float32");
}

TEST_CASE("command: a text that would be taken for an option is tied to its own") {
    Json provenance = recorded("sinusoid", "--positions -1,2");
    for (const auto& [title, words] :
         {std::pair("--npy=x.npy", "--title=--npy=x.npy"), std::pair("-x y", "--title='-x y'"),
          std::pair("--", "--title=--"), std::pair("-", "--title -"),
          std::pair("-5", "--title -5")}) {
        provenance["figure"] = {{"title", title}};
        CHECK(command_of("a.png", provenance.dump()) ==
              std::string("pe-gen sinusoid --positions -1,2 ") + words);
    }
}

TEST_CASE("command: -0 is written where the default is 0") {
    CHECK(command("sinusoid", "--start -0") == "pe-gen sinusoid --start -0");
    CHECK(command("sinusoid", "--start 0") == "pe-gen sinusoid");
}

TEST_CASE("command: control characters of a stranger do not reach the terminal") {
    Json provenance = recorded("sinusoid", "");
    provenance["figure"] = {{"title", "it's \x1b[31m\n\\\xc2\x9b"}};
    CHECK(command_of("a.png", provenance.dump()) ==
          R"(pe-gen sinusoid --title $'it\047s \033[31m\012\134\302\233')");
}

TEST_CASE("command: an origin that is not known is refused in one sentence") {
    Json provenance = recorded("sinusoid", "");
    provenance["encoding"] = "sinuous";
    CHECK(refusal(provenance) ==
          "a.png: its provenance: 'sinuous', table \"encoding\", is not known to this program");
    provenance["encoding"] = 7;
    CHECK(refusal(provenance) == "a.png: its provenance: 'encoding' is not a text");
    provenance = recorded("fairseq", "");
    provenance["encoding"] = "grid";
    CHECK(refusal(provenance).find("is not known to this program") != std::string::npos);
    provenance = recorded("sinusoid", "");
    provenance["parameters"]["colour"] = 1;
    CHECK(refusal(provenance) ==
          "a.png: its provenance: 'sinusoid' has no parameter 'colour' that this program knows");
    provenance["parameters"] = 3;
    CHECK(refusal(provenance) == "a.png: its provenance has no parameters");
    for (const Json& value : {Json(-5), Json(1e300), Json("many"), Json::array({Json::array()}),
                              Json::object(), Json(true)}) {
        provenance = recorded("sinusoid", "");
        provenance["parameters"]["len"] = value;
        CHECK(refusal(provenance).starts_with("a.png: its provenance: --len"));
    }
}
