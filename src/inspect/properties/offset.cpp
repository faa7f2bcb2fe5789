#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/names.h"
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

/// Returns why there are no dot products to look at; "" if there are some.
std::string without_products(Measured& measured) {
    if (!measured.no_displacements().empty()) return measured.no_displacements();
    return std::string(measured.products().products.empty() ? too_few_positions : "");
}

Finding measure_offset(Measured& measured) {
    if (const std::string reason = without_products(measured); !reason.empty()) {
        return {Verdict::not_applicable, reason};
    }
    const PositionVectors& vectors = measured.vectors();
    const AllProducts& all = measured.products();
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
    .measure = measure_offset,
};

namespace {

std::string pairs_text(const Turns& turns, std::int64_t channels) {
    const auto count = std::ssize(turns.pairing.pairs);
    std::string text =
        fmt::format("{} pair{}, {}", count, count == 1 ? "" : "s", turns.pairing.name);
    const std::int64_t alone = channels - 2 * count;
    if (alone > 0) {
        text += fmt::format(", without {} channel{} that {} no partner", alone,
                            alone == 1 ? "" : "s", alone == 1 ? "has" : "have");
    }
    if (turns.idle_pairs > 0) {
        text += fmt::format(", and without {} that {} constant", turns.idle_pairs,
                            turns.idle_pairs == 1 ? "is" : "are");
    }
    return text;
}

Finding measure_rotation(Measured& measured) {
    if (!measured.no_displacements().empty()) {
        return {Verdict::not_applicable, measured.no_displacements()};
    }
    const PositionVectors& vectors = measured.vectors();
    if (vectors.channels < 2) return {Verdict::not_applicable, "there is one channel only"};
    const Turns& turns = measured.turns();
    if (turns.turns.empty()) {
        return {Verdict::not_applicable, std::string(too_few_positions)};
    }
    if (turns.idle_pairs == std::ssize(turns.pairing.pairs)) {
        return {Verdict::not_applicable, "all its pairs of channels are constant"};
    }
    const Turn& worst = turns.turns[turns.worst];
    Finding finding{
        turns.hold() ? Verdict::holds : Verdict::fails,
        fmt::format("largest residual {}, bound {}", brief(worst.residual), brief(turns.bound)),
        {{"residual", worst.residual},
         {"bound", turns.bound},
         {"pairs", std::ssize(turns.pairing.pairs)},
         {"pairing", turns.pairing.name},
         {"constant_pairs", turns.idle_pairs},
         {"offsets", std::ssize(turns.displacements)},
         {"looked_at", worst.looked_at}}};
    if (worst.position >= 0) {
        const Displacement& displacement = turns.displacements[turns.worst];
        const auto [first, second] = turns.pairing.pairs[worst.pair];
        finding.text += fmt::format(", in channels {} and {} at {}, {}", first, second,
                                    vectors.place(worst.position), text_of(displacement, vectors));
        finding.numbers.insert(finding.numbers.end(),
                               {{"first_channel", first},
                                {"second_channel", second},
                                {"position", worst.position},
                                {"axis", vectors.axes[displacement.axis].name},
                                {"offset", displacement.offset}});
    }
    finding.text += fmt::format("; {}; {}", pairs_text(turns, vectors.channels),
                                extent_text(turns.displacements, vectors));
    return finding;
}

}  // namespace

constinit const Property properties::rotation{
    .name = "rotation",
    .formula = "PE(t + D) = T(D) PE(t), T(D) a rotation of each pair of channels",
    .summary =
        "one rotation of each pair of channels leads from every position to the one D further",
    .source = "Vaswani et al. 2017, Attention Is All You Need, arXiv:1706.03762, section 3.5",
    .measure = measure_rotation,
};

namespace {

bool is_power_of_two(std::int64_t number) { return (number & (number - 1)) == 0; }

Finding measure_decay(Measured& measured) {
    if (const std::string reason = without_products(measured); !reason.empty()) {
        return {Verdict::not_applicable, reason};
    }
    const PositionVectors& vectors = measured.vectors();
    const AllProducts& all = measured.products();
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
    .measure = measure_decay,
};

}  // namespace pegen
