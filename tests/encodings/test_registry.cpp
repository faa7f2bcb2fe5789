#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>

#include "core/names.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"

using namespace pegen;

TEST_CASE("registry: encodings and presets are sorted and no name is taken twice") {
    CHECK(std::ranges::is_sorted(all_encodings(), {}, &Encoding::name));
    CHECK(std::ranges::is_sorted(all_presets(), {}, &Preset::name));
    std::set<std::string_view> names;
    for (const Encoding* encoding : all_encodings()) CHECK(names.insert(encoding->name).second);
    for (const Preset& preset : all_presets()) {
        CAPTURE(preset.name);
        CHECK(names.insert(preset.name).second);
        CHECK(find_preset(preset.name) == &preset);
        for (const std::string_view alias : words(preset.aliases)) {
            CHECK(names.insert(alias).second);
            CHECK(find_preset(alias) == &preset);
        }
    }
}

TEST_CASE("registry: every encoding says what it is and has its page") {
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        CHECK_FALSE(encoding->summary.empty());
        CHECK_FALSE(encoding->formula.empty());
        CHECK_FALSE(encoding->source.empty());
        CHECK(std::ranges::count(encoding->examples, '\n') == 2);
        CHECK(std::filesystem::exists(std::string(PEGEN_SOURCE_DIR) + "/docs/encodings/" +
                                      std::string(encoding->name) + ".md"));
    }
}

TEST_CASE("registry: every preset makes a table") {
    for (const Preset& preset : all_presets()) {
        CAPTURE(preset.name);
        CHECK_FALSE(preset.summary.empty());
        CHECK_FALSE(preset.source.empty());
        CHECK(refusal_of(preset.name) == "accepted");
    }
}

TEST_CASE("registry: no two parameters of an encoding share a name or an alias") {
    for (const Encoding* encoding : all_encodings()) {
        std::set<std::string> names;
        for (const ParameterSpec& spec : encoding->parameters) {
            CAPTURE(spec.name);
            CHECK(names.insert(std::string(spec.name)).second);
            for (const std::string_view alias : words(spec.aliases)) {
                CHECK(names.insert(std::string(alias)).second);
            }
            CHECK_FALSE(spec.summary.empty());
        }
    }
}

TEST_CASE("presets: those of one name and two code bases differ") {
    CHECK(values_of("marian --d 16 --len 40") != values_of("hf-marian --d 16 --len 40"));
    CHECK(values_of("musicgen --d 16 --len 4") != values_of("guided-diffusion --d 16 --len 4"));
    CHECK(values_of("opennmt --d 16 --len 4") == values_of("whisper --d 16 --len 4 --start 1"));
    CHECK(values_of("mlx --d 8 --len 4") == values_of("marian --d 8 --len 4 --out-scale 0.5"));
    CHECK(values_of("keras --d 9 --len 4 --start 3") ==
          values_of("jadore --d 9 --len 4 --start 3"));
}

TEST_CASE("presets: the table of fairseq begins two rows before the first token") {
    const std::vector<double> table = values_of("fairseq --d 6 --len 10");
    const std::vector<double> tokens = values_of("fairseq --d 6 --len 8 --start 2");
    CHECK(std::equal(tokens.begin(), tokens.end(), table.begin() + 2 * 6));
}

TEST_CASE("presets: the exponents of samlynnevans run twice as fast") {
    const std::vector<double> table =
        values_of("samlynnevans --d 4 --len 1 --start 1", DType::float64);
    CHECK(table[1] == doctest::Approx(std::cos(std::pow(10000.0, -2 * 1 / 4.0))));
    CHECK(table[2] == doctest::Approx(std::sin(std::pow(10000.0, -2 * 2 / 4.0))));
}
