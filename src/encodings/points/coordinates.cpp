#include "encodings/points/coordinates.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/element.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/range.h"
#include "numerics/rounding.h"

namespace pegen::encodings {
namespace {

double parse_bound(std::string_view text) {
    const double number = parse_real(text, "--coords");
    if (!any_position.contains(number)) refuse("coords", text, "must be between -2^53 and 2^53");
    return number;
}

Coordinates linspace(double low, double high, std::int64_t extent) {
    if (extent == 1) return {Positions(low, 0, 1), 1};
    const auto last = static_cast<double>(extent - 1);
    return {Positions(low * last, high - low, extent), last};
}

Coordinates middles(double scale, std::int64_t extent) {
    const auto count = static_cast<double>(extent);
    return {Positions((1 - count) * scale, 2 * scale, extent), count};
}

}  // namespace

Coordinates grid_coordinates(std::string_view text, std::int64_t extent) {
    const std::vector<std::string_view> parts = fields(text, ':');
    if (parts.front() == "linspace" && parts.size() == 3) {
        return linspace(parse_bound(parts[1]), parse_bound(parts[2]), extent);
    }
    if (parts.front() == "center" && parts.size() == 2) {
        return middles(parse_bound(parts[1]), extent);
    }
    refuse("coords", text, "must be linspace:LO:HI, such as linspace:-1:1, or center:SCALE");
}

double quotient_for(DType dtype, double numerator, double divisor) {
    return std::copysign(numerics::quotient_for(dtype, std::fabs(numerator), divisor), numerator);
}

double largest(const Coordinates& coordinates) {
    return coordinates.numerators.largest() / coordinates.divisor;
}

RowSource with_coordinates(RowSource rows, Coordinates coordinates, std::int64_t column,
                           std::int64_t columns, DType dtype) {
    const auto shared = std::make_shared<const Coordinates>(std::move(coordinates));
    return [=, rows = std::move(rows)](RowRange range, std::span<std::byte> out) {
        rows(range, out);
        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
            T* const elements = reinterpret_cast<T*>(out.data()) + column;
            for (std::int64_t i = 0; i < range.count; ++i) {
                elements[i * columns] = round_to<T>(
                    quotient_for(dtype, shared->numerators[range.first + i], shared->divisor));
            }
        });
    };
}

}  // namespace pegen::encodings
