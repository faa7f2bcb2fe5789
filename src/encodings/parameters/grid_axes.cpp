#include "encodings/parameters/grid_axes.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "core/shape.h"

namespace pegen::encodings {

std::string_view axes_of(const Parameters& parameters) {
    if (parameters.has("axes") && parameters.word("axes") == "x") return "x";
    const bool is_grid = parameters.has("height");
    const bool has_t = is_grid ? parameters.has("depth") : parameters.word("axes").size() == 3;
    return has_t ? "tyx" : "yx";
}

std::string_view extent_name(char axis) {
    return axis == 't' ? "depth" : axis == 'y' ? "height" : "width";
}

std::string_view extent_names(const Parameters& parameters) {
    return parameters.has("depth") ? "depth, height and width" : "height and width";
}

std::int64_t extent(const Parameters& parameters, char axis) {
    return parameters.integer(extent_name(axis));
}

double of_axis(const Parameters& parameters, std::string_view name, char axis) {
    const std::vector<double>& list = parameters.reals(name);
    return list.size() == 1 ? list.front() : list[axes_of(parameters).find(axis)];
}

void check_of_axes(const Parameters& parameters, std::string_view name) {
    const std::size_t size = parameters.reals(name).size(), axes = axes_of(parameters).size();
    if (size == 1 || size == axes) return;
    throw UsageError(fmt::format("--{} {}: must be one number, or {}, for {}", name,
                                 to_string(parameters.value(name)), axes,
                                 extent_names(parameters)));
}

std::int64_t point_count(const Parameters& parameters) {
    std::int64_t points = 1;
    for (const char axis : axes_of(parameters)) {
        points = checked_product(points, extent(parameters, axis), "the points");
    }
    return points;
}

Parameters resolve_axes(Parameters parameters) {
    if (axes_of(parameters) == "x") {
        parameters =
            without(std::move(parameters), {"height", "depth"}, "--axes x has no such axis");
    }
    const std::string_view known = axes_of(parameters);
    if (!parameters.has("axes")) parameters.resolve("axes", std::string(known));
    const std::string& axes = parameters.word("axes");
    if (axes.size() != known.size()) {
        throw UsageError(
            parameters.has("depth")
                ? fmt::format("--axes {0}: must name t too with --depth, as t{0} or {0}t", axes)
                : fmt::format(
                      "--axes {}: there is no axis t without --depth; give it, or --axes yx or xy",
                      axes));
    }
    const std::int64_t points = point_count(parameters);
    if (static_cast<double>(points) > two_to_53) {
        throw UsageError(fmt::format("--height, --width: {} points; they end at 2^53", points));
    }
    return parameters;
}

std::int64_t stride(std::string_view order, char digit, std::int64_t axes,
                    std::int64_t frequencies) {
    std::int64_t product = 1;
    for (const char faster : order.substr(order.find(digit) + 1)) {
        product *= faster == 'a' ? axes : faster == 'k' ? frequencies : 2;
    }
    return product;
}

}  // namespace pegen::encodings
