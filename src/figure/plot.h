#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/figure.h"
#include "figure/medium.h"

namespace pegen {

/// A kind of picture, as data. To add one, write a file in src/figure/plots and a line in
/// src/figure/plots.cpp.
struct Plot {
    std::string_view name;     ///< the word that --plot takes
    std::string_view summary;  ///< lower case, no final period
    /// The options that apply only to the kinds of picture that list them here; separated by
    /// spaces.
    std::string_view options;
    std::string_view common_options = "";  ///< more of them, which several kinds share
    /// Draws the table. Throws: UsageError if the table cannot be drawn as this kind of picture.
    Figure (*compose)(const Table&, const Parameters&, const Medium&);
};

/// All kinds, in the order of the help. The first is the default.
std::span<const Plot* const> all_plots();

/// True if the plot lists the option.
bool has_option(const Plot& plot, std::string_view option);

/// The words that --plot takes, separated by spaces.
std::string plot_words();

}  // namespace pegen
