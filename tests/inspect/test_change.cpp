#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "inspect/change.h"

using namespace pegen;

namespace {

constexpr std::int64_t rows = 40, columns = 16;
using Values = std::vector<double>;

/// Sines and cosines of 40 positions in 16 channels.
Values table() {
    Values values;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t i = 0; i < columns; ++i) {
            const double angle =
                static_cast<double>(row) * std::pow(1e4, -static_cast<double>(i / 2) / 8);
            values.push_back(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return values;
}

template <class Change>
Values changed(const Change& change) {
    Values values = table();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = change(values[i], i);
    return values;
}

std::string change_to(const Values& given) {
    const Values made = table();
    return change_of({made, given, columns});
}

std::string noise_in(const Values& given) {
    const Values made = table();
    return noise_of({made, given, columns});
}

}  // namespace

TEST_CASE("change: equal values, one spoiled value and other tables are no change of all values") {
    CHECK(change_to(table()).empty());
    CHECK(
        change_to(changed([](double x, std::size_t i) { return i == 77 ? x + 0.5 : x; })).empty());
    CHECK(change_to(changed([](double x, std::size_t) { return x * x; })).empty());
    CHECK(change_to(changed([](double x, std::size_t i) { return i % 16 == 3 ? 0 : x; })).empty());
    CHECK(change_to(Values(rows * columns, 0)).empty());
    CHECK(change_to(Values(rows * columns, std::numeric_limits<double>::quiet_NaN())).empty());
}

TEST_CASE("change: a factor and a summand") {
    CHECK(change_to(changed([](double x, std::size_t) { return -x; })) ==
          "all values are multiplied by -1");
    CHECK(change_to(changed([](double x, std::size_t) { return x + 3; })) ==
          "3 is added to all values");
    CHECK(change_to(changed([](double x, std::size_t) {
              return static_cast<double>(static_cast<float>(x) + 1e-3F);
          })) == "0.001 is added to all values");
    CHECK(change_to(changed([](double x, std::size_t) {
              return static_cast<double>(static_cast<float>(x) * 0.125F);
          })) == "all values are multiplied by 0.125");
    CHECK(change_to(changed([](double x, std::size_t) { return (x + 1) / 2; })) ==
          "all values are multiplied by 0.5, then 0.5 is added");
    CHECK(change_to(changed([](double x, std::size_t) {
              return std::rint(100 * x + 100);
          })).starts_with("the values are the levels of a picture, 0 to 255: 100 times"));
}

TEST_CASE("change: values of quantized weights are rounded to equidistant levels") {
    const auto times = [](double factor, double summand, double step) {
        return change_to(changed([=](double x, std::size_t) {
            return static_cast<double>(
                static_cast<float>(std::rint((x * factor + summand) / step) * step));
        }));
    };
    CHECK(times(127, 0, 1) == "the values are whole numbers: 127 times the table, rounded");
    CHECK(times(100, -20, 1)
              .starts_with("the values are whole numbers: 100 times the table, "
                           "plus -20"));
    CHECK(times(1, 0, 1.0 / 127).ends_with(" levels, 1/127 apart"));
    CHECK(times(1, 0, 0.0079).ends_with(" levels, 0.0079 apart"));
    CHECK(times(1, 0, 0.5).empty());
    CHECK(change_to(changed([](double x, std::size_t i) {
              return std::rint(x * 127) / 127 + (i == 99 ? 0.3 / 127 : 0);
          })).empty());
}

TEST_CASE("change: values that are cut to integers, and integers that are not") {
    CHECK(change_to(changed([](double x, std::size_t) { return std::trunc(x * 127); })) ==
          "the values are 127 times the table without the fractions, as integers");
    Values made, given;
    for (std::size_t i = 0; i < rows * columns; ++i) {
        made.push_back(static_cast<double>((7 * i) % 169));
        given.push_back(made.back() + (i % columns == 5 ? 1 : 0));
    }
    CHECK(change_of({made, given, columns}).empty());
}

TEST_CASE("change: zeros of the table itself are not taken for dropout's") {
    std::mt19937 random(5);
    Values made, given;
    for (std::size_t i = 0; i < 50 * columns; ++i) {
        const bool is_zero = i < 10 * columns && i % 2 == 0;
        made.push_back(is_zero ? 0 : std::sin(static_cast<double>(i)));
        given.push_back(std::bernoulli_distribution(0.1)(random) ? 0 : made.back() / 0.9);
    }
    CHECK(change_of({made, given, columns}).starts_with("dropout of 0.1 is on"));
}

TEST_CASE("change: dropout has zeros in all rows, padding whole rows of them") {
    std::mt19937 random(3);
    const auto drop = [&](double left) {
        return changed([&](double x, std::size_t) {
            return std::bernoulli_distribution(0.25)(random) ? 0 : x / left;
        });
    };
    CHECK(change_to(drop(0.75)).starts_with("dropout of 0.25 is on: 2"));
    CHECK(change_to(drop(1)).ends_with(" % of the values, in all rows, are 0"));
    CHECK(change_to(drop(0.5)).empty());
    CHECK(change_to(changed([](double x, std::size_t i) {
              return i % 4 == 1 ? 0 : x / 0.75;
          })).empty());
    for (const std::size_t kept : {30U, 20U, 39U}) {
        CAPTURE(kept);
        CHECK(change_to(changed([=](double x, std::size_t i) {
                  return i < kept * columns ? x : 0;
              })).empty());
    }
}

TEST_CASE("change: rows and channels without their mean") {
    const auto of_rows = [](double power, double epsilon) {
        Values values = table();
        for (std::size_t begin = 0; begin < values.size(); begin += columns) {
            double sum = 0, squares = 0;
            for (std::size_t i = begin; i < begin + columns; ++i) sum += values[i] / columns;
            for (std::size_t i = begin; i < begin + columns; ++i) {
                values[i] -= sum;
                squares += values[i] * values[i] / columns;
            }
            for (std::size_t i = begin; i < begin + columns; ++i) {
                values[i] /= std::pow(std::sqrt(squares + epsilon), power);
            }
        }
        return values;
    };
    CHECK(change_to(of_rows(0, 0)) == "the mean of each row is subtracted");
    CHECK(change_to(of_rows(1, 1e-5)) == "each row is standardized, as by layer normalization");
    CHECK(change_to(of_rows(0.5, 0)).empty());
    CHECK(change_to(changed([](double x, std::size_t i) {
              return x + static_cast<double>(i % columns) / 8;
          })) == "a number of its own is added to each channel");
    const auto of_channels = [](std::size_t count, std::size_t some_rows = rows) {
        Values made = table(), given = made;
        for (std::size_t i = 0; i < given.size(); ++i) given[i] += i % columns < count ? 0.5 : 0;
        made.resize(some_rows * columns);
        given.resize(made.size());
        return change_of({made, given, columns});
    };
    CHECK(of_channels(7).empty());
    CHECK(of_channels(8) == "a number of its own is added to each channel");
    CHECK(of_channels(8, 5).empty());
    CHECK(of_channels(8, 6) == "a number of its own is added to each channel");
    // Sines and cosines of one angle have the norm 1 already; here each row has a norm of its own.
    const Values made = changed(
        [](double x, std::size_t i) { return x * (1 + static_cast<double>(i / columns % 5)); });
    Values normed = made;
    for (std::size_t begin = 0; begin < normed.size(); begin += columns) {
        double squares = 0;
        for (std::size_t i = begin; i < begin + columns; ++i) squares += normed[i] * normed[i];
        for (std::size_t i = begin; i < begin + columns; ++i) normed[i] /= std::sqrt(squares);
    }
    CHECK(change_of({made, normed, columns}) == "each row is divided by its norm");
}

TEST_CASE("change: a mask's number in the place of minus infinity") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Values made{0, -infinity, -infinity, -1, 0, -infinity, -2, -1, 0};
    const auto with = [&](double number) {
        Values given = made;
        for (double& value : given) value = value == -infinity ? number : value;
        return change_of({made, given, 3});
    };
    CHECK(with(-std::numeric_limits<float>::max()) ==
          "-3.4028235e+38, the lowest number of float32, is in the place of -inf");
    CHECK(with(-65504) == "-65504, the lowest number of float16, is in the place of -inf");
    CHECK(with(-1e9) == "-1e+09 is in the place of -inf");
    CHECK(with(-1).empty());
    CHECK(with(5000).empty());
}

