#include "encodings/points/fourier_angles.h"

#include <algorithm>
#include <cmath>

#include "evidence/circle.h"

namespace pegen::encodings {

using evidence::Measured;
using evidence::Sample;
using evidence::wrapped;
using numerics::ChannelRun;
using numerics::Function;

double share_of(const Sample& sample) { return sample.precision.digits > 24 ? 0x1p-50 : 0x1p-22; }

bool is_still(const std::vector<Measured>& angles) {
    return std::ranges::all_of(
        angles, [](const Measured& angle) { return std::fabs(angle.value) <= 4 * angle.error; });
}

std::optional<FourierAngles> fourier_angles(const Sample& sample, const FourierChannels& channels,
                                            std::int64_t rank,
                                            const std::vector<std::int64_t>& rows) {
    const std::vector<ChannelRun> runs = layout(channels, rank).runs;
    const ChannelRun& sines = runs[runs[0].function == Function::sin ? 0 : 1];
    const ChannelRun& cosines = runs[runs[0].function == Function::sin ? 1 : 0];
    const double tolerance = 8 * sample.error_of(1);
    FourierAngles angles;
    for (std::int64_t k = 0; k < channels.frequencies; ++k) {
        std::vector<Measured>& of_frequency = angles.emplace_back();
        for (const std::int64_t row : rows) {
            const double* const values = sample.values.data() + row * sample.extents.back();
            const double sine = values[sines.first_channel + k * sines.channel_stride];
            const double cosine = values[cosines.first_channel + k * cosines.channel_stride];
            if (!(std::fabs(sine * sine + cosine * cosine - 1) <= tolerance)) return std::nullopt;
            of_frequency.push_back(
                {std::atan2(sine, cosine), std::fabs(cosine) * sample.error_of(sine) +
                                               std::fabs(sine) * sample.error_of(cosine)});
        }
    }
    return angles;
}

bool is_possible(BandForm form, const FourierAngles& angles) {
    if (angles.size() < 2 || (angles.size() < 3 && form != BandForm::pow2)) return false;
    if (form == BandForm::geometric) return true;
    constexpr double least = 0.01;
    const std::size_t first = form == BandForm::pow2 ? 1 : 2;
    for (std::size_t k = first; k < angles.size(); ++k) {
        for (std::size_t row = 0; row < angles[k].size(); ++row) {
            const Measured& angle = angles[k][row];
            const Measured& before = angles[k - 1][row];
            const double off = form == BandForm::pow2
                                   ? angle.value - 2 * before.value
                                   : angle.value - 2 * before.value + angles[k - 2][row].value;
            const double tolerance = least + 8 * (angle.error + 3 * before.error);
            if (std::fabs(wrapped(off)) > tolerance) return false;
        }
    }
    return true;
}

}  // namespace pegen::encodings
