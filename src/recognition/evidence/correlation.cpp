#include "recognition/evidence/correlation.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pegen::evidence {

double correlation_of(std::span<const double> a, std::span<const double> b) {
    double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum_a += a[i];
        sum_b += b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
        ab += a[i] * b[i];
    }
    const auto count = static_cast<double>(a.size());
    const double spread = (aa - sum_a * sum_a / count) * (bb - sum_b * sum_b / count);
    const double correlation = (ab - sum_a * sum_b / count) / std::sqrt(spread);
    return std::isfinite(correlation) ? correlation : 1;
}

bool are_rows_alike(std::span<const double> values, std::int64_t columns) {
    constexpr std::int64_t enough = 64;
    constexpr double hardly = 0.3;
    const std::int64_t last = std::ssize(values) / columns - 1, some = std::min(enough, last);
    std::vector<double> before, after;
    for (std::int64_t i = 0; i < some; ++i) {
        const auto row = values.begin() + i * last / some * columns;
        before.insert(before.end(), row, row + columns);
        after.insert(after.end(), row + columns, row + 2 * columns);
    }
    return correlation_of(before, after) > hardly;
}

}  // namespace pegen::evidence
