#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"
#include "formats/command.h"
#include "formats/source.h"
#include "program.h"
#include "rows/kept.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

std::string source(std::string_view language, const Table& table) {
    for (const Format* format : all_languages()) {
        if (format->name == language) return format->head(table, {});
    }
    return "";
}

/// An array of one axis, of no known origin.
Table array(DType dtype, std::vector<double> values) {
    Table table;
    table.dtype = dtype;
    table.shape = {std::ssize(values)};
    table.rows = rounded(rows::kept_rows(std::move(values), 1), dtype);
    return table;
}

/// Runs a command of the shell; true if it succeeds.
bool succeeds(const std::string& command) {
    return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

const std::vector<double> hard{0,
                               -0.0,
                               0.1,
                               -1.0 / 3,
                               0x1.fffffep-127,
                               5e-45,
                               16777217,
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()};

}  // namespace

TEST_CASE("source: a table in each language") {
    const Table table = table_of("whisper --len 2 --d 4");
    const std::string comments =
        "// pe-gen whisper --len 2 --d 4\n"
        "// float32, shape (2, 4), in C order\n";
    CHECK(source("c", table) == comments +
                                    "#include <stddef.h>\n"
                                    "\n"
                                    "static const size_t whisper_encoding_shape[2] = {2, 4};\n"
                                    "static const float whisper_encoding[8] = {\n"
                                    "    0.0f, 0.0f, 1.0f, 1.0f,\n"
                                    "    0.84147096f, 1e-04f, 0.5403023f, 1.0f\n"
                                    "};\n");
    CHECK(source("cpp", table) ==
          comments +
              "#include <cstddef>\n"
              "\n"
              "inline constexpr std::size_t whisper_encoding_shape[2] = {2, 4};\n"
              "inline constexpr float whisper_encoding[8] = {\n"
              "    0.0f, 0.0f, 1.0f, 1.0f,\n"
              "    0.84147096f, 1e-04f, 0.5403023f, 1.0f\n"
              "};\n");
    CHECK(source("rust", table) == comments +
                                       "\n"
                                       "pub const WHISPER_ENCODING_SHAPE: [usize; 2] = [2, 4];\n"
                                       "pub static WHISPER_ENCODING: [f32; 8] = [\n"
                                       "    0.0, 0.0, 1.0, 1.0,\n"
                                       "    0.84147096, 1e-04, 0.5403023, 1.0\n"
                                       "];\n");
    CHECK(source("python", table) ==
          "# pe-gen whisper --len 2 --d 4\n"
          "# float32, shape (2, 4), in C order\n"
          "\n"
          "whisper_encoding_shape = (2, 4)\n"
          "whisper_encoding = [\n"
          "    0.0, 0.0, 1.0, 1.0,\n"
          "    0.8414709568023682, 9.999999747378752e-05, 0.5403022766113281, 1.0\n"
          "]\n");
    CHECK(source("swift", table) == comments +
                                        "\n"
                                        "let whisperEncodingShape = [2, 4]\n"
                                        "let whisperEncoding: [Float] = [\n"
                                        "    0x0p+0, 0x0p+0, 0x1p+0, 0x1p+0,\n"
                                        "    0x1.aed548p-1, 0x1.a36e2ep-14, 0x1.14a28p-1, 0x1p+0\n"
                                        "]\n");
    CHECK(source("json", table) ==
          "{\n"
          "\"command\": \"pe-gen whisper --len 2 --d 4\",\n"
          "\"name\": \"whisper_encoding\",\n"
          "\"dtype\": \"float32\",\n"
          "\"shape\": [2, 4],\n"
          "\"data\": [\n"
          "    0.0, 0.0, 1.0, 1.0,\n"
          "    0.8414709568023682, 9.999999747378752e-05, 0.5403022766113281, 1.0\n"
          "]\n"
          "}\n");
}

TEST_CASE("source: halves are held by wider floats, integers and flags by their own types") {
    CHECK(source("c", array(DType::float16, {0.1})).find("held as float\n") != std::string::npos);
    CHECK(source("c", array(DType::float16, {0.1})).find("table[1] = {\n    0.099975586f\n") !=
          std::string::npos);
    CHECK(source("rust", array(DType::bfloat16, {0.1})).find(": [f32; 1] = [\n    0.100097656\n") !=
          std::string::npos);
    CHECK(source("c", array(DType::int64, {-0x1p63, 7}))
              .find("int64_t table[2] = {\n    INT64_MIN, 7\n") != std::string::npos);
    CHECK(source("cpp", array(DType::uint64, {0x1p63}))
              .find("std::uint64_t table[1] = {\n    9223372036854775808u\n") != std::string::npos);
    CHECK(source("python", array(DType::boolean, {0, 1})).find("[\n    False, True\n]") !=
          std::string::npos);
    CHECK(source("swift", array(DType::int32, {-3})).find("[Int32] = [\n    -3\n]") !=
          std::string::npos);
}

TEST_CASE("source: what is not finite has a name in each language") {
    const Table table =
        array(DType::float64, {std::nan(""), std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()});
    const auto has = [&](std::string_view language, std::string_view line) {
        return source(language, table).find(line) != std::string::npos;
    };
    CHECK(has("c", "#include <math.h>\n"));
    CHECK(has("c", "    NAN, INFINITY, -INFINITY\n"));
    CHECK(has("cpp", "    std::numeric_limits<double>::quiet_NaN(), "));
    CHECK(has("rust", "    f64::NAN, f64::INFINITY, f64::NEG_INFINITY\n"));
    CHECK(has("python", "    float(\"nan\"), float(\"inf\"), float(\"-inf\")\n"));
    CHECK(has("swift", "    .nan, .infinity, -.infinity\n"));
    CHECK(has("json", "    \"NaN\", \"Infinity\", \"-Infinity\"\n"));
}

