#include "identify/rotary_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "core/to_size.h"
#include "identify/kernel_bases.h"
#include "identify/kernel_factor.h"
#include "identify/kernel_frequencies.h"
#include "identify/kernel_positions.h"
#include "identify/kernel_steps.h"
#include "identify/kernel_turns.h"
#include "identify/likely_conventions.h"

namespace pegen::identify {
namespace {

using evidence::Measured;

double bits_of(const Convention& convention, std::int64_t channels) {
    double bits = 0;
    if (convention.pairing != convention.layout) bits += 6;
    if (convention.lacks_minus) bits += 6;
    if (convention.order != ReadOrder::as_stored) bits += 5;
    if (convention.first > 0) bits += 5;
    if (convention.dim != channels) bits += 5;
    if (convention.dim % 8 != 0) bits += 5;
    return bits;
}

bool is_progression(const std::vector<double>& rows) {
    for (std::size_t row = 2; row < rows.size(); ++row) {
        if (rows[row] - rows[row - 1] != rows[1] - rows[0]) return false;
    }
    return true;
}

/// Returns what the positions of a list cost beyond the first.
double bits_of_steps(const std::vector<double>& rows, double usual_step) {
    constexpr double bits_of_rounding = 6, bits_of_place = 4;
    if (rounding_of(rows)) return bits_of_rounding;
    double bits = 0;
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const double step = rows[row] - rows[row - 1];
        if (step != usual_step) bits += bits_of_place + evidence::bits_of_number(shortest(step));
    }
    return bits;
}

/// True if the kernel turns nearly all pairs by the angles that were measured.
bool turns_alike(const RotaryKernel& kernel, const Turns& turns) {
    const Positions positions = kernel.positions(turns.positions);
    const double sign = kernel.is_inverse ? -1 : 1;
    std::int64_t known = 0, misses = 0;
    for (std::int64_t row = 0; row < turns.positions; ++row) {
        for (std::int64_t m = 0; m < turns.pairs; ++m) {
            const Turn& turn = turns.at(row, m);
            const double error = 3 * turn.error / turns.factor;
            if (!(error < 0.25)) continue;
            const double angle = sign * kernel.angle(positions[row], to_size(m));
            const double off = std::hypot(turn.cos / turns.factor - std::cos(angle),
                                          turn.sin / turns.factor - std::sin(angle));
            ++known;
            if (off > error + 0x1p-20 * (1 + std::fabs(angle))) ++misses;
            constexpr std::int64_t some = 16;
            if (misses > some && 8 * misses > known) return false;
        }
    }
    return known > 0 && 16 * misses <= known;
}

/// What it costs to say that positions, frequencies or angles are rounded to half a precision.
constexpr double bits_of_rounding = 6;

/// The positions that are looked for: of the first row of many, and of a row by itself.
constexpr std::int64_t farthest_start = 1 << 20, farthest_row = 1 << 17;

/// Finds kernels that agree with a sample.
class RotarySearch {
  public:
    RotarySearch(const KernelSample& sample, const KernelView& view)
        : sample_(&sample), view_(&view) {}

    RotaryFindings findings() {
        const double own = sample_->half_unit();
        for (const double unit : {own, 0x1p-24, 0x1p-11, 0x1p-8}) {
            if (unit < own || (unit != own && unit == tried_)) continue;
            tried_ = unit;
            for (const Convention& convention : likely_conventions(*sample_, unit)) {
                try_convention(convention, unit);
            }
            if (!findings_.agreeing.empty() || findings_.nearest) break;
        }
        for (RotaryFinding& finding : findings_.agreeing) straighten(finding.kernel);
        std::ranges::stable_sort(findings_.agreeing, {}, [&](const RotaryFinding& finding) {
            return finding.kernel.bits + bits_of_misfit(finding.found.agreement);
        });
        return std::move(findings_);
    }

