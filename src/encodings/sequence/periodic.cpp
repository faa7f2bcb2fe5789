#include <fmt/format.h>

#include <array>

#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"

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

Waves waves_of(const Parameters& p) {
    const double alpha = p.real("alpha");
    const Positions positions = positions_of(p);
    Waves waves{.positions = positions,
                .layout = layout(p),
                .frequencies =
                    [=] {
                        return numerics::Frequencies(std::array{numerics::Ratio{1, alpha}});
                    },
                .terms =
                    [=](std::int64_t) {
                        return Term{[=] { return numerics::Real(1.0) / alpha; },
                                    fmt::format("1/{}", shortest(alpha))};
                    },
                .options = "--alpha"};
    if (!is_exact(p)) {
        waves.float32 = [=] {
            return numerics::angle_quotients(positions, {to_float32("alpha", alpha)});
        };
    }
    return waves;
}

Plan plan(Parameters given, std::string_view) {
    const Parameters p = resolve_positions(std::move(given));
    const Waves waves = waves_of(p);
    return wave_plan(p, waves, position_axis(waves.positions));
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
