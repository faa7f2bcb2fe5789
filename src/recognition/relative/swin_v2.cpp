#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"

namespace pegen::recognition {
namespace {

/// Returns the extent P of the pretrained window, from the coordinate of the largest offset of a
/// window: log2(1 + 8 offset / (P - 1)) / 3.
std::optional<std::int64_t> pretrained_extent(double coordinate, std::int64_t offset) {
    const double divisor = 8 * static_cast<double>(offset) / (std::exp2(3 * coordinate) - 1);
    constexpr double most = 1 << 14;
    if (!(divisor > 0.5) || divisor > most) return {};
    return static_cast<std::int64_t>(std::rint(divisor)) + 1;
}

/// A table of coordinates (2 height - 1, 2 width - 1, 2).
struct Coordinates {
    std::int64_t height;
    std::int64_t width;
    double y;  ///< coordinate of the last row
    double x;  ///< coordinate of the last column
};

std::optional<Coordinates> coordinates_of(const Sample& sample) {
    const std::vector<std::int64_t>& e = sample.extents;
    if (sample.rank() != 3 || e[2] != 2 || e[0] % 2 == 0 || e[1] % 2 == 0) return {};
    if (sample.leading != e[0]) return {};
    const std::vector<double>& values = sample.values;
    return Coordinates{(e[0] + 1) / 2, (e[1] + 1) / 2, values[values.size() - 2], values.back()};
}

}  // namespace

/// Returns the proposals for an array as coordinates, with the pretrained window that divided them.
std::vector<Proposal> recognize_swin_v2(const Sample& sample) {
    const std::optional<Coordinates> coordinates = coordinates_of(sample);
    if (!coordinates) return {};
    const auto [height, width, y, x] = *coordinates;
    const auto rows = pretrained_extent(y, height - 1), columns = pretrained_extent(x, width - 1);
    if (!rows || !columns) return {};
    Proposal proposal{
        .table = "coords",
        .settings = {{"height", std::to_string(height)}, {"width", std::to_string(width)}}};
    if (*rows != height || *columns != width) {
        proposal.settings.push_back(
            {"pretrained-window", *rows == *columns
                                      ? std::to_string(*rows)
                                      : std::to_string(*rows) + "x" + std::to_string(*columns)});
    }
    return {std::move(proposal)};
}

}  // namespace pegen::recognition
