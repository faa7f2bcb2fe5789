#include "encodings/points/random_fourier_recognition.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "core/to_size.h"

namespace pegen::encodings {
namespace {

using evidence::Proposal;
using evidence::Sample;

/// True if the squares of the first half of each row and of the second add up to 1.
bool has_halves(const Sample& sample) {
    const std::int64_t channels = sample.extents[1], frequencies = channels / 2;
    if (channels % 2 != 0) return false;
    for (std::int64_t row = 0; row < sample.leading; ++row) {
        for (std::int64_t k = 0; k < frequencies; ++k) {
            const double sine = sample.values[to_size(row * channels + k)];
            const double cosine = sample.values[to_size(row * channels + frequencies + k)];
            const double error = 2 * (sample.error_of(sine) + sample.error_of(cosine)) + 1e-9;
            if (!(std::fabs(sine * sine + cosine * cosine - 1) <= error)) return false;
        }
    }
    return true;
}

}  // namespace

std::vector<Proposal> recognize_random_fourier(const Sample& sample) {
    constexpr std::int64_t most_points = 1 << 24;
    if (sample.rank() != 2 || sample.extents[0] > most_points || !has_halves(sample)) return {};
    const std::int64_t points = sample.extents[0];
    std::vector<Proposal> proposals;
    for (std::int64_t height = 2; height <= points / 2; ++height) {
        if (points % height != 0) continue;
        proposals.push_back({.settings = {{"d", std::to_string(sample.extents[1])},
                                          {"height", std::to_string(height)},
                                          {"width", std::to_string(points / height)},
                                          {"coords", "center:1"},
                                          {"axes", "xy"}}});
    }
    return proposals;
}

}  // namespace pegen::encodings