TEST_CASE("source: lines have at most 100 characters, even of a long command") {
    const Table table = table_of(
        "sinusoid --d 64 --positions "
        "1.5,2.5,3.5,4.5,5.5,6.5,7.5,8.5,9.5,10.5,11.5,12.5,13.5,14.5,15.5,16.5,17.5,18.5,19.5,20."
        "5,"
        "21.5,22.5,23.5,24.5,25.5,26.5,27.5,28.5,29.5,30.5");
    for (const Format* format : all_languages()) {
        const std::string text = source(format->name, table);
        for (const std::string_view line : fields(text, '\n')) {
            const bool is_command = line.starts_with("\"command\"");
            CHECK((is_command || line.size() <= 100));
        }
    }
}

TEST_CASE("source: a line has as many numbers as fit into 100 characters") {
    std::vector<double> values;
    for (int i = 0; i < 600; ++i) values.push_back(std::ldexp(i, -i % 7));
    const std::string text = source("json", array(DType::float64, values));
    std::int64_t full = 0, lines_of_numbers = 0;
    std::string_view before;
    for (const std::string_view line : fields(text, '\n')) {
        if (!line.starts_with("    ")) continue;
        ++lines_of_numbers;
        if (!before.empty()) CHECK(before.size() + 1 + line.substr(4).find(' ') > 100);
        full += line.size() == 100;
        before = line;
    }
    CHECK(lines_of_numbers > 20);
    CHECK(full > 0);
}

TEST_CASE("source: tables without values and large ones are refused") {
    CHECK_THROWS_WITH_AS(
        source("c", table_of("sinusoid --d 1024 --len 1025")),
        "--emit: shape (1025, 1024): source is for tables of 1 to 2^20 values; use --npy",
        UsageError);
    CHECK_THROWS_AS(source("c", array(DType::float32, {})), UsageError);
}

TEST_CASE("source: C and C++ compile to the same bits") {
    const TemporaryFolder folder;
    for (const auto& [language, compiler, extension] :
         {std::tuple{"c", "cc -std=c99", "c"}, std::tuple{"cpp", "c++ -std=c++17", "cpp"}}) {
        if (!succeeds("command -v " + std::string(compiler).substr(0, 3))) continue;
        for (const DType dtype : {DType::float32, DType::float64}) {
            const Table table = array(dtype, hard);
            std::string program = source(language, table) +
                                  "#include <stdio.h>\nint main(void) {\n"
                                  "    fwrite(table, sizeof table[0], table_shape[0], stdout);\n"
                                  "    return 0;\n}\n";
            const std::string file = folder.path(std::string("a.") + extension);
            put(file, program);
            const std::string run = folder.path("run");
            REQUIRE(succeeds(std::string(compiler) + " -Wall -Wextra -pedantic -Werror " +
                             shell_word(file) + " -o " + shell_word(run)));
            REQUIRE(std::system(
                        (shell_word(run) + " >" + shell_word(folder.path("bits"))).c_str()) == 0);
            std::vector<std::byte> bytes(hard.size() * info(dtype).size);
            table.rows({0, std::ssize(hard)}, bytes);
            CHECK(content(folder.path("bits")) ==
                  std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        }
    }
}

TEST_CASE("source: Python executes to the same bits") {
    if (!succeeds("command -v python3")) return;
    const TemporaryFolder folder;
    const Table table = array(DType::float32, hard);
    put(folder.path("a.py"), source("python", table) +
                                 "import struct, sys\n"
                                 "sys.stdout.buffer.write(struct.pack('<9f', *table))\n");
    REQUIRE(std::system(("python3 " + shell_word(folder.path("a.py")) + " >" +
                         shell_word(folder.path("bits")))
                            .c_str()) == 0);
    std::vector<std::byte> bytes(hard.size() * 4);
    table.rows({0, 9}, bytes);
    CHECK(content(folder.path("bits")) ==
          std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

TEST_CASE("emit: prints, or writes the file that is named for the language") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    const std::string c = run("sinusoid --d 4 --len 2 --emit c").output;
    CHECK(c.starts_with("// pe-gen sinusoid --len 2 --d 4\n"));
    CHECK(run("sinusoid --d 4 --len 2 --emit c -o a.h").output.empty());
    CHECK(content(folder.path("a.h")) == c);
    CHECK(run("sinusoid --d 4 --len 2 -o b.h").status == 0);
    CHECK(content(folder.path("b.h")) == c);
    CHECK(run("sinusoid --d 4 --len 2 --emit json -o a.json").output.empty());
    CHECK(nlohmann::json::parse(content(folder.path("a.json")))["data"].size() == 8);
    CHECK(run("sinusoid --d 4 --len 2 --emit c -o a.npy").output == c);
    CHECK(content(folder.path("a.npy")).starts_with("\x93NUMPY"));
    CHECK(run("sinusoid --d 4 --len 2 --emit go")
              .errors.find("--emit go: must be one of c, cpp, rust, python, swift, json") !=
          std::string::npos);
}
