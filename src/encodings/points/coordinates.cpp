#include "encodings/points/coordinates.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/parameters/wave_cell.h"

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

}  // namespace pegen::encodings
