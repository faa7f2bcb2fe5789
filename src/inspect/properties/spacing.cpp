#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/to_size.h"
#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"
#include "inspect/properties/texts.h"

namespace pegen {
namespace {

Finding measure(Measured& measured) {
    if (!measured.no_displacements().empty()) {
        return {Verdict::not_applicable, measured.no_displacements()};
    }
    const PositionVectors& vectors = measured.vectors();
    const AllProducts& all = measured.products();
    const double bound = 2 * all.distance_error + measured.slack();
    Finding finding{Verdict::holds, ""};
    for (std::size_t i = 0; i < all.products.size(); ++i) {
        const auto [axis, offset] = all.displacements[i];
        if (offset != 1) continue;
        const Products& products = all.products[i];
        const double spread = products.longest - products.shortest;
        if (!finding.text.empty()) finding.text += "; ";
        if (vectors.axes.size() > 1)
            finding.text += fmt::format("along {} ", vectors.axes[axis].name);
        finding.text += fmt::format("{} to {}, apart {}, bound {}", brief(products.shortest),
                                    brief(products.longest), brief(spread), brief(bound));
        if (!(spread <= bound)) {
            finding.verdict = Verdict::fails;
            finding.text +=
                fmt::format(": shortest at {}, longest at {}", vectors.place(products.shortest_at),
                            vectors.place(products.longest_at));
        }
    }
    if (finding.text.empty()) {
        return {Verdict::not_applicable, "too few positions are not all zero"};
    }
    return finding;
}

}  // namespace

constinit const Property properties::spacing{
    .name = "spacing",
    .formula = "|PE(t + 1) - PE(t)| = g",
    .summary = "neighbours are equally far apart everywhere",
    .source = "Kazemnejad 2019, Transformer Architecture: The Positional Encoding",
    .measure = measure,
};

}  // namespace pegen
