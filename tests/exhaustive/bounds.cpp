// bounds: measures the errors that docs/numerics.md bounds, by interval arithmetic, for a thousand
// random and some adversarial sets of parameters.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <random>
#include <vector>

#include "core/parallel.h"
#include "core/positions.h"
#include "interval.h"
#include "numerics/exact.h"
#include "numerics/rotations.h"
#include "orbits.h"

namespace exhaustive {
namespace {

using namespace pegen::numerics;
using pegen::DoubleDouble;
using pegen::Positions;
using pegen::to_size;

/// The parameters of a table.
struct Case {
    GeometricProgression progression;
    Positions positions;
    double out_scale;
};

/// The errors of one kind. `part` is the largest ratio of an error to its bound.
struct Kind {
    const char* name;
    std::int64_t count = 0;
    double part = 0, error = 0, bound = 0;

    void add(double new_error, double new_bound) {
        ++count;
        // The negated comparison also catches NaN.
        if (!(new_error / new_bound <= part)) {
            part = new_error / new_bound, error = new_error, bound = new_bound;
        }
    }
    void add(const Kind& other) {
        const std::int64_t together = count + other.count;
        if (other.count > 0) add(other.error, other.bound);
        count = together;
    }
};

struct Kinds {
    Kind generators{"generator of a rung"};
    Kind powers{"power in a rung"};
    Kind ladders{"position of a ladder"};
    Kind values{"scale times base times step"};

