// texts: compares the text of every float with that of std::to_chars.

#include <fmt/core.h>

#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/parallel.h"
#include "formats/number_text.h"

namespace {

using Texts = pegen::ShortestTexts<float>;
using Text = std::array<char, pegen::longest_number>;

bool is_standard(const Texts& texts, std::size_t i, float number) {
    if (std::isnan(number)) return true;  // NaN has a text of its own
    Text ours;
    Text standard;
    const std::string_view text(ours.data(), texts.write(ours.data(), i));
    const char* end = std::to_chars(standard.data(), standard.data() + standard.size(), number).ptr;
    return text == std::string_view(standard.data(), end);
}

/// Returns the number of floats, among those whose bits begin with `upper`, whose text differs.
std::int64_t faults(std::uint32_t upper) {
    std::int64_t count = 0;
    std::array<float, Texts::most> numbers;
    Texts texts;
    for (std::uint32_t lower = 0; lower < 0x10000; lower += numbers.size()) {
        for (std::uint32_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = std::bit_cast<float>(upper << 16 | (lower + i));
        }
        texts.read(numbers);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (!is_standard(texts, i, numbers[i])) ++count;
        }
    }
    return count;
}

}  // namespace

int main() {
    std::atomic<std::int64_t> total = 0;
    pegen::parallel_for(
        0x10000, [&](std::int64_t upper) { total += faults(static_cast<std::uint32_t>(upper)); });
    fmt::print("the texts of all floats: {} are not those of std::to_chars\n", total.load());
    return total == 0 ? 0 : 1;
}
