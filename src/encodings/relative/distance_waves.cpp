#include "encodings/relative/distance_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "encodings/parameters/waves.h"

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
    std::vector<double> list(distances.size());
    for (std::int64_t row = 0; row < distances.size(); ++row) {
        list[row] = std::clamp(distances[row], limits.lowest, limits.highest);
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
    const auto layout = p.word("layout") == "halves" ? numerics::halves : numerics::interleaved;
    check_channels(d);
    if (limits) check_kept(distances);
    const Waves waves = geometric_waves(p, limits ? limited(distances, *limits) : distances,
                                        layout(d, numerics::Function::sin),
                                        numerics::paired_progression(p.real("base"), d), "--base");
    Plan plan = wave_plan(std::move(p), waves,
                          {.kind = AxisKind::position,
                           .name = "distance",
                           .label = "Distance",
                           .positions = distances});
    plan.cell = [=](std::span<const std::int64_t> index) {
        Cell cell = cell_of(waves, index[0], index[1]);
        const double distance = distances[index[0]], position = waves.positions[index[0]];
        if (position != distance) {
            cell.note = fmt::format("By --clamp, distance {} is taken for {}.", shortest(distance),
                                    shortest(position));
        }
        return cell;
    };
    return plan;
}

}  // namespace pegen::encodings
