#include "numerics/frequencies.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "core/to_size.h"
#include "numerics/reals.h"

namespace pegen::numerics {
namespace {

double magnitude(const Real& value) { return std::fabs(mpfr_get_d(value.get(), MPFR_RNDN)); }

RowSource column(std::vector<double> values, DType dtype) {
    return rounded(
        [values = std::move(values)](RowRange range, std::span<double> out) {
            std::copy_n(values.begin() + range.first, range.count, out.begin());
        },
        1, dtype);
}

}  // namespace

Frequencies::Frequencies(std::shared_ptr<const Reals> reals) : reals_(std::move(reals)) {}

Frequencies::Frequencies(const GeometricProgression& progression) {
    assert(progression.base > 0);
    Reals reals;
    reals.values.reserve(to_size(progression.count));
    Real ratio(1.0);
    if (progression.count > 1) {
        // ratio = base^(-step / (width - shift)). The difference may need more bits than a double
        // has.
        Real exponent(static_cast<double>(progression.width));
        mpfr_sub_d(exponent.get(), exponent.get(), progression.shift, MPFR_RNDN);
        assert(mpfr_sgn(exponent.get()) > 0);
        mpfr_d_div(exponent.get(), -progression.step, exponent.get(), MPFR_RNDN);
        mpfr_pow(ratio.get(), Real(progression.base).get(), exponent.get(), MPFR_RNDN);
    }
    Real frequency(progression.scale);
    for (std::int64_t k = 0; k < progression.count; ++k) {
        reals.values.push_back(frequency);
        mpfr_mul(frequency.get(), frequency.get(), ratio.get(), MPFR_RNDN);
    }
    reals_ = std::make_shared<const Reals>(std::move(reals));
}

Frequencies::Frequencies(std::span<const Ratio> ratios) {
    Reals reals;
    for (const Ratio& ratio : ratios) {
        assert(ratio.denominator != 0);
        Real frequency(ratio.numerator);
        mpfr_div_d(frequency.get(), frequency.get(), ratio.denominator, MPFR_RNDN);
        reals.values.push_back(std::move(frequency));
    }
    reals_ = std::make_shared<const Reals>(std::move(reals));
}

Frequencies::Frequencies(std::vector<Real> values)
    : reals_(std::make_shared<const Reals>(Reals{std::move(values)})) {}

Frequencies product(const Frequencies& a, const Frequencies& b) {
    assert(a.size() == b.size());
    Frequencies::Reals reals = a.reals();
    for (std::size_t k = 0; k < reals.values.size(); ++k) {
        const mpfr_ptr value = reals.values[k].get();
        mpfr_mul(value, value, b.reals().values[k].get(), MPFR_RNDN);
    }
    return Frequencies(std::make_shared<const Frequencies::Reals>(std::move(reals)));
}

Frequencies slice(const Frequencies& frequencies, std::int64_t first, std::int64_t count,
                  std::int64_t stride) {
    assert(first >= 0 && stride > 0);
    assert(count == 0 || first + (count - 1) * stride < frequencies.size());
    Frequencies::Reals reals;
    for (std::int64_t i = 0; i < count; ++i) {
        reals.values.push_back(frequencies.reals().values[to_size(first + i * stride)]);
    }
    return Frequencies(std::make_shared<const Frequencies::Reals>(std::move(reals)));
}

Frequencies concatenated(const Frequencies& a, const Frequencies& b) {
    Frequencies::Reals reals = a.reals();
    std::ranges::copy(b.reals().values, std::back_inserter(reals.values));
    return Frequencies(std::make_shared<const Frequencies::Reals>(std::move(reals)));
}

std::int64_t Frequencies::size() const { return static_cast<std::int64_t>(reals_->values.size()); }

double Frequencies::largest() const {
    double result = 0;
    for (const Real& value : reals_->values) result = std::max(result, magnitude(value));
    return result;
}

double Frequencies::smallest() const {
    double result = std::numeric_limits<double>::infinity();
    for (const Real& value : reals_->values) result = std::min(result, magnitude(value));
    return result;
}

RowSource frequency_rows(Frequencies frequencies, DType dtype) {
    std::vector<double> values;
    for (const Real& frequency : frequencies.reals().values) {
        values.push_back(for_rounding_to(dtype, frequency));
    }
    return column(std::move(values), dtype);
}

RowSource wavelength_rows(Frequencies frequencies, DType dtype) {
    Real turn;
    mpfr_const_pi(turn.get(), MPFR_RNDN);
    mpfr_mul_2ui(turn.get(), turn.get(), 1, MPFR_RNDN);
    std::vector<double> values;
    for (const Real& frequency : frequencies.reals().values) {
        Real wavelength;
        mpfr_div(wavelength.get(), turn.get(), frequency.get(), MPFR_RNDN);
        values.push_back(for_rounding_to(dtype, wavelength));
    }
    return column(std::move(values), dtype);
}

}  // namespace pegen::numerics
