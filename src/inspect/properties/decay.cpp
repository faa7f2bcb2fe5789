#include <fmt/format.h>

#include "core/names.h"
#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"
#include "inspect/properties/texts.h"

namespace pegen {
namespace {

bool is_power_of_two(std::int64_t number) { return (number & (number - 1)) == 0; }

Finding measure(Measured& measured) {
    if (!measured.no_displacements().empty()) {
        return {Verdict::not_applicable, measured.no_displacements()};
    }
    const PositionVectors& vectors = measured.vectors();
    const AllProducts& all = measured.products();
    if (all.products.empty()) {
        return {Verdict::not_applicable, std::string(too_few_positions)};
    }
    Finding finding{Verdict::measured, "f(D) / f(0):"};
    std::vector<std::string> names;
    std::vector<double> offsets, all_shares;
    for (std::size_t axis = 0; axis < vectors.axes.size(); ++axis) {
        std::vector<std::string> shares;
        for (std::size_t i = 0; i < all.products.size(); ++i) {
            const auto [along, offset] = all.displacements[i];
            const Products& products = all.products[i];
            const bool is_last =
                i + 1 == all.products.size() || all.displacements[i + 1].axis != axis;
            if (along != axis) continue;
            const double share =
                products.mean_square > 0 ? products.mean / products.mean_square : 0;
            names.push_back(vectors.axes[axis].name);
            offsets.push_back(static_cast<double>(offset));
            all_shares.push_back(share);
            if (!is_power_of_two(offset) && !is_last) continue;
            shares.push_back(fmt::format("{} at {}", brief(share), offset));
        }
        if (shares.empty()) continue;
        if (vectors.axes.size() > 1) {
            finding.text += fmt::format(" along {}", vectors.axes[axis].name);
        }
        finding.text += fmt::format(" {};", joined(shares, ", "));
    }
    finding.text.pop_back();
    finding.numbers = {{"axes", names}, {"offsets", offsets}, {"shares", all_shares}};
    return finding;
}

}  // namespace

constinit const Property properties::decay{
    .name = "decay",
    .formula = "f(D) / f(0)",
    .summary = "how the dot product falls with the distance",
    .source = "Yan et al. 2019, TENER, arXiv:1911.04474, section 3.2",
    .has_verdict = false,
    .measure = measure,
};

}  // namespace pegen
