#include "waves.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace exhaustive {
namespace {

// Row n adds an error of about 2^-191, which row m multiplies by m - n: 2^-167 after at most 4096
// rows.
constexpr mpfr_prec_t value_bits = 192;
constexpr mpfr_exp_t error_exponent = -160;
constexpr mpfr_prec_t angle_bits = 320;

Number new_value() { return Number(value_bits); }

struct SinCos {
    std::array<Number, 2> values{new_value(), new_value()};
};

SinCos sin_cos_of(const Number& angle) {
    SinCos result;
    mpfr_sin_cos(result.values[0].get(), result.values[1].get(), angle.get(), MPFR_RNDN);
    return result;
}

bool is_below_error(mpfr_srcptr value) {
    return mpfr_zero_p(value) || mpfr_get_exp(value) <= error_exponent;
}

}  // namespace

Waves::Waves(const pegen::numerics::GeometricProgression& frequencies, double start, double step)
    : start_(start), step_(step) {
    for (std::int64_t k = 0; k < frequencies.count; ++k) {
        Wave wave{Number(angle_bits), new_value()};
        Number& frequency = wave.frequency;
        Number denominator(angle_bits);
        mpfr_set_d(denominator.get(), static_cast<double>(frequencies.width), MPFR_RNDN);
        mpfr_sub_d(denominator.get(), denominator.get(), frequencies.shift, MPFR_RNDN);
        mpfr_set_d(frequency.get(), -frequencies.step * static_cast<double>(k), MPFR_RNDN);
        mpfr_div(frequency.get(), frequency.get(), denominator.get(), MPFR_RNDN);
        Number base(angle_bits);
        mpfr_set_d(base.get(), frequencies.base, MPFR_RNDN);
        mpfr_pow(frequency.get(), base.get(), frequency.get(), MPFR_RNDN);
        mpfr_mul_d(frequency.get(), frequency.get(), frequencies.scale, MPFR_RNDN);

        Number angle(angle_bits);
        mpfr_mul_d(angle.get(), frequency.get(), step, MPFR_RNDN);
        mpfr_cos(wave.twice_cos.get(), angle.get(), MPFR_RNDN);
        mpfr_mul_2ui(wave.twice_cos.get(), wave.twice_cos.get(), 1, MPFR_RNDN);
        waves_.push_back(std::move(wave));
    }
}

void Waves::for_each_value(pegen::RowRange rows, const Visit& visit) const {
    const std::int64_t end = rows.first + rows.count;
    for (std::size_t k = 0; k < waves_.size(); ++k) {
        const auto at_row = [&](std::int64_t row) {
            Number angle(angle_bits);
            mpfr_set_d(angle.get(), step_, MPFR_RNDN);
            mpfr_mul_d(angle.get(), angle.get(), static_cast<double>(row), MPFR_RNDN);
            mpfr_add_d(angle.get(), angle.get(), start_, MPFR_RNDN);
            mpfr_mul(angle.get(), angle.get(), waves_[k].frequency.get(), MPFR_RNDN);
            return sin_cos_of(angle);
        };
        SinCos before = at_row(rows.first - 1);
        SinCos here = at_row(rows.first);
        const SinCos goal = at_row(end);
        for (std::size_t function = 0; function < 2; ++function) {
            const auto channel = static_cast<std::int64_t>(2 * k + function);
            Number& previous = before.values[function];
            Number& current = here.values[function];
            Number next = new_value();
            for (std::int64_t row = rows.first; row < end; ++row) {
                // The only value that small is sin at position 0, which is exactly 0.
                if (is_below_error(current.get())) mpfr_set_zero(current.get(), 1);
                visit(row, channel, current.get());
                mpfr_mul(next.get(), waves_[k].twice_cos.get(), current.get(), MPFR_RNDN);
                mpfr_sub(next.get(), next.get(), previous.get(), MPFR_RNDN);
                mpfr_swap(previous.get(), current.get());
                mpfr_swap(current.get(), next.get());
            }
            mpfr_sub(next.get(), current.get(), goal.values[function].get(), MPFR_RNDN);
            if (!is_below_error(next.get())) throw std::logic_error("the oracle is not exact");
        }
    }
}

}  // namespace exhaustive