    std::array<Kind*, 4> all() { return {&generators, &powers, &ladders, &values}; }
    void add(Kinds& other) {
        for (std::size_t i = 0; i < all().size(); ++i) all()[i]->add(*other.all()[i]);
    }
};

// The bounds of docs/numerics.md for errors, as lengths of the difference vector.
constexpr double of_generator = 0x1p-107;
constexpr double of_product = 0x1.6a09e667f3bcdp-102;  // sqrt(2) 2^-102
constexpr double of_power = of_generator + of_product;
constexpr double of_ladder = 0x1p-92;
constexpr double of_value = 0x1p-90;

std::vector<Interval> frequencies_of(const GeometricProgression& p) {
    std::vector<Interval> all;
    for (std::int64_t k = 0; k < p.count; ++k) {
        const Interval exponent = Interval(-p.step) * static_cast<double>(k) /
                                  (Interval(static_cast<double>(p.width)) - p.shift);
        all.push_back(k == 0 ? p.scale : exp(exponent * log(Interval(p.base))) * p.scale);
    }
    return all;
}

/// Returns the largest distance between a rotation and `scale` times the exact rotation.
double error_of(const Rotations& rotations, const std::vector<Interval>& frequencies,
                const Interval& position, double scale = 1) {
    double largest = 0;
    for (std::size_t k = 0; k < rotations.size(); ++k) {
        const Interval angle = frequencies[k] * position;
        const auto difference = [&](DoubleDouble value, const Interval& exact) {
            return Interval(value.high) + value.low - exact * scale;
        };
        const Interval distance = sqrt(square(difference(rotations[k].sin, sin(angle))) +
                                       square(difference(rotations[k].cos, cos(angle))));
        largest = std::max(largest, distance.most());
    }
    return largest;
}

void measure_rungs(const Case& table, const std::vector<Interval>& exact, Kinds& kinds) {
    const Ladder ladder(table.positions, Frequencies(table.progression));
    const double units = table.positions.largest() / ladder.unit();
    // Digits of fewer bits occur only for tables of very many frequencies, which would take too
    // long.
    for (const int digit_bits : {2, 3, 4, 5, 6}) {
        const int count = static_cast<int>(std::log2(units)) / digit_bits + 1;
        const auto generators =
            exact_rotations(Frequencies(table.progression), ladder.unit(), digit_bits, count);
        for (std::size_t i = 0; i < generators.size(); ++i) {
            const double position = std::ldexp(ladder.unit(), digit_bits * static_cast<int>(i));
            kinds.generators.add(error_of(generators[i], exact, position), of_generator);
            if (digit_bits < 6 && i % 5 != 0) continue;
            const auto rung = powers(generators[i], std::int64_t{1} << digit_bits);
            for (std::size_t power = 1; power < rung.size(); ++power) {
                const auto k = static_cast<double>(power);
                kinds.powers.add(error_of(rung[power], exact, Interval(position) * k),
                                 k * of_power);
            }
        }
    }
}

void measure_rows(const Case& table, const std::vector<Interval>& exact, Kinds& kinds) {
    const SplitRotations rotations(table.positions, Frequencies(table.progression));
    for (std::int64_t row = 0; row < table.positions.size(); ++row) {
        const double position = table.positions[row];
        const Split split = rotations.split(row, position);
        const Rotations base = rotations.base(split);
        kinds.ladders.add(error_of(base, exact, split.base), of_ladder);
        const Rotations value = product(scaled(base, table.out_scale), rotations.step(split));
        kinds.values.add(error_of(value, exact, position, table.out_scale),
                         std::fabs(table.out_scale) * of_value);
    }
}

using Random = std::mt19937_64;

double uniform(Random& random, double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
}

int integer(Random& random, int low, int high) {
    return std::uniform_int_distribution(low, high)(random);
}

/// Returns positions below 2^bits, multiples of 2^(bits - width).
Positions random_positions(Random& random, int bits, int width) {
    const auto number = [&](int length) {  // of at most 53 bits
        return std::ldexp(std::floor(uniform(random, 0x1p52, 0x1p53)), length - 53);
    };
    const double unit = std::ldexp(1, bits - width);
    const double sign = integer(random, 0, 1) ? 1 : -1;
    switch (integer(random, 0, 2)) {
        case 0: {  // an exact progression, of which rows are far apart
            const double step = std::ldexp(unit, std::max(width - 53, 0)) * integer(random, 1, 99);
            const double start = std::floor(number(bits) / 4 / step) * step;
            return Positions(sign * start, sign * step, 70);
        }
        case 1:  // a progression that is rounded
            return Positions(sign * number(bits) / 4, sign * (number(bits - 12) + unit), 30);
        default: {
            std::vector<double> list{unit};
            for (int i = 0; i < 30; ++i) {
                const double any = number(integer(random, std::max(bits - width + 53, bits - 40),
                                                  std::max(bits, bits - width + 53)));
                list.push_back((i % 2 ? sign : 1) * any);
            }
            return Positions(std::move(list));
        }
    }
}

Case random_case(std::uint64_t number) {
    Random random(number);
    const int width = integer(random, 1, 128), bits = integer(random, -20, 53);
    const double scale = std::ldexp(uniform(random, 1, 2), integer(random, -30, 100 - 54));
    const auto d = static_cast<std::int64_t>(integer(random, 4, 1024));
    const Case result{{.base = std::exp(uniform(random, 0.01, 15)),
                       .step = 2,
                       .width = d,
                       .shift = integer(random, 0, 1) ? 0 : uniform(random, -100, 1),
                       .scale = integer(random, 0, 1) ? 1 : scale,
                       .count = 2},
                      random_positions(random, bits, width),
                      integer(random, 0, 1) ? 1 : std::ldexp(uniform(random, -2, 2), 50)};
    return result;
}

std::vector<Case> adversarial_cases() {
    std::vector<Case> cases;
    Random random(0);
    for (const int denominator : orbit_denominators) {
        // Positions have 53 bits alone, and 99 or 128 bits together; the angles reach 2^100.
        for (const int below_one : {0, 46, 75}) {
            const auto progression = near_orbit(denominator, std::min(below_one, 46) - 1);
            const double unit = std::ldexp(1, -below_one);
            std::vector<double> list{unit, 0x1.fffffffffffffp52, -0x1.5555555555555p52};
            for (int i = 0; i < 30; ++i) {
                const double any = std::floor(uniform(random, 0x1p52, 0x1p53));
                list.push_back(std::ldexp(any, -integer(random, 0, below_one)));
            }
            cases.push_back({progression, Positions(list), 1});
            // A step of 53 bits near 1 cannot contain 2^-75.
            const double step = 1 + (below_one == 46 ? unit : 0);
            cases.push_back({progression, Positions(8500000000000000, step, 130), 1});
        }
    }
    return cases;
}

Kinds measured(std::int64_t count, const std::function<Case(std::int64_t)>& case_at) {
    Kinds total;
    std::mutex mutex;
    pegen::parallel_for(count, [&](std::int64_t i) {
        const Case table = case_at(i);
        Kinds kinds;
        if (Ladder::fits(table.positions)) {
            const auto exact = frequencies_of(table.progression);
            measure_rungs(table, exact, kinds);
            measure_rows(table, exact, kinds);
        }
        const std::lock_guard lock(mutex);
        total.add(kinds);
    });
    return total;
}

/// Returns whether all errors are within their bounds.
bool report(const char* sets, Kinds kinds) {
    bool are_within = true;
    for (const Kind* kind : kinds.all()) {
        fmt::print("{:12} {:28} {:>9} {:>9.2f} {:>9.2f} {:>7.2f}\n", sets, kind->name, kind->count,
                   std::log2(kind->bound), std::log2(kind->error), -std::log2(kind->part));
        are_within = are_within && kind->part <= 1;
    }
    return are_within;
}

}  // namespace
}  // namespace exhaustive

int main() {
    using namespace exhaustive;
    fmt::print("{:12} {:28} {:>9} {:>9} {:>9} {:>7}\n", "parameters", "log2 of the error of a",
               "measured", "bound", "largest", "margin");
    const bool are_random_within = report("random", measured(1000, [](std::int64_t i) {
                                              return random_case(static_cast<std::uint64_t>(i));
                                          }));
    const std::vector<Case> cases = adversarial_cases();
    const bool are_adversarial_within = report(
        "adversarial", measured(std::ssize(cases), [&](std::int64_t i) { return cases[i]; }));
    return are_random_within && are_adversarial_within ? 0 : 1;
}
