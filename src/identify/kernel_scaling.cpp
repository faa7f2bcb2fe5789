#include "identify/kernel_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number.h"
#include "core/to_size.h"
#include "evidence/precision.h"
#include "evidence/simple_number.h"

namespace pegen::identify {
namespace {

using evidence::Measured;

constexpr std::int64_t values_at_once = 1 << 20;

/// Calls `compare` with parts of both arrays, and the index of their first value, until it returns
/// false.
template <class Compare>
bool all_parts(const KernelQuestion& question, const Progress& progress, const Compare& compare) {
    const Shape& shape = question.before.shape;
    const std::int64_t at_once = rows_holding(values_at_once, shape.columns());
    for (std::int64_t row = 0; row < shape.rows(); row += at_once) {
        const RowRange range{row, std::min(at_once, shape.rows() - row)};
        if (!compare(read_rows(question.before, range), read_rows(question.after, range),
                     row * shape.columns())) {
            return false;
        }
        progress(row + range.count, shape.rows());
    }
    return true;
}

/// Returns the quotient of the largest values among the first ones.
std::optional<Measured> quotient(const KernelQuestion& question, evidence::Precision& precision) {
    const Shape& shape = question.before.shape;
    const RowRange range{0, std::min(shape.rows(), rows_holding(1 << 16, shape.columns()))};
    const std::vector<double> x = read_rows(question.before, range),
                              y = read_rows(question.after, range);
    precision = evidence::narrowest(y, question.after.dtype);
    double xx = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
        xx += x[i] * x[i];
        xy += x[i] * y[i];
    }
    if (!(xx > 0) || !std::isfinite(xy)) return {};
    const double factor = xy / xx;
    return Measured{factor, 2 * std::fabs(factor) * std::ldexp(1.0, -precision.digits)};
}

}  // namespace

std::string factor_text(double factor, std::int64_t channels) {
    const std::string number = shortest(factor);
    const double square = factor * factor;
    for (const double d : {static_cast<double>(channels), 1 / static_cast<double>(channels)}) {
        if (std::fabs(square - d) > 1e-6 * d || d == 1) continue;
        return d > 1 ? fmt::format("{}, the square root of {}", number, channels)
                     : fmt::format("{}, 1 / the square root of {}", number, channels);
    }
    return number;
}

std::optional<KernelIdentification> scaling(const KernelQuestion& question,
                                            const Progress& progress) {
    const auto is_same = [](const std::vector<double>& x, const std::vector<double>& y,
                            std::int64_t) {
        return std::ranges::equal(
            x, y, [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
    };
    KernelIdentification answer;
    if (all_parts(question, progress, is_same)) {
        answer.kind = KernelKind::none;
        answer.findings = {
            "The arrays are equal: nothing was done, or all positions are 0, where nothing turns."};
        return answer;
    }
    evidence::Precision precision{};
    const std::optional<Measured> measured = quotient(question, precision);
    if (!measured || measured->value == 0) return {};
    constexpr std::int64_t least_values = 8;
    for (const evidence::SimpleNumber& factor : evidence::simple_numbers(*measured, 2)) {
        Agreement agreement{.level = Level::rounding};
        std::int64_t changed = 0;
        const auto agrees = [&](const std::vector<double>& x, const std::vector<double>& y,
                                std::int64_t first) {
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double value = factor.value * x[i], off = std::fabs(value - y[i]);
                if (value == y[i] || (std::isnan(value) && std::isnan(y[i]))) continue;
                // The factor may have been rounded, too.
                if (!(off <= 2 * unit_of(value, precision))) return false;
                if (off > unit_of(value, precision)) agreement.level = Level::float32;
                if (off <= agreement.largest) continue;
                agreement.largest = off;
                agreement.place =
                    index_of(first + static_cast<std::int64_t>(i), question.before.shape.extents());
            }
            changed += std::ranges::count_if(x, [](double value) { return value != 0; });
            return true;
        };
        if (!all_parts(question, progress, agrees) || changed < least_values) continue;
        agreement.values = question.before.shape.size();
        agreement.evidence = static_cast<double>(changed) * (precision.digits - 1);
        answer.verdict = Verdict::identified;
        answer.kind = KernelKind::scaled;
        answer.agreement = agreement;
        answer.format = precision.dtype;
        answer.factor = factor.value;
        answer.findings = {fmt::format(
            "Every value is multiplied by {}, and nothing else is done.",
            factor_text(factor.value, question.before.shape.columns() / question.heads))};
        return answer;
    }
    return {};
}

}  // namespace pegen::identify
