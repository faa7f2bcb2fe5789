#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"
#include "inspect/properties/texts.h"

namespace pegen {
namespace {

/// The largest difference between a mean dot product and r^2 times the sum of cos(w D), and its
/// bound.
struct Theory {
    double apart;
    double bound;
};

std::optional<Theory> theory_of(Measured& measured) {
    const auto angles = measured.angles();
    if (!angles) return {};
    const AllProducts& all = measured.products();
    Theory theory{0, 0};
    for (std::size_t i = 0; i < all.products.size(); ++i) {
        const auto offset = static_cast<double>(all.displacements[i].offset);
        double sum = 0, angle_errors = 0;
        for (const double angle : *angles) {
            sum += std::cos(angle * offset);
            angle_errors += std::fabs(angle * offset) * 0x1p-51;
        }
        const double square = all.products[i].mean_square / static_cast<double>(angles->size());
        theory.apart = std::max(theory.apart, std::fabs(all.products[i].mean - square * sum));
        theory.bound =
            std::max(theory.bound, 2 * all.dot_error + square * angle_errors + measured.slack());
    }
    return theory;
}

Finding measure(Measured& measured) {
    if (!measured.no_displacements().empty()) {
        return {Verdict::not_applicable, measured.no_displacements()};
    }
    const PositionVectors& vectors = measured.vectors();
    const AllProducts& all = measured.products();
    if (all.products.empty()) {
        return {Verdict::not_applicable, std::string(too_few_positions)};
    }
    const auto spread = [](const Products& products) { return products.highest - products.lowest; };
    const auto worst = std::ranges::max_element(all.products, {}, spread);
    const Displacement& displacement = all.displacements[worst - all.products.begin()];
    const double bound = 2 * all.dot_error + measured.slack();
    const std::optional<Theory> theory = theory_of(measured);
    const bool is_as_in_theory = !theory || theory->apart <= theory->bound;
    Finding finding{
        spread(*worst) <= bound && is_as_in_theory ? Verdict::holds : Verdict::fails,
        fmt::format("largest spread over t {}, bound {}", brief(spread(*worst)), brief(bound)),
        {{"spread", spread(*worst)},
         {"bound", bound},
         {"lowest", worst->lowest},
         {"highest", worst->highest},
         {"axis", vectors.axes[displacement.axis].name},
         {"offset", displacement.offset},
         {"channels", std::ssize(all.channels)},
         {"offsets", std::ssize(all.displacements)},
         {"looked_at", worst->looked_at}}};
    if (spread(*worst) > bound) {
        finding.text += fmt::format(", at {}: {} at {}, {} at {}", text_of(displacement, vectors),
                                    longer(worst->lowest), vectors.place(worst->lowest_at),
                                    longer(worst->highest), vectors.place(worst->highest_at));
    }
    if (theory) {
        finding.text += fmt::format("; at most {} from the sum of cos(w D), bound {}",
                                    brief(theory->apart), brief(theory->bound));
        finding.add("from_cosines", theory->apart);
        finding.add("from_cosines_bound", theory->bound);
    }
    finding.text += "; " + extent_text(all.displacements, vectors);
    return finding;
}

}  // namespace

constinit const Property properties::offset{
    .name = "offset",
    .formula = "PE(t) . PE(t + D) = f(D), and f(D) = f(-D)",
    .summary = "the dot product of two positions depends on how far apart they are only",
    .source = "Yan et al. 2019, TENER, arXiv:1911.04474, section 3.2",
    .measure = measure,
};

}  // namespace pegen
