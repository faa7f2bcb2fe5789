#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "figure/figure.h"

namespace pegen {

using Options = std::vector<std::pair<std::string_view, std::string_view>>;

/// The parameters of a figure as a user gives them.
inline Parameters with(const Options& options) {
    Parameters parameters(figure_parameters());
    for (const auto& [name, value] : options) parameters.set(name, value, Origin::user);
    return parameters;
}

}  // namespace pegen