  private:
    void try_convention(const Convention& convention, double unit) {
        const Turns turns = measure_turns(*sample_, convention, unit);
        const bool may_be_float32 = sample_->precision.digits <= 24 || are_of_float32(turns);
        for (const bool is_exchanged : {false, true}) {
            const Turns seen = is_exchanged ? with_cos_and_sin_exchanged(turns) : turns;
            RotaryKernel kernel{
                .convention = convention,
                .is_exchanged = is_exchanged,
                .settings = {},
                .frequencies = {},
                .may_be_float32 = may_be_float32,
                .bits = bits_of(convention, sample_->channels) + (is_exchanged ? 6 : 0)};
            const std::size_t before = findings_.agreeing.size();
            const std::optional<EqualSteps> steps = equal_steps(seen);
            if (steps) try_steps(kernel, seen, *steps, unit);
            if (findings_.agreeing.size() > before) return;
            try_rounded_angles(kernel, seen, unit);
            if (findings_.agreeing.size() > before) return;
            if (sample_->positions == view_->positions) try_rows(kernel, seen, unit);
            if (findings_.agreeing.size() > before) return;
            constexpr double good_fit = 0.95;
            if (is_exchanged || findings_.unexplained || turns.fit < good_fit ||
                !convention.is_rotation()) {
                continue;
            }
            const bool is_even = steps && steps->count == sample_->positions;
            findings_.unexplained = {convention, is_even ? steps->step : std::vector<Measured>()};
        }
    }

    /// Takes positions from 0 up, or counts them down, rather than turning the other way from
    /// negative ones.
    static void straighten(RotaryKernel& kernel) {
        if (!kernel.is_inverse) return;
        if (kernel.list.empty() && kernel.start < 0) {
            kernel.start = -kernel.start;
            kernel.step = -kernel.step;
        } else if (std::ranges::any_of(kernel.list, [](double p) { return p < 0; }) &&
                   std::ranges::all_of(kernel.list, [](double p) { return p <= 0; })) {
            for (double& position : kernel.list) position = position == 0 ? 0 : -position;
        } else {
            return;
        }
        kernel.is_inverse = false;
    }

    /// Pairs that turn further by equal steps.
    void try_steps(const RotaryKernel& kernel, const Turns& turns, const EqualSteps& steps,
                   double unit) {
        constexpr std::size_t most_models = 40;
        std::int64_t ahead = 0;
        for (const Measured& step : steps.step) {
            if (std::fabs(step.value) > 4 * step.error) ahead += step.value > 0 ? 1 : -1;
        }
        for (const bool is_inverse : {ahead < 0, ahead >= 0}) {
            const auto forward = [&](std::vector<Measured> angles) {
                for (Measured& angle : angles) angle.value *= is_inverse ? -1 : 1;
                return angles;
            };
            const std::size_t before = findings_.agreeing.size();
            std::size_t tried = 0;
            for (const FrequencyModel& model : models_with_steps(
                     forward(steps.step), factor_of(turns), sample_->channels, known_)) {
                if (++tried > most_models) break;
                const std::optional<double> position =
                    position_at(forward(steps.phase), model.frequencies, farthest_start);
                RotaryKernel with = with_model(kernel, model, is_inverse);
                if (position) {
                    with.start = *position - static_cast<double>(steps.first) * model.step;
                    with.step = model.step;
                    if (with.start != 0)
                        with.bits += 3 + evidence::bits_of_number(shortest(with.start));
                    if (try_kernel(with, turns, unit)) continue;
                }
                try_list(with, turns, model, unit);
            }
            if (findings_.agreeing.size() > before) return;
        }
    }

    /// Finds a position while there are trials left.
    std::optional<double> position_at(const std::vector<Measured>& phases,
                                      const std::vector<double>& frequencies,
                                      std::int64_t farthest) {
        const std::int64_t most = std::min(farthest, trials_left_);
        const std::optional<double> found = position_of(phases, frequencies, most);
        trials_left_ -= found ? 0 : most;
        return found;
    }

