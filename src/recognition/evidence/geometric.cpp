#include "recognition/evidence/geometric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

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

namespace {

constexpr double turn = 2 * std::numbers::pi;

/// The relative error of frequencies, and of products with them, in float32 code.
constexpr double float32_share = 0x1p-20;

/// How far an angle may be from the expected one, in errors.
constexpr double most_sigmas = 4;

struct Known {
    double index;  ///< index in the series: 0 for the fastest angle
    Measured angle;
};

/// Returns the known angles, slowest first.
std::vector<Known> known_angles(std::span<const Measured> angles) {
    std::vector<Known> known;
    for (std::size_t i = angles.size(); i-- > 0;) {
        if (std::isfinite(angles[i].error)) known.push_back({static_cast<double>(i), angles[i]});
    }
    return known;
}

/// The fit of log |angle| = log first - index * log_ratio by least squares over the angles so far.
/// Sums are taken about the mean, because weights differ by many orders of magnitude.
class LogarithmFit {
  public:
    void add(const Known& known, double least_share) {
        const double size = std::fabs(known.angle.value);
        const double share = std::max(known.angle.error / size, least_share);
        const double weight = 1 / (share * share);
        const double dx = known.index - x_, dy = std::log(size) - y_;
        const double before = weight_;
        weight_ += weight;
        x_ += dx * weight / weight_;
        y_ += dy * weight / weight_;
        xx_ += dx * dx * weight * (before / weight_);
        xy_ += dx * dy * weight * (before / weight_);
    }

    double slope() const { return xy_ / xx_; }
    double slope_error() const { return 1 / std::sqrt(xx_); }

    /// Returns the logarithm at an index, with its standard error.
    Measured at(double index) const {
        const double dx = index - x_;
        return {y_ + slope() * dx, std::sqrt(1 / weight_ + dx * dx / xx_)};
    }

  private:
    double weight_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
};

/// The relative error of doubles in the computations above.
constexpr double least_share = 0x1p-46;

/// Returns the series through unwrapped angles. The scatter of the angles about the series is taken
/// as their error if it is larger than the given error.
GeometricSeries series_through(const std::vector<Known>& unwrapped) {
    double share = least_share;
    LogarithmFit fit;
    constexpr int rounds = 2;
    for (int round = 0; round < rounds; ++round) {
        fit = LogarithmFit();
        for (const Known& known : unwrapped) fit.add(known, share);
        double squares = 0, excess = 0;
        for (const Known& known : unwrapped) {
            const double size = std::fabs(known.angle.value);
            const double off = std::log(size) - fit.at(known.index).value;
            const double error = std::max(known.angle.error / size, share);
            squares += off * off;
            excess += off * off / (error * error);
        }
        const auto n = static_cast<double>(unwrapped.size());
        if (excess < 4 * n) break;
        share = std::sqrt(squares / n);
    }
    const Measured first = fit.at(0);
    const double sign = unwrapped.front().angle.value < 0 ? -1 : 1;
    const double size = std::exp(first.value);
    return {.first = {sign * size, 3 * size * first.error},
            .log_ratio = {-fit.slope(), 3 * fit.slope_error()}};
}

/// Unwraps the angles one by one, each as the slower angles predict it. None if an angle is not
/// where it is predicted, or if the prediction is too inexact to tell the number of turns.
std::optional<std::vector<Known>> climb(const std::vector<Known>& known, Known slowest,
                                        Known second) {
    LogarithmFit fit;
    std::vector<Known> unwrapped{slowest, second};
    double evidence = 0;  // bits
    for (const Known& angle : unwrapped) fit.add(angle, least_share);
    for (std::size_t i = 2; i < known.size(); ++i) {
        const Measured logarithm = fit.at(known[i].index);
        const double size = std::exp(logarithm.value);
        const double expected = slowest.angle.value < 0 ? -size : size;
        const double error =
            most_sigmas * (size * logarithm.error + known[i].angle.error) + float32_share * size;
        if (!(error < turn / 4)) return std::nullopt;
        const double turns = std::rint((expected - known[i].angle.value) / turn);
        const double value = known[i].angle.value + turns * turn;
        if (std::fabs(value - expected) > error) return std::nullopt;
        evidence += std::log2(turn / 2 / error);
        unwrapped.push_back({known[i].index, {value, known[i].angle.error}});
        fit.add(unwrapped.back(), least_share);
    }
    // If the angles have turned and the progression is steep enough, any angles may be on one.
    constexpr double least_evidence = 14;
    const bool is_turned = std::fabs(second.angle.value) > turn / 2;
    if (is_turned && known.size() > 2 && evidence < least_evidence) return std::nullopt;
    return unwrapped;
}

/// Returns the number of turns to try in this attempt: 0, 1, -1, 2, -2 ...
std::int64_t turns_tried(std::int64_t attempt) {
    return attempt % 2 == 0 ? -attempt / 2 : (attempt + 1) / 2;
}

}  // namespace

