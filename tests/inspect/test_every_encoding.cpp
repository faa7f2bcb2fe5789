#include <doctest/doctest.h>

#include <algorithm>

#include "encodings/registry.h"
#include "formats/fake_table.h"
#include "formats/json.h"
#include "formats/npy.h"
#include "inspect/comparison.h"
#include "inspect/difference.h"
#include "inspect/every_name.h"
#include "inspect/facts.h"
#include "inspect/neighbours.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

std::string text_of(const std::vector<Fact>& facts, std::string_view name) {
    const auto found = std::ranges::find(facts, name, &Fact::name);
    return found == facts.end() ? "" : found->text;
}

}  // namespace

TEST_CASE("comparison: every table of every encoding and preset is equal to itself") {
    for_each_name([](std::string_view name, const Encoding& encoding, const Parameters& parameters,
                     std::string_view preset) {
        for (const TableSpec& spec : encoding.tables) {
            CAPTURE(name);
            CAPTURE(spec.name);
            const PositionTable table =
                read_positions(make_table(encoding, spec, parameters, DType::float64, preset));
            CHECK(table.axes.size() == table.extents.size());
            for (const auto& channel : table.channels) {
                REQUIRE(std::ssize(channel) == table.positions());
            }
            const Comparison found = compare(table, table);
            CHECK(found.differing == 0);
            REQUIRE(found.rearrangement);
            CHECK(found.rearrangement->shift == 0);
            CHECK(found.rearrangement->zeros.empty());
            CHECK(std::ranges::is_sorted(found.rearrangement->channels));
        }
    });
}

TEST_CASE("comparison: tables of any two encodings can be compared") {
    std::vector<PositionTable> tables;
    for_each_name([&](std::string_view, const Encoding& encoding, const Parameters& parameters,
                      std::string_view preset) {
        if (!preset.empty()) return;
        for (const TableSpec& spec : encoding.tables) {
            tables.push_back(
                read_positions(make_table(encoding, spec, parameters, DType::float64)));
        }
    });
    for (const PositionTable& a : tables) {
        for (const PositionTable& b : tables) {
            if (a.channels.size() > b.channels.size()) continue;
            const Comparison found = compare(a, b);
            CHECK(found.compared > 0);
            CHECK(found.differing <= found.compared);
        }
    }
}

TEST_CASE("difference: a float32 table of every name is the float64 one, rounded once") {
    for_each_name([](std::string_view name, const Encoding& encoding, const Parameters& parameters,
                     std::string_view preset) {
        for (const TableSpec& spec : encoding.tables) {
            CAPTURE(name);
            CAPTURE(spec.name);
            const Table single = make_table(encoding, spec, parameters, DType::float32, preset);
            const Table exact = make_table(encoding, spec, parameters, DType::float64, preset);
            const Difference found = difference_of(single, exact, {.position = 1, .ulps = 0});
            CHECK(found.values == single.shape.size());
            CHECK(found.beyond == 0);
            CHECK(found.largest_ulps == 0);
        }
    });
}

TEST_CASE("facts: files of every encoding and preset say what they are") {
    const TemporaryFolder folder;
    const auto check = [&](std::string_view name, const Encoding& encoding,
                           const Parameters& parameters, std::string_view preset) {
        constexpr std::int64_t most_values = std::int64_t{1} << 21;  // some of videos have more
        CAPTURE(name);
        const TableSpec& spec = encoding.tables.front();
        const Table table = make_table(encoding, spec, parameters, spec.dtype, preset);
        if (table.shape.size() > most_values) return;
        put(folder.path("a.npy"), formats::npy.head(table, {}) + bytes_of(table));
        const std::vector<Fact> facts = facts_of(folder.path("a.npy"));
        CHECK(text_of(facts, "shape") == to_string(table.shape));
        CHECK(text_of(facts, "values") == std::to_string(table.shape.size()));
        CHECK(text_of(facts, "nan") == "0");
        put(folder.path("a.json"), formats::json.head(table, {}) + "[]}");
        CHECK(text_of(facts_of(folder.path("a.json")), "command") ==
              "pe-gen " + std::string(name) + " --json " + folder.path("a.json"));
    };
    for (const Encoding* encoding : all_encodings()) {
        check(encoding->name, *encoding, Parameters(encoding->parameters), "");
    }
    for (const Preset& preset : all_presets()) {
        check(preset.name, *preset.encoding, parameters_of(preset), preset.name);
    }
}

TEST_CASE("neighbours: presets of one encoding that differ in little, from both sides") {
    for (const Preset& preset : all_presets()) {
        CAPTURE(preset.name);
        for (const Neighbour& neighbour : neighbours_of(preset)) {
            CAPTURE(neighbour.preset->name);
            CHECK(neighbour.preset->encoding == preset.encoding);
            CHECK(neighbour.preset != &preset);
            const auto back = neighbours_of(*neighbour.preset);
            CHECK(std::ranges::count(back, &preset, &Neighbour::preset) == 1);
        }
    }
    const auto settings = [](std::string_view of, std::string_view name) {
        for (const Neighbour& neighbour : neighbours_of(*find_preset(of))) {
            if (neighbour.preset->name == name) return std::ssize(neighbour.settings);
        }
        return std::ptrdiff_t{-1};
    };
    CHECK(settings("simple-vit", "big-vision") == 0);
    CHECK(settings("mae", "simple-vit") == 1);
    CHECK(settings("mae", "loftr") == -1);
}
