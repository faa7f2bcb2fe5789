#include "recognition/kernel/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

#include "core/dtype.h"
#include "core/names.h"
#include "core/parallel.h"
#include "rows/kept.h"

namespace pegen::recognition {
namespace {

/// A comparison of rows of channels with what a kernel makes of them.
class RowComparison {
  public:
    RowComparison(const RotaryKernel& kernel, std::int64_t channels,
                  const evidence::Precision& precision, double unit)
        : kernel_(&kernel),
          terms_(terms_of(kernel.convention)),
          channels_(channels),
          precision_(precision),
          unit_(kernel.may_be_float32 ? std::max(unit, 0x1p-24) : unit) {}

    struct Place {
        std::int64_t row;
        std::int64_t position;
        std::int64_t sample;
    };

    /// Compares one row. cos and sin are not rounded yet. `magnitude` is the magnitude of the row's
    /// position.
    void compare(const Place& place, const double* x, const double* y, const double* cos,
                 const double* sin, double magnitude, KernelAgreement& found) const {
        const Convention& convention = kernel_->convention;
        const std::int64_t end = convention.first + convention.dim;
        for (std::int64_t c = 0; c < channels_; ++c) {
            if (c < convention.first || c >= end) {
                add(place, c, x[c], y[c], x[c], std::fabs(x[c]), 0, 0, found);
                continue;
            }
            const Term& term = terms_[c - convention.first];
            const double own = term.of_own * x[term.own], other = x[term.partner];
            const double angle = magnitude * kernel_->frequencies[term.angle];
            const Wave of_own = wave(cos[term.angle], angle, std::cos),
                       of_other = wave(sin[term.angle], angle, std::sin);
            const double value = own * of_own.value + term.sign * other * of_other.value;
            const double doubt = std::fabs(own) * of_own.doubt + std::fabs(other) * of_other.doubt;
            const double length = std::fabs(kernel_->factor) * length_of(own, other);
            add(place, c, value, y[c], x[c], length, angle, doubt, found);
        }
    }

  private:
    /// A cos or sin as the kernel rounds it, and by how much it may be rounded otherwise: an angle
    /// in float32 may be on the other side of a midpoint.
    struct Wave {
        double value;
        double doubt;
    };

    Wave wave(double exact, double angle, double (*function)(double)) const {
        if (!kernel_->table_format) return {exact, doubt_of(angle, function)};
        const auto at = [&](double value) { return rounded(value, *kernel_->table_format); };
        const double error = error_of(angle);
        return {at(exact), at(exact + error) - at(exact - error)};
    }

    /// Returns how far a wave is off if the angle is rounded to the other side of a midpoint, as it
    /// may be where code has another last digit of the frequency.
    double doubt_of(double angle, double (*function)(double)) const {
        if (!kernel_->angle_format) return 0;
        const auto at = [&](double value) { return rounded(value, *kernel_->angle_format); };
        const double low = at(angle * (1 - 0x1p-23)), high = at(angle * (1 + 0x1p-23));
        return low == high ? 0 : std::fabs(function(low) - function(high));
    }

    /// Returns by how much float32 code may be off at an angle.
    double error_of(double angle) const {
        constexpr double most = 0x1p-4;
        return kernel_->may_be_float32 ? std::min(8 * 0x1p-24 * angle, most) : 0;
    }

    /// Adds the comparison of one value. `doubt` is how far the value may be off beyond what
    /// arithmetic explains.
    void add(const Place& place, std::int64_t channel, double exact, double y, double before,
             double length, double angle, double doubt, KernelAgreement& found) const {
        const double value = rounded(exact, precision_.dtype);
        // Code may round cos, sin, both products and their sum, and in float32 the angle.
        constexpr double arithmetic = 4;
        const double allowed = length * (arithmetic * unit_ + error_of(angle)) + doubt;
        // An angle in float64 is off by some units in its last place.
        const double unit = unit_of(value, precision_) + length * 0x1p-50 * (1 + angle);
        Agreement& agreement = found.agreement;
        ++agreement.values;
        const bool is_lost = std::isnan(value) != std::isnan(y);
        const bool is_same = value == y || (std::isnan(value) && std::isnan(y));
        const double off = is_lost ? std::numeric_limits<double>::infinity() : std::fabs(value - y);
        if (!is_same) ++agreement.unequal;
        if (!is_same && !(off <= unit)) agreement.level = Level::float32;
        if (is_lost) ++agreement.nans;
        if (!is_same && !is_lost && off > agreement.largest) {
            agreement.largest = off;
            agreement.place = {place.row, channel};
        }
        const bool is_turned = std::fabs(y - before) > 4 * allowed;
        if (is_turned) {
            ++found.turned;
            found.turns[channel] = true;
            agreement.evidence += std::min(std::log2(length / (allowed + 1e-300)), 20.0) - 1;
        }
        if (is_same || off <= std::max(allowed, unit)) return;
        ++agreement.differing;
        if (is_turned) ++found.spoiled;
        ++found.off.by_position[place.position];
        ++found.off.by_sample[place.sample];
        ++found.off.by_channel[channel];
    }

