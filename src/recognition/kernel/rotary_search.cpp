#include "recognition/kernel/rotary_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "core/parallel.h"
#include "encodings/registry.h"
#include "recognition/evidence/circle.h"
#include "recognition/evidence/distribution.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/kernel/rotary_kernel.h"
#include "recognition/kernel/view.h"
#include "recognition/rotary/frequency_fit.h"
#include "recognition/rotary/frequency_settings.h"

namespace pegen::recognition {
namespace {

using Settings = std::vector<Setting>;

const Encoding& rope() { return *find_encoding("rope"); }

/// Returns the settings of a preset that its frequencies depend on.
Settings frequency_settings(const Preset& preset) {
    constexpr std::array<std::string_view, 7> others{
        "d", "rotary-dim", "partial-rotary-factor", "pairing", "layout", "len", "config"};
    const Parameters parameters = parameters_of(preset);
    Settings settings;
    for (const Parameters::Entry& entry : parameters.entries()) {
        if (entry.origin == Origin::specification ||
            std::ranges::find(others, entry.spec->name) != others.end()) {
            continue;
        }
        settings.push_back({entry.spec->name, to_string(entry)});
    }
    return settings;
}

double bits_of(const Settings& settings) {
    double bits = 0;
    for (const Setting& setting : settings) bits += 3 + evidence::bits_of_number(setting.value);
    return bits;
}

}  // namespace

const std::vector<FrequencyModel>& KnownModels::of(std::int64_t dim) {
    if (models_.contains(dim)) return models_[dim];
    std::vector<FrequencyModel>& models = models_[dim];
    // The name of a preset includes all its settings, so they cost no more than this.
    constexpr double most_of_preset = 14;
    const auto add = [&](const Settings& settings, bool is_known) {
        const double bits = bits_of(settings);
        FrequencyModel model{.settings = settings,
                             .frequencies = frequencies_of(settings, dim),
                             .bits = is_known ? std::min(bits, most_of_preset) : bits,
                             .is_known = is_known};
        const bool is_there = std::ranges::any_of(models, [&](const FrequencyModel& other) {
            return other.frequencies == model.frequencies;
        });
        if (!model.frequencies.empty() && !is_there) models.push_back(std::move(model));
    };
    add({}, true);
    for (const Preset& preset : all_presets()) {
        if (preset.encoding == &rope()) add(frequency_settings(preset), true);
    }
    for (const double base : known_bases()) add({{"base", shortest(base)}}, false);
    return models;
}

namespace {

using evidence::wrapped;

// Measurement: by how much the pairs of channels are turned from the array before to the array
// after.

/// The cosine and the sine of the angle by which a pair is turned, times a factor that all pairs
/// have.
struct Turn {
    double cos;
    double sin;
    double error;  ///< most by which cos or sin may be off; infinity if nothing is known
};

/// The turns of all pairs at all positions: (positions, pairs).
struct Turns {
    std::int64_t positions;
    std::int64_t pairs;
    std::vector<Turn> values;
    double factor = 1;  ///< the length of (cos, sin)
    double fit = 0;     ///< share of turned pairs that are rotations by one factor

    const Turn& at(std::int64_t position, std::int64_t pair) const {
        return values[static_cast<std::size_t>(position * pairs + pair)];
    }
};

/// The error of a kernel's arithmetic, in half units and relative to the length of a pair: cos,
/// sin, two products and their sum are rounded.
constexpr double units_of_arithmetic = 4;

/// The sums over the equations y = u cos + v sin of a pair.
struct Equations {
    double uu = 0, uv = 0, vv = 0, uy = 0, vy = 0, yy = 0;
    double largest = 0;  ///< the largest u^2 + v^2
    int count = 0;

