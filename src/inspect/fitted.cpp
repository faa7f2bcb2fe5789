#include "inspect/fitted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
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

/// True if the files that the parameters name can be opened repeatedly.
bool can_be_planned_again(const Parameters& parameters) {
    return std::ranges::all_of(parameters.entries(), [&](const Parameters::Entry& entry) {
        const std::string_view name = entry.spec->name;
        if (entry.spec->type != ParameterType::path || !parameters.has(name)) return true;
        std::error_code error;
        return std::filesystem::is_regular_file(array_path(parameters.word(name)).file, error);
    });
}

/// Returns the parameters with another extent; nothing if the extent is refused.
std::optional<Parameters> with_extent(const Parameters& parameters, std::string_view name,
                                      std::int64_t value) {
    Parameters changed = parameters;
    try {
        changed.set(name, fmt::format("{}", value), Origin::preset);
    } catch (const UsageError&) {
        return {};
    }
    return changed;
}

/// A parameter that sets an extent.
struct FreeExtent {
    std::string_view name;
    bool is_idle = false;       ///< no value changes the shape, so that its own one is enough
    std::vector<bool> reach{};  ///< whether it changes each axis; empty if that is not known

    bool may_change(int axis) const { return reach.empty() || reach[axis]; }
};

/// A search through the values of the extents for a table of a shape. Each combination is planned
/// once.
struct Search {
    const Encoding& encoding;
    const TableSpec& spec;
    const Shape& shape;
    const std::vector<std::int64_t>& values;
    std::vector<FreeExtent> extents;
    /// The first parameters with the shape but for axes of one index.
    std::optional<Parameters> but_for_ones{};

    /// Returns the shape of the table; nothing if the parameters contradict each other.
    std::optional<Shape> shape_with(const Parameters& parameters) const {
        try {
            return plan_of(encoding, parameters, spec.name).shape;
        } catch (const UsageError&) {
            return std::nullopt;
        }
    }

    /// Finds out what each extent changes in the usual shape, and leaves out those that change
    /// nothing or have no table.
    void try_each(const Parameters& parameters, const Shape& usual) {
        for (FreeExtent& extent : extents) try_values(extent, parameters, usual);
        const std::vector<FreeExtent> all = extents;
        std::erase_if(extents, [&](const FreeExtent& extent) {
            return parameters.has(extent.name) ? extent.is_idle
                                               : is_refused(extent, all, parameters);
        });
    }

    /// Tries all values of the extents from the extent with number `first` on. Returns the first
    /// parameters with exactly the shape.
    std::optional<Parameters> from(std::size_t first, const Parameters& parameters) {
        if (first == extents.size()) return if_it_fits(parameters);
        if (cannot_fit(first, parameters)) return {};
        if (auto found = from(first + 1, parameters)) return found;
        for (const std::int64_t value : values) {
            const auto changed = with_extent(parameters, extents[first].name, value);
            if (!changed) continue;
            if (auto found = from(first + 1, *changed)) return found;
        }
        return {};
    }

  private:
    void try_values(FreeExtent& extent, const Parameters& parameters, const Shape& usual) const {
        extent.is_idle = true;
        std::vector<bool> reach(usual.rank(), false);
        bool is_known = usual.rank() == shape.rank();
        for (const std::int64_t value : values) {
            const std::optional<Parameters> changed = with_extent(parameters, extent.name, value);
            if (!changed) continue;
            const std::optional<Shape> other = shape_with(*changed);
            if (other != usual) extent.is_idle = false;
            if (!other) continue;
            if (other->rank() != usual.rank()) {
                is_known = false;
                break;
            }
            for (int axis = 0; axis < usual.rank(); ++axis) {
                if (other->extents()[axis] != usual.extents()[axis]) reach[axis] = true;
            }
        }
        if (is_known && std::ranges::count(reach, true) > 0) extent.reach = std::move(reach);
    }

    /// True if there is no table with the extent, whichever value one of the others has: a third
    /// axis that the preset's order of axes does not name.
    bool is_refused(const FreeExtent& extent, const std::vector<FreeExtent>& others,
                    const Parameters& parameters) const {
        const auto changed = with_extent(parameters, extent.name, values.front());
        return !changed || std::ranges::all_of(others, [&](const FreeExtent& other) {
            return std::ranges::all_of(values, [&](std::int64_t value) {
                const auto both = with_extent(*changed, other.name, value);
                return !both || !shape_with(*both);
            });
        });
    }

    /// True if an axis that no extent from number `first` on changes, but the one before may, has
    /// another extent than in the shape.
    bool cannot_fit(std::size_t first, const Parameters& parameters) const {
        std::vector<int> settled;
        for (int axis = 0; axis < shape.rank(); ++axis) {
            if (shape.extents()[axis] == 1) return false;  // such an axis may be missing
            const auto may_change = [=](const FreeExtent& x) { return x.may_change(axis); };
            if (std::ranges::any_of(std::span(extents).subspan(first), may_change)) continue;
            if (first == 0 || may_change(extents[first - 1])) settled.push_back(axis);
        }
        if (settled.empty()) return false;
        const std::optional<Shape> own = shape_with(parameters);
        return own && own->rank() == shape.rank() && std::ranges::any_of(settled, [&](int axis) {
                   return own->extents()[axis] != shape.extents()[axis];
               });
    }

    std::optional<Parameters> if_it_fits(const Parameters& parameters) {
        const std::optional<Shape> own = shape_with(parameters);
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
    const std::vector<std::int64_t> values = candidates(shape);
    if (values.empty()) return {};  // an array without axes
    Search search{encoding, spec, shape, values, {}};
    std::vector<FreeExtent>& extents = search.extents;
    for (const Parameters::Entry& entry : parameters.entries()) {
        const bool is_free = entry.spec->is_extent() && entry.origin != Origin::user;
        if (is_free && entry.spec->type == ParameterType::integer) {
            extents.push_back({entry.spec->name});
        }
    }
    constexpr double most_plans = 1 << 14;
    const auto are_too_many = [&] {
        return std::pow(static_cast<double>(values.size()) + 1,
                        static_cast<double>(extents.size())) > most_plans;
    };
    const auto has_no_value = [&](const FreeExtent& x) { return !parameters.has(x.name); };
    // With too many combinations, a third axis is the first to be given up.
    if (are_too_many()) std::erase_if(extents, has_no_value);
    if (are_too_many() || !can_be_planned_again(parameters)) return {};
    // Extents do not change the number of axes, but for one more where one has no value yet.
    const auto missing = std::ranges::count_if(extents, has_no_value);
    if (const std::optional<Shape> usual = search.shape_with(parameters)) {
        const auto axes = std::ssize(squeezed(shape.extents()));
        if (axes > usual->rank() + missing) return {};
        // Only small values make an axis of one index.
        constexpr std::int64_t small = 4;
        const bool may_lose_axes = std::ranges::min(values) <= small;
        if (axes < std::ssize(squeezed(usual->extents())) && !may_lose_axes) return {};
        search.try_each(parameters, *usual);
    }
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
