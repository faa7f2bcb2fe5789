#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/folder.h"
#include "program.h"

using pegen::testing::Folder;

namespace {

nlohmann::json json_of(const std::string& arguments) {
    const ProgramRun run = run_program("explain " + arguments + " --json");
    CHECK(run.errors.empty());
    return nlohmann::json::parse(run.output);
}

}  // namespace

TEST_CASE("explain: text says how the value comes about") {
    const ProgramRun run = run_program("explain sinusoid --d 4 --at 7,3");
    CHECK(run.status == 0);
    CHECK(run.output ==
          "table               encoding of sinusoid\n"
          "at                  position 7; channel 3\n"
          "holds               cos of pair 1; channel 2 has its sin\n"
          "frequency           0.01 radians per position\n"
          "wavelength          628.31853071795864769 positions\n"
          "angle               0.07 radians\n"
          "formula             cos(7 * 10000^(-2/4))\n"
          "value               0.9975510002532795746209083899397383393352 (the formula to 40 "
          "digits)\n"
          "float64             0.997551000253279585, too large by 1e-17\n"
          "float32             0.997551024, too large by 2.4e-08\n"
          "float16             0.99755859375, too large by 7.6e-06\n"
          "bfloat16            0.99609375, too small by 0.0015\n"
          "float32 arithmetic  0.997551024, too large by 2.4e-08, 0.4 ulps\n");
}

TEST_CASE("explain: JSON has what is known, and leaves out what is not") {
    const auto json = json_of("sinusoid --d 4 --at 7,3");
    CHECK(json["command"] == "pe-gen explain sinusoid --d 4 --at 7,3");
    CHECK(json["encoding"] == "sinusoid");
    CHECK(json["preset"] == "");
    CHECK(json["table"] == "encoding");
    CHECK(json["at"] == nlohmann::json::parse(R"([
        {"axis": "position", "index": 7, "stands_for": "7"}, {"axis": "channel", "index": 3}])"));
    CHECK(json["function"] == "cos");
    CHECK_FALSE(json.contains("of"));
    CHECK(json["pair"] == 1);
    CHECK(json["partner"] == 2);
    CHECK(json["frequency"] == "0.01");
    CHECK(json["wavelength"] == "628.31853071795864769");
    CHECK(json["angle"] == "0.07");
    CHECK(json["formula"] == "cos(7 * 10000^(-2/4))");
    CHECK(json["value"] == "0.9975510002532795746209083899397383393352");
    CHECK(json["value_is"] == "the formula to 40 digits");
    CHECK(json["dtypes"].size() == 4);
    CHECK(json["dtypes"][0] == nlohmann::json{{"dtype", "float64"},
                                              {"value", "0.997551000253279585"},
                                              {"error", "1e-17"}});
    CHECK(json["float32_arithmetic"] ==
          nlohmann::json{{"value", "0.997551024"}, {"error", "2.4e-08"}, {"ulps", "0.4"}});
    CHECK(json["notes"].empty());
    const auto learned = json_of("learned --len 4 --at 3,4");
    CHECK(learned["value_is"] == "the nearest float64");
    for (const char* key : {"function", "pair", "frequency", "formula", "float32_arithmetic"}) {
        CHECK_FALSE(learned.contains(key));
    }
    CHECK(json_of("mae --at 2,5,100")["of"] == "x");
    CHECK(json_of("mae --at 2,5,100")["preset"] == "mae");
}

TEST_CASE("explain: the command in JSON gives the same again") {
    for (const char* arguments :
         {"rope --d 8 --table sin --at 3,4", "sinusoid --reverse --len 9 --start=-2.5 --at 3,4",
          "fourier --freqs pow2:3 --at 1,2,3", "attention alibi --at 0,1,1",
          "mrope --sequence text:2,image:2x2 --at 3,4"}) {
        const std::string& shown = arguments;
        CAPTURE(shown);
        const ProgramRun run = run_program("explain " + std::string(arguments) + " --json");
        CAPTURE(run.errors);
        REQUIRE(run.status == 0);
        const std::string command = nlohmann::json::parse(run.output)["command"];
        REQUIRE(command.starts_with("pe-gen "));
        CHECK(run_program(command.substr(7) + " --json").output == run.output);
    }
}

TEST_CASE("explain: refuses what is not one value of one table") {
    const Folder folder;
    for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
             {"", "explain: needs a name first, as in pe-gen explain sinusoid --d 128 --at 7,3"},
             {"--at 7,3",
              "explain: needs a name first, as in pe-gen explain sinusoid --d 128 --at 7,3"},
             {"sinusoid", "--at: must say which value to explain: position,channel"},
             {"sinusoid --at 512,3", "--at 512,3: the axis position has indices 0 to 511"},
             {"sinusoid --at 7", "--at 7: must be 2 indices: position,channel"},
             {"sinusoid --at 7,x", "--at x: not an integer"},
             {"sinusoid --at 7,-3", "--at -3: must be at least 0"},
             {"sinusoid --att 7,3", "--att: unknown option; did you mean '--at'?"},
             {"sinusoid whisper --at 7,3", "unexpected argument 'whisper'; explain takes one name"},
             {"rope --table cos,sin --at 7,3", "--table: explain takes one table; name one"},
             {"sinusoid --table frequencies --view channels-first --at 3",
              "--view: has no effect on the table frequencies, only on encoding"},
             {"xpos --scale-base 1e-10 --table cos-k --at 300,3",
              "--dtype float64: cannot hold the largest scale, inf; its largest value is "
              "1.7976931348623157e+308"},
             {"sinusoid --d 7 --at 1,1",
              "--d 7: must be even with --odd error; use 6, 8 or --odd exact"}}) {
        const std::string& shown = arguments;
        CAPTURE(shown);
        const ProgramRun run = folder.run("explain " + arguments);
        CHECK(run.status == 2);
        CHECK(run.errors == "pe-gen: " + message + "\n");
        CHECK(run.output.empty());
    }
}
