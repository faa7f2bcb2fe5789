#include "encodings/relative/distance_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/wave_cell.h"
#include "numerics/float32_angles.h"
#include "numerics/sinusoid.h"

namespace pegen::encodings {
namespace {

void check_channels(std::int64_t d) {
    if (d % 2 == 0) return;
    const std::string less = d > 1 ? fmt::format("{} or ", d - 1) : "";
    throw UsageError(
        fmt::format("--d {}: must be even, a sin and a cos for each frequency; code "
                    "that takes an odd one gives {} channels; use {}{}",
                    d, d + 1, less, d + 1));
}

Positions limited(const Positions& distances, DistanceLimits limits) {
    std::vector<double> list(to_size(distances.size()));
    for (std::int64_t row = 0; row < distances.size(); ++row) {
        list[to_size(row)] = std::clamp(distances[row], limits.lowest, limits.highest);
    }
    return Positions(std::move(list));
}

void check_kept(const Positions& distances) {
    constexpr std::int64_t most_kept = std::int64_t{1} << 28;
    if (distances.size() <= most_kept) return;
    throw UsageError(
        fmt::format("--clamp: keeps every distance, and {} are more than 2^28; use a "
                    "shorter --len",
                    distances.size()));
}

}  // namespace

Plan plan_distance_waves(Parameters p, const Positions& distances,
                         std::optional<DistanceLimits> limits) {
    const std::int64_t d = p.integer("d");
    const bool has_exact_angles = is_exact(p);
    const auto progression = numerics::paired_progression(p.real("base"), d);
    const auto layout = p.word("layout") == "halves" ? numerics::halves : numerics::interleaved;
    check_channels(d);
    if (limits) check_kept(distances);
    return {
        .parameters = std::move(p),
        .shape = {distances.size(), d},
        .axes = {{.kind = AxisKind::position,
                  .name = "distance",
                  .label = "Distance",
                  .positions = distances},
                 channel_axis()},
        .make_rows =
            [=](DType dtype) {
                const Positions positions = limits ? limited(distances, *limits) : distances;
                const numerics::Frequencies omega(progression);
                const numerics::ChannelLayout channels = layout(d, numerics::Function::sin);
                check_angles(positions, omega, "--base");
                if (has_exact_angles) {
                    return numerics::sinusoid_rows(positions, omega, channels, 1.0, dtype);
                }
                return numerics::float32_wave_rows(
                    numerics::angle_products(positions, float32_frequencies("base", progression)),
                    channels, 1, dtype);
            },
        .pairs = [=] { return numerics::pairs_of(layout(d, numerics::Function::sin)); },
        .cell =
            [=](std::span<const std::int64_t> index) {
                const double distance = distances[index[0]];
                const double position =
                    limits ? std::clamp(distance, limits->lowest, limits->highest) : distance;
                Cell cell = layout_cell(
                    1, layout(d, numerics::Function::sin), index[1], number_term(position),
                    [&](std::int64_t k) { return frequency_term(progression, k); });
                if (position != distance) {
                    cell.note = fmt::format("By --clamp, distance {} is taken for {}.",
                                            shortest(distance), shortest(position));
                }
                return cell;
            }};
}

}  // namespace pegen::encodings
