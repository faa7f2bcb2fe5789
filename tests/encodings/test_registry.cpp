#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"

using namespace pegen;

namespace {

std::filesystem::path source_path(const std::filesystem::path& path) {
    return std::filesystem::path(PEGEN_SOURCE_DIR) / path;
}

/// Returns the text of a file of the project; empty if there is none.
std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(source_path(path));
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string text_of_tests() {
    std::string text;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(source_path("tests/encodings"))) {
        if (entry.path().extension() == ".cpp") text += text_of(entry.path());
    }
    return text;
}

/// Returns `text` without white space.
std::string squeezed(std::string_view text) {
    std::string result(text);
    std::erase_if(result, [](char c) { return c == ' ' || c == '\n'; });
    return result;
}

bool mentions(std::string_view text, std::string_view word) {
    const auto is_part = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '-';
    };
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) {
            return true;
        }
    }
    return false;
}

/// Returns the targets of the Markdown links that lead to files: "../img/a.png" of
/// [a](../img/a.png#b).
std::vector<std::string> links_of(const std::string& text) {
    static const std::regex pattern(R"(\]\(([^)#: ]+)(#[^)]*)?\))");
    std::vector<std::string> links;
    for (std::sregex_iterator link(text.begin(), text.end(), pattern), end; link != end; ++link) {
        links.push_back((*link)[1]);
    }
    return links;
}

void check_axis(const Table& table, int number, std::set<std::string_view>& names) {
    const Axis& axis = table.axes[static_cast<std::size_t>(number)];
    CAPTURE(axis.name);
    CHECK((axis.kind != AxisKind::other));
    CHECK_FALSE(axis.label.empty());
    CHECK(names.insert(axis.name).second);
    const std::int64_t extent = table.shape[number];
    CHECK((axis.index_names.empty() || std::ssize(axis.index_names) == extent));
    if (axis.positions) CHECK(axis.rows_before + axis.positions->size() == extent);
    if (axis.extents.empty()) return;
    CHECK(axis.rows_before + Shape(axis.extents).size() == extent);
}

}  // namespace

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

TEST_CASE("registry: every encoding says what it is") {
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        CHECK_FALSE(encoding->summary.empty());
        CHECK_FALSE(encoding->formula.empty());
        CHECK_FALSE(encoding->source.empty());
        CHECK(std::ranges::count(encoding->examples, '\n') == 2);
        CHECK((encoding->plan != nullptr));
        REQUIRE_FALSE(encoding->tables.empty());
    }
}

TEST_CASE("registry: every table of every encoding is planned with axes that say what they are") {
    for (const Encoding* encoding : all_encodings()) {
        for (const TableSpec& spec : encoding->tables) {
            CAPTURE(encoding->name);
            CAPTURE(spec.name);
            const Table table =
                plan_table(*encoding, spec, Parameters(encoding->parameters), DType::float64).table;
            CHECK(std::ssize(table.axes) == table.shape.rank());
            std::set<std::string_view> names;
            for (int i = 0; i < table.shape.rank(); ++i) check_axis(table, i, names);
            CHECK_MESSAGE((table.title.find_first_of("{}") == std::string::npos),
                          "A name in braces is not one of the parameters: ", table.title);
        }
    }
}

TEST_CASE("registry: rows that are not the rows of the planned shape are an error of the program") {
    Encoding wrong = *find_encoding("index");
    wrong.plan = [](Parameters parameters, std::string_view table) {
        Plan plan = find_encoding("index")->plan(std::move(parameters), table);
        plan.shape = {plan.shape.rows() + 1, 1};
        return plan;
    };
    Parameters parameters(wrong.parameters);
    parameters.set("len", "4", Origin::user);
    CHECK_THROWS_WITH_AS(make_table(wrong, wrong.tables.front(), parameters, DType::float32),
                         "4 rows of 1 float32: are not the rows of a table (5, 1) of float32",
                         InternalError);
}

