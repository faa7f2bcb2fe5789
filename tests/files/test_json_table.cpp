#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/folder.h"
#include "core/error.h"
#include "files/text_table.h"

using namespace pegen;
using pegen::testing::Folder;

namespace {

Table table_of(const std::string& text) {
    const auto file = InputFile::in_memory("a.json", text);
    REQUIRE(begins_as_json_table(*file));
    return read_json_table(file).table;
}

std::string refusal(const std::string& text) {
    try {
        table_of(text);
        return "";
    } catch (const FormatError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("JSON table: every form that pe-gen writes is read back") {
    const Folder folder;
    for (const char* command :
         {"sinusoid --len 5 --d 4", "sinusoid --len 5 --d 4 --dtype float64",
          "sinusoid --len 5 --d 4 --dtype float16", "sinusoid --len 5 --d 4 --dtype bfloat16",
          "t5 --len 5 --table bucket", "alibi --heads 2 --len 3", "alibi --heads 4 --table slopes",
          "plot inf.npy", "plot number.npy"}) {
        CAPTURE(std::string(command));
        folder.make("alibi --heads 2 --len 3 --mask causal --npy inf.npy");
        folder.make("index --len 1 --npy number.npy");
        folder.make(std::string(command) + " --json a.json --npy a.npy");
        folder.make("diff a.json a.npy");
    }
}

TEST_CASE("JSON table: bare lists, and the types of their numbers") {
    CHECK(table_of("[1, 2]").dtype == DType::int64);
    CHECK(table_of("\xef\xbb\xbf[1, 2]").shape == Shape{2});
    CHECK(table_of(" [[1.5, 2], [3, 4]]").dtype == DType::float64);
    CHECK(table_of("[[[1], [2]], [[3], [4]], [[5], [6]]]").shape == Shape{3, 2, 1});
    CHECK(table_of("[]").shape == Shape{0});
    CHECK(read_rows(table_of(R"({"dtype": "bool", "shape": [2], "data": [false, true]})"),
                    {0, 2}) == std::vector<double>{0, 1});
    const Table large = table_of("[9223372036854775807]");
    std::int64_t element = 0;
    large.rows({0, 1}, std::as_writable_bytes(std::span(&element, 1)));
    CHECK(element == 9223372036854775807);
    const Table table = table_of(R"(["NaN", "Infinity", "-Infinity", 0.5])");
    const std::vector<double> values = read_rows(table, {0, 4});
    CHECK(std::isnan(values[0]));
    CHECK(values[1] == -values[2]);
    CHECK(values[3] == 0.5);
}

TEST_CASE("JSON table: what is no table is refused with its place") {
    CHECK(refusal("[[1, 2], [3]]") == "a.json: data[1]: items: 1, where the first list has 2");
    CHECK(refusal("[[1], 2]") ==
          "a.json: data[1]: a number, where the first item of this level is not");
    CHECK(refusal("[1, [2]]") ==
          "a.json: data[1]: a list, where the first item of this level is not");
    CHECK(refusal(R"([1, "x"])") == R"(a.json: number 1 of data is "x": no float64)");
    const std::string head = R"({"dtype": "int32", "shape": [2], "data": )";
    CHECK(refusal(head + "[1, 2]}") == "");
    CHECK(refusal(head + "[1, 2.5]}") == "a.json: number 1 of data is 2.5: no int32");
    CHECK(refusal(head + "[1, 3000000000]}") == "a.json: number 1 of data is 3000000000: no int32");
    CHECK(refusal(head + "[1, 2, 3]}") == "a.json: shape [2]: data has [3]");
    CHECK(refusal(R"({"dtype": "float8", "shape": [1], "data": [1]})") ==
          R"(a.json: dtype: must be one such as "float32")");
    CHECK(refusal(R"({"dtype": "int8", "shape": [-1], "data": [1]})") ==
          "a.json: shape: must have whole numbers");
    CHECK(refusal(R"({"dtype": "int8", "shape": [9223372036854775807, 4, 0], "data": []})") != "");
    CHECK(refusal(std::string(50, '[') + "1,") != "");
}
