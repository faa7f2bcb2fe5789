#include "encodings/points/fourier_bands.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "evidence/circle.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Sample;
using evidence::wrapped;

using Row = std::vector<Measured>;

/// Returns the angles one frequency is ahead of another.
Row differences(const Row& ahead, const Row& behind) {
    Row found;
    for (std::size_t i = 0; i < ahead.size(); ++i) {
        found.push_back(
            {wrapped(ahead[i].value - behind[i].value), ahead[i].error + behind[i].error});
    }
    return found;
}

/// Returns angles of rows at equal distances, unwrapped and as near 0 as whole turns allow.
Row unwrapped(Row angles) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < angles.size(); ++i) {
        steps.push_back(wrapped(angles[i].value - angles[i - 1].value));
    }
    if (steps.empty()) return angles;
    std::ranges::nth_element(steps, steps.begin() + std::ssize(steps) / 2);
    const double step = steps[steps.size() / 2];
    double sum = angles.front().value;
    for (std::size_t i = 1; i < angles.size(); ++i) {
        const double expected = angles[i - 1].value + step;
        angles[i].value = expected + wrapped(angles[i].value - expected);
        sum += angles[i].value;
    }
    const double middle = sum / static_cast<double>(angles.size());
    for (Measured& angle : angles) {
        angle.value -= 2 * std::numbers::pi * std::rint(middle / (2 * std::numbers::pi));
    }
    return angles;
}

/// Sums over rows for the factor by which angles are proportional to places.
class FactorFit {
  public:
    void add(const Measured& place, const Measured& angle, double factor) {
        const double error = angle.error + std::fabs(factor) * place.error;
        const double weight = 1 / (error * error + 1e-30);
        const double residual = wrapped(angle.value - factor * place.value);
        squares_ += weight * place.value * place.value;
        products_ += weight * place.value * (factor * place.value + residual);
    }
    double factor() const { return products_ / squares_; }
    double error() const { return 3 / std::sqrt(squares_); }

  private:
    double squares_ = 0, products_ = 0;
};

/// Returns the factor by which `angles`, known modulo 2 pi, are proportional to `places`, learnt
/// from the smallest places and sharpened by ever larger ones; none if they are not.
std::optional<Measured> factor_of(const Row& places, const Row& angles, double share) {
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::fabs(places[i].value); });
    FactorFit fit;
    std::size_t used = 0, astray = 0;
    double factor = 0, error = 0;
    for (const std::size_t i : order) {
        const Measured &place = places[i], &angle = angles[i];
        if (std::fabs(place.value) <= 20 * place.error || place.value == 0) continue;
        if (used == 0) {
            factor = angle.value / place.value;
        } else {
            const double expected = factor * place.value;
            const double tolerance =
                2 * (error * std::fabs(place.value) + 4 * angle.error +
                     4 * std::fabs(factor) * place.error + 4 * share * std::fabs(expected));
            if (std::fabs(wrapped(angle.value - expected)) > tolerance || tolerance > 1.5) {
                ++astray;
                continue;
            }
        }
        fit.add(place, angle, factor);
        factor = fit.factor();
        error = fit.error() + share * std::fabs(factor);
        ++used;
    }
    if (used < 2 || 8 * astray > used) return std::nullopt;
    return Measured{factor, error};
}

/// Sharpens the places by faster and faster frequencies.
void refine(FourierBands& bands, const FourierAngles& angles) {
    std::vector<std::size_t> order(angles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t k) { return std::fabs(bands.frequencies[k]); });
    for (const std::size_t k : order) {
        const double frequency = bands.frequencies[k];
        if (frequency == 0) continue;
        for (std::size_t row = 0; row < bands.places.size(); ++row) {
            Measured& place = bands.places[row];
            const Measured& angle = angles[k][row];
            const double error = angle.error / std::fabs(frequency);
            if (!(error < place.error) || place.error * std::fabs(frequency) > 0.5) continue;
            place.value += wrapped(angle.value - frequency * place.value) / frequency;
            place.error = error;
        }
    }
}

std::optional<FourierBands> pow2_bands(const FourierAngles& angles, Row places) {
    FourierBands bands{BandForm::pow2, {}, std::move(places), {}};
    for (std::size_t k = 0; k < angles.size(); ++k) {
        bands.frequencies.push_back(std::ldexp(1.0, static_cast<int>(k)));
    }
    return bands;
}

std::optional<FourierBands> linear_bands(const FourierAngles& angles, Row places, double share) {
    const auto count = static_cast<double>(angles.size());
    FourierBands bands{BandForm::linear, {}, std::move(places), {}};
    double first = 0, step = 1;
    if (!is_still(angles[0])) {
        const auto factor = factor_of(bands.places, differences(angles[1], angles[0]), share);
        if (!factor) return std::nullopt;
        const Measured last{1 + factor->value * (count - 1), 2 * factor->error * (count - 1)};
        const auto numbers = evidence::simple_numbers(last);
        if (numbers.empty() || !(last.value > 1)) return std::nullopt;
        bands.number = numbers.front();
        first = 1;
        step = (bands.number.value - 1) / (count - 1);
    } else {
        bands.number.value = count - 1;
    }
    for (double k = 0; k < count; ++k) bands.frequencies.push_back(first + step * k);
    return bands;
}