TEST_CASE("registry: a number that changes the shape of a table is an extent, but for some") {
    const auto shape_with = [](const Encoding& encoding, const TableSpec& table,
                               const ParameterSpec& spec, std::int64_t number) {
        Parameters parameters(encoding.parameters);
        try {
            parameters.set(spec.name, std::to_string(number), Origin::user);
            return to_string(plan_table(encoding, table, parameters, table.dtype).table.shape);
        } catch (const UsageError&) {
            return std::string();
        }
    };
    // Digits, border distances, strides and rows around a table define the encoding.
    constexpr std::array exceptions{"binary --start",
                                    "binary --radix",
                                    "grid --prefix-rows",
                                    "rope-grid --prefix-rows",
                                    "rope-grid --prefix-tokens",
                                    "rope-grid --suffix-tokens",
                                    "shaw --max-distance",
                                    "shaw --left",
                                    "shaw --right",
                                    "shaw --shift",
                                    "sinusoid --prefix-rows",
                                    "swin --query-stride"};
    std::size_t found = 0;
    for (const Encoding* encoding : all_encodings()) {
        const Parameters defaults(encoding->parameters);
        for (const ParameterSpec& spec : encoding->parameters) {
            // The number of heads defines a bias, whose slopes or weights depend on it.
            const bool may_change_it = spec.is_extent() || spec.name == "heads";
            if (spec.type != ParameterType::integer || may_change_it) continue;
            const std::int64_t number = defaults.has(spec.name) ? defaults.integer(spec.name) : 4;
            const bool changes_shape =
                std::ranges::any_of(encoding->tables, [&](const TableSpec& table) {
                    const std::string before = shape_with(*encoding, table, spec, number);
                    const std::string after = shape_with(*encoding, table, spec, number + 1);
                    return before != after && !before.empty() && !after.empty();
                });
            if (!changes_shape) continue;
            const std::string option = fmt::format("{} --{}", encoding->name, spec.name);
            const bool is_exception = std::ranges::count(exceptions, option) > 0;
            found += is_exception ? 1 : 0;
            CHECK_MESSAGE(is_exception, option,
                          " needs .role = Role::extent, or a place among the exceptions");
        }
    }
    CHECK(found == exceptions.size());
}

TEST_CASE("registry: an extent changes no number of axes, but adds one where it has no value") {
    const auto rank_of = [](const Encoding& encoding, const TableSpec& table,
                            const Parameters& parameters) {
        try {
            return plan_of(encoding, parameters, table.name).shape.rank();
        } catch (const UsageError&) {
            return -1;
        }
    };
    const auto check = [&](const Encoding& encoding, const Parameters& usual) {
        for (const TableSpec& table : encoding.tables) {
            const int rank = rank_of(encoding, table, usual);
            for (const ParameterSpec& spec : encoding.parameters) {
                if (!spec.is_extent() || spec.type != ParameterType::integer || rank < 0) continue;
                const int most = rank + (usual.has(spec.name) ? 0 : 1);
                for (const char* extent : {"1", "2", "3", "16"}) {
                    Parameters parameters = usual;
                    parameters.set(spec.name, extent, Origin::user);
                    CAPTURE(encoding.name);
                    CAPTURE(spec.name);
                    CHECK(rank_of(encoding, table, parameters) <= most);
                }
            }
        }
    };
    for (const Encoding* encoding : all_encodings()) {
        check(*encoding, Parameters(encoding->parameters));
    }
    for (const Preset& preset : all_presets()) check(*preset.encoding, parameters_of(preset));
}

TEST_CASE("registry: every encoding has a page with its formula and a figure") {
    for (const Encoding* encoding : all_encodings()) {
        const std::string page = "docs/encodings/" + std::string(encoding->name) + ".md";
        const std::string text = text_of(page);
        CHECK_MESSAGE((!text.empty()), "Write ", page);
        if (text.empty()) continue;
        CHECK_MESSAGE((squeezed(text).find(squeezed(encoding->formula)) != std::string::npos), page,
                      " needs this as an indented block, word for word:\n", encoding->formula);
        CHECK_MESSAGE((text.find("](../img/") != std::string::npos), page,
                      " needs a figure of docs/figures.json, as in ![NAME](../img/NAME.png)");
    }
}

