#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "figure/fake_table.h"
#include "figure/similarity.h"

using namespace pegen;

namespace {

double component(std::int64_t vector, std::int64_t k) {
    return std::sin(static_cast<double>(vector * 31 + k * 7 + 1));
}

/// Returns the sum from component 0 on, with each product rounded.
double product_of(std::int64_t a, std::int64_t b, std::int64_t dimension) {
    double sum = 0;
    for (std::int64_t k = 0; k < dimension; ++k) sum += component(a, k) * component(b, k);
    return sum;
}

}  // namespace

TEST_CASE("dot products: vectors are in groups side by side, the last one filled up with zeros") {
    const Vectors vectors = read_vectors(table_from(11, 3, component));
    REQUIRE(vectors.components.size() == 2 * 3 * lanes);
    for (std::int64_t i = 0; i < 2 * lanes; ++i) {
        for (std::int64_t k = 0; k < 3; ++k) {
            const auto at = static_cast<std::size_t>(((i / lanes) * 3 + k) * lanes + i % lanes);
            CHECK(vectors.components[at] == (i < 11 ? component(i, k) : 0.0));
        }
    }
}

TEST_CASE("dot products: each is the sum from component 0 on, for any range and first vector") {
    // The numbers of components, rows and columns exceed the block sizes and are no multiples of
    // them.
    constexpr std::int64_t count = 83, dimension = 515;
    const Vectors vectors = read_vectors(table_from(count, dimension, component));
    for (const RowRange range : {RowRange{0, count}, RowRange{3, 66}, RowRange{82, 1}}) {
        for (const std::int64_t first : {std::int64_t{0}, lanes, 10 * lanes}) {
            CAPTURE(range.first);
            CAPTURE(first);
            std::vector<double> products(static_cast<std::size_t>(range.count * (count - first)),
                                         NAN);
            dot_products(vectors, range, first, products);
            auto product = products.cbegin();
            std::int64_t wrong = 0;
            for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
                for (std::int64_t column = first; column < count; ++column) {
                    wrong += *product++ != product_of(row, column, dimension);
                }
            }
            CHECK(wrong == 0);
        }
    }
}
