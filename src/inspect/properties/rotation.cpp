#include <fmt/format.h>

#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"
#include "inspect/properties/texts.h"

namespace pegen {
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

Finding measure(Measured& measured) {
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
    .measure = measure,
};

}  // namespace pegen
