#include <fmt/format.h>

#include <array>

#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/position_parameters.h"
#include "encodings/parameters/positions_file.h"
#include "encodings/parameters/wave_cell.h"
#include "numerics/float32_angles.h"
#include "numerics/sinusoid.h"

namespace pegen::encodings {
namespace {

using numerics::Function;

constexpr std::array parameters{
    len_parameter,
    ParameterSpec{.name = "alpha",
                  .default_value = "10",
                  .range = positive,
                  .summary = "positions per radian; the period is 2 pi alpha"},
    ParameterSpec{.name = "function",
                  .type = ParameterType::word,
                  .default_value = "both",
                  .choices = "both sin cos",
                  .summary = "the functions used as channels"},
    start_parameter,
    step_parameter,
    positions_parameter,
    positions_file_parameter,
    reverse_parameter,
    keep_channels_parameter,
    view_parameter,
    rare_arith_parameter("the exact formula, or float32 arithmetic: sin(pos / alpha)"),
};

numerics::ChannelLayout layout(const Parameters& p) {
    if (p.word("function") == "sin") return only(Function::sin, 1);
    if (p.word("function") == "cos") return only(Function::cos, 1);
    return numerics::interleaved(2);
}

/// Returns the term 1 / alpha.
Term frequency_term(double alpha) {
    return {[=] { return numerics::Real(1.0) / alpha; }, fmt::format("1/{}", shortest(alpha))};
}

Plan plan(Parameters given, std::string_view) {
    const Parameters p = resolve_positions(std::move(given));
    const Positions positions = positions_of(p);
    const numerics::ChannelLayout channels = layout(p);
    return {.parameters = p,
            .shape = {p.integer("len"), channels.channels},
            .axes = {position_axis(positions), channel_axis()},
            .make_rows =
                [=](DType dtype) {
                    const double alpha = p.real("alpha");
                    const numerics::Frequencies omega(std::array{numerics::Ratio{1, alpha}});
                    check_angles(positions, omega, "--alpha");
                    if (!is_exact(p)) {
                        return numerics::float32_wave_rows(
                            numerics::angle_quotients(positions, {to_float32("alpha", alpha)}),
                            channels, 1, dtype);
                    }
                    return numerics::sinusoid_rows(positions, omega, channels, 1.0, dtype);
                },
            .cell =
                [=](std::span<const std::int64_t> index) {
                    return layout_cell(
                        1, channels, index[1], number_term(positions[index[0]]),
                        [&](std::int64_t) { return frequency_term(p.real("alpha")); });
                }};
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "sin and cos of pos / alpha, (len, 2)",
                                      .title = "Periodic Encoding (alpha={alpha}, max_len={len})",
                                      .value_label = "Positional Encoding Values",
                                      .promises = "bounded rotation offset spacing"}};

}  // namespace

/// Angles are in radians. With --function sin or cos there is only that channel.
/// Table: encoding (len, 2) or (len, 1), axes (position, channel). Correctly rounded.
extern constinit const Encoding periodic{
    .name = "periodic",
    .summary = "one sine and one cosine: bounded, but positions one period apart are equal",
    .formula =
        "PE[pos, 0] = sin(pos / alpha)\n"
        "PE[pos, 1] = cos(pos / alpha)",
    .source = "the third idea of every introduction; no paper proposes it",
    .examples =
        "periodic --len 8\n"
        "periodic --alpha 100 --function sin --len 1000 --csv wave.csv\n"
        "periodic --len 64 --png periodic.png",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
