#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/figure.h"
#include "figure/medium.h"

namespace pegen {

/// A kind of picture, as data. To add one: a file in src/figure/plots and a line in
/// src/figure/plots.cpp.
struct Plot {
    std::string_view name;     ///< as --plot takes it
    std::string_view summary;  ///< lower case, no final period
    /// The figure options that only it and others that list them here have; separated by spaces.
    std::string_view options;
    /// Throws: UsageError for a table that cannot be drawn so.
    Figure (*compose)(const Table&, const Parameters&, const Medium&);
};

/// Every kind, in the order of the help. The first is the default.
std::span<const Plot* const> all_plots();

/// The words --plot takes, separated by spaces.
std::string plot_words();

}  // namespace pegen
