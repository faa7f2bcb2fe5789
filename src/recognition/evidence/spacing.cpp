#include "recognition/evidence/spacing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pegen::evidence {
namespace {

constexpr std::array usual_shifts{0.0, 2.0, 1.0, 4.0, -1.0, -2.0};
constexpr double usual_base = 10000;

void add_bases(std::vector<Spacing>& found, const Measured& log_ratio, double step, double width,
               double shift) {
    const double denominator = width - shift;
    if (!(denominator > 0)) return;
    const double base = std::exp(log_ratio.value * denominator / step);
    const double error = base * std::expm1(log_ratio.error * denominator / step);
    if (!(base > 0) || !std::isfinite(base) || !std::isfinite(error)) return;
    const SimpleNumber shift_number = simple_numbers({shift, 0}, 1).front();
    std::vector<SimpleNumber> numbers = simple_numbers({base, error}, 4);
    const SimpleNumber mistaken = base_of_log10();
    if (std::fabs(base - mistaken.value) <= error) numbers.push_back(mistaken);
    for (SimpleNumber& number : numbers) {
        if (!(number.value > 0)) continue;
        const double bits = number.bits + (shift == 0 ? 0 : shift_number.bits);
        found.push_back({std::move(number), shift_number, bits});
    }
}

void add_shift(std::vector<Spacing>& found, const Measured& log_ratio, double step, double width) {
    const double denominator = step * std::log(usual_base) / log_ratio.value;
    const double error = denominator * log_ratio.error / log_ratio.value;
    if (!(error < 0.05) || !(denominator < width + 2)) return;
    const SimpleNumber base_number = simple_numbers({usual_base, 0}, 1).front();
    // Code subtracts whole channels only; a fraction of a channel means that the base is another
    // one.
    const double shift = std::rint(width - denominator);
    if (std::fabs(width - denominator - shift) > error) return;
    SimpleNumber number = simple_numbers({shift, 0}, 1).front();
    const double bits = base_number.bits + number.bits;
    found.push_back({base_number, std::move(number), bits});
}

}  // namespace

SimpleNumber base_of_log10() {
    constexpr double bits = 10;
    return {"exp(4)", std::exp(std::log10(usual_base)), bits};
}

std::vector<Spacing> spacings(const Measured& log_ratio, double step, double width,
                              std::size_t most) {
    std::vector<Spacing> found;
    if (!(log_ratio.value != 0) || !std::isfinite(log_ratio.value)) return {};
    for (const double shift : usual_shifts) add_bases(found, log_ratio, step, width, shift);
    add_shift(found, log_ratio, step, width);
    std::ranges::stable_sort(found, {}, &Spacing::bits);
    std::vector<Spacing> cheapest;
    for (Spacing& spacing : found) {
        const bool is_new = std::ranges::none_of(cheapest, [&](const Spacing& other) {
            return other.base.value == spacing.base.value &&
                   other.shift.value == spacing.shift.value;
        });
        if (is_new && cheapest.size() < most) cheapest.push_back(std::move(spacing));
    }
    return cheapest;
}

}  // namespace pegen::evidence
