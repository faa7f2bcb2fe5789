#include "recognition/sequence/sinusoid_layouts.h"

#include <fmt/format.h>

namespace pegen::recognition {
namespace {

SinusoidLayout layout_of(std::int64_t d, std::string_view odd, bool has_halves, bool is_cos_first) {
    SinusoidLayout layout{.has_halves = has_halves,
                          .is_cos_first = is_cos_first,
                          .odd = odd,
                          .width = odd == "round-up"   ? d + 1
                                   : odd == "zero-pad" ? d - 1
                                                       : d,
                          .pair_of_channel = std::vector<std::int64_t>(d, -1)};
    const std::int64_t filled = odd == "zero-pad" ? d - 1 : d;
    const std::int64_t of_first = (filled + 1) / 2;
    for (std::int64_t k = 0; k < of_first; ++k) {
        const std::int64_t first = has_halves ? k : 2 * k;
        const std::int64_t second = has_halves ? of_first + k : 2 * k + 1;
        layout.pair_of_channel[first] = k;
        if (second >= filled) continue;  // an odd d has one sine without a cosine, or the reverse
        layout.pair_of_channel[second] = k;
        layout.pairs.push_back(
            {.sine = is_cos_first ? second : first, .cosine = is_cos_first ? first : second});
    }
    return layout;
}

}  // namespace

std::vector<SinusoidLayout> sinusoid_layouts(std::int64_t d) {
    const std::vector<std::string_view> odds =
        d % 2 == 0 ? std::vector<std::string_view>{""}
                   : std::vector<std::string_view>{"exact", "zero-pad", "round-up"};
    std::vector<SinusoidLayout> layouts;
    for (const std::string_view odd : odds) {
        for (const bool has_halves : {false, true}) {
            for (const bool is_cos_first : {false, true}) {
                layouts.push_back(layout_of(d, odd, has_halves, is_cos_first));
            }
        }
    }
    return layouts;
}

PricedSettings layout_settings(const SinusoidLayout& layout, std::int64_t d) {
    PricedSettings settings{.settings = {{"d", fmt::format("{}", d)}}};
    const auto add = [&](std::string_view name, std::string_view value) {
        settings.settings.push_back({name, std::string(value)});
        settings.bits += 3;
    };
    if (layout.has_halves) add("layout", "halves");
    if (layout.is_cos_first) add("first", "cos");
    if (!layout.odd.empty()) add("odd", layout.odd);
    return settings;
}

}  // namespace pegen::recognition
