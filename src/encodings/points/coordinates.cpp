#include "encodings/points/coordinates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/waves.h"

namespace pegen::encodings {
namespace {

using numerics::Coordinates;

double parse_bound(std::string_view text) {
    const double number = parse_real(text, "--coords");
    if (!any_position.contains(number)) refuse("coords", text, "must be between -2^53 and 2^53");
    return number;
}

/// Returns the coordinates of center:SCALE. The unit is |SCALE|, so the numerators are integers; a
/// negative SCALE reverses the order.
Coordinates middles(double scale, std::int64_t extent) {
    const auto count = static_cast<double>(extent);
    const double sign = std::copysign(1, scale);
    return Coordinates(Positions(sign * (1 - count), sign * 2, extent), std::fabs(scale), count);
}

}  // namespace

Coordinates grid_coordinates(std::string_view text, std::int64_t extent) {
    const std::vector<std::string_view> parts = fields(text, ':');
    if (parts.front() == "linspace" && parts.size() == 3) {
        return Coordinates::between(parse_bound(parts[1]), parse_bound(parts[2]), extent);
    }
    if (parts.front() == "center" && parts.size() == 2) {
        return middles(parse_bound(parts[1]), extent);
    }
    refuse("coords", text, "must be linspace:LO:HI, such as linspace:-1:1, or center:SCALE");
}

Term coordinate_term(const Coordinates& coordinates, std::int64_t i) {
    const double position = coordinates.positions()[i], divisor = coordinates.divisor();
    const auto text_of = [&] {
        if (coordinates.has_origin()) {
            return fmt::format("({} * {} + {} * {})/{}", shortest(coordinates.origin()),
                               divisor - position, shortest(coordinates.end()), position, divisor);
        }
        const double unit = coordinates.unit(), product = position * unit;
        if (std::fma(position, unit, -product) == 0) return ratio_term(product, divisor).text;
        return fmt::format("{} * {}", shortest(position), ratio_term(unit, divisor).text);
    };
    return {[=] { return coordinates.at(i); }, text_of()};
}

Rows with_coordinates(const Rows& rows, const numerics::PointAxis& axis, std::int64_t column) {
    const auto shared = std::make_shared<const numerics::PointAxis>(axis);
    return rows_like(rows, [=](RowRange range, std::span<std::byte> out) {
        rows(range, out);
        with_element_type(rows.dtype(), [&]<class T>(std::type_identity<T>) {
            T* const elements = reinterpret_cast<T*>(out.data()) + column;
            for (std::int64_t i = 0; i < range.count; ++i) {
                elements[i * rows.columns()] = round_to<T>(shared->coordinates.for_rounding_to(
                    rows.dtype(), shared->index(range.first + i)));
            }
        });
    });
}

namespace {

using numerics::ChannelLayout;
using numerics::Function;

/// Returns the number of channels between neighbouring values of `digit`, k or f.
std::int64_t step(const FourierChannels& channels, std::int64_t rank, char digit) {
    return stride(channels.order, digit, channels.axes, channels.frequencies_of(rank));
}

/// Returns the number of channels before the axis: waves, and with --raw after-each also
/// coordinates.
std::int64_t channels_before(const FourierChannels& channels, std::int64_t rank) {
    const std::int64_t coordinates = channels.raw == "after-each" ? rank : 0;
    if (channels.order.front() != 'a') return rank * step(channels, rank, 'a');
    std::int64_t waves = 0;
    for (std::int64_t r = 0; r < rank; ++r) waves += 2 * channels.frequencies_of(r);
    return waves + coordinates;
}

}  // namespace

std::int64_t FourierChannels::frequencies_of(std::int64_t rank) const {
    return own_frequencies.empty() ? frequencies : own_frequencies[rank];
}

std::int64_t FourierChannels::waves() const {
    std::int64_t all = 0;
    for (std::int64_t rank = 0; rank < axes; ++rank) all += 2 * frequencies_of(rank);
    return all;
}

ChannelLayout layout(const FourierChannels& channels, std::int64_t rank) {
    const std::int64_t first =
        (channels.raw == "before" ? channels.axes : 0) + channels_before(channels, rank);
    return numerics::strided(
        channels.count(), first, {step(channels, rank, 'k'), step(channels, rank, 'f')},
        channels.frequencies_of(rank), channels.is_sin_first ? Function::sin : Function::cos);
}

std::vector<ChannelPair> pairs_of(const FourierChannels& channels) {
    std::vector<ChannelPair> pairs;
    for (std::int64_t rank = 0; rank < channels.axes; ++rank) {
        std::ranges::copy(numerics::pairs_of(layout(channels, rank)), std::back_inserter(pairs));
    }
    return pairs;
}

std::int64_t raw_column(const FourierChannels& channels, std::int64_t rank) {
    if (channels.raw == "before") return rank;
    if (channels.raw == "after") return channels.waves() + rank;
    return channels_before(channels, rank) + 2 * channels.frequencies_of(rank);
}

}  // namespace pegen::encodings
