#include "inspect/fitted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/shape.h"
#include "files/array_file.h"

namespace pegen {
namespace {

/// Returns the side of the square of so many points; -1 if there is no such square.
std::int64_t side_of_square(std::int64_t points) {
    if (points < 0) return -1;
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(points)));
    return side * side == points ? side : -1;
}

/// Returns the values that an extent may have besides its own: each extent of the shape, the side
/// of a square of that many points, and half of the extent, for the channels of one of two axes.
std::vector<std::int64_t> candidates(const Shape& shape) {
    std::vector<std::int64_t> values;
    const auto add = [&](std::int64_t value) {
        if (std::ranges::count(values, value) == 0) values.push_back(value);
    };
    for (const std::int64_t extent : shape.extents()) add(extent);
    for (const std::int64_t extent : shape.extents()) {
        if (const std::int64_t side = side_of_square(extent); side >= 0) add(side);
    }
    for (const std::int64_t extent : shape.extents()) add(extent / 2);
    return values;
}

/// Returns the shape of the table; nothing if the parameters contradict each other.
std::optional<Shape> shape_of(const Encoding& encoding, const TableSpec& spec,
                              const Parameters& parameters) {
    try {
        return plan_of(encoding, parameters, spec.name).shape;
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

/// True if no value of the extent changes the shape, so that only its own value has to be tried.
bool is_idle(const Encoding& encoding, const TableSpec& spec, const Parameters& parameters,
             std::string_view extent, const Shape& usual, const std::vector<std::int64_t>& values) {
    return std::ranges::all_of(values, [&](std::int64_t value) {
        Parameters changed = parameters;
        try {
            changed.set(extent, fmt::format("{}", value), Origin::preset);
        } catch (const UsageError&) {
            return true;
        }
        return shape_of(encoding, spec, changed) == usual;
    });
}

/// True if the files that the parameters name can be opened repeatedly.
bool can_be_planned_again(const Parameters& parameters) {
    return std::ranges::all_of(parameters.entries(), [&](const Parameters::Entry& entry) {
        const std::string_view name = entry.spec->name;
        if (entry.spec->type != ParameterType::path || !parameters.has(name)) return true;
        std::error_code error;
        return std::filesystem::is_regular_file(array_path(parameters.word(name)).file, error);
    });
}

/// A search through the values of the extents. Each combination is planned once.
struct Search {
    const Encoding& encoding;
    const TableSpec& spec;
    const Shape& shape;
    const std::vector<std::string_view>& extents;
    const std::vector<std::int64_t>& values;
    /// The first parameters with the shape but for axes of one index.
    std::optional<Parameters> but_for_ones{};

    /// Tries all values of the extents from the extent with number `first` on. Returns the first
    /// parameters with exactly the shape.
    std::optional<Parameters> from(std::size_t first, const Parameters& parameters) {
        if (first == extents.size()) return if_it_fits(parameters);
        if (auto found = from(first + 1, parameters)) return found;
        for (const std::int64_t value : values) {
            Parameters changed = parameters;
            try {
                changed.set(extents[first], fmt::format("{}", value), Origin::preset);
            } catch (const UsageError&) {
                continue;
            }
            if (auto found = from(first + 1, changed)) return found;
        }
        return {};
    }

  private:
    std::optional<Parameters> if_it_fits(const Parameters& parameters) {
        const std::optional<Shape> own = shape_of(encoding, spec, parameters);
        if (!own || own->size() != shape.size()) return {};
        if (*own == shape) return parameters;
        if (!but_for_ones && squeezed(own->extents()) == squeezed(shape.extents())) {
            but_for_ones = parameters;
        }
        return {};
    }
};

/// Returns the parameters with extents that make the table of this shape, or of this shape but for
/// axes of extent 1; nothing if no extents do.
std::optional<Parameters> with_extents(const Encoding& encoding, const TableSpec& spec,
                                       const Parameters& parameters, const Shape& shape) {
    std::vector<std::string_view> extents;
    for (const Parameters::Entry& entry : parameters.entries()) {
        const bool is_free = entry.spec->is_extent() && entry.origin != Origin::user;
        if (is_free && entry.spec->type == ParameterType::integer) {
            extents.push_back(entry.spec->name);
        }
    }
    const std::vector<std::int64_t> values = candidates(shape);
    if (values.empty()) return {};  // an array without axes
    constexpr double most_plans = 1 << 14;
    const auto are_too_many = [&] {
        return std::pow(static_cast<double>(values.size()) + 1,
                        static_cast<double>(extents.size())) > most_plans;
    };
    // With too many combinations, a third axis is the first to be given up.
    if (are_too_many()) {
        std::erase_if(extents, [&](std::string_view name) { return !parameters.has(name); });
    }
    if (are_too_many() || !can_be_planned_again(parameters)) return {};
    // Extents do not change the number of axes, but for one more where one has no value yet.
    const auto missing = std::ranges::count_if(
        extents, [&](std::string_view name) { return !parameters.has(name); });
    const std::optional<Shape> usual = shape_of(encoding, spec, parameters);
    if (usual) {
        const auto axes = std::ssize(squeezed(shape.extents()));
        if (axes > usual->rank() + missing) return {};
        // Only small values make an axis of one index.
        constexpr std::int64_t small = 4;
        const bool may_lose_axes = std::ranges::min(values) <= small;
        if (axes < std::ssize(squeezed(usual->extents())) && !may_lose_axes) return {};
        std::erase_if(extents, [&](std::string_view name) {
            return parameters.has(name) &&
                   is_idle(encoding, spec, parameters, name, *usual, values);
        });
    }
    Search search{encoding, spec, shape, extents, values};
    if (auto found = search.from(0, parameters)) return found;
    return search.but_for_ones;
}

/// Rows in front of the tokens of a square image, such as the row of a class token.
struct RowsBefore {
    std::int64_t count;
    std::int64_t side;
};

/// Returns the rows in front of a square with which a table of images may have the shape; nothing
/// if its rows are a square, or if there are none.
std::optional<RowsBefore> rows_before_square(const Shape& shape) {
    const std::vector<std::int64_t> extents = squeezed(shape.extents());
    if (extents.size() != 2) return {};
    for (const std::int64_t count : {0, 1, 2, 5}) {
        const auto side = side_of_square(extents.front() - count);
        if (side > 1) return count > 0 ? std::optional(RowsBefore{count, side}) : std::nullopt;
    }
    return {};
}

}  // namespace

Parameters fitted(const Encoding& encoding, const TableSpec& spec, const Parameters& parameters,
                  const Shape& shape) {
    const bool is_of_images = parameters.knows("prefix-rows") && parameters.knows("height");
    const std::optional<RowsBefore> before = rows_before_square(shape);
    if (is_of_images && !parameters.given("prefix-rows") && before) {
        Parameters with_rows = parameters;
        with_rows.set("prefix-rows", fmt::format("{}", before->count), Origin::preset);
        for (const char* const extent : {"height", "width"}) {
            with_rows.set(extent, fmt::format("{}", before->side), Origin::preset);
        }
        if (auto found = with_extents(encoding, spec, with_rows, shape)) return *found;
    }
    return with_extents(encoding, spec, parameters, shape).value_or(parameters);
}

std::string fitted_text(const Parameters& parameters, const Parameters& others) {
    std::string text;
    for (std::size_t i = 0; i < parameters.entries().size(); ++i) {
        const Parameters::Entry& entry = parameters.entries()[i];
        if (entry.value == others.entries()[i].value) continue;
        text += fmt::format(" --{} {}", entry.spec->name, to_string(entry));
    }
    return text;
}

}  // namespace pegen
