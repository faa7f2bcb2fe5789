#include "numerics/exact.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

#include "core/parallel.h"
#include "core/progress.h"
#include "numerics/remembered.h"

namespace pegen::numerics {
namespace {

/// The number of bits used for double-doubles: a little more than a double-double has.
constexpr mpfr_prec_t double_double_bits = 128;

/// Doubles the angle by squaring cos + i sin. The square has twice the error of the number,
/// whatever the direction of the error; with 1 - 2 sin^2 the cosine would have up to four times as
/// much.
void double_angle(Real& sin, Real& cos, Real& product) {
    mpfr_mul(product.get(), cos.get(), sin.get(), MPFR_RNDN);
    mpfr_sqr(cos.get(), cos.get(), MPFR_RNDN);
    mpfr_sqr(sin.get(), sin.get(), MPFR_RNDN);
    mpfr_sub(cos.get(), cos.get(), sin.get(), MPFR_RNDN);
    mpfr_mul_2ui(sin.get(), product.get(), 1, MPFR_RNDN);
}

/// Returns `angle`, or 2^-100 instead of a smaller angle other than 0: the cosine is rounded to the
/// same number, and not so close to 1 that no number of bits would do. The cosines of 2^-100 and of
/// smaller angles are between 1 - 2^-200 and 1, and no multiple of a double by such a number is a
/// midpoint.
Real for_cosine(const Real& angle) {
    return angle == 0.0 || 0x1p-100 < abs(angle) ? angle : 0x1p-100;
}

std::vector<Rotations> evaluated_rotations(const std::vector<Real>& reals, double position,
                                           int doublings, int count) {
    std::vector<Rotations> result(count, Rotations(reals.size()));
    const auto evaluate = [&](std::size_t k) {
        Real angle, sin, cos, product;
        // Each doubling of the angle doubles the error, so the numbers have a bit more for each:
        // see docs/numerics.md.
        for (Real* value : {&sin, &cos, &product}) {
            mpfr_set_prec(value->get(), double_double_bits + doublings * count);
        }
        mpfr_mul_d(angle.get(), reals[k].get(), position, MPFR_RNDN);
        mpfr_sin_cos(sin.get(), cos.get(), angle.get(), MPFR_RNDN);
        for (std::size_t i = 0; i < result.size(); ++i) {
            if (i > 0) {
                for (int n = 0; n < doublings; ++n) double_angle(sin, cos, product);
            }
            result[i].set(k, {nearest_double_double(sin), nearest_double_double(cos)});
        }
    };
    const auto repeat_last = [&](std::size_t k) {
        for (Rotations& rotations : result) rotations.set(k, rotations[k - 1]);
    };
    // MPFR takes microseconds for each frequency, so a block of this size is worth a thread.
    constexpr std::size_t block = 64;
    const auto blocks = static_cast<std::int64_t>((reals.size() + block - 1) / block);
    std::atomic<std::int64_t> done = 0;
    parallel_for(blocks, [&](std::int64_t i) {
        const std::size_t first = i * block;
        const std::size_t end = std::min(first + block, reals.size());
        for (std::size_t k = first; k < end; ++k) {
            const bool is_repeated = k > first && reals[k] == reals[k - 1];
            is_repeated ? repeat_last(k) : evaluate(k);
        }
        report(++done, blocks);
    });
    return result;
}

/// Returns a key for rotations: all bits of the numbers they are computed from.
std::string key_of(const std::vector<Real>& reals, double position, int doublings, int count) {
    std::string key;
    append_to_key(key, position);
    append_to_key(key, doublings);
    append_to_key(key, count);
    for (const Real& real : reals) {
        const mpfr_prec_t bits = mpfr_get_prec(real.get());
        const std::size_t limbs = (bits + mp_bits_per_limb - 1) / mp_bits_per_limb;
        append_to_key(key, bits);
        append_to_key(key, mpfr_custom_get_kind(real.get()));
        if (!mpfr_regular_p(real.get())) continue;
        append_to_key(key, mpfr_custom_get_exp(real.get()));
        key.append(static_cast<const char*>(mpfr_custom_get_significand(real.get())),
                   limbs * sizeof(mp_limb_t));
    }
    return key;
}

}  // namespace

Enclosure enclosed_wave(Function function, const Real& angle) {
    // The error is at most the error of the angle, and a sine is at most its angle.
    if (function == Function::sin) return {sin(angle), rounding_errors(angle)};
    return {cos(angle), angle == 0.0 ? 0.0 : rounding_errors(abs(angle) + 1)};
}

double exact_wave(Function function, const std::function<Real()>& angle, double out_scale,
                  DType dtype) {
    return ziv_loop(dtype, Midpoints::impossible, [&]() -> Enclosure {
        const Real sum = angle() + Real(0);  // 0, not -0, as in other ways to make waves
        const auto [wave, error] =
            enclosed_wave(function, function == Function::cos ? for_cosine(sum) : sum);
        return {wave * out_scale, error * std::fabs(out_scale)};
    });
}

double exact_value(Function function, double position, const Frequencies& frequencies,
                   std::size_t k, double out_scale, DType dtype) {
    return exact_wave(
        function, [&] { return frequencies.reals()[k] * position; }, out_scale, dtype);
}

std::vector<Rotations> exact_rotations(const Frequencies& frequencies, double position,
                                       int doublings, int count) {
    // An array of thousands of channels may be compared with the tables of hundreds of commands.
    static Remembered<std::vector<Rotations>> remembered(std::size_t{64} << 20);
    const std::vector<Real>& reals = frequencies.reals();
    std::string key = key_of(reals, position, doublings, count);
    if (auto known = remembered.find(key)) return *std::move(known);
    std::vector<Rotations> rotations = evaluated_rotations(reals, position, doublings, count);
    remembered.add(std::move(key), rotations, rotations.size() * reals.size() * sizeof(Rotation));
    return rotations;
}

}  // namespace pegen::numerics
