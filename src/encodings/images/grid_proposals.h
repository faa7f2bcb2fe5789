#pragma once

#include <string_view>
#include <vector>

#include "encodings/images/grid_nestings.h"
#include "evidence/point_grid.h"
#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// An array as points and channels, and how its grid is to be read.
struct FramedGrid {
    const evidence::Sample& points;  ///< (points, channels)
    const evidence::PointGrid& grid;
    std::string_view names;  ///< of the axes of the grid, slowest first
    std::string_view view;   ///< --view
    bool is_by_columns;
};

/// What a grid may be, each once.
class GridProposals {
  public:
    /// Adds what the grid may be, nested like this.
    void add(const FramedGrid& framed, const ProposedNesting& proposed);

    /// Returns the cheapest ones, by what their numbers cost.
    std::vector<evidence::Proposal> found() &&;

  private:
    void add(evidence::Proposal proposal);

    std::vector<evidence::Proposal> found_;
};

}  // namespace pegen::encodings
