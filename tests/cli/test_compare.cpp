#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "encodings/registry.h"
#include "files/temporary_folder.h"
#include "program.h"

using namespace pegen;
using pegen::testing::TemporaryFolder;

namespace {

std::string first_line(const std::string& arguments) {
    const std::string text = run_program("compare " + arguments).output;
    return text.substr(0, text.find('\n'));
}

}  // namespace

TEST_CASE("compare: every encoding is the same as itself and can be compared with any other") {
    for (const Encoding* encoding : all_encodings()) {
        const std::string name(encoding->name);
        CAPTURE(name);
        CHECK(first_line(name + " " + name).starts_with(name + " and " + name + " are the same"));
        const ProgramRun run = run_program("compare " + name + " sinusoid");
        CHECK(run.status == 0);
        CHECK(run.output.ends_with(".\n"));
        CHECK(run.errors.empty());
    }
}

TEST_CASE("compare: channels have the name of their axis, a single channel has none") {
    const std::string bits = run_program("compare binary periodic --len 8").output;
    CHECK(bits.find("they stay different under any order of the channels") != bits.npos);
    CHECK(first_line("index index --len 8 --start 3") ==
          "index and index are the same table: all 8 values are equal.");
    CHECK(first_line("index normalized --len 8") ==
          "index is normalized, but all values are multiplied by 7.");
}

TEST_CASE("compare: --json has the numbers and the sentences of the text") {
    using Json = nlohmann::json;
    const auto answer = [](const std::string& arguments) {
        const ProgramRun run = run_program("compare --json " + arguments);
        CHECK(run.status == 0);
        CHECK(run_program("compare " + arguments + " --json").output == run.output);
        return Json::parse(run.output);
    };
    const Json parts = answer("marian hf-marian --d 4 --len 3");
    CHECK(parts["schema"] == "pe-gen/compare/1");
    CHECK(parts["a"] == Json{{"name", "marian"}, {"shape", {3, 4}}, {"dtype", "float64"}});
    CHECK(parts["same"] == false);
    CHECK(parts["compared"] == 12);
    CHECK(parts["rearrangement"].is_null());
    const Json halves = answer("tf-tutorial vaswani --d 4 --len 3 --start 1");
    CHECK(halves["rearrangement"] == Json{{"of", "a"},
                                          {"shift", 0},
                                          {"channels", {0, 2, 1, 3}},
                                          {"zeros", Json::array()},
                                          {"largest", 0.0}});
    CHECK(halves["sentences"][0].get<std::string>().starts_with("tf-tutorial is vaswani, with"));
}

TEST_CASE("compare: one file may be the other transposed, cut or rounded") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        const ProgramRun done = run_program(arguments, folder.path(""));
        REQUIRE(done.status == 0);
        return done.output.substr(0, done.output.find(".\n"));
    };
    run("sinusoid --d 16 --len 40 --npy a.npy");
    run("sinusoid --d 16 --len 40 --view channels-first --npy transposed.npy");
    run("sinusoid --d 16 --len 9 --start 20 --npy cut.npy");
    run("sinusoid --d 16 --len 40 --dtype float16 --npy half.npy");
    CHECK(run("compare transposed.npy a.npy") ==
          "a.npy is transposed.npy, transposed: save array.T of one of them");
    CHECK(run("compare cut.npy a.npy") == "cut.npy is rows 20 to 28 of a.npy");
    CHECK(run("compare a.npy cut.npy") == "cut.npy is rows 20 to 28 of a.npy");
    CHECK(run("compare half.npy a.npy") == "half.npy is a.npy, rounded to float16");
    CHECK(run("compare a.npy half.npy") == "half.npy is a.npy, rounded to float16");
}

