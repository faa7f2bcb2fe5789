#include "figure/plots/view.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"

namespace pegen {

std::vector<View> selected_views(const Table& table, const Parameters& parameters) {
    if (!parameters.has("select")) return views_of(table, {});
    return views_of(table, parameters.integers("select"));
}

View view_of(const Table& table, const Parameters& parameters) {
    std::vector<View> views = selected_views(table, parameters);
    if (views.size() > 1) {
        throw UsageError(
            fmt::format("a table of shape {}: is {} panels, and this figure is of "
                        "one; choose it with --select",
                        to_string(table.shape), views.size()));
    }
    return std::move(views.front());
}

}  // namespace pegen
