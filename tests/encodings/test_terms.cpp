#include <doctest/doctest.h>

#include "encodings/registry.h"

using namespace pegen;

namespace {

double terms(std::string_view name, std::string_view settings, std::string_view parts = "") {
    const Encoding& encoding = *find_encoding(name);
    Parameters parameters(encoding.parameters);
    parameters.set_all(settings, Origin::user);
    if (!parts.empty()) parameters.set("parts", parts, Origin::user);
    return terms_of(plan_of(encoding, std::move(parameters), encoding.tables.front().name));
}

}  // namespace

TEST_CASE("terms: all numbers that are computed for a table count") {
    CHECK(terms("sinusoid", " --len 5 --d 8") == 5 * 8);
    CHECK(terms("sinusoid", " --len 5 --d 8 --keep-channels 0,1") == 5 * 8);
    CHECK(terms("sinusoid", " --len 5 --d 8 --keep-channels 0,1 --view channels-first") == 5 * 8);
    CHECK(terms("learned", " --len 5 --d 8 --burn 2") == 3 * 5 * 8);
    CHECK(terms("sandwich", " --heads 2 --len 3 --key-len 5 --d 8") == 2 * 7 * 8);
    CHECK(terms("fire", " --heads 2 --len 3 --key-len 5 --width 8") == 2 * 3 * 5 * 8);
    CHECK(terms("concat", "", "learned --len 5 --d 8 --burn 2; sinusoid --len 5 --d 4") == 140);
}
