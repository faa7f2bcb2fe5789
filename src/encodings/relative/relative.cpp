#include <array>
#include <utility>

#include "encodings/encoding.h"
#include "encodings/parameters/shared.h"
#include "encodings/relative/by_offset.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    with_default(len_parameter, "64"),
    d_parameter,
    base_parameter,
    with_default(wave_layout_parameter, "interleaved"),
    ParameterSpec{
        .name = "order",
        .type = ParameterType::word,
        .default_value = "ascending",
        .choices = "ascending descending",
        .summary = "order of distances: ascending from -(len - 1), or descending from len - 1"},
    keep_channels_parameter,
    view_parameter,
    wave_arith_parameter,
};

Plan plan(Parameters p, std::string_view) {
    const auto last = static_cast<double>(p.integer("len") - 1);
    const double step = p.word("order") == "ascending" ? 1 : -1;
    const Positions distances(-step * last, step, 2 * p.integer("len") - 1);
    return plan_distance_waves(std::move(p), distances);
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the encoding of every distance, (2 len - 1, d)",
                                      .title = "Encoding of Distances (d_model={d}, max_len={len})",
                                      .value_label = "Positional Encoding Values",
                                      .promises = "unique bounded rotation offset spacing"}};

}  // namespace

/// The sinusoidal encoding of every distance between two of len positions.
///
/// Table: encoding (2 len - 1, d), axes (distance, channel); row 0 is distance -(len - 1), or
/// len - 1 with --order descending; row len - 1 is distance 0. Correctly rounded.
extern constinit const Encoding relative{
    .name = "relative",
    .summary = "sines and cosines of all distances between two positions, of both signs",
    .formula =
        "R[t, 2i]     = sin(t / base^(2i / d))\n"
        "R[t, 2i + 1] = cos(t / base^(2i / d)),  t = -(len - 1) ... len - 1\n"
        "--layout halves: all sin, then all cos; --order descending: the last row first",
    .source = "Dai et al. 2019, Transformer-XL, arXiv:1901.02860, section 3.3",
    .examples =
        "relative --len 3 --d 4\n"
        "relative --len 100 --d 64 --png relative.png\n"
        "relative --len 512 --d 512 --order descending --npy relative.npy",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