/// Returns coordinates as places, by the frequency that makes `angles` of them: the simplest one,
/// as coordinates at equal distances do not tell it from others. None if there is none.
std::optional<Row> places_of_raw(const std::vector<double>& raw, const Row& angles,
                                 const Sample& sample) {
    constexpr std::size_t most_rows = 64;
    constexpr int attempts = 1 << 13;
    const std::size_t step = 1 + raw.size() / most_rows;
    double largest = 0;
    for (const double value : raw) largest = std::max(largest, std::fabs(value));
    if (!(largest > 0)) return std::nullopt;
    std::optional<double> best;
    double fewest_bits = std::numeric_limits<double>::infinity();
    for (int attempt = 1; attempt < attempts; ++attempt) {
        double frequency = attempt * 0.5 / largest;
        double sine = 0, cosine = 0, count = 0;
        for (std::size_t i = 0; i < raw.size(); i += step) {
            const double off = angles[i].value - frequency * raw[i];
            sine += std::sin(off);
            cosine += std::cos(off);
            count += 1;
        }
        if (std::hypot(sine, cosine) < 0.9 * count) continue;
        double error = 0;
        constexpr int rounds = 3;
        for (int round = 0; round < rounds; ++round) {
            FactorFit fit;
            for (std::size_t i = 0; i < raw.size(); i += step) {
                fit.add({raw[i], sample.error_of(raw[i])}, angles[i], frequency);
            }
            frequency = fit.factor();
            error = fit.error();
        }
        const auto numbers = evidence::simple_numbers({frequency, error + 1e-7 * frequency});
        if (numbers.empty() || !(numbers.front().bits < fewest_bits)) continue;
        fewest_bits = numbers.front().bits;
        best = numbers.front().value;
    }
    if (!best) return std::nullopt;
    Row places;
    for (const double value : raw) {
        places.push_back({*best * value, *best * sample.error_of(value)});
    }
    return places;
}

std::optional<FourierBands> geometric_bands(const FourierAngles& angles, Row places, double share,
                                            bool is_falling) {
    // From the slowest on, whose angles have turned least.
    const std::size_t count = angles.size();
    const auto at = [&](std::size_t i) -> const Row& {
        return angles[is_falling ? count - 1 - i : i];
    };
    auto factor = factor_of(places, at(1), share);
    if (!factor || !(factor->value > 1.0001)) return std::nullopt;
    Measured log_ratio{std::log(factor->value), factor->error / factor->value};
    for (std::size_t i = 2; i < count; ++i) {
        const double expected = std::exp(log_ratio.value * static_cast<double>(i));
        FactorFit fit;
        for (std::size_t row = 0; row < places.size(); ++row) {
            const double carried =
                expected * log_ratio.error * static_cast<double>(i) * std::fabs(places[row].value);
            if (carried > 1 || expected * places[row].error > 0.5) continue;
            fit.add(places[row], at(i)[row], expected);
        }
        const double sharper = fit.factor();
        if (!std::isfinite(sharper) || !(sharper > 0)) break;
        const double error = (fit.error() / sharper + share) / static_cast<double>(i);
        if (error < log_ratio.error) {
            log_ratio = {std::log(sharper) / static_cast<double>(i), error};
        }
    }
    const auto k = static_cast<double>(count);
    const double base = std::exp((is_falling ? -k : k) * log_ratio.value);
    const auto numbers = evidence::simple_numbers({base, 2 * base * k * log_ratio.error});
    if (numbers.empty() || !(numbers.front().value > 0)) return std::nullopt;
    FourierBands bands{BandForm::geometric, {}, std::move(places), numbers.front()};
    for (std::size_t i = 0; i < count; ++i) {
        bands.frequencies.push_back(std::pow(bands.number.value, static_cast<double>(i) / k));
    }
    if (is_falling) {
        for (Measured& place : bands.places) {
            place.value /= bands.frequencies.back();
            place.error /= bands.frequencies.back();
        }
    }
    return bands;
}

}  // namespace

bool explains(const FourierBands& bands, const FourierAngles& angles, const Sample& sample) {
    const double share = share_of(sample);
    const std::size_t most_astray = angles.size() * bands.places.size() / 20;
    std::size_t astray = 0;
    for (std::size_t k = 0; k < angles.size(); ++k) {
        for (std::size_t row = 0; row < bands.places.size(); ++row) {
            const double expected = bands.frequencies[k] * bands.places[row].value;
            // Beyond some angle float32 code says nothing any more.
            const double drift = std::min(16 * share * std::fabs(expected), 0.05);
            const double tolerance = 8 * (angles[k][row].error + std::fabs(bands.frequencies[k]) *
                                                                     bands.places[row].error) +
                                     drift + 1e-6;
            const double off = std::fabs(wrapped(angles[k][row].value - expected));
            astray += off > tolerance ? 1 : 0;
            if (astray > most_astray) return false;
        }
    }
    return true;
}

std::optional<FourierBands> fourier_bands(BandForm form, const FourierAngles& angles,
                                          const Sample& sample, const FourierRows& rows) {
    const double share = share_of(sample);
    const auto places_at = [&](std::size_t k) {
        return rows.are_in_line ? unwrapped(angles[k]) : angles[k];
    };
    std::optional<FourierBands> bands;
    if (form == BandForm::pow2) bands = pow2_bands(angles, places_at(0));
    if (form == BandForm::linear) {
        const bool begins_with_0 = is_still(angles[0]);
        std::optional<Row> places = begins_with_0 && !rows.raw.empty()
                                        ? places_of_raw(rows.raw, angles[1], sample)
                                        : places_at(begins_with_0 ? 1 : 0);
        if (!places) return std::nullopt;
        bands = linear_bands(angles, std::move(*places), share);
    }
    if (form == BandForm::geometric) {
        for (const bool is_falling : {false, true}) {
            bands = geometric_bands(angles, places_at(is_falling ? angles.size() - 1 : 0), share,
                                    is_falling);
            if (bands && explains(*bands, angles, sample)) break;
            bands.reset();
        }
    }
    if (!bands) return std::nullopt;
    refine(*bands, angles);
    if (!explains(*bands, angles, sample)) return std::nullopt;
    return bands;
}

}  // namespace pegen::encodings