    void add(double u, double v, double y) {
        uu += u * u;
        uv += u * v;
        vv += v * v;
        uy += u * y;
        vy += v * y;
        yy += y * y;
        largest = std::max(largest, u * u + v * v);
        ++count;
    }
};

struct Solution {
    Turn turn;
    bool is_consistent;  ///< the equations hold within their errors
};

Solution solution_of(const Equations& e, double unit) {
    constexpr double unknown = std::numeric_limits<double>::infinity();
    const double determinant = e.uu * e.vv - e.uv * e.uv;
    const double smallest = (e.uu + e.vv - length_of(e.uu - e.vv, 2 * e.uv)) / 2;  // eigenvalue
    const double off = units_of_arithmetic * unit * std::sqrt(e.largest);
    if (!(determinant > 0) || !(smallest > 1e-12 * (e.uu + e.vv)) || !std::isfinite(e.yy)) {
        return {{1, 0, unknown}, true};
    }
    const double cos = (e.uy * e.vv - e.vy * e.uv) / determinant;
    const double sin = (e.vy * e.uu - e.uy * e.uv) / determinant;
    const double length = std::max(length_of(cos, sin), 0.01);
    const double left = e.yy - cos * e.uy - sin * e.vy;
    // The sums themselves are rounded as well.
    const double allowed = e.count * off * off * length * length + 1e-14 * e.yy;
    return {{cos, sin, length * off / std::sqrt(smallest)}, left <= allowed};
}

constexpr double most_error = 0.05;  ///< largest error of a turn that shows something

/// Solves the equations of a convention for cos and sin, at each position and for each pair.
/// `unit` is half a unit in the last place of the arithmetic, relative to 1.
Turns measure_turns(const KernelSample& sample, const Convention& convention, double unit) {
    const std::vector<Term> terms = terms_of(convention);
    Turns turns{.positions = sample.positions, .pairs = convention.dim / 2, .values = {}};
    std::vector<Solution> solutions;
    std::vector<Equations> equations(turns.pairs);
    for (std::int64_t position = 0; position < sample.positions; ++position) {
        std::ranges::fill(equations, Equations());
        for (std::int64_t s = 0; s < sample.samples; ++s) {
            const double* const x = sample.before_row(position, s);
            const double* y = sample.after_row(position, s) + convention.first;
            for (const Term& term : terms) {
                const double value = *y++;
                if (std::isnan(value)) continue;
                equations[term.angle].add(x[term.own], term.sign * x[term.partner], value);
            }
        }
        for (const Equations& e : equations) solutions.push_back(solution_of(e, unit));
    }
    std::vector<double> lengths;
    for (const auto& [turn, is_consistent] : solutions) {
        turns.values.push_back(turn);
        if (turn.error < most_error) lengths.push_back(length_of(turn.cos, turn.sin));
    }
    turns.factor =
        lengths.empty() ? std::numeric_limits<double>::quiet_NaN() : evidence::median(lengths);
    std::int64_t known = 0, fitting = 0;
    for (const auto& [turn, is_consistent] : solutions) {
        if (!(turn.error < most_error)) continue;
        // A pair that is not turned looks alike under all conventions.
        const bool is_turned = length_of(turn.cos - turns.factor, turn.sin) > 4 * turn.error;
        if (!is_turned && is_consistent) continue;
        ++known;
        const double off = std::fabs(length_of(turn.cos, turn.sin) - turns.factor);
        if (is_consistent && off <= 3 * turn.error) ++fitting;
    }
    turns.fit = known > 0 ? static_cast<double>(fitting) / static_cast<double>(known) : 0;
    return turns;
}

/// True if some angles, or some cosines and sines, of an array of doubles are numbers of float32,
/// as they are if code makes them in float32.
bool are_of_float32(const Turns& turns) {
    constexpr int enough = 4;
    int shown = 0;
    for (const Turn& turn : turns.values) {
        const double error = turn.error / turns.factor;
        const double cos = turn.cos / turns.factor, sin = turn.sin / turns.factor;
        // If cos and sin have changed places, the angle is the complement.
        const bool is_shown = evidence::shows_float32(std::atan2(sin, cos), error) ||
                              evidence::shows_float32(std::atan2(cos, sin), error) ||
                              (evidence::shows_float32(turn.cos, turn.error) &&
                               evidence::shows_float32(turn.sin, turn.error));
        if (is_shown && ++shown == enough) return true;
    }
    return false;
}

/// Returns the turns of a kernel in which cos and sin have changed places.
Turns with_cos_and_sin_exchanged(Turns turns) {
    for (Turn& turn : turns.values) std::swap(turn.cos, turn.sin);
    return turns;
}

// Steps: by which angle a pair is turned further from one position to the next.

/// A run of rows with equal steps: the angle of pair m in row `first` + i is phase[m] + i step[m],
/// modulo 2 pi.
struct EqualSteps {
    std::int64_t first;
    std::int64_t count;
    std::vector<Measured> step;   ///< of each pair, from -pi to pi
    std::vector<Measured> phase;  ///< of each pair, from -pi to pi
};

using Complex = std::complex<double>;
constexpr double unknown = std::numeric_limits<double>::infinity();

/// Returns how far the angle of a turn may be from the true angle.
double angle_error(const Turns& turns, const Turn& turn) {
    return turn.error < turns.factor / 4 ? std::sqrt(2.0) * turn.error / turns.factor : unknown;
}

Complex complex_of(const Turn& turn) { return {turn.cos, turn.sin}; }

/// Returns the step of each pair from one row to the next.
std::vector<Measured> step_after(const Turns& turns, std::int64_t row) {
    std::vector<Measured> steps;
    for (std::int64_t m = 0; m < turns.pairs; ++m) {
        const Turn &a = turns.at(row, m), &b = turns.at(row + 1, m);
        steps.push_back({std::arg(complex_of(b) * std::conj(complex_of(a))),
                         angle_error(turns, a) + angle_error(turns, b)});
    }
    return steps;
}

bool are_alike(const std::vector<Measured>& a, const std::vector<Measured>& b) {
    std::size_t far = 0, known = 0;
    for (std::size_t m = 0; m < a.size(); ++m) {
        const double error = a[m].error + b[m].error;
        if (error > 1) continue;
        ++known;
        // Errors beyond arithmetic: code in float32 rounds angles, large angles by much.
        constexpr double float32_angle = 0.05;
        if (std::fabs(wrapped(a[m].value - b[m].value)) > error + float32_angle) ++far;
    }
    return known > 0 && far * 20 <= known;
}

bool is_turned(const std::vector<Measured>& step) {
    return std::ranges::any_of(
        step, [](const Measured& angle) { return std::fabs(angle.value) > 4 * angle.error; });
}

/// Returns which steps are equal to the most frequent step. Steps between rows of the same
/// position, which do not turn, are not taken for the most frequent step unless no step turns.
std::vector<bool> usual_steps(const std::vector<std::vector<Measured>>& steps) {
    constexpr std::size_t most_tried = 48;
    const bool shows = std::ranges::any_of(steps, is_turned);
    std::vector<bool> best(steps.size(), false);
    std::ptrdiff_t most = 0;
    for (std::size_t i = 0; i < std::min(most_tried, steps.size()); ++i) {
        if (shows && !is_turned(steps[i])) continue;
        std::vector<bool> alike;
        for (const std::vector<Measured>& other : steps)
            alike.push_back(are_alike(steps[i], other));
        const std::ptrdiff_t count = std::ranges::count(alike, true);
        if (count <= most) continue;
        most = count;
        best = std::move(alike);
    }
    return best;
}

/// Measures the step of pair m in rows first ... first + count - 1: first between neighbours, then
/// between rows ever farther apart, which makes the step more exact.
Measured step_in(const Turns& turns, std::int64_t m, std::int64_t first, std::int64_t count) {
    double step = 0, error = unknown;
    for (std::int64_t lag = 1; lag < count; lag = std::min(2 * lag, count - 1)) {
        Complex sum = 0;
        double weights = 0, errors = 0;
        for (std::int64_t i = first; i + lag < first + count; ++i) {
            const Turn &a = turns.at(i, m), &b = turns.at(i + lag, m);
            const double off = angle_error(turns, a) + angle_error(turns, b);
            if (off > 1) continue;
            const double weight = 1 / (off * off + 1e-30);
            sum += weight * complex_of(b) * std::conj(complex_of(a));
            weights += weight;
            errors += weight * off;
        }
        if (weights == 0) break;
        const auto apart = static_cast<double>(lag);
        const double now = errors / weights / apart;
        // The number of whole turns between the two rows follows from the step so far.
        if (lag > 1 && error * apart > std::numbers::pi / 2) break;
        if (now < error) {
            step += wrapped(std::arg(sum) - apart * step) / apart;
            error = now;
        }
        if (lag == count - 1) break;
    }
    return {wrapped(step), error};
}

Measured phase_in(const Turns& turns, const Measured& step, std::int64_t m, std::int64_t first,
                  std::int64_t count) {
    // Only rows near the first one are used, so that the error of the step does not matter.
    const std::int64_t rows = std::min<std::int64_t>(count, 16);
    Complex sum = 0;
    double weights = 0, errors = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
        const Turn& turn = turns.at(first + i, m);
        const double rounded = 0x1p-22 * static_cast<double>(rows) * std::fabs(step.value);
        const double off = angle_error(turns, turn) + static_cast<double>(i) * step.error + rounded;
        if (off > 1) continue;
        const double weight = 1 / (off * off + 1e-30);
        sum += weight * complex_of(turn) * std::polar(1.0, -static_cast<double>(i) * step.value);
        weights += weight;
        errors += weight * off;
    }
    return {std::arg(sum), weights > 0 ? errors / weights : unknown};
}

/// Returns the largest distance of a pair's angles from the angles by its step and phase.
double deviation(const Turns& turns, std::int64_t m, const EqualSteps& steps, double step,
                 double phase) {
    double largest = 0;
    for (std::int64_t i = 0; i < steps.count; ++i) {
        const Turn& turn = turns.at(steps.first + i, m);
        if (angle_error(turns, turn) > 0.1) continue;
        const double angle = phase + static_cast<double>(i) * step;
        largest = std::max(largest, std::fabs(wrapped(std::arg(complex_of(turn)) - angle)));
    }
    return largest;
}

/// Returns the longest run of rows with the step that most rows have. None if there is only one
/// row, or if no two steps are alike.
std::optional<EqualSteps> equal_steps(const Turns& turns) {
    std::vector<std::vector<Measured>> steps;
    for (std::int64_t row = 0; row + 1 < turns.positions; ++row) {
        steps.push_back(step_after(turns, row));
    }
    if (steps.empty()) return {};
    const std::vector<bool> is_usual = usual_steps(steps);
    const std::ptrdiff_t usual = std::ranges::count(is_usual, true);
    if (usual == 0 || (steps.size() > 2 && usual < 2)) return {};
    EqualSteps result{.first = 0, .count = 0, .step = {}, .phase = {}};
    for (std::size_t begin = 0; begin < is_usual.size(); ++begin) {
        std::size_t end = begin;
        while (end < is_usual.size() && is_usual[end]) ++end;
        const auto rows = static_cast<std::int64_t>(end - begin) + 1;
        if (end > begin && rows > result.count) {
            result.first = static_cast<std::int64_t>(begin);
            result.count = rows;
        }
        begin = end;
    }
    for (std::int64_t m = 0; m < turns.pairs; ++m) {
        Measured step = step_in(turns, m, result.first, result.count);
        Measured phase = phase_in(turns, step, m, result.first, result.count);
        // Code in float32 rounds angles, and rounds them the more the farther the positions are
        // from 0.
        const double off = deviation(turns, m, result, step.value, phase.value);
        step.error = std::max(step.error, off / static_cast<double>(result.count));
        phase.error = std::max(phase.error, off);
        result.step.push_back(step);
        result.phase.push_back(phase);
    }
    return result;
}

/// Returns the angles of one row, times `sign`.
std::vector<Measured> phases_of(const Turns& turns, std::int64_t row, double sign) {
    std::vector<Measured> phases;
    for (std::int64_t m = 0; m < turns.pairs; ++m) {
        const Turn& turn = turns.at(row, m);
        phases.push_back({sign * std::arg(complex_of(turn)), angle_error(turns, turn)});
    }
    return phases;
}

// Positions: which position each row has, once the frequencies are known.

/// A pair that shows something about the position.
struct Pair {
    double phase;
    double error;
    double frequency;
};

std::vector<Pair> telling_pairs(std::span<const Measured> phases,
                                std::span<const double> frequencies) {
    std::vector<Pair> pairs;
    for (std::size_t m = 0; m < phases.size(); ++m) {
        if (!(phases[m].error < 0.25)) continue;
        pairs.push_back({phases[m].value, 3 * phases[m].error, frequencies[m]});
    }
    std::ranges::stable_sort(pairs, std::ranges::greater(),
                             [](const Pair& pair) { return pair.frequency / pair.error; });
    return pairs;
}

/// The relative error of float32 code in an angle, a frequency, and the number from which the
/// frequency is made.
constexpr double float32_share = 0x1p-21;

double error_at(double position, const Pair& pair) {
    return pair.error + std::min(float32_share * std::fabs(position * pair.frequency), 0.1);
}

/// Number of pairs that may miss a position that is right.
std::size_t most_misses(const std::vector<Pair>& pairs) { return pairs.size() / 16; }

bool is_position(double position, const std::vector<Pair>& pairs) {
    constexpr double turn = 2 * std::numbers::pi;
    std::size_t misses = 0;
    for (const Pair& pair : pairs) {
        // The error of the whole turns is far below 2^-21 of the angle.
        const double angle = pair.phase - position * pair.frequency;
        const double off = std::fabs(angle - turn * std::rint(angle / turn));
        if (off > error_at(position, pair) && ++misses > most_misses(pairs)) return false;
    }
    return !pairs.empty();
}

/// Returns the whole numbers, `most` from 0 at most, by which a pair of a positive frequency is
/// turned to its phase.
std::vector<double> positions_by(const Pair& pair, double most) {
    constexpr double turn = 2 * std::numbers::pi;
    const double error = error_at(most, pair), farthest = most * pair.frequency + error;
    std::vector<double> found;
    double angle = pair.phase - turn * std::floor((farthest + pair.phase) / turn);
    for (; angle <= farthest; angle += turn) {
        const double last = std::min(std::floor((angle + error) / pair.frequency), most);
        double position = std::max(std::ceil((angle - error) / pair.frequency), -most);
        for (; position <= last; ++position) found.push_back(position + 0.0);  // never -0
    }
    return found;
}

/// Returns about how many numbers positions_by returns.
double count_by(const Pair& pair, double most) {
    const double turns = most * pair.frequency / std::numbers::pi;
    return std::max(turns, 1.0) * (1 + 2 * error_at(most, pair) / pair.frequency);
}

/// Returns the position p such that pair m is turned by p frequencies[m], modulo 2 pi: the whole
/// number nearest to 0 of those that one pair shows, at most 2^20 from it, or less if the angles
/// are known too roughly to tell far positions. None if there is no such position.
std::optional<double> nearest_position(const std::vector<Pair>& pairs) {
    struct Guide {
        Pair pair;
        double count;  ///< about how many positions it shows
    };
    double most = 0x1p20;
    constexpr double enough = 0x1p12;
    std::vector<Guide> guides;
    for (const Pair& pair : pairs) {
        if (pair.frequency > 0) guides.push_back({pair, 0});
    }
    if (guides.empty()) return is_position(0, pairs) ? std::optional(0.0) : std::nullopt;
    const auto count_all = [&] {
        for (Guide& guide : guides) guide.count = count_by(guide.pair, most);
        return std::ranges::min_element(guides, {}, &Guide::count)->count;
    };
    while (count_all() > enough && most > 1) most /= 2;
    // A position that is right suits at least one of these pairs, which are more than may miss it.
    std::ranges::sort(guides, {}, &Guide::count);
    guides.resize(std::min(guides.size(), most_misses(pairs) + 1));
    for (const Guide& guide : guides) {
        std::optional<double> nearest;
        const auto distance = [](double p) { return std::pair(std::fabs(p), p < 0); };
        for (const double position : positions_by(guide.pair, most)) {
            const bool is_nearer = !nearest || distance(position) < distance(*nearest);
            if (is_nearer && is_position(position, pairs)) nearest = position;
        }
        if (nearest) return nearest;
    }
    return {};
}

/// Finds the positions of rows one after the other, where rows mostly follow each other by a step.
class PositionsOfRows {
  public:
    PositionsOfRows(std::vector<double> frequencies, double step, bool is_inverse)
        : frequencies_(std::move(frequencies)), step_(step), sign_(is_inverse ? -1 : 1) {}

