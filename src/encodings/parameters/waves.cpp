#include "encodings/parameters/waves.h"

#include <utility>

#include "encodings/parameters/arith.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "numerics/sinusoid.h"

namespace pegen::encodings {

Waves geometric_waves(const Parameters& p, const Positions& positions,
                      numerics::ChannelLayout layout,
                      const numerics::GeometricProgression& progression, std::string_view options) {
    Waves waves{.positions = positions,
                .layout = std::move(layout),
                .frequencies = [=] { return numerics::Frequencies(progression); },
                .terms = [=](std::int64_t k) { return frequency_term(progression, k); },
                .options = options};
    if (is_exact(p)) return waves;
    waves.float32 = [=] {
        return numerics::angle_products(positions, float32_frequencies("base", progression),
                                        to_float32("freq-scale", progression.scale));
    };
    return waves;
}

Rows wave_rows(const Waves& waves, DType dtype) {
    const numerics::Frequencies omega = waves.frequencies();
    check_angles(waves.positions, omega, waves.options);
    check_holds(dtype, waves.scale, "the largest value");
    if (!waves.float32) {
        return numerics::sinusoid_rows(waves.positions, omega, waves.layout, waves.scale, dtype);
    }
    return numerics::float32_wave_rows(waves.float32(), waves.layout,
                                       to_float32(waves.scale_name, waves.scale), dtype);
}

Cell cell_of(const Waves& waves, std::int64_t row, std::int64_t channel) {
    return layout_cell(waves.scale, waves.layout, channel, number_term(waves.positions[row]),
                       waves.terms);
}

Plan wave_plan(Parameters p, const Waves& waves, Axis rows) {
    return {.parameters = std::move(p),
            .shape = {waves.positions.size(), waves.layout.channels},
            .axes = {std::move(rows), channel_axis()},
            .make_rows = [waves](DType dtype) { return wave_rows(waves, dtype); },
            .pairs = [layout = waves.layout] { return numerics::pairs_of(layout); },
            .cell =
                [waves](std::span<const std::int64_t> index) {
                    return cell_of(waves, index[0], index[1]);
                }};
}

}  // namespace pegen::encodings
