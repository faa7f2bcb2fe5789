#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"
#include "inspect/properties/texts.h"

namespace pegen {
namespace {

/// The distance that theory gives, and the most by which angles in double may move it.
struct Theory {
    double distance;
    double error;
};

std::optional<Theory> theory_of(Measured& measured, const Products& products) {
    const auto angles = measured.angles();
    if (!angles) return {};
    double squares = 0, errors = 0;
    for (const double angle : *angles) {
        const double sine = std::sin(angle / 2);
        squares += 4 * sine * sine;
        errors += std::fabs(angle) * 0x1p-51;
    }
    const double radius = std::sqrt(products.mean_square / static_cast<double>(angles->size()));
    return Theory{radius * std::sqrt(squares), radius * errors};
}

/// Returns the largest difference of the distances from the distance in theory.
double apart(const Products& products, double distance) {
    return std::max(std::fabs(products.shortest - distance),
                    std::fabs(products.longest - distance));
}

Finding measure(Measured& measured) {
    if (!measured.no_displacements().empty()) {
        return {Verdict::not_applicable, measured.no_displacements()};
    }
    const PositionVectors& vectors = measured.vectors();
    const AllProducts& all = measured.products();
    const double bound = 2 * all.distance_error + measured.slack();
    Finding finding{Verdict::holds, ""};
    std::vector<std::string> names;
    std::vector<double> shortest, longest;
    for (std::size_t i = 0; i < all.products.size(); ++i) {
        const auto [axis, offset] = all.displacements[i];
        if (offset != 1) continue;
        const Products& products = all.products[i];
        names.push_back(vectors.axes[axis].name);
        shortest.push_back(products.shortest);
        longest.push_back(products.longest);
        const double spread = products.longest - products.shortest;
        if (!finding.text.empty()) finding.text += "; ";
        if (vectors.axes.size() > 1) {
            finding.text += fmt::format("along {} ", vectors.axes[axis].name);
        }
        finding.text += fmt::format("{} to {}, apart {}, bound {}", longer(products.shortest),
                                    longer(products.longest), brief(spread), brief(bound));
        if (!(spread <= bound)) {
            finding.verdict = Verdict::fails;
            finding.text +=
                fmt::format(": shortest at {}, longest at {}", vectors.place(products.shortest_at),
                            vectors.place(products.longest_at));
        }
        if (const auto theory = theory_of(measured, products)) {
            const double from_theory = apart(products, theory->distance);
            if (!(from_theory <= bound + theory->error)) finding.verdict = Verdict::fails;
            finding.text +=
                fmt::format("; at most {} from sqrt(sum of 4 sin(w / 2)^2)", brief(from_theory));
            finding.add("theory", theory->distance);
        }
    }
    if (finding.text.empty()) {
        return {Verdict::not_applicable, std::string(too_few_positions)};
    }
    finding.numbers.insert(
        finding.numbers.begin(),
        {{"axes", names}, {"shortest", shortest}, {"longest", longest}, {"bound", bound}});
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
