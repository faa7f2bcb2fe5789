#include <doctest/doctest.h>

#include <string>

#include "encodings/registry.h"
#include "recognition/candidate.h"

using namespace pegen;

namespace {

/// Returns the price of an encoding's first table, with a parameter set to the text.
double price_with(std::string_view encoding, std::string_view name, std::string_view text) {
    const Encoding& found = *find_encoding(encoding);
    Parameters parameters(found.parameters);
    parameters.set(name, text, Origin::user);
    return recognition::price_of(
        recognition::candidate_of(found, found.tables.front(), parameters));
}

}  // namespace

TEST_CASE("candidate: of more than three numbers in a list, each is twice as dear") {
    const double two = price_with("sinusoid", "positions", "7,8");
    const double three = price_with("sinusoid", "positions", "7,8,7");
    const double four = price_with("sinusoid", "positions", "7,8,7,7");
    const double five = price_with("sinusoid", "positions", "7,8,7,7,7");
    const double of_one = three - two;
    CHECK(of_one > 0);
    CHECK(five - four == doctest::Approx(2 * of_one));
    CHECK(four - three > 4 * of_one);
}

TEST_CASE("candidate: a word of a text has a price") {
    CHECK(price_with("learned", "init", "xavier-uniform") > price_with("learned", "len", "7"));
}