    const RotaryKernel* kernel_;
    std::vector<Term> terms_;
    std::int64_t channels_;
    evidence::Precision precision_;
    double unit_;
};

KernelAgreement nothing_yet(std::int64_t positions, std::int64_t samples, std::int64_t channels) {
    KernelAgreement found;
    found.agreement.level = Level::rounding;
    found.off = {positions, samples, channels};
    found.turns.resize(channels);
    return found;
}

void add(std::vector<std::int64_t>& sums, const std::vector<std::int64_t>& more) {
    std::ranges::transform(sums, more, sums.begin(), std::plus());
}

void merge(KernelAgreement& all, const KernelAgreement& part) {
    Agreement& agreement = all.agreement;
    const Agreement& more = part.agreement;
    if (more.level != Level::rounding) agreement.level = more.level;
    if (more.largest > agreement.largest ||
        (more.largest == agreement.largest && more.place < agreement.place)) {
        agreement.largest = more.largest;
        agreement.place = more.place;
    }
    agreement.unequal += more.unequal;
    agreement.differing += more.differing;
    agreement.nans += more.nans;
    agreement.values += more.values;
    agreement.evidence += more.evidence;
    all.turned += part.turned;
    all.spoiled += part.spoiled;
    std::transform(all.turns.begin(), all.turns.end(), part.turns.begin(), all.turns.begin(),
                   std::logical_or());
    if (more.differing == 0) return;
    add(all.off.by_position, part.off.by_position);
    add(all.off.by_sample, part.off.by_sample);
    add(all.off.by_channel, part.off.by_channel);
}

/// Sets the level to none if a value is beyond the tolerance, and limits the evidence. However many
/// values there are, each pair shows only a step and a phase, which more rows and samples only make
/// more exact; and each pair shows each position of a list.
KernelAgreement judged(KernelAgreement found, const RotaryKernel& kernel, double unit) {
    if (found.agreement.differing > 0) found.agreement.level = Level::none;
    const double pairs = static_cast<double>(std::ranges::count(found.turns, true)) / 2;
    const double of_angle = std::max(-std::log2(4 * unit), 0.0);
    const double of_rows = 1.5 * std::log2(static_cast<double>(found.off.by_position.size())) +
                           std::log2(static_cast<double>(found.off.by_sample.size()));
    const double said = 2 + static_cast<double>(kernel.list.size());  // angles that each pair shows
    found.agreement.evidence =
        std::min(found.agreement.evidence, pairs * (said * of_angle + of_rows));
    return found;
}

/// Returns "3" or "3 to 5"; "" if the places are not in one run of at most half of all places.
std::string run_text(const std::vector<std::int64_t>& counts) {
    const auto is_hit = [](std::int64_t count) { return count > 0; };
    const auto first = std::ranges::find_if(counts, is_hit);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), is_hit).base();
    const auto run = last - first;
    if (run <= 0 || 2 * run > std::ssize(counts)) return "";
    const auto begin = first - counts.begin();
    return run == 1 ? fmt::format("{}", begin) : fmt::format("{} to {}", begin, begin + run - 1);
}

}  // namespace