TEST_CASE("registry: every page is of an encoding") {
    for (const auto& entry : std::filesystem::directory_iterator(source_path("docs/encodings"))) {
        const std::string name = entry.path().stem();
        if (name == "same-name" || name == "README") continue;
        CHECK_MESSAGE((find_encoding(name) != nullptr), "Add ", name,
                      " to PEGEN_ENCODINGS in src/encodings/registry.cpp");
    }
}

TEST_CASE("docs: every link and picture leads to a file") {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_path("docs"))) {
        if (entry.path().extension() != ".md") continue;
        for (const std::string& link : links_of(text_of(entry.path()))) {
            CHECK_MESSAGE((std::filesystem::exists(entry.path().parent_path() / link)),
                          entry.path().string(), " links to ", link);
        }
    }
}

TEST_CASE("registry: the list, the tests and the fuzzer know every encoding and preset") {
    const std::string list = text_of("docs/encodings/README.md"),
                      words = text_of("tests/fuzz/arguments.dict");
    const std::string tests = text_of_tests();
    for (const Encoding* encoding : all_encodings()) {
        const std::string name(encoding->name);
        CHECK_MESSAGE((mentions(list, name)), "Name ", name, " in docs/encodings/README.md");
        CHECK_MESSAGE((tests.find("TEST_CASE(\"" + name + ": ") != std::string::npos),
                      "Write the tests of ", name, " below tests/encodings, as TEST_CASE(\"", name,
                      ": ...\")");
        CHECK_MESSAGE((words.find('"' + name + '"') != std::string::npos), "Add ", name,
                      " to tests/fuzz/arguments.dict");
        CHECK_MESSAGE((std::filesystem::exists(
                          source_path("tests/fuzz/corpus/arguments/" + name + "-defaults"))),
                      "Add arguments, one a line, as tests/fuzz/corpus/arguments/", name,
                      "-defaults");
    }
    for (const Preset& preset : all_presets()) {
        CHECK_MESSAGE((mentions(list, preset.name)), "Name ", preset.name,
                      " in docs/encodings/README.md");
    }
}

TEST_CASE("registry: every encoding with presets has samples of them") {
    const std::string tests = text_of_tests();
    for (const Encoding* encoding : all_encodings()) {
        if (encoding->presets.empty()) continue;
        const std::string call = "check_presets(\"" + std::string(encoding->name) + "\"";
        INFO("No test below tests/encodings calls ", call, ", samples)");
        CHECK(tests.find(call) != std::string::npos);
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
                if (alias == spec.name && alias.size() == 1) continue;  // the short option -d
                CHECK(names.insert(std::string(alias)).second);
            }
            CHECK_FALSE(spec.summary.empty());
        }
    }
}

TEST_CASE(
    "registry: a parameter that only some choices of another one use is refused with the rest") {
    for (const Encoding* encoding : all_encodings()) {
        for (const ParameterSpec& spec : encoding->parameters) {
            const auto& [name, choices] = spec.used_with;
            if (name.empty()) continue;
            CAPTURE(encoding->name);
            CAPTURE(spec.name);
            const auto other = std::ranges::find(encoding->parameters, name, &ParameterSpec::name);
            REQUIRE(other != encoding->parameters.end());
            const std::vector<std::string_view> all = words(other->choices), used = words(choices);
            CHECK(std::ranges::all_of(used,
                                      [&](auto word) { return std::ranges::count(all, word); }));
            const auto unused = std::ranges::find_if(
                all, [&](auto word) { return std::ranges::count(used, word) == 0; });
            REQUIRE(unused != all.end());
            const bool has_default = !spec.default_value.empty();
            const std::string value = !spec.choices.empty() ? std::string(words(spec.choices)[0])
                                      : has_default         ? std::string(spec.default_value)
                                                            : "1";
            const std::string option = spec.type == ParameterType::flag
                                           ? fmt::format("--{}", spec.name)
                                           : fmt::format("--{} {}", spec.name, value);
            const std::string refusal =
                refusal_of(fmt::format("{} --{} {} {}", encoding->name, name, *unused, option));
            CHECK_MESSAGE(refusal.starts_with(fmt::format("--{}: has no effect with", spec.name)),
                          refusal);
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
