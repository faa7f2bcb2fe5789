#include "encodings/rotary/usual_spectra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include "core/number.h"
#include "core/to_size.h"
#include "encodings/rotary/frequency_fit.h"
#include "encodings/rotary/grid_spectrum.h"
#include "encodings/rotary/usual_numbers.h"

namespace pegen::encodings {
namespace {

using evidence::SimpleNumber;

using Numbers = std::vector<SimpleNumber>;

SimpleNumber named(double number) {
    const std::string text = shortest(number);
    return {text, number, evidence::bits_of_number(text)};
}

/// A factor of the frequencies besides their own numbers: pi or 2 pi of --freq-scale, and
/// reference / extent of --ref-extent.
struct Unit {
    double turn;
    std::vector<double> of_block;  ///< `turn` included
    RopeSettings reference;
    std::span<const SimpleNumber> numbers;  ///< that are tried with it
};

std::vector<Unit> units_of(const ShownPairs& shown) {
    std::vector<Unit> units;
    const std::size_t blocks = shown.blocks.axes.size();
    constexpr std::size_t few = 200, very_few = 20;
    const auto all = shown.is_noisy ? usual_numbers().first(very_few) : usual_numbers();
    for (const double turn : {1.0, 2 * std::numbers::pi, std::numbers::pi}) {
        units.push_back({turn, std::vector<double>(blocks, turn), {}, all});
        if (shown.extents.empty()) continue;
        for (const double extent :
             {16.0, 14.0, 7.0, 24.0, 32.0, 8.0, 12.0, 64.0, 10.0, 20.0, 28.0, 40.0, 48.0, 56.0}) {
            Unit unit{turn, {}, {}, all.first(std::min(few, all.size()))};
            add(unit.reference, "ref-extent", named(extent));
            for (const double own : shown.extents) unit.of_block.push_back(turn * extent / own);
            units.push_back(unit);
        }
    }
    return units;
}

/// Returns the text of number * turn: "30", "2*pi", or all digits of the product.
std::string scale_text(const SimpleNumber& number, double turn) {
    if (turn == 1) return number.text;
    const double product = number.value * turn;
    if (product == std::numbers::pi) return "pi";
    if (product == 2 * std::numbers::pi) return "2*pi";
    return shortest(product);
}

void add_scale(RopeSettings& settings, const SimpleNumber& number, double turn) {
    if (number.value * turn == 1) return;
    const std::string text = scale_text(number, turn);
    add(settings, "freq-scale", {text, number.value * turn, evidence::bits_of_number(text)});
}

/// A search with one unit.
struct Search {
    const ShownPairs& shown;
    const Unit& unit;
    std::vector<GridSpectrum>& found;

    std::size_t block_count() const { return shown.blocks.pairs.size(); }
    bool may_turn(std::size_t rank, std::int64_t k, double number) const {
        return shown.may_turn(shown.blocks.first(rank) + k, number * unit.of_block[rank]);
    }

    /// Adds the spectrum whose pair k of a block has the frequency number_of(rank, k), if all pairs
    /// may turn with it. Settings are made only then: most numbers fail.
    template <typename NumberOf, typename MadeSettings>
    void add_if_it_turns(const NumberOf& number_of, const MadeSettings& made_settings) const {
        std::vector<double> frequencies(to_size(shown.blocks.count()));
        // The first axis is often one of few points, which refute little.
        for (std::size_t rank = block_count(); rank-- > 0;) {
            const std::int64_t first = shown.blocks.first(rank);
            for (std::int64_t k = 0; k < shown.blocks.pairs[rank]; ++k) {
                const double number = number_of(rank, static_cast<double>(k));
                if (!may_turn(rank, k, number)) return;
                frequencies[to_size(first + k)] = number * unit.of_block[rank];
            }
        }
        RopeSettings settings = made_settings();
        settings.bits += unit.reference.bits;
        settings.settings.insert(settings.settings.end(), unit.reference.settings.begin(),
                                 unit.reference.settings.end());
        found.push_back({std::move(settings), std::move(frequencies)});
    }

