#include "numerics/frequencies.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "numerics/remembered.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

double magnitude(const Real& value) { return std::fabs(mpfr_get_d(value.get(), MPFR_RNDN)); }

Real ratio_of(const GeometricProgression& progression) {
    if (progression.count <= 1) return 1.0;
    const Real width = static_cast<double>(progression.width);
    assert(Real(progression.shift) < width);
    return pow(progression.base, -progression.step / (width - progression.shift));
}

std::vector<Real> numbers_of(const GeometricProgression& progression) {
    std::vector<Real> numbers;
    numbers.reserve(progression.count);
    const Real ratio = ratio_of(progression);
    Real frequency = progression.scale;
    for (std::int64_t k = 0; k < progression.count; ++k) {
        numbers.push_back(frequency);
        frequency = frequency * ratio;
    }
    return numbers;
}

std::string key_of(const GeometricProgression& progression) {
    const auto& [base, step, width, shift, scale, count] = progression;
    std::string key;
    for (const double number : {base, step, shift, scale}) append_to_key(key, number);
    for (const std::int64_t number : {width, count}) append_to_key(key, number);
    return key;
}

std::vector<Real> numbers_of(const std::vector<Ratio>& ratios) {
    std::vector<Real> numbers;
    for (const auto& [numerator, denominator] : ratios) {
        assert(denominator != 0);
        numbers.push_back(Real(numerator) / denominator);
    }
    return numbers;
}

}  // namespace

/// The frequencies with the usual number of bits, and with each larger number that was asked for.
struct Frequencies::Numbers {
    Formula formula;
    std::vector<Real> usual;
    std::mutex mutex;
    std::map<mpfr_prec_t, std::vector<Real>> finer;
};

Frequencies::Frequencies(Formula formula) : numbers_(std::make_shared<Numbers>()) {
    numbers_->usual = formula();
    numbers_->formula = std::move(formula);
}

Frequencies::Frequencies(const GeometricProgression& progression) {
    assert(progression.base > 0);
    static Remembered<std::shared_ptr<Numbers>> remembered;
    std::string key = key_of(progression);
    if (auto known = remembered.find(key)) {
        numbers_ = *std::move(known);
        return;
    }
    *this = Frequencies([progression] { return numbers_of(progression); });
    constexpr std::size_t bytes_of_real = 64;
    remembered.add(std::move(key), numbers_, numbers_->usual.size() * bytes_of_real);
}

Frequencies::Frequencies(std::span<const Ratio> ratios)
    : Frequencies(
          [list = std::vector<Ratio>(ratios.begin(), ratios.end())] { return numbers_of(list); }) {}

std::int64_t Frequencies::size() const { return std::ssize(numbers_->usual); }

const std::vector<Real>& Frequencies::reals() const {
    if (Precision::bits() == Precision::usual) return numbers_->usual;
    const std::lock_guard lock(numbers_->mutex);
    auto& finer = numbers_->finer;
    const auto found = finer.find(Precision::bits());
    if (found != finer.end()) return found->second;
    return finer.emplace(Precision::bits(), numbers_->formula()).first->second;
}

double Frequencies::largest() const {
    double result = 0;
    for (const Real& value : reals()) result = std::max(result, magnitude(value));
    return result;
}

double Frequencies::smallest() const {
    double result = std::numeric_limits<double>::infinity();
    for (const Real& value : reals()) result = std::min(result, magnitude(value));
    return result;
}

Frequencies product(const Frequencies& a, const Frequencies& b) {
    assert(a.size() == b.size());
    return Frequencies([=] {
        std::vector<Real> numbers;
        std::ranges::transform(a.reals(), b.reals(), std::back_inserter(numbers),
                               [](const Real& x, const Real& y) { return x * y; });
        return numbers;
    });
}

Frequencies slice(const Frequencies& frequencies, std::int64_t first, std::int64_t count,
                  std::int64_t stride) {
    assert(first >= 0 && stride > 0);
    assert(count == 0 || first + (count - 1) * stride < frequencies.size());
    return Frequencies([=] {
        std::vector<Real> numbers;
        for (std::int64_t i = 0; i < count; ++i) {
            numbers.push_back(frequencies.reals()[first + i * stride]);
        }
        return numbers;
    });
}

Frequencies concatenated(const Frequencies& a, const Frequencies& b) {
    return Frequencies([=] {
        std::vector<Real> numbers = a.reals();
        std::ranges::copy(b.reals(), std::back_inserter(numbers));
        return numbers;
    });
}

std::vector<double> nearest_doubles(const Frequencies& frequencies) {
    std::vector<double> doubles;
    for (const Real& frequency : frequencies.reals()) doubles.push_back(nearest_double(frequency));
    return doubles;
}

Rows frequency_rows(Frequencies frequencies, DType dtype) {
    const std::int64_t count = frequencies.size();
    return real_rows([frequencies = std::move(frequencies)](
                         std::int64_t k, std::int64_t) { return frequencies.reals()[k]; },
                     count, 1, dtype);
}

Rows wavelength_rows(Frequencies frequencies, DType dtype) {
    const std::int64_t count = frequencies.size();
    return real_rows(
        [frequencies = std::move(frequencies)](std::int64_t k, std::int64_t) {
            return 2 * pi() / frequencies.reals()[k];
        },
        count, 1, dtype);
}

}  // namespace pegen::numerics
