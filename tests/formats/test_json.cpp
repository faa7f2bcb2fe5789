#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "formats/fake_table.h"
#include "formats/json.h"

using namespace pegen;
using namespace pegen::testing;
using namespace std::string_literals;
using nlohmann::json;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

json parsed(const Table& table) { return json::parse(written(table, formats::json)); }

/// Returns the text of the list of rows.
std::string rows_text(const Table& table) {
    const std::string file = written(table, formats::json);
    const std::size_t begin = file.find("\"data\":") + 7;
    return file.substr(begin, file.size() - begin - 2);
}

}  // namespace

TEST_CASE("json: a small table is this text") {
    Table table = table_of({2, 2}, DType::float32, {0, 1, 0.1, -0.25});
    table.provenance = {"sinusoid", "", "table", {}};
    CHECK(written(table, formats::json) ==
          R"({"schema":"pe-gen/table/1","encoding":"sinusoid","table":"table","parameters":{},)"
          R"("dtype":"float32","shape":[2,2],"axes":["position","channel"],"data":[
[0.0,1.0],
[0.1,-0.25]
]}
)");
}

TEST_CASE("json: the metadata names every parameter with its type and the preset") {
    static constexpr std::array specs{
        ParameterSpec{.name = "len", .type = ParameterType::integer, .default_value = "512"},
        ParameterSpec{.name = "base", .type = ParameterType::real, .default_value = "1e4"},
        ParameterSpec{.name = "reverse", .type = ParameterType::flag},
        ParameterSpec{.name = "first",
                      .type = ParameterType::word,
                      .default_value = "sin",
                      .choices = "sin cos"},
        ParameterSpec{.name = "positions", .type = ParameterType::reals},
    };
    Table table = table_of({}, DType::float32, {1});
    table.provenance = {"sinusoid", "fairseq", "table", Parameters(specs)};
    table.provenance.parameters.set("len", "4", Origin::user);
    const json file = parsed(table);
    CHECK(file["preset"] == "fairseq");
    CHECK(file["parameters"] == json::parse(R"({"len": 4, "base": 10000.0, "reverse": false,
                                                "first": "sin", "positions": null})"));
}

TEST_CASE("json: a table without an origin says so with nulls") {
    const json file = parsed(table_of({1}, DType::float32, {1}));
    CHECK(file["encoding"].is_null());
    CHECK(file["table"].is_null());
    CHECK(file["parameters"] == json::object());
    CHECK(!file.contains("preset"));
}

TEST_CASE("json: lists are nested as the shape is") {
    CHECK(rows_text(counting_table({}, DType::int8)) == "0");
    CHECK(rows_text(counting_table({3}, DType::int8)) == "[\n0,\n1,\n2\n]");
    CHECK(rows_text(counting_table({2, 3}, DType::int8)) == "[\n[0,1,2],\n[3,4,5]\n]");
    CHECK(rows_text(counting_table({2, 2, 2}, DType::int8)) ==
          "[\n[[0,1],\n[2,3]],\n[[4,5],\n[6,7]]\n]");
    CHECK(rows_text(counting_table({2, 1, 2, 1}, DType::int8)) ==
          "[\n[[[0],\n[1]]],\n[[[2],\n[3]]]\n]");
}

TEST_CASE("json: a table without elements has the empty lists of its shape") {
    CHECK(rows_text(counting_table({0}, DType::int8)) == "[]");
    CHECK(rows_text(counting_table({0, 3}, DType::int8)) == "[]");
    CHECK(parsed(counting_table({3, 0}, DType::int8))["data"] == json::parse("[[],[],[]]"));
    CHECK(parsed(counting_table({2, 2, 0}, DType::int8))["data"] ==
          json::parse("[[[],[]],[[],[]]]"));
    CHECK(parsed(counting_table({2, 0, 3}, DType::int8))["data"] == json::parse("[[],[]]"));
    CHECK_THROWS_AS(formats::json.head(counting_table({1'000'000'000, 0, 2}, DType::int8), {}),
                    UsageError);
}

TEST_CASE("json: numbers read back as the same elements") {
    const std::vector<double> values{0.1,      1.0 / 3, 1e-45, 3.4028234663852886e38,
                                     16777216, 1e10,    -0.0};
    for (const DType dtype : {DType::float32, DType::float64}) {
        const Table table = table_of({7}, dtype, values);
        const std::vector<double> wanted = read_rows(table, {0, 7});
        const json list = parsed(table)["data"];
        for (std::size_t i = 0; i < values.size(); ++i) {
            CHECK(list[i].is_number_float());
            CHECK(list[i].get<double>() == doctest::Approx(wanted[i]).epsilon(1e-7));
            const auto bytes = [&](double value) { return bytes_of(table_of({}, dtype, {value})); };
            CHECK(bytes(list[i].get<double>()) == bytes(wanted[i]));
        }
    }
    CHECK(rows_text(table_of_bytes({2}, DType::int64,
                                   "\xff\xff\xff\xff\xff\xff\xff\x7f"
                                   "\1\0\0\0\0\0\x20\0"s)) ==
          "[\n9223372036854775807,\n9007199254740993\n]");
}

TEST_CASE("json: numbers have no more digits than their dtype needs") {
    const std::vector<double> values{0.1, 65504, 1.0 / 3, 6e-8};
    CHECK(rows_text(table_of({1, 4}, DType::float16, values)) ==
          "[\n[0.1,65500.0,0.3333,6e-08]\n]");
    CHECK(rows_text(table_of({1, 4}, DType::bfloat16, values)) ==
          "[\n[0.1,65500.0,0.334,6e-08]\n]");
    CHECK(rows_text(table_of({1, 3}, DType::float32, {0.1, 1e8, 1.0 / 3})) ==
          "[\n[0.1,1e+08,0.33333334]\n]");
    CHECK(rows_text(table_of({1, 3}, DType::float64, {0.1, 1e100, 1.0 / 3})) ==
          "[\n[0.1,1e+100,0.3333333333333333]\n]");
}

TEST_CASE("json: values that JSON lacks are strings") {
    for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
        CHECK(rows_text(
                  table_of({1, 4}, dtype, {not_a_number, -not_a_number, infinity, -infinity})) ==
              R"([
["NaN","NaN","Infinity","-Infinity"]
])");
    }
}

TEST_CASE("json: a bool is true or false") {
    CHECK(rows_text(table_of({1, 2}, DType::boolean, {0, 1})) == "[\n[false,true]\n]");
}
