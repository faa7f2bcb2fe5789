#include "figure/similarity.h"

#include "figure/plots/heatmap.h"
#include "figure/plots/plots.h"
#include "figure/plots/view.h"

namespace pegen {
namespace {

Figure compose(const Table& table, const Parameters& parameters, const Medium& medium) {
    const View view{"", similarity(scored_vectors(table, parameters))};
    return compose_heatmaps(std::span(&view, 1), parameters, medium);
}

}  // namespace

constinit const Plot plots::similarity{
    .name = "similarity",
    .summary = "the dot products of all pairs of positions, as colours",
    .options = heatmap_options,
    .compose = compose,
};

}  // namespace pegen