    /// Rows whose positions are measured one by one.
    void try_list(const RotaryKernel& kernel, const Turns& turns, const FrequencyModel& model,
                  double unit) {
        if (sample_->positions != view_->positions) return;
        const std::optional<std::vector<double>> list =
            positions_of_rows(turns, kernel.is_inverse, model.frequencies, model.step);
        if (!list) return;
        RotaryKernel with = kernel;
        const std::vector<double>& rows = *list;
        const double step = rows.size() > 1 ? rows[1] - rows[0] : 1;
        with.bits += 3 + evidence::bits_of_number(shortest(rows.front()));
        if (step != 0 && is_progression(rows)) {
            with.start = rows.front();
            with.step = step;
        } else {
            with.list = rows;
            with.bits += bits_of_steps(rows, model.step);
        }
        try_kernel(with, turns, unit);
    }

    /// Pairs that turn by rounded angles, of which a step or a position says little: known
    /// frequencies and positions, which may be rounded, too.
    void try_rounded_angles(const RotaryKernel& kernel, const Turns& turns, double unit) {
        for (const FrequencyModel& model : known_.of(2 * turns.pairs)) {
            for (const DType format : {DType::bfloat16, DType::float16}) {
                for (const int which : {0, 1, 2, 3}) {
                    for (const double start : {0.0, 1.0}) {
                        for (const bool is_inverse : {false, true}) {
                            RotaryKernel with = with_model(kernel, model, is_inverse);
                            with.start = start;
                            with.bits += bits_of_rounding + (start == 0 ? 0 : 4);
                            with.angle_format = format;
                            const bool is_new = (which & 1) == 0 || round_frequencies(with, format);
                            if (!is_new || ((which & 2) != 0 && !round_positions(with, format))) {
                                continue;
                            }
                            if (turns_alike(with, turns)) try_kernel(with, turns, unit);
                        }
                    }
                }
            }
        }
    }

    /// Says whether that changes any.
    static bool round_frequencies(RotaryKernel& kernel, DType format) {
        const std::vector<double> exact = kernel.frequencies;
        for (double& frequency : kernel.frequencies) frequency = rounded(frequency, format);
        kernel.frequency_format = format;
        kernel.has_known_frequencies = false;
        kernel.bits += bits_of_rounding;
        return kernel.frequencies != exact;
    }

    /// Says whether that changes any.
    bool round_positions(RotaryKernel& kernel, DType format) const {
        for (std::int64_t row = 0; row < view_->positions; ++row) {
            kernel.list.push_back(rounded(kernel.start + static_cast<double>(row), format));
        }
        kernel.bits += bits_of_rounding;
        return rounding_of(kernel.list).has_value();
    }

    /// Rows without equal steps: the frequencies are those of some model, or they cannot be told.
    void try_rows(const RotaryKernel& kernel, const Turns& turns, double unit) {
        constexpr std::int64_t most_lone_rows = 4;
        for (const FrequencyModel& model : known_.of(2 * turns.pairs)) {
            for (const bool is_inverse : {false, true}) {
                const RotaryKernel with = with_model(kernel, model, is_inverse);
                if (turns.positions > most_lone_rows) {
                    try_list(with, turns, model, unit);
                    continue;
                }
                std::vector<Measured> phases = phases_of(turns, 0);
                for (Measured& phase : phases) phase.value *= is_inverse ? -1 : 1;
                const std::optional<double> position =
                    position_at(phases, model.frequencies, farthest_row);
                if (!position) continue;
                RotaryKernel at = with;
                at.start = *position;
                at.bits += 3 + evidence::bits_of_number(shortest(at.start));
                if (turns.positions > 1) at.list.assign(to_size(turns.positions), *position);
                if (!try_kernel(at, turns, unit)) try_list(with, turns, model, unit);
            }
        }
    }

    static RotaryKernel with_model(RotaryKernel kernel, const FrequencyModel& model,
                                   bool is_inverse) {
        kernel.settings = model.settings;
        kernel.frequencies = model.frequencies;
        kernel.frequency_format = model.format;
        kernel.findings = model.findings;
        kernel.doubts = model.doubts;
        kernel.has_known_frequencies = model.is_known;
        kernel.is_inverse = is_inverse;
        kernel.bits += model.bits + (is_inverse ? 3 : 0);
        return kernel;
    }