TEST_CASE("compare: finds the order of the channels, the shift and the rounding of a file") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    const auto first_of = [&](const std::string& arguments) {
        const ProgramRun done = run("compare " + arguments);
        CHECK(done.status == 0);
        return done.output.substr(0, done.output.find(".\n"));
    };
    REQUIRE(run("hf-marian --d 64 --len 50 --start 1 --npy mine.npy").status == 0);
    CHECK(first_of("mine.npy hf-marian") == "mine.npy is hf-marian from row 1 on");
    CHECK(first_of("mine.npy sinusoid") ==
          "mine.npy is sinusoid from row 1 on, with its even channels first, then its odd ones");
    CHECK(first_of("hf-marian mine.npy") == "hf-marian from row 1 on is mine.npy");
    REQUIRE(run("hf-marian --d 64 --len 50 --arith float32 --npy f.npy").status == 0);
    CHECK(first_of("f.npy hf-marian")
              .starts_with("f.npy is hf-marian, up to the rounding that is usual for float32 "
                           "arithmetic: the"));
    CHECK(first_of("f.npy mine.npy").starts_with("f.npy and mine.npy are different tables"));
    CHECK(run("compare nofile.npy hf-marian").status == 4);
    CHECK(run("compare mine.npy nothing").status == 2);
}

TEST_CASE("compare: a file of float64 may have the values of float32 arithmetic") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    const std::string table = "fairseq --d 64 --len 50 --start 2 --dtype float64";
    REQUIRE(run(table + " --arith float32 --npy a.npy").status == 0);
    const std::string output = run("compare a.npy fairseq").output;
    CAPTURE(output);
    CHECK(output.starts_with("a.npy is fairseq from row 2 on, up to the rounding that is usual"));
    CHECK(output.ends_with(
        "a.npy is made by pe-gen fairseq --len 50 --d 64 --start 2 --arith float32 "
        "--dtype float64.\n"));
}

TEST_CASE("compare: the start that makes the rows of a file is named, if there is one") {
    const TemporaryFolder folder;
    const auto last_line = [&](const std::string& arguments) {
        const std::string text = run_program("compare " + arguments, folder.path("")).output;
        return text.substr(text.rfind('\n', text.size() - 2) + 1);
    };
    const auto make = [&](const std::string& arguments) {
        REQUIRE(run_program(arguments + " --npy a.npy", folder.path("")).status == 0);
    };
    make("binary --len 40 --bits 8 --start 3");
    CHECK(last_line("a.npy binary --bits 8") ==
          "a.npy is made by pe-gen binary --len 40 --start 3 --bits 8.\n");
    make("sinusoid --len 40 --d 8 --start 2 --step 0.5");
    CHECK(last_line("sinusoid a.npy --step 0.5 --start 1") ==
          "a.npy is made by pe-gen sinusoid --len 40 --d 8 --start 2 --step 0.5.\n");
    CHECK(last_line("a.npy a.npy") ==
          "a.npy and a.npy are the same table: all 320 values are "
          "equal.\n");
    make("fairseq --len 40 --d 8");
    CHECK(last_line("a.npy fairseq --start 2") ==
          "a.npy is made by pe-gen fairseq --len 40 --d 8.\n");
    // fairseq has a row of zeros that tensor2tensor has with no --start.
    CHECK(last_line("a.npy tensor2tensor --start 2").find("made by") == std::string::npos);
}

TEST_CASE("compare: what is no difference of values is not called one") {
    const TemporaryFolder folder;
    CHECK(first_line("fairseq tensor2tensor --d 8 --len 20") ==
          "fairseq is tensor2tensor, but for row 1, which is zeros in fairseq.");
    CHECK(first_line("tensor2tensor fairseq --d 8 --len 20") ==
          "tensor2tensor is fairseq, but for row 1, which is zeros in fairseq.");
    const std::string tokens = run_program("compare mae rt-detr").output;
    CHECK(tokens.find("differ in --tokens (row, column).") != tokens.npos);
    REQUIRE(run_program("sinusoid --d 8 --table frequencies --npy f.npy", folder.path("")).status ==
            0);
    CHECK(run_program("compare f.npy fairseq", folder.path(""))
              .output.starts_with("f.npy and fairseq are different tables: f.npy has one axis, and "
                                  "fairseq has 2."));
}

TEST_CASE("compare: tables that are too large are refused before anything is made") {
    const ProgramRun run = run_program("compare index binary --len 99999999");
    CHECK(run.status == 2);
    CHECK(run.errors.find("at most 2^24 values can be compared") != std::string::npos);
}