    /// Adds the positions of the next rows. Returns false at a row that has none.
    bool add(const Turns& turns) {
        for (std::int64_t row = 0; row < turns.positions; ++row) {
            const std::vector<Pair> pairs = pairs_in(turns, row);
            std::optional<double> found = likely(pairs);
            if (!found) found = nearest_position(pairs);
            if (!found) return false;
            positions_.push_back(*found);
        }
        return true;
    }

    /// Does as add() does, in several threads, which is of use if most rows have positions.
    bool add_many(const Turns& turns) {
        std::vector<std::vector<Pair>> pairs(turns.positions);
        for_rows(turns.positions, [&](std::int64_t row) { pairs[row] = pairs_in(turns, row); });
        // Rows behind one that is out of order are searched with it: the more, the more are so.
        std::vector<std::optional<double>> nearest;
        std::size_t searched = 0;
        for (std::size_t row = 0; row < pairs.size(); ++row) {
            std::optional<double> found = likely(pairs[row]);
            if (!found) {
                if (const std::size_t end = searched + nearest.size(); row >= end) {
                    const std::size_t more = row == end ? 2 * nearest.size() + 1 : 1;
                    searched = row;
                    nearest.assign(std::min(more, pairs.size() - row), {});
                    for_rows(std::ssize(nearest), [&](std::int64_t i) {
                        nearest[i] = nearest_position(pairs[searched + i]);
                    });
                }
                found = nearest[row - searched];
            }
            if (!found) return false;
            positions_.push_back(*found);
        }
        return true;
    }

    /// Adds positions that go on by the step until there are `count`.
    void go_on(std::int64_t count) {
        while (std::ssize(positions_) < count) {
            positions_.push_back(positions_.empty() ? 0 : positions_.back() + step_);
        }
    }

    const std::vector<double>& positions() const { return positions_; }

  private:
    std::vector<Pair> pairs_in(const Turns& turns, std::int64_t row) const {
        return telling_pairs(phases_of(turns, row, sign_), frequencies_);
    }

    /// Calls `act` with 0 ... rows - 1, in several threads if these are many.
    static void for_rows(std::int64_t rows, const std::function<void(std::int64_t)>& act) {
        constexpr std::int64_t at_once = 512;
        parallel_for((rows + at_once - 1) / at_once, [&](std::int64_t part) {
            const std::int64_t end = std::min((part + 1) * at_once, rows);
            for (std::int64_t row = part * at_once; row < end; ++row) act(row);
        });
    }

    /// Returns the position of the next row if it is one of the likely ones.
    std::optional<double> likely(const std::vector<Pair>& pairs) const {
        const double last = positions_.empty() ? 0 : positions_.back();
        for (const double likely : {last + step_, last, 0.0, 1.0}) {
            if (is_position(likely, pairs)) return likely;
        }
        return {};
    }