    bool try_kernel(const RotaryKernel& kernel, const Turns& turns, double unit) {
        if (try_factors(kernel, turns)) return true;
        if (unit < 0x1p-11 || unit == sample_->half_unit()) return false;
        RotaryKernel coarse = kernel;
        coarse.bits += 4;
        for (const DType format : {DType::bfloat16, DType::float16}) {
            coarse.table_format = format;
            if (try_factors(coarse, turns)) return true;
        }
        return false;
    }

    /// Tries the kernel as it is, then with the factor that was measured.
    bool try_factors(const RotaryKernel& kernel, const Turns& turns) {
        double own = 1;
        try {
            own = own_factor(kernel);
        } catch (const UsageError&) {
            return false;
        }
        RotaryKernel with = kernel;
        with.factor = own;
        const Measured measured = factor_of(turns);
        if (std::fabs(own - measured.value) <= measured.error) return agrees(with);
        for (const evidence::SimpleNumber& number : simple_factors(measured, sample_->channels)) {
            RotaryKernel scaled = kernel;
            scaled.bits += 4 + number.bits;
            // Powers of two, and such numbers, are what code multiplies by.
            constexpr double simple = 8;
            if (number.bits > simple && is_doubtful(number, measured.error / measured.value)) {
                scaled.doubts.push_back("--attention-factor " + number.text);
            }
            if (set_factor(scaled, number) && agrees(scaled)) return true;
        }
        return false;
    }

    bool agrees(const RotaryKernel& kernel) {
        try {
            KernelAgreement found = compare_sample(*sample_, kernel, sample_->half_unit());
            if (found.agreement.level != Level::none) {
                if (has_evidence(kernel, found)) {
                    findings_.agreeing.push_back({kernel, std::move(found)});
                }
                return true;
            }
            if (tried_ > sample_->half_unit()) found = compare_sample(*sample_, kernel, tried_);
            keep_if_near({kernel, std::move(found)});
        } catch (const UsageError&) {
            // The settings do not go together.
        }
        return false;
    }

    /// What an agreement only as float32 code has it costs: doubles have digits that float32 code
    /// does not explain.
    double bits_of_misfit(const Agreement& found) const {
        if (found.level == Level::rounding) return 0;
        return sample_->precision.digits > 24 ? 100 : 10;
    }

    static bool has_evidence(const RotaryKernel& kernel, const KernelAgreement& found) {
        return found.turned >= 8 && found.agreement.evidence > 30 + 2 * kernel.bits;
    }

    void keep_if_near(RotaryFinding finding) {
        // Factors of longrope, one for each pair, come near any angles.
        const auto is_fitted = [](const evidence::Setting& s) { return s.name == "long-factor"; };
        if (std::ranges::any_of(finding.kernel.settings, is_fitted)) return;
        const auto good = [](const RotaryFinding& f) {
            return static_cast<double>(f.found.turned - 2 * f.found.spoiled);
        };
        if (finding.found.turned < 16 || good(finding) <= 0 ||
            !has_evidence(finding.kernel, finding.found)) {
            return;
        }
        const auto is_nearer = [&](const RotaryFinding& other) {
            const double a = good(finding), b = good(other);
            return a > 1.05 * b || (a > 0.95 * b && finding.kernel.bits < other.kernel.bits);
        };
        if (!findings_.nearest || is_nearer(*findings_.nearest)) {
            findings_.nearest = std::move(finding);
        }
    }

    const KernelSample* sample_;
    const KernelView* view_;
    KnownModels known_;
    RotaryFindings findings_{};
    double tried_ = 0;
    /// Positions that may still be tried: without a bound, an array that is no rotation takes long.
    std::int64_t trials_left_ = std::int64_t{1} << 23;
};

}  // namespace

RotaryFindings find_rotary_kernels(const KernelSample& sample, const KernelView& view) {
    if (sample.channels < 2) return {};
    return RotarySearch(sample, view).findings();
}

}  // namespace pegen::identify
