#include "encodings/points/fourier_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "encodings/points/fourier_scales.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;

bool are_near(const Measured& a, const Measured& b) {
    return std::fabs(a.value - b.value) <= 2 * (a.error + b.error) + 0x1p-20 * std::fabs(a.value);
}

}  // namespace

Ends ends_of(const std::vector<Measured>& places, std::int64_t extent) {
    const auto n = static_cast<double>(places.size());
    double mean = 0, slope = 0, error = 0;
    for (const Measured& place : places) {
        mean += place.value / n;
        error = std::max(error, place.error);
    }
    const double middle = (n - 1) / 2;
    for (std::size_t i = 0; i < places.size(); ++i) {
        slope += (static_cast<double>(i) - middle) * (places[i].value - mean);
    }
    slope /= n * (n * n - 1) / 12;
    const double reach = static_cast<double>(extent - 1) / (n - 1);
    const double more = 2 * error * reach + 1e-15 * std::fabs(mean);
    return {{mean - slope * middle, 2 * error},
            {mean + slope * (static_cast<double>(extent - 1) - middle), more}};
}

std::vector<std::string> coords_of(const std::vector<Ends>& ends,
                                   const std::vector<std::int64_t>& extents, double factor) {
    std::vector<std::string> found;
    const auto scaled = [&](const Measured& number) {
        return Measured{number.value / factor, number.error / factor};
    };
    const auto all = [&](auto measure) {
        for (std::size_t i = 1; i < ends.size(); ++i) {
            if (!are_near(measure(0), measure(i))) return false;
        }
        return true;
    };
    if (all([&](std::size_t i) { return ends[i].first; }) &&
        all([&](std::size_t i) { return ends[i].last; })) {
        found.push_back(fmt::format("linspace:{}:{}", simplest(scaled(ends[0].first)),
                                    simplest(scaled(ends[0].last))));
    }
    const auto centre = [&](std::size_t i) {
        const auto n = static_cast<double>(extents[i]);
        return Measured{ends[i].last.value * n / (n - 1), ends[i].last.error * n / (n - 1)};
    };
    const bool are_symmetrical = std::ranges::all_of(ends, [](const Ends& axis) {
        return are_near({-axis.first.value, axis.first.error}, axis.last);
    });
    if (are_symmetrical && all(centre)) {
        found.push_back(fmt::format("center:{}", simplest(scaled(centre(0)))));
    }
    return found;
}

}  // namespace pegen::encodings
