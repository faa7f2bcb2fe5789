#include "rows/gathered_waves.h"

#include <utility>

#include "core/element.h"
#include "numerics/sinusoid.h"
#include "rows/transposed.h"

namespace pegen::rows {

GatheredWaves gathered_waves(const Positions& positions, const numerics::Frequencies& frequencies,
                             DType dtype) {
    const std::int64_t channels = 2 * frequencies.size();
    const std::int64_t count = positions.size();
    const RowSource rows = numerics::sinusoid_rows(positions, frequencies,
                                                   numerics::interleaved(channels), 1.0, dtype);
    return {dtype, count, columns_of(rows, count, channels, dtype)};
}

GatheredWaves gathered_waves(std::int64_t positions, numerics::Float32Angles angles, DType dtype) {
    const std::int64_t channels = 2 * angles.count;
    const RowSource rows =
        numerics::float32_wave_rows(std::move(angles), numerics::interleaved(channels), 1, dtype);
    return {dtype, positions, columns_of(rows, positions, channels, dtype)};
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
