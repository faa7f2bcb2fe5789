#include "figure/similarity.h"

#include <utility>

#include "figure/plots/heatmap.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"
#include "figure/plots/view.h"

namespace pegen {
namespace {

Figure compose(const Table& table, const Parameters& parameters, const Medium& medium) {
    const Table vectors = scored_vectors(table, parameters);
    const bool is_cosine = parameters.flag("cosine");
    View view{"", is_cosine ? cosine_similarity(vectors) : similarity(vectors)};
    view.table.title = with_topic(std::move(view.table.title), "Similarity");
    if (!table.scored_by.empty() && !is_cosine) view.table.value_label = "Score";
    return compose_heatmaps(std::span(&view, 1), parameters, medium);
}

}  // namespace

constinit const Plot plots::similarity{
    .name = "similarity",
    .summary = "the dot products of all pairs of positions, as colours; --cosine their cosines",
    .options = "ticks no-axes cell annotate decimals cosine",
    .common_options = colour_options,
    .compose = compose,
};

}  // namespace pegen
