#include "inspect/properties/concatenation.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include "core/parallel.h"

namespace pegen {
namespace {

template <class T>
std::vector<T> rounded_to(const std::vector<double>& values) {
    return {values.begin(), values.end()};
}

/// Returns `sum` plus a sum of products, rounded at each step.
template <class T>
T add_products(T sum, std::span<const T> a, std::span<const T> b) {
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

template <class T>
double magnitude(std::span<const T> a, std::span<const T> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += std::fabs(static_cast<double>(a[i]) * static_cast<double>(b[i]));
    }
    return sum;
}

/// Adds the value at `channel` of the row `position` to the sums.
void add(BlockSums& sums, double left, double right, double bound, std::int64_t position,
         std::int64_t channel) {
    const double apart = std::fabs(left - right);
    ++sums.values;
    sums.differing += apart > 0;
    sums.beyond += !(apart <= bound);
    sums.largest_value = std::max(sums.largest_value, std::fabs(left));
    if (sums.values > 1 && !(apart > sums.largest)) return;
    sums.largest = apart;
    sums.bound = bound;
    sums.position = position;
    sums.channel = channel;
}

void add(BlockSums& sums, const BlockSums& later) {
    const bool is_larger = sums.values == 0 || later.largest > sums.largest;
    sums.values += later.values;
    sums.differing += later.differing;
    sums.beyond += later.beyond;
    sums.largest_value = std::max(sums.largest_value, later.largest_value);
    if (!is_larger) return;
    sums.largest = later.largest;
    sums.bound = later.bound;
    sums.position = later.position;
    sums.channel = later.channel;
}

template <class T>
BlockSums compare_in(const Matrix& x, const Matrix& p, const Matrix& w) {
    const std::vector<T> xs = rounded_to<T>(x.values), ps = rounded_to<T>(p.values),
                         ws = rounded_to<T>(w.values);
    const std::size_t d = x.columns, n = p.columns;
    const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    const double terms = static_cast<double>(w.columns) * u;
    std::vector<BlockSums> rows(x.rows);
    parallel_for(x.rows, [&](std::int64_t position) {
        const std::span<const T> word(xs.data() + position * d, d);
        const std::span<const T> place(ps.data() + position * n, n);
        for (std::int64_t channel = 0; channel < w.rows; ++channel) {
            const std::span<const T> weights(ws.data() + channel * (d + n), d + n);
            const auto for_word = weights.first(d), for_place = weights.last(n);
            const T of_word = add_products(T{0}, for_word, word);
            const T left = add_products(of_word, for_place, place);
            const T of_place = add_products(T{0}, for_place, place);
            const T right = of_word + of_place;
            const double bound =
                2 * terms / (1 - terms) * (magnitude(for_word, word) + magnitude(for_place, place));
            add(rows[position], static_cast<double>(left), static_cast<double>(right), bound,
                position, channel);
        }
    });
    BlockSums all;
    for (const BlockSums& row : rows) add(all, row);
    return all;
}

}  // namespace

BlockSums compare_blocks(const Matrix& x, const Matrix& p, const Matrix& w, DType dtype) {
    assert(x.rows == p.rows && w.columns == x.columns + p.columns);
    return dtype == DType::float64 ? compare_in<double>(x, p, w) : compare_in<float>(x, p, w);
}

Matrix two_identities(std::int64_t d) {
    Matrix w{d, 2 * d, std::vector<double>(2 * d * d)};
    for (std::int64_t i = 0; i < d; ++i) {
        w.values[i * 2 * d + i] = 1;
        w.values[i * 2 * d + d + i] = 1;
    }
    return w;
}

}  // namespace pegen
