#include "recognition/sequence/sinusoid_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pegen::recognition {
namespace {

SinusoidLayout layout_of(std::int64_t d, std::string_view odd, bool has_halves, bool is_cos_first) {
    const std::int64_t width = odd == "round-up" ? d + 1 : odd == "zero-pad" ? d - 1 : d;
    const auto layout = has_halves ? numerics::halves : numerics::interleaved;
    const auto first = is_cos_first ? numerics::Function::cos : numerics::Function::sin;
    evidence::LayoutColumns columns =
        evidence::columns_of(numerics::padded(layout(std::min(width, d), first), d));
    return {has_halves,
            is_cos_first,
            odd,
            width,
            std::move(columns.pairs),
            std::move(columns.pair_of_column)};
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
