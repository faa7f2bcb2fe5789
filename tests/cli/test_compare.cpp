#include <doctest/doctest.h>

#include "encodings/registry.h"
#include "program.h"

using namespace pegen;

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
    CHECK(bits.find("no order of the channels and no shift by up to 3 rows") != bits.npos);
    CHECK(first_line("index index --len 8 --start 3") ==
          "index and index are the same table: all 8 values are equal.");
    CHECK(first_line("index normalized --len 8") ==
          "index and normalized are different tables: no shift by up to 3 rows makes them equal.");
}

TEST_CASE("compare: tables that are too large are refused before anything is made") {
    const ProgramRun run = run_program("compare index binary --len 99999999");
    CHECK(run.status == 2);
    CHECK(run.errors.find("at most 2^24 values can be compared") != std::string::npos);
}
