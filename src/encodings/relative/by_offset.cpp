#include "encodings/relative/by_offset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "core/parallel.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/waves.h"
#include "rows/kept.h"

namespace pegen::encodings {

std::vector<double> line_of(const NumberOfOffset& number, rows::AttentionSize size) {
    constexpr std::int64_t at_once = 2048;
    std::vector<double> line(size.distances());
    parallel_for((size.distances() + at_once - 1) / at_once, [&](std::int64_t item) {
        const std::int64_t first = item * at_once;
        const std::int64_t end = std::min(first + at_once, size.distances());
        for (std::int64_t i = first; i < end; ++i) {
            line[i] = static_cast<double>(number(size.smallest_distance() + i));
        }
    });
    return line;
}

Cell cell_at_offset(std::int64_t offset, std::int64_t number, std::string formula) {
    const std::int64_t tokens = std::abs(offset);
    return {
        .value = {[=] { return numerics::Real(static_cast<double>(number)); }, std::move(formula)},
        .note = offset == 0 ? "The key is at the position of the query."
                            : fmt::format("The key is {} position{} {} the query.", tokens,
                                          tokens == 1 ? "" : "s", offset < 0 ? "before" : "after"),
        .held = [=](DType dtype) {
            check_holds(dtype, static_cast<double>(number), "the number");
            return static_cast<double>(number);
        }};
}

Plan plan_by_offset(Parameters p, rows::AttentionSize size, const NumberOfOffset& number,
                    const FormulaOfOffset& formula) {
    return {.parameters = std::move(p),
            .shape = {size.queries, size.keys},
            .axes = {query_axis(size), key_axis(size)},
            .make_rows =
                [=](DType dtype) {
                    std::vector<double> line = line_of(number, size);
                    const auto [lowest, highest] = std::ranges::minmax(line);
                    check_holds(dtype, std::max(-lowest, highest), "the largest number");
                    return rows::by_distance(
                        rounded(rows::kept_rows(std::move(line), size.distances()), dtype), size);
                },
            .cell =
                [=](std::span<const std::int64_t> index) {
                    const std::int64_t offset = index[1] - index[0] - size.before;
                    return cell_at_offset(offset, number(offset), formula(offset));
                }};
}

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