    /// Returns the numbers that the first pairs, or the last ones, of these blocks may have.
    Numbers numbers_at_end(std::size_t blocks, bool is_last) const {
        Numbers numbers;
        const std::size_t most = is_last ? 128 : 16;
        constexpr double fastest = 10000;
        for (const SimpleNumber& number : unit.numbers) {
            bool fits = number.value <= fastest;
            for (std::size_t rank = 0; rank < blocks && fits; ++rank) {
                const std::int64_t pairs = shown.blocks.pairs[rank];
                // The only pair of an axis has the first frequency.
                if (pairs < (is_last ? 2 : 1)) continue;
                fits = may_turn(rank, is_last ? pairs - 1 : 0, number.value);
            }
            if (fits) numbers.push_back(number);
            if (numbers.size() == most) break;
        }
        return numbers;
    }

    void add_power(const PowerSpectrum& spectrum, const SimpleNumber& scale, double base) const {
        const auto all = static_cast<double>(shown.blocks.count());
        const auto number_of = [&](std::size_t rank, double k) {
            const auto pairs = static_cast<double>(shown.blocks.pairs[rank]);
            const auto first = static_cast<double>(shown.blocks.first(rank));
            const double exponent =
                spectrum.exponent(k, pairs, static_cast<double>(rank),
                                  static_cast<double>(block_count()), first, all);
            return scale.value * std::pow(base, -exponent);
        };
        add_if_it_turns(number_of, [&] {
            RopeSettings settings = scaled("none", named(base));
            if (spectrum.name != "own") add_word(settings, "spectrum", spectrum.name);
            add_scale(settings, scale, unit.turn);
            return settings;
        });
    }

    void add_powers(const PowerSpectrum& spectrum, const Numbers& scales) const {
        for (const SimpleNumber& scale : scales) {
            const std::size_t before = found.size();
            for (const double base : known_bases()) add_power(spectrum, scale, base);
            // Other bases are tried with the cheapest scale alone.
            const bool is_first = &scale == scales.data() && unit.reference.settings.empty();
            if (found.size() != before || !is_first || shown.is_noisy) continue;
            for (const SimpleNumber& base : usual_numbers()) {
                if (base.value > 1) add_power(spectrum, scale, base.value);
            }
        }
    }

    void add_band(const SimpleNumber& low, const SimpleNumber& high, bool is_linear) const {
        const auto number_of = [&](std::size_t rank, double k) {
            const auto pairs = static_cast<double>(shown.blocks.pairs[rank]);
            const double part = k / std::max(1.0, pairs - 1);
            return is_linear ? low.value * (1 - part) + high.value * part
                             : std::pow(low.value, 1 - part) * std::pow(high.value, part);
        };
        add_if_it_turns(number_of, [&] {
            RopeSettings settings;
            add_word(settings, "spectrum", is_linear ? "linear" : "geometric");
            settings.settings.push_back({"freqs", low.text + "," + high.text});
            settings.bits += 4 + 2 * (low.bits + high.bits);
            add_scale(settings, named(1), unit.turn);
            return settings;
        });
    }

    void add_bands(const Numbers& lows, const Numbers& highs) const {
        for (const SimpleNumber& low : lows) {
            for (const SimpleNumber& high : highs) {
                add_band(low, high, true);
                add_band(low, high, false);
            }
        }
    }

    void add_all() const {
        // Only the first axis begins with the power 0 of a base that the axes share.
        const Numbers of_first_axis = numbers_at_end(1, false);
        if (of_first_axis.empty()) return;
        const Numbers firsts = numbers_at_end(block_count(), false);
        for (const PowerSpectrum& spectrum : power_spectra()) {
            add_powers(spectrum, spectrum.name == "own" ? firsts : of_first_axis);
        }
        const bool has_bands =
            std::ranges::any_of(shown.blocks.pairs, [](std::int64_t pairs) { return pairs > 1; });
        if (has_bands && !firsts.empty()) {
            add_bands(firsts, numbers_at_end(block_count(), true));
        }
    }
};

}  // namespace

std::vector<GridSpectrum> usual_spectra(const ShownPairs& shown) {
    std::vector<GridSpectrum> found;
    for (const Unit& unit : units_of(shown)) Search{shown, unit, found}.add_all();
    std::ranges::stable_sort(found, {}, [](const GridSpectrum& s) { return s.settings.bits; });
    constexpr std::size_t most = 6;
    if (found.size() > most) found.resize(most);
    return found;
}

}  // namespace pegen::encodings
