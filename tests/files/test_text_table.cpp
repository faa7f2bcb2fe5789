#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cli/folder.h"
#include "core/error.h"
#include "files/text_table.h"

using namespace pegen;

namespace {

Table table_of(const std::string& text) {
    const auto file = InputFile::in_memory("t.csv", text);
    REQUIRE(begins_as_text_table(*file));
    return read_text_table(file).table;
}

void check(const std::string& text, const Shape& shape, DType dtype,
           const std::vector<double>& values) {
    CAPTURE(text);
    const Table table = table_of(text);
    CHECK(to_string(table.shape) == to_string(shape));
    CHECK((table.dtype == dtype));
    CHECK(read_rows(table, {0, table.shape.rows()}) == values);
}

std::string refusal(const std::string& text) {
    try {
        table_of(text);
    } catch (const FormatError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("text_table: any delimiter, comments, names, a single column") {
    const DType f32 = DType::float32;
    for (const char* const text : {"1,2\n3,4\n", "1\t2\n3\t4", "1;2\r\n3;4\r\n",
                                   "  1  2 \n# x\n\n3 4 # y\n", "a,b\n1,2\n3,4",
                                   "\xef\xbb\xbf"
                                   "1, 2\n3, +4\n",
                                   ",a,b\nx,1,2\ny,3,4\n", ",0,1\n0,1,2\n1,3,4\n",
                                   "\"\",\"V,1\",\"V\"\"2\"\n\"1\",1,2\n\"2\",3,4\n",
                                   "\"1\",\"2\"\n\"3\",\"4\"\n", "\"a b\" c\n1 2\n3 \"4\"\n"}) {
        check(text, {2, 2}, f32, {1, 2, 3, 4});
    }
    check("1\n2\n3\n", {3}, f32, {1, 2, 3});
    check("0,1,2,3\n0.5,-inf,2.5,3e-1\n", {1, 4}, f32,
          {0.5, -std::numeric_limits<double>::infinity(), 2.5, 0.3F});
    check("0,1,2,3\n0.5,1.5,2.5,3.5\n0.25,1.25,2.25,3.25\n0.125,1.5,2.5,3.5\n", {3, 4}, f32,
          {0.5, 1.5, 2.5, 3.5, 0.25, 1.25, 2.25, 3.25, 0.125, 1.5, 2.5, 3.5});
    check("0,1,2,3\n0.5,1,2.5,3\n", {2, 4}, f32, {0, 1, 2, 3, 0.5, 1, 2.5, 3});
    check("0,1,2,4\n0.5,1.5,2.5,3.5\n", {2, 4}, f32, {0, 1, 2, 4, 0.5, 1.5, 2.5, 3.5});
    check("0,1,2\n0.5,1.5,2.5\n", {2, 3}, f32, {0, 1, 2, 0.5, 1.5, 2.5});
    check("0,1,2,3\n", {1, 4}, f32, {0, 1, 2, 3});
    check("1 2 3\n", {1, 3}, f32, {1, 2, 3});
}

TEST_CASE("text_table: pe-gen's own CSV gets its shape back") {
    const DType f32 = DType::float32;
    check("value\n5\n", {}, f32, {5});
    check("position,value\n5,1\n6,2\n", {2}, f32, {1, 2});
    check("position,value\n", {0}, f32, {});
    check("position,0,1\n", {0, 2}, f32, {});
    check("position,0\n7,1\n8,2\n", {2, 1}, f32, {1, 2});
    check("a,b,0,1\n0,0,1,2\n0,1,3,4\n0,2,5,6\n1,0,1,2\n1,1,3,4\n1,2,5,6\n", {2, 3, 2}, f32,
          {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
    check("a,b,c,0\n0,0,0,1\n0,0,1,2\n1,0,0,3\n1,0,1,4\n", {2, 1, 2, 1}, f32, {1, 2, 3, 4});
    // Rows before the first position have no index.
    check("a,b,0\n,0,1\n,1,2\n,0,3\n,1,4\n0,0,5\n0,1,6\n", {3, 2, 1}, f32, {1, 2, 3, 4, 5, 6});
    check("a,b,0\n0,,1\n0,,2\n0,0,3\n1,,4\n1,,5\n1,0,6\n", {2, 3, 1}, f32, {1, 2, 3, 4, 5, 6});
}

TEST_CASE("text_table: a column before the numbers counts rows, or is of the table") {
    const DType f32 = DType::float32;
    for (const char* const text :
         {"i,0,1\n0,1,2\n1,3,4\n", "i,0,1\n7,1,2\n8,3,4\n", "i,0,1\n,1,2\n0,3,4\n",
          "word,0,1\nthe,1,2\na,3,4\n", "position,0,1\n0.5,1,2\n0.25,3,4\n"}) {
        check(text, {2, 2}, f32, {1, 2, 3, 4});
    }
    check("i,value\n0,5\n1,6\n", {2}, f32, {5, 6});
    check("x,value\n0.5,5\n1,6\n", {2, 2}, f32, {0.5, 5, 1, 6});
    check("x,0\n2,5\n1,6\n", {2, 2}, f32, {2, 5, 1, 6});
    check("x,0,1\n0.5,5,1\n", {1, 3}, f32, {0.5, 5, 1});
}

TEST_CASE("text_table: float64 where a float32 table cannot have written a number") {
    check("0.1\n", {1}, DType::float32, {0.1F});
    check("0.1\n0.54030230586813977\n", {2}, DType::float64, {0.1, 0.54030230586813977});
    check("16777217\n", {1}, DType::float64, {16777217});
    check("1e300\n", {1}, DType::float64, {1e300});
    check("1e-60\n", {1}, DType::float64, {1e-60});
    const double infinity = std::numeric_limits<double>::infinity();
    check("inf\n-inf\n", {2}, DType::float32, {infinity, -infinity});
}

TEST_CASE("text_table: what is no number is refused with its place") {
    CHECK(refusal("1,2\n\n3,abc\n") == "t.csv: line 3, column 2: 'abc' is no number");
    CHECK(refusal("1,,2\n") == "t.csv: line 1, column 2: '' is no number");
    CHECK(refusal("1,2,\n") == "t.csv: line 1, column 3: '' is no number");
    CHECK(refusal("1,0x10\n") == "t.csv: line 1, column 2: '0x10' is no number");
    CHECK(refusal("1\n1e999\n") ==
          "t.csv: line 2, column 1: '1e999' is out of the range of float64");
    CHECK(refusal("1,1.#INF\n2,3\n") == "t.csv: line 1, column 2: '1.#INF' is no number");
    CHECK(refusal("1,2\n3\n") == "t.csv: line 2: fields: 1, where the first line has 2");
    CHECK(refusal("a,b,0\n0,0,1\n0,1,2\n0,0,3\n").starts_with("t.csv: has 3 rows"));
    CHECK(refusal("a,b,0\n0,0,1\n0,1,2\n0,0,3\n0,1,4\n").starts_with("t.csv: the 2 columns"));
    CHECK(refusal("1,\"2,3\"\n") == "t.csv: line 1, column 2: '2,3' is no number");
    CHECK(refusal("1,\"2,3\n") == "t.csv: line 1, column 2: '\"2' is no number");
    CHECK(first_word("\n1,0x10\n") == "line 2, column 2 has '0x10'");
    CHECK(first_word("# none\n") == "no line has any");
    for (const char* const text :
         {"some text\n", "a,b\n", "# 1\n", "", "{}", "[1,2]", "0,5;0,7", "id,2019\n1,2\n"}) {
        CHECK_FALSE(begins_as_text_table(*InputFile::in_memory("t", text)));
    }
}

using pegen::testing::Folder;

namespace {

Table json_table(const std::string& text) {
    const auto file = InputFile::in_memory("a.json", text);
    REQUIRE(begins_as_json_table(*file));
    return read_json_table(file).table;
}

std::string json_refusal(const std::string& text) {
    try {
        json_table(text);
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
    CHECK(json_table("[1, 2]").dtype == DType::int64);
    CHECK(json_table("\xef\xbb\xbf[1, 2]").shape == Shape{2});
    CHECK(json_table(" [[1.5, 2], [3, 4]]").dtype == DType::float64);
    CHECK(json_table("[[[1], [2]], [[3], [4]], [[5], [6]]]").shape == Shape{3, 2, 1});
    CHECK(json_table("[]").shape == Shape{0});
    CHECK(read_rows(json_table(R"({"dtype": "bool", "shape": [2], "data": [false, true]})"),
                    {0, 2}) == std::vector<double>{0, 1});
    const Table large = json_table("[9223372036854775807]");
    std::int64_t element = 0;
    large.rows({0, 1}, std::as_writable_bytes(std::span(&element, 1)));
    CHECK(element == 9223372036854775807);
    const Table table = json_table(R"(["NaN", "Infinity", "-Infinity", 0.5])");
    const std::vector<double> values = read_rows(table, {0, 4});
    CHECK(std::isnan(values[0]));
    CHECK(values[1] == -values[2]);
    CHECK(values[3] == 0.5);
}

TEST_CASE("JSON table: what is no table is refused with its place") {
    CHECK(json_refusal("[[1, 2], [3]]") == "a.json: data[1]: items: 1, where the first list has 2");
    CHECK(json_refusal("[[1], 2]") ==
          "a.json: data[1]: a number, where the first item of this level is not");
    CHECK(json_refusal("[1, [2]]") ==
          "a.json: data[1]: a list, where the first item of this level is not");
    CHECK(json_refusal(R"([1, "x"])") == R"(a.json: number 1 of data is "x": no float64)");
    const std::string head = R"({"dtype": "int32", "shape": [2], "data": )";
    CHECK(json_refusal(head + "[1, 2]}") == "");
    CHECK(json_refusal(head + "[1, 2.5]}") == "a.json: number 1 of data is 2.5: no int32");
    CHECK(json_refusal(head + "[1, 3000000000]}") ==
          "a.json: number 1 of data is 3000000000: no int32");
    CHECK(json_refusal(head + "[1, 2, 3]}") == "a.json: shape [2]: data has [3]");
    CHECK(json_refusal(R"({"dtype": "float8", "shape": [1], "data": [1]})") ==
          R"(a.json: dtype: must be one such as "float32")");
    CHECK(json_refusal(R"({"dtype": "int8", "shape": [-1], "data": [1]})") ==
          "a.json: shape: must have whole numbers");
    CHECK(json_refusal(R"({"dtype": "int8", "shape": [9223372036854775807, 4, 0], "data": []})") !=
          "");
    CHECK(json_refusal(std::string(50, '[') + "1,") != "");
}