    std::vector<double> frequencies_;
    double step_;
    double sign_;
    std::vector<double> positions_;
};

/// A geometric series: log(step[m]) = first - slope m.
struct GeometricSeries {
    Measured first;
    Measured slope;
};

struct LogStep {
    double pair;
    double log;
    double error;
};

std::optional<GeometricSeries> fitted(const std::vector<LogStep>& points) {
    double w = 0, wx = 0, wy = 0;
    for (const LogStep& p : points) {
        const double weight = 1 / (p.error * p.error);
        w += weight;
        wx += weight * p.pair;
        wy += weight * p.log;
    }
    const double x0 = wx / w, y0 = wy / w;
    double xx = 0, xy = 0;
    for (const LogStep& p : points) {
        const double weight = 1 / (p.error * p.error);
        xx += weight * (p.pair - x0) * (p.pair - x0);
        xy += weight * (p.pair - x0) * (p.log - y0);
    }
    if (!(xx > 0)) return {};
    const double slope = -xy / xx;
    return GeometricSeries{{y0 + slope * x0, 4 * std::sqrt(1 / w + x0 * x0 / xx)},
                           {slope, 4 / std::sqrt(xx)}};
}

/// Returns the line through the pairs from `begin` on, without the few that are off it. None if the
/// pairs form no geometric series.
std::optional<GeometricSeries> line_of(std::span<const Measured> steps, std::size_t begin) {
    std::vector<LogStep> points;
    for (std::size_t m = begin; m < steps.size(); ++m) {
        const auto [value, error] = steps[m];
        if (!(value > 8 * error)) continue;
        points.push_back(
            {static_cast<double>(m), std::log(value), error / value + float32_share / 4});
    }
    std::size_t left_out = 0;
    while (points.size() >= 2) {
        const std::optional<GeometricSeries> line = fitted(points);
        if (!line) return {};
        const auto off = [&](const LogStep& p) {
            return std::fabs(p.log - line->first.value + line->slope.value * p.pair) / p.error;
        };
        const auto worst = std::ranges::max_element(points, {}, off);
        if (off(*worst) <= 4) return line;
        if (++left_out * 12 > points.size()) return {};
        points.erase(worst);
    }
    return {};
}

// Bases of rope whose frequencies are the geometric series that a kernel shows.

constexpr double rough_error = 2e-3;

/// A number that code uses instead of the rotary dimension in the exponent.
struct Denominator {
    double value;
    std::string finding;
};

std::vector<Denominator> denominators(std::int64_t dim, std::int64_t channels) {
    const auto r = static_cast<double>(dim);
    std::vector<Denominator> all{{r, ""}};
    const auto sentence = [&](std::string_view what) {
        return fmt::format(
            "The exponent of the frequencies is divided by {}, not by {}, the "
            "number of rotated channels.",
            what, dim);
    };
    if (channels != dim) {
        all.push_back({static_cast<double>(channels),
                       sentence(fmt::format("{}, the channels of a head", channels))});
    }
    if (dim > 4) {
        all.push_back({r - 2, sentence(fmt::format("{}", dim - 2))});
        all.push_back({r - 1, sentence(fmt::format("{}", dim - 1))});
    }
    all.push_back({2 * r, sentence(fmt::format("{}", 2 * dim))});
    return all;
}

/// Adds a finding that names the usual base and another number of channels with the same
/// frequencies.
void add_hint(FrequencyModel& model, double base, std::int64_t dim, std::int64_t channels) {
    constexpr std::array usual{10000.0, 500000.0, 1000000.0};
    if (std::ranges::find(usual, base) != usual.end()) return;
    for (const std::int64_t other : {channels, 2 * dim}) {
        const double share = static_cast<double>(other) / static_cast<double>(dim);
        const double same = std::pow(base, share);
        const auto found = std::ranges::find_if(
            usual, [&](double number) { return std::fabs(same - number) < 1e-9 * number; });
        if (other == dim || found == usual.end()) continue;
        model.findings.push_back(
            fmt::format("Base {} of {} channels has the first frequencies of base {} of {}.",
                        shortest(base), dim, shortest(*found), other));
        return;
    }
}

/// Returns the price of a base that is far from the bases of models, in bits.
double bits_of_size(double base) {
    constexpr double usual = 5, farthest = 3, bits_of_decade = 4;
    return bits_of_decade * std::max(std::fabs(std::log10(base) - usual) - farthest, 0.0);
}

/// True if a number that was measured with this relative error leaves room for other numbers that
/// people use.
bool is_rough(double relative_error) { return relative_error > rough_error; }

/// Returns the number of significant digits of a decimal: 1 for 10000, 3 for 0.707.
std::ptrdiff_t digits_of(std::string text) {
    text.resize(std::min(text.find('e'), text.size()));
    std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
    const std::size_t first = text.find_first_not_of('0'), last = text.find_last_not_of('0');
    return first == std::string::npos ? 0 : static_cast<std::ptrdiff_t>(last - first) + 1;
}

/// True if the number may be a wrong guess at another number: it has many digits, or the error
/// leaves room for others; and published models do not have it.
bool is_doubtful(const SimpleNumber& number, double relative_error) {
    constexpr std::ptrdiff_t most_digits = 4;
    const auto has = [&](std::span<const double> usual) {
        return std::ranges::find(usual, number.value) != usual.end();
    };
    if (has(known_bases()) || has(known_factors())) return false;
    // At most so many numbers with as many digits are within the error.
    const std::ptrdiff_t digits = digits_of(number.text);
    const double near = relative_error * std::pow(10, digits);
    return digits > most_digits || near > 10 * rough_error;
}

FrequencyModel with_base(const SimpleNumber& base, double relative_error,
                         const Denominator& denominator, std::int64_t dim, std::int64_t channels) {
    const double own = static_cast<double>(dim) / denominator.value;
    const double value = own == 1 ? base.value : std::pow(base.value, own);
    FrequencyModel model{.settings = {}, .frequencies = {}, .bits = base.bits};
    model.bits += bits_of_size(base.value);
    // If the base is measured roughly, a usual base with another divisor comes near it.
    const bool may_be_another = own != 1 && is_rough(relative_error);
    if (may_be_another || is_doubtful(base, relative_error)) {
        model.doubts.push_back("--base " + shortest(value));
    }
    if (own != 1) model.bits += 8;
    if (value != 10000) model.settings.push_back({"base", shortest(value)});
    if (!denominator.finding.empty()) {
        model.findings.push_back(denominator.finding);
        model.findings.push_back(fmt::format("Base {} of {} channels is {} of {}.",
                                             shortest(base.value), denominator.value,
                                             shortest(value), dim));
    }
    if (own == 1) add_hint(model, value, dim, channels);
    model.frequencies = frequencies_of(model.settings, dim);
    return model;
}

/// Adds the model with the same frequencies by NTK-aware scaling of a usual base, if its factor is
/// simple.
void add_stretched(std::vector<FrequencyModel>& models, const Measured& base, std::int64_t dim) {
    const double exponent = (static_cast<double>(dim) - 2) / static_cast<double>(dim);
    if (dim <= 2) return;
    for (const double original : {10000.0, 500000.0, 1000000.0}) {
        const double factor = std::pow(base.value / original, exponent);
        if (factor < 1.01 || factor > 1024) continue;
        const Measured measured{factor, exponent * factor * base.error / base.value};
        const std::vector<SimpleNumber> simple = evidence::simple_numbers(measured, 1);
        if (simple.empty() || simple.front().bits > 12) continue;
        FrequencyModel model{.settings = {}, .frequencies = {}, .bits = 8 + simple.front().bits};
        if (original != 10000) model.settings.push_back({"base", shortest(original)});
        model.settings.push_back({"scaling", "ntk"});
        model.settings.push_back({"factor", simple.front().text});
        const double relative_error = measured.error / factor;
        // If the base is measured roughly, another factor of another base comes near it.
        if (is_rough(relative_error) || is_doubtful(simple.front(), relative_error)) {
            model.doubts.push_back("--factor " + simple.front().text);
        }
        model.frequencies = frequencies_of(model.settings, dim);
        models.push_back(std::move(model));
    }
}

/// Returns the model for rows that are `step` positions apart, or the model with the linear scaling
/// that is the same.
FrequencyModel with_step(FrequencyModel model, const SimpleNumber& step, const Measured& measured,
                         std::int64_t dim) {
    const double factor = 1 / step.value;
    const double second = model.frequencies.size() > 1 ? model.frequencies[1] : 0;
    if (model.settings.size() < 2 && std::fabs(step.value - second) < 1e-3 * second) {
        model.findings.emplace_back(
            "The frequencies begin with base^(-2/r), not with 1: m counts from 1 in the exponent.");
        model.bits += 8;
        model.step = second;
        return model;
    }
    const bool is_scaled =
        std::ranges::find(model.settings, "scaling", &Setting::name) != model.settings.end();
    model.bits += 3 + step.bits;
    const double relative_error = measured.error / measured.value;
    if (is_scaled || factor < 2 || std::rint(factor) != factor) {
        model.step = step.value;
        if (std::rint(step.value) != step.value && is_doubtful(step, relative_error)) {
            model.doubts.push_back("--step " + step.text);
        }
        return model;
    }
    model.settings.push_back({"scaling", "linear"});
    model.settings.push_back({"factor", shortest(factor)});
    if (is_doubtful({shortest(factor), factor, 0}, relative_error)) {
        model.doubts.push_back("--factor " + shortest(factor));
    }
    model.frequencies = frequencies_of(model.settings, dim);
    return model;
}

/// Returns the models whose frequencies fall along the line, for steps of one position: models with
/// the usual divisor in the exponent, with other divisors, and with NTK-aware scaling. `dim` of the
/// `channels` channels are rotated.
std::vector<FrequencyModel> geometric_models(const GeometricSeries& line, std::int64_t dim,
                                             std::int64_t channels) {
    std::vector<FrequencyModel> models;
    for (const Denominator& denominator : denominators(dim, channels)) {
        const double half = denominator.value / 2;
        const double base = std::exp(half * line.slope.value);
        const Measured measured{base, base * half * line.slope.error};
        if (!std::isfinite(base) || !std::isfinite(measured.error) || !(base > 0)) continue;
        for (const SimpleNumber& number : evidence::simple_numbers(measured, 6)) {
            if (!(number.value > 0)) continue;
            models.push_back(with_base(number, measured.error / base, denominator, dim, channels));
        }
        if (denominator.finding.empty()) add_stretched(models, measured, dim);
    }
    return models;
}

// Settings: which settings of rope give the frequencies by which a kernel turns its pairs.

double tolerance(const Measured& step, double angle) {
    return 4 * step.error + float32_share * std::fabs(angle);
}

bool are_consistent(std::span<const Measured> steps, const FrequencyModel& model) {
    std::size_t known = 0, misses = 0;
    for (std::size_t m = 0; m < steps.size(); ++m) {
        if (!(steps[m].error < 0.25)) continue;
        ++known;
        const double angle = model.step * model.frequencies[m];
        if (std::fabs(wrapped(steps[m].value - angle)) > tolerance(steps[m], angle)) ++misses;
    }
    // A pair or two may be spoiled. The comparison of the whole arrays will show if they are.
    return known > 0 && misses * 16 <= known;
}

/// Returns the factor that makes the steps from the frequencies.
std::optional<Measured> scale_of(std::span<const Measured> steps, const FrequencyModel& model,
                                 std::size_t begin) {
    double weights = 0, sum = 0;
    for (std::size_t m = begin; m < steps.size(); ++m) {
        const double frequency = model.frequencies[m];
        const auto [value, error] = steps[m];
        if (!(value > 8 * error) || !(frequency > 0)) continue;
        const double relative = error / value + float32_share / 4;
        const double weight = 1 / (relative * relative);
        weights += weight;
        sum += weight * value / frequency;
    }
    if (weights == 0) return {};
    const double scale = sum / weights;
    return Measured{scale, 4 * scale / std::sqrt(weights)};
}

/// Adds the model with its frequencies rounded to float16 and bfloat16, as in a model that was cast
/// as a whole.
void add_rounded(std::vector<FrequencyModel>& models, const FrequencyModel& exact) {
    for (const DType format : {DType::bfloat16, DType::float16}) {
        FrequencyModel model = exact;
        model.format = format;
        model.bits += 6;
        model.is_known = false;
        for (double& frequency : model.frequencies) frequency = rounded(frequency, format);
        models.push_back(std::move(model));
    }
}

/// Returns the base and the factor among the settings that may just as well be other numbers.
std::vector<std::string> doubts_of(const std::vector<Setting>& settings, double relative_error) {
    // With NTK-aware scaling, another base with another factor gives the same frequencies.
    const bool is_ntk = std::ranges::find(settings, "ntk", &Setting::value) != settings.end();
    std::vector<std::string> doubts;
    for (const auto& [name, value] : settings) {
        if (name != "base" && name != "factor") continue;
        const SimpleNumber number{value, parse_real(value, name), 0};
        const bool may_be_another = is_ntk && name == "factor" && is_rough(relative_error);
        if (may_be_another || is_doubtful(number, relative_error))
            doubts.push_back(fmt::format("--{} {}", name, value));
    }
    return doubts;
}

/// Returns the models of all scaling types for rows that are `step` positions apart.
std::vector<FrequencyModel> scaled_models(std::span<const Measured> steps, double step) {
    const std::optional<GeometricSeries> line = line_of(steps, 0);
    const double error_of_base = line ? static_cast<double>(steps.size()) * line->slope.error : 0;
    constexpr double most = 16;  // beyond any frequency
    ShownTurning shown;
    for (const Measured& angle : steps) {
        const double error = 2 * angle.error + float32_share * std::fabs(angle.value);
        shown.frequencies.push_back({angle.value / step, std::min(error / step, most)});
    }
    std::vector<FrequencyModel> models;
    for (const PricedSettings& found : rope_settings(shown)) {
        FrequencyModel model{.settings = found.settings, .frequencies = {}, .bits = found.bits};
        std::erase_if(model.settings, [](const Setting& setting) { return setting.name == "d"; });
        model.frequencies = frequencies_of(model.settings, 2 * std::ssize(steps));
        model.doubts = doubts_of(model.settings, error_of_base);
        model.step = step;
        models.push_back(std::move(model));
    }
    return models;
}

/// Returns how many positions rows are apart, by the fastest pair, which most scalings leave alone;
/// 1 if the fastest pair does not show it.
double step_of(std::span<const Measured> steps) {
    const auto [angle, error] = steps.front();
    const double whole = std::rint(angle);
    return whole > 1 && std::fabs(angle - whole) <= 4 * error + float32_share * whole ? whole : 1;
}

/// Returns the usual factor of YaRN whose attention factor is nearest to `attention`; none if no
/// factor is within the error.
std::optional<double> yarn_factor(const Measured& attention) {
    const auto off = [&](double factor) {
        return std::fabs(0.1 * std::log(factor) + 1 - attention.value);
    };
    const double nearest = *std::ranges::min_element(known_factors(), {}, off);
    return off(nearest) <= attention.error ? std::optional(nearest) : std::nullopt;
}

/// Returns the models of YaRN whose factor makes this attention factor. At few positions, or in a
/// coarse format, their frequencies alone look like the frequencies of some base.
std::vector<FrequencyModel> yarn_models(std::int64_t dim, const Measured& attention) {
    constexpr std::size_t usual_bases = 8;
    constexpr std::array lengths{"4096", "8192", "32768", "2048", "16384", "65536"};
    constexpr double bits = 16;
    const std::optional<double> factor = yarn_factor(attention);
    std::vector<FrequencyModel> models;
    if (!factor) return models;
    for (const double base : known_bases().first(usual_bases)) {
        for (const char* const length : lengths) {
            FrequencyModel model{.settings = {}, .frequencies = {}, .bits = bits};
            if (base != 10000) model.settings.push_back({"base", shortest(base)});
            model.settings.push_back({"scaling", "yarn"});
            model.settings.push_back({"factor", shortest(*factor)});
            model.settings.push_back({"original-max-position-embeddings", length});
            model.frequencies = frequencies_of(model.settings, dim);
            models.push_back(std::move(model));
        }
    }
    return models;
}

/// Adds `model` to the agreeing models if it agrees with the steps as it is, or with simple
/// distances between the positions of rows.
void add_consistent(std::vector<FrequencyModel>& agreeing, const FrequencyModel& model,
                    std::span<const Measured> steps, std::size_t begin) {
    if (model.frequencies.size() != steps.size()) return;
    if (are_consistent(steps, model)) {
        agreeing.push_back(model);
        return;
    }
    const std::optional<Measured> scale = scale_of(steps, model, begin);
    if (!scale) return;
    for (const SimpleNumber& step : evidence::simple_numbers(*scale, 3)) {
        if (!(step.value > 0)) continue;
        FrequencyModel scaled = with_step(model, step, *scale, 2 * std::ssize(steps));
        if (are_consistent(steps, scaled)) agreeing.push_back(std::move(scaled));
    }
}

/// Returns each model once, cheapest first: models with the same frequencies count as one.
std::vector<FrequencyModel> distinct(std::vector<FrequencyModel> models) {
    std::vector<FrequencyModel> different;
    for (FrequencyModel& model : models) {
        const auto same = std::ranges::find_if(different, [&](const FrequencyModel& other) {
            return other.frequencies == model.frequencies && other.step == model.step;
        });
        if (same == different.end()) {
            different.push_back(std::move(model));
        } else if (model.is_known && !same->is_known) {
            // The known model replaces the cheaper one, but at the lower price.
            model.bits = same->bits;
            *same = std::move(model);
        }
    }
    return different;
}

/// Returns the models that turn pair m further by steps[m] in each row, modulo 2 pi, cheapest
/// first. `factor` is the factor of cos and sin. A row has `channels` channels, of which 2
/// steps.size() are rotated.
std::vector<FrequencyModel> models_with_steps(std::span<const Measured> steps,
                                              const Measured& factor, std::int64_t channels,
                                              KnownModels& all_known) {
    const std::int64_t dim = 2 * std::ssize(steps);
    const std::vector<FrequencyModel>& known = all_known.of(dim);
    std::vector<FrequencyModel> agreeing;
    for (const FrequencyModel& model : known) add_consistent(agreeing, model, steps, 0);
    // Steps of more than half a turn are wrapped, but the steps of slower pairs are not.
    for (const std::size_t begin : {std::size_t{0}, steps.size() / 2, steps.size() * 3 / 4}) {
        const std::optional<GeometricSeries> line = line_of(steps, begin);
        if (!line) continue;
        const std::size_t before = agreeing.size();
        for (const FrequencyModel& model : geometric_models(*line, dim, channels)) {
            add_consistent(agreeing, model, steps, begin);
        }
        if (agreeing.size() > before) break;
    }
    std::vector<FrequencyModel> coarse;
    for (const FrequencyModel& model : known) add_rounded(coarse, model);
    for (const FrequencyModel& model : coarse) {
        if (are_consistent(steps, model)) agreeing.push_back(model);
    }
    for (const FrequencyModel& model : scaled_models(steps, step_of(steps))) {
        add_consistent(agreeing, model, steps, 0);
    }
    for (const FrequencyModel& model : yarn_models(dim, factor)) {
        if (are_consistent(steps, model)) agreeing.push_back(model);
    }
    std::ranges::stable_sort(agreeing, {}, &FrequencyModel::bits);
    return distinct(std::move(agreeing));
}

// Factors: the number by which a kernel multiplies cos and sin.

/// Divides the positions instead of the frequencies, because linear scaling has no attention
/// factor.
void undo_linear_scaling(RotaryKernel& kernel) {
    const auto is_linear = [](const Setting& setting) {
        return setting.name == "scaling" && setting.value == "linear";
    };
    if (std::ranges::none_of(kernel.settings, is_linear)) return;
    const auto place = std::ranges::find(kernel.settings, "factor", &Setting::name);
    const double factor = parse_real(place->value, "--factor");
    std::erase_if(kernel.settings, [](const Setting& setting) {
        return setting.name == "scaling" || setting.name == "factor";
    });
    kernel.start /= factor;
    kernel.step /= factor;
    for (double& position : kernel.list) position /= factor;
    for (double& frequency : kernel.frequencies) frequency *= factor;
}

/// Returns the measured factor of the turns.
Measured factor_of(const Turns& turns) {
    double least = 1;
    for (const Turn& turn : turns.values) least = std::min(least, turn.error);
    return {turns.factor, 2 * least};
}

/// Returns the cheapest positive numbers that the measured factor may be; first, if it fits, 1
/// divided by the square root of the channels, by which a softmax is scaled.
std::vector<SimpleNumber> simple_factors(const Measured& measured, std::int64_t channels) {
    std::vector<SimpleNumber> numbers = evidence::simple_numbers(measured, 2);
    std::erase_if(numbers, [](const auto& number) { return !(number.value > 0); });
    constexpr double bits_of_root = 4;
    const double root = 1 / std::sqrt(static_cast<double>(channels));
    if (std::fabs(root - measured.value) <= measured.error) {
        numbers.insert(numbers.begin(), {shortest(root), root, bits_of_root});
    }
    return numbers;
}

/// Sets the factor of the kernel; its text is as one types it. Returns false if the kernel's
/// scaling has no attention factor.
bool set_factor(RotaryKernel& kernel, const SimpleNumber& factor) {
    undo_linear_scaling(kernel);
    const auto scaling = std::ranges::find(kernel.settings, "scaling", &Setting::name);
    if (scaling == kernel.settings.end()) {
        // Of the scaling types with an attention factor, yarn with factor 1 changes nothing else.
        kernel.settings.push_back({"scaling", "yarn"});
        kernel.settings.push_back({"factor", "1"});
        kernel.settings.push_back({"original-max-position-embeddings", "4096"});
    } else if (scaling->value != "yarn" && scaling->value != "longrope") {
        return false;
    }
    std::erase_if(kernel.settings, [](const Setting& setting) {
        return setting.name == "attention-factor" || setting.name.starts_with("mscale");
    });
    kernel.settings.push_back({"attention-factor", factor.text});
    kernel.factor = factor.value;
    return true;
}

/// A convention under which the turns of a sample look like rotations.
struct Likely {
    Convention convention;
    double fit;
};

bool is_changed(const KernelSample& sample, std::int64_t channel) {
    for (std::size_t i = channel; i < sample.before.size(); i += sample.channels) {
        if (sample.before[i] != sample.after[i]) return true;
    }
    return false;
}

/// Returns the runs of channels that may be rotated, as (first, count): all channels, and usual
/// runs that hold every channel that the kernel changes.
std::vector<std::pair<std::int64_t, std::int64_t>> rotated_runs(const KernelSample& sample) {
    const std::int64_t d = sample.channels;
    std::int64_t first = 0, end = d;
    while (first < d && !is_changed(sample, first)) ++first;
    while (end > first && !is_changed(sample, end - 1)) --end;
    std::vector<std::pair<std::int64_t, std::int64_t>> runs;
    const auto add = [&](std::int64_t from, std::int64_t count) {
        const bool holds_all =
            from >= 0 && from <= first && from + count >= end && from + count <= d;
        const std::pair run{from, count};
        if (holds_all && count >= 2 && count % 2 == 0 &&
            std::ranges::find(runs, run) == runs.end()) {
            runs.push_back(run);
        }
    };
    if (first == end) return runs;
    // In a coarse format slow pairs may not turn visibly, so more channels may be rotated than
    // change.
    add(0, d);
    for (const std::int64_t count : {d / 2, d / 4, d - d / 4, end + end % 2}) {
        add(0, count);
    }
    if (first == 0) return runs;
    for (const std::int64_t count : {d / 2, d / 4, d - d / 4, d - first + (d - first) % 2}) {
        add(d - count, count);
    }
    const std::int64_t even = first - first % 2;
    add(even, end - even + (end - even) % 2);
    return runs;
}

KernelSample first_positions(const KernelSample& sample, std::int64_t count) {
    KernelSample few = sample;
    few.positions = std::min(count, sample.positions);
    const std::size_t values = few.positions * few.samples * few.channels;
    few.before.resize(values);
    few.after.resize(values);
    return few;
}

/// Returns the conventions under which the turns of a sample look like rotations, the likeliest
/// first, a few at most. `unit` is the same as in measure_turns().
std::vector<Convention> likely_conventions(const KernelSample& sample, double unit) {
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
    // Conventions that fit equally well but for chance are in the usual order.
    std::ranges::stable_sort(likely, std::ranges::greater(),
                             [](const Likely& l) { return std::rint(l.fit * 25); });
    if (likely.size() > most) likely.resize(most);
    std::vector<Convention> conventions;
    for (const Likely& each : likely) conventions.push_back(each.convention);
    return conventions;
}

/// True if the two channels of most pairs of a sample have the same cosine, or sine, where the
/// convention lacks the other.
bool may_lack(const KernelSample& sample, const Convention& convention) {
    constexpr std::int64_t enough_positions = 16;
    const std::vector<Term> terms = terms_of(convention);
    std::int64_t all = 0, alike = 0;
    for (std::int64_t position = 0; position < std::min(sample.positions, enough_positions);
         ++position) {
        const double *const x = sample.before_row(position, 0), *const y =
                                                                    sample.after_row(position, 0);
        for (std::int64_t a = 0; a < convention.dim; ++a) {
            const std::int64_t b = terms[a].partner;
            const bool is_changed = y[a] != x[a] || y[b] != x[b];
            if (b < a || !is_changed) continue;
            const bool has_cosines = convention.lacking == Lacking::sines;
            const double of_a = has_cosines ? y[a] * x[b] : -y[a] * x[a];
            const double of_b = has_cosines ? y[b] * x[a] : y[b] * x[b];
            ++all;
            alike += std::fabs(of_a - of_b) <= 8 * sample.half_unit() * std::fabs(of_a) ? 1 : 0;
        }
    }
    return 8 * alike >= 7 * all && all > 0;
}

double bits_of(const Convention& convention, std::int64_t channels) {
    double bits = 0;
    if (convention.pairing != convention.layout) bits += 6;
    if (convention.lacks_minus) bits += 6;
    if (convention.reads_neighbours) bits += 5;
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

/// Returns the price of the positions of a list after the first position, in bits.
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

/// True if the kernel turns nearly all pairs by the measured angles.
bool turns_alike(const RotaryKernel& kernel, const Turns& turns) {
    const Positions positions = kernel.positions(turns.positions);
    const double sign = kernel.is_inverse ? -1 : 1;
    std::int64_t known = 0, misses = 0;
    for (std::int64_t row = 0; row < turns.positions; ++row) {
        for (std::int64_t m = 0; m < turns.pairs; ++m) {
            const Turn& turn = turns.at(row, m);
            const double error = 3 * turn.error / turns.factor;
            if (!(error < 0.25)) continue;
            const double angle = sign * kernel.angle(positions[row], m);
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

/// The price, in bits, of rounding positions, frequencies or angles to float16 or bfloat16.
constexpr double bits_of_rounding = 6;

/// A search for the kernels that agree with a sample.
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
        drop_repeated(findings_.agreeing);
        for (RotaryFinding& finding : findings_.agreeing) complete(finding.kernel);
        if (findings_.agreeing.empty()) try_parts();
        if (findings_.nearest) complete(findings_.nearest->kernel);
        std::ranges::stable_sort(findings_.agreeing, {}, [&](const RotaryFinding& finding) {
            return finding.kernel.bits + bits_of_misfit(finding.found.agreement);
        });
        return std::move(findings_);
    }

  private:
    /// Tries kernels that leave the cosines or the sines out, with known frequencies and positions:
    /// such values show no angles.
    void try_parts() {
        const std::int64_t dim = sample_->channels - sample_->channels % 2;
        for (const Lacking lacking : {Lacking::sines, Lacking::cosines}) {
            for (const rows::Pairing pairing : {rows::Pairing::half, rows::Pairing::interleaved}) {
                const Convention convention{.first = 0,
                                            .dim = dim,
                                            .pairing = pairing,
                                            .layout = pairing,
                                            .lacking = lacking};
                if (!may_lack(*sample_, convention)) continue;
                for (const FrequencyModel& model : known_.of(dim)) {
                    for (const double start : {0.0, 1.0}) {
                        constexpr double bits = 10;
                        RotaryKernel kernel = with_model({.convention = convention,
                                                          .settings = {},
                                                          .frequencies = {},
                                                          .bits = bits},
                                                         model, false);
                        kernel.start = start;
                        if (agrees(kernel)) return;
                    }
                }
            }
        }
    }

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
            try_rows(kernel, seen, unit);
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

    /// Gives a list of positions that ends with the sample the positions of all rows.
    void complete(RotaryKernel& kernel) const {
        if (kernel.list.empty() || std::ssize(kernel.list) == view_->positions) return;
        kernel = with_positions_of_rows(kernel, *sample_, *view_);
    }

    /// Removes kernels that do as one before them does.
    static void drop_repeated(std::vector<RotaryFinding>& findings) {
        const auto are_same = [](const RotaryKernel& a, const RotaryKernel& b) {
            return a.is_exchanged == b.is_exchanged && a.is_inverse == b.is_inverse &&
                   a.start == b.start && a.step == b.step && a.settings == b.settings &&
                   a.list == b.list && a.frequencies == b.frequencies &&
                   a.frequency_format == b.frequency_format && a.angle_format == b.angle_format &&
                   a.table_format == b.table_format &&
                   terms_of(a.convention) == terms_of(b.convention);
        };
        std::vector<RotaryFinding> distinct;
        for (RotaryFinding& finding : findings) {
            const bool is_new = std::ranges::none_of(distinct, [&](const RotaryFinding& other) {
                return are_same(other.kernel, finding.kernel);
            });
            if (is_new) distinct.push_back(std::move(finding));
        }
        findings = std::move(distinct);
    }

    /// Replaces negative positions of an inverse kernel by positions from 0 up, or counted down, of
    /// a kernel that is not inverse.
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

    /// Tries kernels for pairs that turn further by equal steps.
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
                    nearest_position(telling_pairs(forward(steps.phase), model.frequencies));
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

    /// Tries the kernel with a position for each row, measured one by one.
    void try_list(const RotaryKernel& kernel, const Turns& turns, const FrequencyModel& model,
                  double unit) {
        PositionsOfRows found(model.frequencies, model.step, kernel.is_inverse);
        if (!found.add(turns)) return;
        RotaryKernel with = kernel;
        with.step = model.step;
        const std::vector<double>& rows = found.positions();
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

    /// Tries kernels that round angles, of which steps and positions show little: known frequencies
    /// and known positions, which may be rounded as well.
    void try_rounded_angles(const RotaryKernel& kernel, const Turns& turns, double unit) {
        std::map<std::pair<DType, double>, std::vector<double>> rounded_positions;
        for (const DType format : {DType::bfloat16, DType::float16}) {
            for (const double start : {0.0, 1.0}) {
                rounded_positions[{format, start}] = rounded_positions_from(start, format);
            }
        }
        for (const FrequencyModel& model : known_.of(2 * turns.pairs)) {
            for (const DType format : {DType::bfloat16, DType::float16}) {
                for (const int which : {0, 1, 2, 3}) {
                    for (const double start : {0.0, 1.0}) {
                        for (const bool is_inverse : {false, true}) {
                            RotaryKernel with = with_model(kernel, model, is_inverse);
                            with.start = start;
                            with.bits += bits_of_rounding + (start == 0 ? 0 : 4);
                            with.angle_format = format;
                            if ((which & 1) != 0 && !round_frequencies(with, format)) continue;
                            const std::vector<double>& list = rounded_positions[{format, start}];
                            if ((which & 2) != 0) {
                                if (list.empty()) continue;
                                with.list.assign(list.begin(), list.begin() + turns.positions);
                                with.bits += bits_of_rounding;
                            }
                            if (!turns_alike(with, turns)) continue;
                            if ((which & 2) != 0) with.list = list;
                            try_kernel(with, turns, unit);
                        }
                    }
                }
            }
        }
    }

    /// Rounds the frequencies. Returns true if that changes any frequency.
    static bool round_frequencies(RotaryKernel& kernel, DType format) {
        const std::vector<double> exact = kernel.frequencies;
        for (double& frequency : kernel.frequencies) frequency = rounded(frequency, format);
        kernel.frequency_format = format;
        kernel.has_known_frequencies = false;
        kernel.bits += bits_of_rounding;
        return kernel.frequencies != exact;
    }

    /// Returns the rounded positions of all rows of the view; empty if that changes none.
    std::vector<double> rounded_positions_from(double start, DType format) const {
        std::vector<double> list;
        for (std::int64_t row = 0; row < view_->positions; ++row) {
            list.push_back(rounded(start + static_cast<double>(row), format));
        }
        return rounding_of(list) ? list : std::vector<double>();
    }

    /// Tries kernels for rows without equal steps. Their frequencies must belong to a known model,
    /// because frequencies cannot be measured from such rows.
    void try_rows(const RotaryKernel& kernel, const Turns& turns, double unit) {
        constexpr std::int64_t most_lone_rows = 4;
        for (const FrequencyModel& model : known_.of(2 * turns.pairs)) {
            for (const bool is_inverse : {false, true}) {
                const RotaryKernel with = with_model(kernel, model, is_inverse);
                if (turns.positions > most_lone_rows) {
                    try_list(with, turns, model, unit);
                    continue;
                }
                const std::optional<double> position = nearest_position(
                    telling_pairs(phases_of(turns, 0, is_inverse ? -1 : 1), model.frequencies));
                if (!position) continue;
                RotaryKernel at = with;
                at.start = *position;
                at.bits += 3 + evidence::bits_of_number(shortest(at.start));
                if (turns.positions > 1) at.list.assign(turns.positions, *position);
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

    /// Tries the kernel with its own factor, or with the simple numbers that the measured factor
    /// may be. Returns true if the kernel agrees.
    bool try_factors(const RotaryKernel& kernel, const Turns& turns) {
        double own = 1;
        try {
            own = attention_factor_of(kernel.settings, kernel.convention.dim);
        } catch (const UsageError&) {
            return false;
        }
        RotaryKernel with = kernel;
        with.factor = own;
        const Measured measured = factor_of(turns);
        if (std::fabs(own - measured.value) <= measured.error) return agrees(with);
        for (const SimpleNumber& number : simple_factors(measured, sample_->channels)) {
            RotaryKernel scaled = kernel;
            scaled.bits += 4 + number.bits;
            // Code multiplies by powers of two and similarly simple numbers, so such numbers are
            // not doubted.
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
            if (const auto some = some_spoiled(kernel)) {
                keep_if_near({kernel, *some});
                return false;
            }
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

    /// Returns the agreement with some positions of a large sample, if they show that the kernel
    /// does not agree with all; none otherwise.
    std::optional<KernelAgreement> some_spoiled(const RotaryKernel& kernel) const {
        constexpr std::int64_t large = 256, every = 16;
        if (sample_->positions < large) return {};
        KernelAgreement some =
            compare_sample(*sample_, kernel, std::max(tried_, sample_->half_unit()), every);
        return some.spoiled > 0 ? std::optional(std::move(some)) : std::nullopt;
    }

    /// Returns the price, in bits, of an agreement only within the errors of float32 code. In an
    /// array of doubles it is higher, because float32 code does not explain their digits.
    double bits_of_misfit(const Agreement& found) const {
        if (found.level == Level::rounding) return 0;
        return sample_->precision.digits > 24 ? 100 : 10;
    }

    static bool has_evidence(const RotaryKernel& kernel, const KernelAgreement& found) {
        return found.turned >= 8 && found.agreement.evidence > 30 + 2 * kernel.bits;
    }

    void keep_if_near(RotaryFinding finding) {
        // longrope has a factor for each pair, so it comes near any angles.
        const auto is_fitted = [](const Setting& s) { return s.name == "long-factor"; };
        if (std::ranges::any_of(finding.kernel.settings, is_fitted)) return;
        // Not all are compared at as many positions.
        const auto good = [](const RotaryFinding& f) {
            return static_cast<double>(f.found.turned - 2 * f.found.spoiled) /
                   static_cast<double>(f.found.agreement.values);
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
};

}  // namespace

RotaryKernel with_positions_of_rows(const RotaryKernel& kernel, const KernelSample& sample,
                                    const KernelView& view) {
    const double unit =
        std::max(sample.half_unit(),
                 kernel.table_format ? half_unit(evidence::precision_of(*kernel.table_format)) : 0);
    PositionsOfRows found(kernel.frequencies, kernel.step, kernel.is_inverse);
    constexpr std::int64_t at_once = 8192;
    const std::int64_t parts = (view.positions + at_once - 1) / at_once;
    const auto turns_in = [&](std::int64_t part) {
        const std::int64_t first = part * at_once;
        const RowRange rows{first, std::min(at_once, view.positions - first)};
        Turns turns =
            measure_turns(read_positions(view, rows, sample.indices.front(), sample.precision),
                          kernel.convention, unit);
        return kernel.is_exchanged ? with_cos_and_sin_exchanged(std::move(turns)) : turns;
    };
    constexpr std::int64_t parts_at_once = 8;
    bool is_known = true;
    for (std::int64_t first = 0; first < parts && is_known; first += parts_at_once) {
        std::vector<Turns> turns(std::min(parts_at_once, parts - first));
        parallel_for(std::ssize(turns), [&](std::int64_t i) { turns[i] = turns_in(first + i); });
        for (const Turns& part : turns) is_known = is_known && found.add_many(part);
    }
    found.go_on(view.positions);
    RotaryKernel with = kernel;
    with.list = found.positions();
    with.bits += bits_of_steps(with.list, kernel.step) - bits_of_steps(kernel.list, kernel.step);
    return with;
}

RotaryFindings find_rotary_kernels(const KernelSample& sample, const KernelView& view) {
    if (sample.channels < 2) return {};
    return RotarySearch(sample, view).findings();
}

}  // namespace pegen::recognition
