#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "encodings/drawn/draws.h"
#include "encodings/registry.h"

using namespace pegen;

TEST_CASE("drawn_command: every parameter that needs no file is drawn") {
    for (const Encoding* encoding : all_encodings()) {
        CHECK(fmt::format("{}", fmt::join(trials::parameters_never_drawn(*encoding), ", ")) == "");
    }
}