std::vector<GeometricSeries> geometric_series(std::span<const Measured> angles, std::size_t most) {
    std::vector<Known> known = known_angles(angles);
    // A slow angle that is not much larger than its error shows nothing of the ratio.
    const auto is_lost = [](const Known& k) {
        return std::fabs(k.angle.value) <= 8 * k.angle.error;
    };
    known.erase(known.begin(), std::ranges::find_if_not(known, is_lost));
    if (known.size() < 2) return {};
    const std::int64_t most_turns = known.size() < 4 ? 64 : 16;
    std::vector<GeometricSeries> found;
    for (std::int64_t slow_attempt = 0; slow_attempt < 5; ++slow_attempt) {
        Known slowest = known[0];
        slowest.angle.value += turn * static_cast<double>(turns_tried(slow_attempt));
        for (std::int64_t turns = 0; turns <= most_turns && found.size() < most; ++turns) {
            Known second = known[1];
            const double sign = slowest.angle.value < 0 ? -1 : 1;
            second.angle.value += sign * turn * static_cast<double>(turns);
            if (!(sign * second.angle.value > sign * slowest.angle.value)) continue;
            const auto unwrapped = climb(known, slowest, second);
            if (unwrapped) found.push_back(series_through(*unwrapped));
        }
        if (!found.empty()) break;
    }
    return found;
}

std::optional<Measured> first_of_series(std::span<const Measured> angles, const Measured& log_ratio,
                                        std::int64_t most_turns) {
    const std::vector<Measured> found = firsts_of_series(angles, log_ratio, 1, most_turns);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<Measured> firsts_of_series(std::span<const Measured> angles, const Measured& log_ratio,
                                       std::size_t most, std::int64_t most_turns) {
    const std::vector<Known> known = known_angles(angles);
    std::vector<Measured> found;
    if (known.empty()) return found;
    const std::size_t most_spoiled = known.size() / 10;
    for (std::int64_t attempt = 0; attempt <= 2 * most_turns && found.size() < most; ++attempt) {
        Known best = known.front();
        best.angle.value += turn * static_cast<double>(turns_tried(attempt));
        std::size_t spoiled = 0;
        for (std::size_t i = 1; i < known.size() && spoiled <= most_spoiled; ++i) {
            const double steps = best.index - known[i].index;
            const double factor = std::exp(steps * log_ratio.value);
            const double expected = best.angle.value * factor;
            const double carried =
                factor * best.angle.error + std::fabs(expected) * steps * log_ratio.error;
            const double error = most_sigmas * (carried + known[i].angle.error) +
                                 float32_share * std::fabs(expected);
            const double turns = std::rint((expected - known[i].angle.value) / turn);
            const double value = known[i].angle.value + turns * turn;
            if (!(error < turn / 4) || std::fabs(value - expected) > error) {
                ++spoiled;
            } else if (known[i].angle.error <= carried) {
                best = {known[i].index, {value, known[i].angle.error}};
            }
        }
        if (spoiled > most_spoiled) continue;
        const double factor = std::exp(best.index * log_ratio.value);
        const double value = best.angle.value * factor;
        found.push_back(
            {value, factor * best.angle.error + std::fabs(value) * best.index * log_ratio.error});
    }
    return found;
}

}  // namespace pegen::evidence
