#include "identify/kernel_turns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/to_size.h"
#include "evidence/float32_number.h"

namespace pegen::identify {
namespace {

/// How many half units the arithmetic of a kernel may be off, for the length of a pair: cos, sin,
/// two products and their sum are rounded.
constexpr double units_of_arithmetic = 4;

/// The equations y = u cos + v sin of a pair, summed.
struct Equations {
    double uu = 0, uv = 0, vv = 0, uy = 0, vy = 0, yy = 0;
    double largest = 0;  ///< the largest u^2 + v^2
    int count = 0;

    void add(double u, double v, double y) {
        uu += u * u;
        uv += u * v;
        vv += v * v;
        uy += u * y;
        vy += v * y;
        yy += y * y;
        largest = std::max(largest, u * u + v * v);
        ++count;
    }
};

struct Solution {
    Turn turn;
    bool is_consistent;  ///< the equations hold within the errors
};

Solution solution_of(const Equations& e, double unit) {
    constexpr double unknown = std::numeric_limits<double>::infinity();
    const double determinant = e.uu * e.vv - e.uv * e.uv;
    const double smallest = (e.uu + e.vv - std::hypot(e.uu - e.vv, 2 * e.uv)) / 2;  // eigenvalue
    const double off = units_of_arithmetic * unit * std::sqrt(e.largest);
    if (!(determinant > 0) || !(smallest > 1e-12 * (e.uu + e.vv)) || !std::isfinite(e.yy)) {
        return {{1, 0, unknown}, true};
    }
    const double cos = (e.uy * e.vv - e.vy * e.uv) / determinant;
    const double sin = (e.vy * e.uu - e.uy * e.uv) / determinant;
    const double length = std::max(std::hypot(cos, sin), 0.01);
    const double left = e.yy - cos * e.uy - sin * e.vy;
    // The sums themselves are rounded.
    const double allowed = e.count * off * off * length * length + 1e-14 * e.yy;
    return {{cos, sin, length * off / std::sqrt(smallest)}, left <= allowed};
}

double median(std::vector<double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::ranges::nth_element(values, middle);
    return *middle;
}

constexpr double most_error = 0.05;  ///< of a turn that says something

}  // namespace

Turns measure_turns(const KernelSample& sample, const Convention& convention, double unit) {
    const std::vector<Term> terms = terms_of(convention);
    Turns turns{.positions = sample.positions, .pairs = convention.dim / 2, .values = {}};
    std::vector<bool> is_consistent;
    std::vector<Equations> equations(to_size(turns.pairs));
    std::vector<double> lengths;
    for (std::int64_t position = 0; position < sample.positions; ++position) {
        std::ranges::fill(equations, Equations());
        for (std::int64_t s = 0; s < sample.samples; ++s) {
            const double* const x = sample.before_row(position, s);
            const double* y = sample.after_row(position, s) + convention.first;
            for (const Term& term : terms) {
                equations[to_size(term.angle)].add(x[term.own], term.sign * x[term.partner], *y++);
            }
        }
        for (const Equations& e : equations) {
            const Solution solution = solution_of(e, unit);
            turns.values.push_back(solution.turn);
            is_consistent.push_back(solution.is_consistent);
            if (solution.turn.error < most_error) {
                lengths.push_back(std::hypot(solution.turn.cos, solution.turn.sin));
            }
        }
    }
    turns.factor = median(lengths);
    std::int64_t known = 0, fitting = 0;
    for (std::size_t i = 0; i < turns.values.size(); ++i) {
        const Turn& turn = turns.values[i];
        if (!(turn.error < most_error)) continue;
        // What is not turned looks alike under all conventions.
        const bool is_turned = std::hypot(turn.cos - turns.factor, turn.sin) > 4 * turn.error;
        if (!is_turned && is_consistent[i]) continue;
        ++known;
        const double off = std::fabs(std::hypot(turn.cos, turn.sin) - turns.factor);
        if (is_consistent[i] && off <= 3 * turn.error) ++fitting;
    }
    turns.fit = known > 0 ? static_cast<double>(fitting) / static_cast<double>(known) : 0;
    return turns;
}

bool are_of_float32(const Turns& turns) {
    constexpr int enough = 4;
    int shown = 0;
    for (const Turn& turn : turns.values) {
        const double error = turn.error / turns.factor;
        const double cos = turn.cos / turns.factor, sin = turn.sin / turns.factor;
        // Where cos and sin have changed places, the angle is the other one.
        const bool is_shown = evidence::shows_float32(std::atan2(sin, cos), error) ||
                              evidence::shows_float32(std::atan2(cos, sin), error) ||
                              (evidence::shows_float32(turn.cos, turn.error) &&
                               evidence::shows_float32(turn.sin, turn.error));
        if (is_shown && ++shown == enough) return true;
    }
    return false;
}

Turns with_cos_and_sin_exchanged(Turns turns) {
    for (Turn& turn : turns.values) std::swap(turn.cos, turn.sin);
    return turns;
}

}  // namespace pegen::identify
