#include "figure/plots/colour_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/number.h"

namespace pegen {
namespace {

/// Checks the order of the limits. Throws: UsageError unless low < high.
void check_order(Limits limits, const Parameters& parameters) {
    if (limits.low < limits.high) return;
    const std::string low = shortest(limits.low), high = shortest(limits.high);
    throw UsageError(
        fmt::format("{}: must be below {}",
                    parameters.has("vmin") ? "--vmin " + low : "the smallest value, " + low,
                    parameters.has("vmax") ? "--vmax " + high : "the largest value, " + high));
}

/// Returns the distance of both limits from --vcentre.
double half_width(double centre, Limits of_values, const Parameters& parameters) {
    if (parameters.has("vmin")) {
        const double low = parameters.real("vmin");
        if (low < centre) return centre - low;
        throw UsageError(
            fmt::format("--vmin {}: must be below --vcentre {}", shortest(low), shortest(centre)));
    }
    if (parameters.has("vmax")) {
        const double high = parameters.real("vmax");
        if (high > centre) return high - centre;
        throw UsageError(
            fmt::format("--vmax {}: must be above --vcentre {}", shortest(high), shortest(centre)));
    }
    return std::max(std::fabs(of_values.low - centre), std::fabs(of_values.high - centre));
}

Limits around_centre(Limits of_values, const Parameters& parameters) {
    const double centre = parameters.real("vcentre");
    const double half = half_width(centre, of_values, parameters);
    const Limits limits{centre - half, centre + half};
    if (std::isfinite(limits.low) && std::isfinite(limits.high)) return limits;
    throw UsageError(
        fmt::format("--vcentre {}: is so far from the values that a limit would exceed "
                    "the largest double; use --vmin and --vmax",
                    shortest(centre)));
}

}  // namespace

bool has_both_limits(const Parameters& parameters) {
    const int given = parameters.has("vmin") + parameters.has("vmax") + parameters.has("vcentre");
    return given >= 2;
}

Limits colour_limits(Limits of_values, const Parameters& parameters) {
    Limits limits = of_values;
    if (parameters.has("vcentre")) {
        if (parameters.has("vmin") && parameters.has("vmax")) {
            throw UsageError(
                fmt::format("--vcentre {}: contradicts --vmin and --vmax, or follows from them; "
                            "leave one of the three out",
                            shortest(parameters.real("vcentre"))));
        }
        limits = around_centre(of_values, parameters);
    } else if (parameters.has("vmin") || parameters.has("vmax")) {
        if (parameters.has("vmin")) limits.low = parameters.real("vmin");
        if (parameters.has("vmax")) limits.high = parameters.real("vmax");
        check_order(limits, parameters);
    }
    return set_apart(limits);
}

Palette palette_for(const Table& table, const Parameters& parameters) {
    return find_palette(table.has_shares && !parameters.given("cmap") ? "viridis"
                                                                      : parameters.word("cmap"));
}

}  // namespace pegen