KernelAgreement compare_sample(const KernelSample& sample, const RotaryKernel& kernel, double unit,
                               std::int64_t every) {
    const KernelWaves waves = waves_of(kernel, sample.positions);
    const Positions positions = kernel.positions(sample.positions);
    const RowComparison comparison(kernel, sample.channels, sample.precision, unit);
    const KernelAgreement nothing = nothing_yet(sample.positions, sample.samples, sample.channels);
    // Fewer values than this take no longer than another thread takes to begin.
    constexpr std::int64_t many_values = 1 << 16;
    const std::int64_t at_once =
        every * rows_holding(many_values, sample.samples * sample.channels);
    std::vector<KernelAgreement> parts((sample.positions + at_once - 1) / at_once, nothing);
    parallel_for(std::ssize(parts), [&](std::int64_t part) {
        std::vector<double> cos(kernel.convention.dim / 2), sin(cos.size());
        const std::int64_t end = std::min(sample.positions, (part + 1) * at_once);
        for (std::int64_t position = part * at_once; position < end; position += every) {
            waves.cos({position, 1}, std::as_writable_bytes(std::span(cos)));
            waves.sin({position, 1}, std::as_writable_bytes(std::span(sin)));
            for (std::int64_t s = 0; s < sample.samples; ++s) {
                comparison.compare({0, position, s}, sample.before_row(position, s),
                                   sample.after_row(position, s), cos.data(), sin.data(),
                                   std::fabs(positions[position]), parts[part]);
            }
        }
    });
    // In their order, because sums of evidence depend on it.
    KernelAgreement found = nothing;
    for (const KernelAgreement& part : parts) merge(found, part);
    return judged(std::move(found), kernel, unit);
}

KernelAgreement compare_all(const KernelView& view, const RotaryKernel& kernel,
                            const evidence::Precision& precision, const Progress& progress) {
    const std::int64_t pairs = kernel.convention.dim / 2;
    const KernelWaves waves = waves_of(kernel, view.positions);
    constexpr std::int64_t most_kept = std::int64_t{1} << 27, values_at_once = 1 << 18;
    const rows::AxisTable cos(waves.cos, most_kept), sin(waves.sin, most_kept);
    const Positions positions = kernel.positions(view.positions);
    const double unit = std::ldexp(1.0, -precision.digits);
    const RowComparison comparison(kernel, view.channels, precision, unit);

    const std::int64_t at_once =
        std::min(view.positions, rows_holding(values_at_once, view.inner * view.channels));
    const std::int64_t parts = (view.positions + at_once - 1) / at_once;
    KernelAgreement all = nothing_yet(view.positions, view.samples(), view.channels);
    std::mutex mutex;
    std::int64_t done = 0;
    parallel_for(view.outer * parts, [&](std::int64_t item) {
        const std::int64_t outer = item / parts, first = item % parts * at_once;
        const std::int64_t count = std::min(at_once, view.positions - first);
        const RowRange range{(outer * view.positions + first) * view.inner, count * view.inner};
        const std::vector<double> x = read_channels(view, view.before, range),
                                  y = read_channels(view, view.after, range);
        std::vector<std::byte> cos_bytes, sin_bytes;
        const auto* const c = reinterpret_cast<const double*>(cos.read({first, count}, cos_bytes));
        const auto* const s = reinterpret_cast<const double*>(sin.read({first, count}, sin_bytes));
        KernelAgreement part = nothing_yet(view.positions, view.samples(), view.channels);
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t row = range.first + i, position = view.position_of(row);
            comparison.compare({row, position, view.sample_of(row)}, &x[i * view.channels],
                               &y[i * view.channels], c + (position - first) * pairs,
                               s + (position - first) * pairs, std::fabs(positions[position]),
                               part);
        }
        const std::lock_guard lock(mutex);
        merge(all, part);
        progress(done += range.count, view.rows());
    });
    return judged(std::move(all), kernel, unit);
}

std::string departure_of(const OffPlaces& off, const KernelView& view) {
    std::vector<std::string> places;
    const auto add = [&](const std::vector<std::int64_t>& counts, const std::string& format) {
        const std::string run = run_text(counts);
        if (!run.empty()) places.push_back(fmt::format(fmt::runtime(format), run));
    };
    add(off.by_position, "in rows {} of the positions");
    add(off.by_channel, "in channels {}");
    // A sample is one index of each axis, except the axes of positions and channels, and one head.
    std::vector<std::int64_t> extents = view.before.shape.extents();
    extents.back() = view.axes.heads;
    extents[view.axes.position] = 1;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        std::vector<std::int64_t> by_index(extents[axis]);
        for (std::size_t sample = 0; sample < off.by_sample.size(); ++sample) {
            const auto index = index_of(static_cast<std::int64_t>(sample), extents);
            by_index[index[axis]] += off.by_sample[sample];
        }
        const bool is_heads = axis + 1 == extents.size();
        add(by_index, is_heads ? "in heads {}" : fmt::format("at {{}} of axis {}", axis));
    }
    return joined(places, ", ");
}

}  // namespace pegen::recognition