TEST_CASE("noise: independent numbers are noise, and others are not") {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    const auto noisy = [&](double size) {
        return changed([&](double x, std::size_t) { return x + size * normal(random); });
    };
    CHECK(noise_in(noisy(0.01)).starts_with("noise of deviation 0.0"));
    CHECK(noise_in(noisy(0.1)).ends_with(" is added"));
    CHECK(noise_in(noisy(1)).empty());
    CHECK(noise_in(table()).empty());
    CHECK(noise_in(changed([](double x, std::size_t) { return 0.9 * x; })).empty());
    // It grows with the rows; it is in some channels; it is the same in neighbours.
    CHECK(noise_in(changed([&](double x, std::size_t i) {
              return x + 1e-5 * static_cast<double>(i) * normal(random);
          })).empty());
    CHECK(noise_in(changed([&](double x, std::size_t i) {
              return i % columns < 8 ? x : x + 0.01 * normal(random);
          })).empty());
    // It is a share of each value.
    CHECK(noise_in(changed([&](double x, std::size_t) {
              return x * (1 + 0.1 * normal(random));
          })).empty());
    double last = 0;
    CHECK(noise_in(changed([&](double x, std::size_t i) {
              if (i % 2 == 0) last = normal(random);
              return x + 0.01 * last;
          })).empty());
}
