#include <doctest/doctest.h>

#include <cmath>

#include "numerics/matrix_product.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

/// Returns values with many bits, the same in every run.
std::vector<double> some_values(std::int64_t count, double first) {
    std::vector<double> values(count);
    for (double& value : values) value = first = std::sin(first * 1e6);
    return values;
}

double chain(const double* a, const double* b, std::int64_t length, std::int64_t stride) {
    double sum = 0;
    for (std::int64_t k = 0; k < length; ++k) sum = std::fma(a[k], b[k * stride], sum);
    return sum;
}

}  // namespace

TEST_CASE("matrix_product: every element is a chain of fused multiply-adds, in any shape") {
    for (const std::int64_t rows : {1, 5, 6, 13}) {
        for (const std::int64_t length : {1, 3, 64}) {
            for (const std::int64_t columns : {1, 7, 8, 9, 40}) {
                CAPTURE(rows);
                CAPTURE(length);
                CAPTURE(columns);
                const std::vector<double> a = some_values(rows * length, 0.3);
                const std::vector<double> b = some_values(length * columns, 0.7);
                std::vector<double> product(rows * columns);
                multiply(a, Factor(b, length, columns), product);
                bool is_chain = true;
                for (std::int64_t i = 0; i < rows; ++i) {
                    for (std::int64_t j = 0; j < columns; ++j) {
                        is_chain = is_chain && product[i * columns + j] ==
                                                   chain(&a[i * length], &b[j], length, columns);
                    }
                }
                CHECK(is_chain);
            }
        }
    }
}

TEST_CASE("matrix_product: some columns are those of the whole product") {
    const std::vector<double> a = some_values(7 * 5, 0.2), b = some_values(5 * 30, 0.9);
    const Factor factor(b, 5, 30);
    std::vector<double> whole(7 * 30);
    multiply(a, factor, whole);
    for (const auto& [first, count] : {std::pair(0, 30), {3, 1}, {5, 20}, {16, 8}, {29, 1}}) {
        std::vector<double> some(7 * count);
        multiply(a, factor, {first, count}, some);
        for (std::int64_t i = 0; i < 7; ++i) {
            for (std::int64_t j = 0; j < count; ++j) {
                CHECK(some[i * count + j] == whole[i * 30 + first + j]);
            }
        }
    }
}

TEST_CASE("matrix_product: a transposed factor is the factor of the transpose") {
    const std::vector<double> a = some_values(3 * 11, 0.4), b = some_values(11 * 10, 0.6);
    std::vector<double> transpose(b.size()), product(30), other(30);
    for (std::size_t i = 0; i < 11; ++i) {
        for (std::size_t j = 0; j < 10; ++j) transpose[j * 11 + i] = b[i * 10 + j];
    }
    multiply(a, Factor(b, 11, 10), product);
    multiply(a, transposed(transpose, 11, 10), other);
    CHECK(product == other);
}
