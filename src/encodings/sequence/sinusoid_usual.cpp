#include "encodings/sequence/sinusoid_usual.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "core/to_size.h"
#include "encodings/sequence/sinusoid_channels.h"
#include "evidence/turning.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Turning;

constexpr double pi = std::numbers::pi;

constexpr std::array usual_bases{10000.0, 500000.0, 1000000.0, 1000.0, 100.0,
                                 20.0,    50000.0,  30000.0,   1e7};
constexpr std::array usual_shifts{0.0, 2.0, 1.0};
constexpr std::array usual_factors{1.0, pi, 2 * pi, 1000.0, 100.0, 10.0, 30.0, 2.0, 0.5, 0.1};
constexpr std::array usual_steps{1.0, 2.0, 3.0, 10.0, 100.0, 1000.0, 0.1, 0.25, 0.5};
constexpr std::array usual_starts{0.0,  1.0,   2.0,   3.0,    5.0,  10.0, 50.0,
                                  100., 500.0, 512.0, 1000.0, -5.0, -1.0, 0.5};

/// Which angle each pair has, up to whole turns.
struct Angles {
    std::vector<Measured> of_pairs;  ///< the fastest first
    double share;                    ///< by which float32 code may be off

    /// True if they are those of an angle of the fastest pair at these frequencies.
    bool are_of(double fastest, const std::vector<double>& frequencies) const {
        for (std::size_t k = 0; k < of_pairs.size(); ++k) {
            const double angle = fastest * frequencies[k];
            const double off = std::remainder(angle - of_pairs[k].value, 2 * pi);
            if (std::fabs(off) > of_pairs[k].error + share * std::fabs(angle)) return false;
        }
        return true;
    }

    /// How much they say: pairs whose error is half a turn say nothing.
    double bits() const {
        double sum = 0;
        for (const Measured& angle : of_pairs) {
            sum += std::log2(pi / std::clamp(angle.error, 1e-6, pi));
        }
        return sum;
    }
};

std::string text_of(double number) {
    return number == pi ? "pi" : number == 2 * pi ? "2*pi" : fmt::format("{}", number);
}

PricedSettings unless_usual(std::string_view name, double number, double usual) {
    if (number == usual) return {};
    return priced(name, text_of(number), 6);
}

/// The angles from row to row, and those of the first position.
struct Turnings {
    Angles advances, firsts;
};

Turnings turnings_of_positions(const std::vector<Turning>& turnings, double last, bool is_reversed,
                               double share) {
    Turnings found{{{}, share}, {{}, share}};
    for (const Turning& turning : turnings) {
        const Measured& advance = turning.advance;
        const Measured at_end{turning.phase.value + last * advance.value,
                              turning.phase.error + last * advance.error};
        found.advances.of_pairs.push_back(
            {is_reversed ? -advance.value : advance.value, advance.error});
        found.firsts.of_pairs.push_back(is_reversed ? at_end : turning.phase);
    }
    return found;
}

/// What is known besides the positions.
struct Frame {
    PricedSettings channels;             ///< what is typed for layout and frequencies
    std::vector<PricedSettings> finish;  ///< ways to type the amplitude
    std::vector<double> frequencies;     ///< of the pairs
    std::vector<std::int64_t> pair_of_channel;

    double frequency_of(std::int64_t channel) const {
        const std::int64_t pair = pair_of_channel[to_size(channel)];
        const bool is_known = pair >= 0 && pair < std::ssize(frequencies);
        return is_known ? frequencies[to_size(pair)] : 0;
    }
};

/// Adds the positions whose angles at these frequencies are the measured ones.
void add_positions(std::vector<PricedProposal>& found, const SinusoidRows& rows, const Frame& frame,
                   const Turnings& turnings, bool is_reversed) {
    const std::int64_t count = rows.count - rows.zeros_in_front;
    for (const double factor : usual_factors) {
        for (const double step : usual_steps) {
            if (!turnings.advances.are_of(factor * step, frame.frequencies)) continue;
            for (const double start : usual_starts) {
                if (!turnings.firsts.are_of(factor * start, frame.frequencies)) continue;
                PricedSettings all = frame.channels;
                all = joined(all, unless_usual("start", start, 0));
                all = joined(all, unless_usual("step", step, 1));
                all = joined(all, unless_usual("freq-scale", factor, 1));
                all.settings.push_back({"len", fmt::format("{}", count)});
                if (is_reversed) all = joined(all, priced("reverse", "true", 3));
                if (rows.zeros_in_front > 0) {
                    all = joined(all,
                                 priced("prefix-rows", fmt::format("{}", rows.zeros_in_front), 6));
                }
                const auto angle = [=, zeros = rows.zeros_in_front](std::int64_t row,
                                                                    std::int64_t column) {
                    const auto index =
                        static_cast<double>(is_reversed ? count - 1 - row + zeros : row - zeros);
                    return factor * (start + step * index) * frame.frequency_of(column);
                };
                for (const PricedSettings& last : frame.finish) {
                    const PricedSettings settings = joined(all, last);
                    found.push_back(
                        {{.settings = settings.settings, .angle = angle}, settings.bits});
                }
            }
        }
    }
}

}  // namespace

void add_usual_numbers(std::vector<PricedProposal>& found, const evidence::Sample& array,
                       const SinusoidRows& rows, const SinusoidLayout& layout) {
    constexpr std::size_t most_rows = 128, most_pairs = 32;
    if (array.rank() != 2 || rows.zero_row || rows.others.size() < 3) return;
    // Of many pairs, the slow ones tell how often the others turn. One pair is periodic's.
    if (layout.pairs.size() < 2 || layout.pairs.size() > most_pairs) return;
    std::vector<std::int64_t> some = rows.others;
    if (some.size() > most_rows) some.resize(most_rows);
    const evidence::WavePairs pairs = evidence::pairs_of(array, some, layout.pairs);
    const auto circle = evidence::common_circle(pairs);
    if (!circle) return;
    const auto turnings = evidence::turnings_of(evidence::angles_of(pairs, *circle));
    if (!turnings) return;
    const PricedSettings typed_layout = layout_settings(layout, rows.channels);
    Frame frame{{}, finish_proposals(array, rows, *circle), {}, layout.pair_of_channel};
    const double share = array.precision.digits > 24 ? 0x1p-46 : 0x1p-21;
    const auto last = static_cast<double>(rows.count - rows.zeros_in_front - 1);
    for (const bool is_reversed : {false, true}) {
        const Turnings positions = turnings_of_positions(*turnings, last, is_reversed, share);
        // Else about all of the usual numbers would agree.
        constexpr double fewest_bits = 16;
        if (positions.advances.bits() + positions.firsts.bits() < fewest_bits) continue;
        for (const double base : usual_bases) {
            for (const double shift : usual_shifts) {
                const double denominator = static_cast<double>(layout.width) - shift;
                if (!(denominator > 0)) continue;
                frame.frequencies.clear();
                for (std::size_t k = 0; k < turnings->size(); ++k) {
                    frame.frequencies.push_back(
                        std::pow(base, -2 * static_cast<double>(k) / denominator));
                }
                frame.channels = joined(joined(typed_layout, unless_usual("base", base, 10000)),
                                        unless_usual("denom-shift", shift, 0));
                add_positions(found, rows, frame, positions, is_reversed);
            }
        }
    }
}

}  // namespace pegen::encodings
