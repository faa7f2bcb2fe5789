#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "encodings/drawn/draws.h"
#include "recognition/identify/trial.h"

namespace pegen::trials {

/// Returns the value at a row and a column.
using Formula = std::function<double(std::int64_t row, std::int64_t column)>;

/// Arrays that are no encoding's table, and the random numbers they are made of.
struct Negatives {
    Random& random;
    std::vector<Trial> trials{};

    void add(const std::string& name, Array array) {
        array = rounded_to(std::move(array), array.dtype);
        trials.push_back({.name = name, .array = std::move(array), .expected = Expected::nothing});
    }

    /// Adds an array that is filled row by row.
    void add(const std::string& name, std::int64_t rows, std::int64_t columns, const Formula& value,
             DType dtype = DType::float32) {
        Array array{{rows, columns}, dtype, {}};
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                array.values.push_back(value(row, column));
            }
        }
        add(name, std::move(array));
    }

    double uniform(double low = 0, double high = 1) {
        return std::uniform_real_distribution(low, high)(random);
    }
    double normal() { return std::normal_distribution<double>()(random); }
    std::vector<double> normals(std::int64_t count) {
        std::vector<double> numbers(count);
        std::ranges::generate(numbers, [&] { return normal(); });
        return numbers;
    }
};

/// Adds matrices whose values depend on row - column, and others of that kind: kernels, masks,
/// convolutions.
void add_functions_of_distance(Negatives& all);

/// Adds what signal processing makes: transforms, wavelets, windows, spectrograms.
void add_signals(Negatives& all);

/// Adds what measurements and models leave: embeddings, counts, sorted and ranked numbers, weights.
void add_data(Negatives& all);

}  // namespace pegen::trials
