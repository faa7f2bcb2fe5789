#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "recognition/identify/negative_arrays.h"

namespace pegen::trials {
namespace {

constexpr double pi = std::numbers::pi;

double real(std::int64_t number) { return static_cast<double>(number); }

/// The Haar wavelet of this number at a place of 32.
double haar(std::int64_t number, std::int64_t place) {
    if (number == 0) return 1 / std::sqrt(32.0);
    const auto scale = static_cast<std::int64_t>(std::exp2(std::floor(std::log2(real(number)))));
    const std::int64_t width = 32 / scale, start = (number - scale) * width;
    if (place < start || place >= start + width) return 0;
    return (place < start + width / 2 ? 1 : -1) / std::sqrt(real(width));
}

/// Magnitudes of the spectra of windows of a signal, (windows, 33).
Array spectrogram(const std::vector<double>& signal, bool is_in_decibels) {
    constexpr std::int64_t width = 64, hop = 16;
    Array spectra{{(std::ssize(signal) - width) / hop + 1, width / 2 + 1}, DType::float32, {}};
    for (std::int64_t window = 0; window < spectra.extents[0]; ++window) {
        for (std::int64_t k = 0; k <= width / 2; ++k) {
            std::complex<double> sum;
            for (std::int64_t n = 0; n < width; ++n) {
                const double hann = 0.5 - 0.5 * std::cos(2 * pi * real(n) / real(width));
                sum += signal[window * hop + n] * hann *
                       std::polar(1.0, -2 * pi * real(k * n) / real(width));
            }
            const double magnitude = std::abs(sum);
            spectra.values.push_back(is_in_decibels ? 20 * std::log10(magnitude + 1e-9)
                                                    : magnitude);
        }
    }
    return spectra;
}

void add_bases(Negatives& all) {
    all.add("the Haar wavelets", 32, 32, [](auto row, auto column) { return haar(row, column); });
    all.add("Morlet wavelets", 64, 16, [](auto row, auto column) {
        const double t = (real(row) - 32) / (2 + real(column));
        return std::exp(-t * t / 2) * std::cos(5 * t);
    });
    all.add("Mexican hats", 64, 16, [](auto row, auto column) {
        const double t = (real(row) - 32) / (1 + real(column));
        return (1 - t * t) * std::exp(-t * t / 2);
    });
    all.add("Chebyshev polynomials", 40, 12, [](auto row, auto degree) {
        return std::cos(real(degree) * std::acos(real(row) / 20 - 0.975));
    });
    all.add("Hermite functions", 60, 10, [](auto row, auto degree) {
        const double x = 0.2 * (real(row) - 30);
        double value = 1, before = 0;
        for (std::int64_t k = 0; k < degree; ++k) {
            before = std::exchange(value, 2 * x * value - 2 * static_cast<double>(k) * before);
        }
        return value * std::exp(-x * x / 2) /
               std::sqrt(std::exp2(real(degree)) * std::tgamma(real(degree) + 1));
    });
    all.add("hat functions", 60, 12, [](auto row, auto column) {
        return std::max(0.0, 1 - std::fabs(real(row) / 5 - real(column)));
    });
    all.add("quadratic splines", 60, 10, [](auto row, auto column) {
        const double x = std::fabs(real(row) / 6 - real(column));
        return x < 0.5 ? 0.75 - x * x : x < 1.5 ? 0.5 * (1.5 - x) * (1.5 - x) : 0;
    });
    all.add("Walsh functions by sequency", 16, 16, [](auto row, auto column) {
        return std::cos(pi * real(row) * (real(column) + 0.5) / 16) < 0 ? -1.0 : 1.0;
    });
    all.add("powers of a root", 30, 16, [](auto row, auto column) {
        return std::pow(0.97, real(row)) * std::cos(0.4 * real(row) + 0.7 * real(column));
    });
}

void add_filters(Negatives& all) {
    all.add("a mel filter bank", 24, 64, [](auto row, auto column) {
        const auto edge = [](double k) { return std::expm1(k / 9) * 3.2; };
        const double low = edge(real(row)), middle = edge(real(row) + 1),
                     high = edge(real(row) + 2);
        const double x = real(column);
        return std::max(0.0, std::min((x - low) / (middle - low), (high - x) / (high - middle)));
    });
    all.add("Hann windows", 16, 64, [](auto row, auto column) {
        const double t = (real(column) - 3 * real(row)) / 16;
        return t > 0 && t < 1 ? 0.5 - 0.5 * std::cos(2 * pi * t) : 0;
    });
    all.add("Gabor filters", 32, 32, [](auto y, auto x) {
        const double u = 0.8 * real(x - 16) + 0.6 * real(y - 16);
        return std::exp(-real((x - 16) * (x - 16) + (y - 16) * (y - 16)) / 60) * std::cos(0.7 * u);
    });
    all.add("a learning rate with warm-up", 1, 200, [](auto, auto step) {
        return step < 20 ? 3e-4 * real(step) / 20
                         : 1.5e-4 * (1 + std::cos(pi * real(step - 20) / 180));
    });
    all.add("an impulse response", 1, 128, [](auto, auto step) {
        return std::exp(-0.04 * real(step)) * std::sin(0.31 * real(step) + 0.2);
    });
}

void add_recordings(Negatives& all) {
    std::vector<double> signal;
    for (int n = 0; n < 640; ++n) {
        signal.push_back(std::sin(0.2 * n + 0.001 * n * n) + 0.1 * all.normal());
    }
    all.add("a spectrogram of a chirp", spectrogram(signal, false));
    all.add("a spectrogram in decibels", spectrogram(signal, true));
    all.add("a spectrogram of noise", spectrogram(all.normals(640), false));
    all.add("chords with noise", 80, 16, [&](auto row, auto column) {
        const double tone = 0.05 * real(row) * (1 + real(column));
        return std::sin(tone) + std::sin(1.25 * tone) + 0.05 * all.normal();
    });
    const std::vector<double> jitter = all.normals(80);
    all.add("sinusoids at jittered times", 80, 16, [=](auto row, auto column) {
        const double time = real(row) + 0.2 * jitter[row];
        return std::sin(time / std::pow(10000, real(column / 2) / 8) + (column % 2 == 0 ? 0 : 1));
    });
    const std::vector<double> x = all.normals(60), w = all.normals(32), b = all.normals(32);
    all.add("random Fourier features of noise", 60, 32, [=](auto row, auto column) {
        const std::size_t i = column;
        return 0.25 * std::cos(x[row] * w[i] + 9 * b[i]);
    });
}

}  // namespace

void add_signals(Negatives& all) {
    add_bases(all);
    add_filters(all);
    add_recordings(all);
}

}  // namespace pegen::trials
