#include "rows/gathered_waves.h"

#include <algorithm>

#include "core/parallel.h"
#include "core/table.h"
#include "core/to_size.h"
#include "numerics/sinusoid.h"

namespace pegen::rows {
namespace {

/// Values computed at a time, so that what is transposed stays in the L2 cache.
constexpr std::int64_t values_at_once = 1 << 16;

/// Transposes: values[channel][range.first + i] = rows[i][channel].
template <class T>
void transpose(const T* rows, RowRange range, std::int64_t channels, std::int64_t positions,
               T* values) {
    for (std::int64_t channel = 0; channel < channels; ++channel) {
        T* const out = values + channel * positions + range.first;
        for (std::int64_t i = 0; i < range.count; ++i) out[i] = rows[i * channels + channel];
    }
}

}  // namespace

GatheredWaves gathered_waves(const Positions& positions, const numerics::Frequencies& frequencies,
                             DType dtype) {
    const std::int64_t channels = 2 * frequencies.size();
    const std::int64_t count = positions.size();
    const RowSource rows = numerics::sinusoid_rows(positions, frequencies,
                                                   numerics::interleaved(channels), 1.0, dtype);
    GatheredWaves waves{dtype, count,
                        std::vector<std::byte>(to_size(count * channels) * info(dtype).size)};
    const std::int64_t at_once = rows_holding(values_at_once, channels);
    parallel_for((count + at_once - 1) / at_once, [&](std::int64_t block) {
        const RowRange range{block * at_once, std::min(at_once, count - block * at_once)};
        std::vector<std::byte> some(to_size(range.count * channels) * info(dtype).size);
        rows(range, some);
        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
            transpose(reinterpret_cast<const T*>(some.data()), range, channels, count,
                      reinterpret_cast<T*>(waves.values.data()));
        });
    });
    return waves;
}

void gather(const GatheredWaves& waves, std::int64_t channel,
            std::span<const std::uint32_t> numbers, std::span<std::byte> out) {
    with_element_type(waves.dtype, [&]<class T>(std::type_identity<T>) {
        const T* const values =
            reinterpret_cast<const T*>(waves.values.data()) + channel * waves.positions;
        T* const elements = reinterpret_cast<T*>(out.data());
        for (std::size_t i = 0; i < numbers.size(); ++i) elements[i] = values[numbers[i]];
    });
}

}  // namespace pegen::rows
