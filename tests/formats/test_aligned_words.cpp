#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>

#include "core/dtype.h"
#include "formats/aligned_words.h"

using namespace pegen;

namespace {

/// Returns the number of halves whose word, formatted alone, does not read back as the same
/// element.
template <class Half>
int faults(DType dtype) {
    int count = 0;
    for (unsigned i = 0; i <= 0xffff; ++i) {
        const Half element{static_cast<std::uint16_t>(i)};
        if (std::isnan(widen(element))) continue;
        const auto bytes = std::as_bytes(std::span(&element, 1));
        for (const std::string& word :
             {aligned_words(bytes, dtype)[0], scalar_word(bytes, dtype)}) {
            count += round_to<Half>(std::strtod(word.c_str(), nullptr)) != element;
        }
    }
    return count;
}

}  // namespace

TEST_CASE("aligned words: the word of every half alone reads back as the same element") {
    CHECK(faults<float16>(DType::float16) == 0);
    CHECK(faults<bfloat16>(DType::bfloat16) == 0);
}

TEST_CASE("aligned words: with exponents every float32 reads back and all are equally wide") {
    std::mt19937 random;
    std::vector<float> elements{1e-10f, 1};
    while (elements.size() < 1000) {
        const float element = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (std::isfinite(element)) elements.push_back(element);
    }
    const auto words = aligned_words(std::as_bytes(std::span(elements)), DType::float32);
    REQUIRE(words.size() == elements.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        CHECK(std::strtof(words[i].c_str(), nullptr) == elements[i]);
        CHECK(words[i].size() == words[0].size());
    }
}
