#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "encodings/table_of.h"

using namespace pegen;

TEST_CASE("refusals: each command of refusals.txt is refused with its message") {
    std::ifstream file(PEGEN_SOURCE_DIR "/tests/encodings/refusals.txt");
    int commands = 0;
    for (std::string line, command; std::getline(file, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        if (!line.starts_with("    ")) {
            command = line;
            continue;
        }
        ++commands;
        CAPTURE(command);
        CHECK(refusal_of(command) == line.substr(4));
    }
    CHECK(commands > 100);
}
