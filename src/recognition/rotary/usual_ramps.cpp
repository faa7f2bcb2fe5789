#include <algorithm>
#include <array>

#include "core/number.h"
#include "recognition/rotary/ramping.h"

// Ramps with the numbers of published models, compared with the measured frequencies.
namespace pegen::recognition {
namespace {

using evidence::Measured;
using evidence::SimpleNumber;

using Frequencies = std::span<const Measured>;
using Found = std::vector<RopeSettings>;

/// The lengths that models were trained with, the most frequent first.
constexpr std::array lengths{4096.0,  8192.0, 2048.0,   32768.0, 16384.0,
                             65536.0, 1024.0, 131072.0, 262144.0};

SimpleNumber usual(double value) { return {shortest(value), value, 3}; }

/// Adds the settings of YaRN with usual numbers that agree with the ramping; at most `most`
/// lengths, since several lengths may make the same frequencies.
void add_usual_yarn(Found& found, const Ramping& ramping, int most) {
    constexpr double beta_fast = 32, beta_slow = 1;
    for (const bool truncate : {true, false}) {
        int count = 0;
        for (const double length : lengths) {
            const PairRamp ramp = ramp_of_turns(ramping, length, beta_fast, beta_slow, truncate);
            if (!ramping.has(ramp)) continue;
            RopeSettings settings = ramping.settings("yarn", usual(length));
            if (!truncate) add_flag(settings, "no-truncate");
            found.push_back(std::move(settings));
            if (++count == most) break;
        }
    }
}

/// Adds the settings of llama3 with usual numbers that agree with the ramping; at most `most`
/// lengths.
void add_usual_llama3(Found& found, const Ramping& ramping, int most) {
    constexpr double low_turns = 1, high_turns = 4;
    int count = 0;
    for (const double length : {8192.0, 4096.0, 2048.0, 32768.0}) {
        bool has_all = true;
        for (std::size_t m = 0; m < ramping.pairs() && has_all; ++m) {
            const double turns = length * ramping.frequency(static_cast<double>(m)) / turn;
            const double share = (high_turns - turns) / (high_turns - low_turns);
            has_all = ramping.shares[m].contains(std::clamp(share, 0.0, 1.0));
        }
        if (!has_all) continue;
        found.push_back(ramping.settings("llama3", usual(length)));
        if (++count == most) return;
    }
}

/// True if each ratio is 1 (kept), 1 / factor (divided), or between the two.
bool are_divided_by(double factor, const std::vector<Measured>& ratios) {
    return std::ranges::all_of(ratios, [=](const Measured& ratio) {
        const auto [low, high] = evidence::bounds_of(ratio);
        return low <= 1 + 1e-14 && high >= (1 - 1e-14) / factor;
    });
}

/// True if there are enough frequencies, or two exact ones, to distinguish ramps.
bool may_show_ramp(Frequencies frequencies) {
    constexpr std::size_t fewest = 3, most = 1024;
    constexpr double exact = 1e-5;
    if (frequencies.size() > most) return false;
    return frequencies.size() >= fewest ||
           (frequencies.size() == 2 && frequencies[1].error < exact * frequencies[1].value);
}

}  // namespace

std::vector<RopeSettings> usual_ramps(Frequencies frequencies) {
    Found found;
    if (!may_show_ramp(frequencies)) return found;
    const evidence::Bounds fastest = evidence::bounds_of(frequencies.front());
    if (fastest.contains(1)) {
        for (const SimpleNumber& base : possible_bases(frequencies)) {
            const std::vector<Measured> ratios = ratios_to(base.value, frequencies);
            for (const double factor : known_factors()) {
                if (!are_divided_by(factor, ratios)) continue;
                const Ramping ramping = ramping_of(ratios, base, usual(factor));
                add_usual_llama3(found, ramping, 2);
                add_usual_yarn(found, ramping, 2);
            }
        }
        return found;
    }
    // With a small base all pairs may be slow, and yarn then divides even the fastest pair.
    for (const double factor : known_factors()) {
        if (!fastest.contains(1 / factor)) continue;
        const evidence::Bounds bounds = base_bounds(frequencies, frequencies.size(), factor);
        for (const SimpleNumber& base : bases_within(bounds, 2)) {
            if (base.value <= 1) continue;
            const std::vector<Measured> ratios = ratios_to(base.value, frequencies);
            add_usual_yarn(found, ramping_of(ratios, base, usual(factor)), 2);
        }
    }
    return found;
}

std::vector<RopeSettings> hidden_ramps(Frequencies frequencies, const SimpleNumber& base) {
    Found found;
    if (!may_show_ramp(frequencies) || base.value <= 1) return found;
    const std::vector<Measured> ratios = ratios_to(base.value, frequencies);
    for (const double factor : {8.0, 32.0}) {
        add_usual_llama3(found, ramping_of(ratios, base, usual(factor)), 1);
    }
    add_usual_yarn(found, ramping_of(ratios, base, usual(40)), 1);
    return found;
}

}  // namespace pegen::recognition
