#include "identify/rotary_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/registry.h"
#include "identify/kernel_frequencies.h"
#include "identify/kernel_positions.h"
#include "identify/kernel_steps.h"
#include "identify/kernel_turns.h"

namespace pegen::identify {
namespace {

using evidence::Measured;

/// A convention under which the turns of a sample look like rotations.
struct Likely {
    Convention convention;
    double fit;
};

KernelSample first_positions(const KernelSample& sample, std::int64_t count) {
    KernelSample few = sample;
    few.positions = std::min(count, sample.positions);
    const std::size_t values = to_size(few.positions * few.samples * few.channels);
    few.before.resize(values);
    few.after.resize(values);
    return few;
}

std::vector<Likely> likely_conventions(const KernelSample& sample, double unit) {
    constexpr std::int64_t enough_positions = 48;
    constexpr double least_fit = 0.6;
    constexpr std::size_t most = 8;
    const KernelSample few = first_positions(sample, enough_positions);
    std::vector<Likely> likely;
    std::vector<std::vector<Term>> seen;
    for (const auto& [first, dim] : rotated_runs(sample)) {
        for (const Convention& convention : conventions_of(first, dim)) {
            std::vector<Term> terms = terms_of(convention);
            if (std::ranges::find(seen, terms) != seen.end()) continue;
            seen.push_back(std::move(terms));
            const double fit = measure_turns(few, convention, unit).fit;
            if (fit >= least_fit) likely.push_back({convention, fit});
        }
    }
    // Equal but for chance: the usual one first.
    std::ranges::stable_sort(likely, std::ranges::greater(),
                             [](const Likely& l) { return std::rint(l.fit * 25); });
    if (likely.size() > most) likely.resize(most);
    return likely;
}

double bits_of(const Convention& convention, std::int64_t channels) {
    double bits = 0;
    if (convention.pairing != convention.layout) bits += 6;
    if (convention.lacks_minus) bits += 6;
    if (convention.order != ReadOrder::as_stored) bits += 5;
    if (convention.first > 0) bits += 5;
    if (convention.dim != channels) bits += 5;
    return bits;
}

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
            for (const Likely& likely : likely_conventions(*sample_, unit)) {
                try_convention(likely.convention, unit);
            }
            if (!findings_.agreeing.empty() || findings_.nearest) break;
        }
        for (RotaryFinding& finding : findings_.agreeing) straighten(finding.kernel);
        std::ranges::stable_sort(findings_.agreeing, {},
                                 [](const RotaryFinding& finding) { return finding.kernel.bits; });
        return std::move(findings_);
    }

  private:
    void try_convention(const Convention& convention, double unit) {
        const Turns turns = measure_turns(*sample_, convention, unit);
        for (const bool is_exchanged : {false, true}) {
            const Turns seen = is_exchanged ? with_cos_and_sin_exchanged(turns) : turns;
            RotaryKernel kernel{
                .convention = convention,
                .is_exchanged = is_exchanged,
                .settings = {},
                .frequencies = {},
                .bits = bits_of(convention, sample_->channels) + (is_exchanged ? 6 : 0)};
            const std::size_t before = findings_.agreeing.size();
            if (const std::optional<EqualSteps> steps = equal_steps(seen)) {
                try_steps(kernel, seen, *steps, unit);
            }
            if (findings_.agreeing.size() > before) return;
            if (sample_->positions == view_->positions) try_rows(kernel, seen, unit);
            if (findings_.agreeing.size() > before) return;
        }
    }

    /// Counts positions down rather than turning the other way from a negative start.
    static void straighten(RotaryKernel& kernel) {
        if (!kernel.is_inverse || kernel.start >= 0 || !kernel.list.empty()) return;
        kernel.is_inverse = false;
        kernel.start = -kernel.start;
        kernel.step = -kernel.step;
    }

    /// Pairs that turn further by equal steps.
    void try_steps(const RotaryKernel& kernel, const Turns& turns, const EqualSteps& steps,
                   double unit) {
        constexpr std::size_t most_models = 24;
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
            for (const FrequencyModel& model :
                 models_.with_steps(forward(steps.step), sample_->channels)) {
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
        bool is_progression = step != 0;
        for (std::size_t row = 1; row < rows.size(); ++row) {
            const double here = rows[row] - rows[row - 1];
            if (here != step) is_progression = false;
            if (here != model.step) with.bits += 4 + evidence::bits_of_number(shortest(here));
        }
        if (is_progression) {
            with.bits = kernel.bits + 3 + evidence::bits_of_number(shortest(rows.front()));
            with.start = rows.front();
            with.step = step;
        } else {
            with.list = rows;
        }
        try_kernel(with, turns, unit);
    }

    /// Rows without equal steps: the frequencies are those of some model, or they cannot be told.
    void try_rows(const RotaryKernel& kernel, const Turns& turns, double unit) {
        constexpr std::int64_t most_lone_rows = 4;
        for (const FrequencyModel& model : models_.known(2 * turns.pairs)) {
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
        const Measured measured{turns.factor, factor_error(turns)};
        if (std::fabs(own - measured.value) <= measured.error) return agrees(with);
        for (const evidence::SimpleNumber& number : evidence::simple_numbers(measured, 2)) {
            if (!(number.value > 0)) continue;
            RotaryKernel scaled = kernel;
            scaled.factor = number.value;
            scaled.bits += 4 + number.bits;
            if (set_factor(scaled, number.text) && agrees(scaled)) return true;
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

    static bool has_evidence(const RotaryKernel& kernel, const KernelAgreement& found) {
        return found.turned >= 8 && found.agreement.evidence > 30 + 2 * kernel.bits;
    }

    void keep_if_near(RotaryFinding finding) {
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
    FrequencyModels models_;
    RotaryFindings findings_{};
    double tried_ = 0;
    /// Positions that may still be tried: without a bound, an array that is no rotation takes long.
    std::int64_t trials_left_ = std::int64_t{1} << 23;

    static double factor_error(const Turns& turns) {
        double least = 1;
        for (const Turn& turn : turns.values) least = std::min(least, turn.error);
        return 2 * least;
    }

    /// Returns the attention factor that the settings have by themselves.
    double own_factor(const RotaryKernel& kernel) const {
        const Plan plan = find_encoding("rope")->plan(
            rope_parameters(kernel.settings, kernel.convention.dim), "cos");
        return plan.parameters.has("attention-factor") ? plan.parameters.real("attention-factor")
                                                       : 1;
    }

    /// Divides the positions in the place of the frequencies: linear scaling has no factor.
    static void undo_linear_scaling(RotaryKernel& kernel) {
        const auto is_linear = [](const evidence::Setting& setting) {
            return setting.name == "scaling" && setting.value == "linear";
        };
        if (std::ranges::none_of(kernel.settings, is_linear)) return;
        const auto place = std::ranges::find(kernel.settings, "factor", &evidence::Setting::name);
        const double factor = parse_real(place->value, "--factor");
        std::erase_if(kernel.settings, [](const evidence::Setting& setting) {
            return setting.name == "scaling" || setting.name == "factor";
        });
        kernel.start /= factor;
        kernel.step /= factor;
        for (double& position : kernel.list) position /= factor;
        for (double& frequency : kernel.frequencies) frequency *= factor;
    }

    /// Gives the kernel an attention factor. False if its scaling has none.
    static bool set_factor(RotaryKernel& kernel, const std::string& factor) {
        undo_linear_scaling(kernel);
        const auto scaling =
            std::ranges::find(kernel.settings, "scaling", &evidence::Setting::name);
        if (scaling == kernel.settings.end()) {
            // Of the types with an attention factor, yarn with factor 1 changes nothing else.
            kernel.settings.push_back({"scaling", "yarn"});
            kernel.settings.push_back({"factor", "1"});
            kernel.settings.push_back({"original-max-position-embeddings", "4096"});
        } else if (scaling->value != "yarn" && scaling->value != "longrope") {
            return false;
        }
        std::erase_if(kernel.settings, [](const evidence::Setting& setting) {
            return setting.name == "attention-factor" || setting.name.starts_with("mscale");
        });
        kernel.settings.push_back({"attention-factor", factor});
        return true;
    }
};

}  // namespace

RotaryFindings find_rotary_kernels(const KernelSample& sample, const KernelView& view) {
    if (sample.channels < 2) return {};
    return RotarySearch(sample, view).findings();
}

}  // namespace pegen::identify
