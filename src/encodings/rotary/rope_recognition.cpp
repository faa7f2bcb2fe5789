#include "encodings/rotary/rope_recognition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "core/number.h"
#include "core/to_size.h"
#include "encodings/rotary/frequency_settings.h"
#include "encodings/rotary/lone_columns.h"
#include "encodings/rotary/row_positions.h"
#include "encodings/rotary/turning_table.h"
#include "encodings/rotary/usual_turning.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::Setting;

using Settings = std::vector<Setting>;

/// Settings, where the rows stand, and the frequencies.
struct Found {
    Settings settings;
    RowPositions positions;
    std::vector<double> frequencies;
    double drift;
};

/// What is found, without repetitions.
class Collection {
  public:
    void add(Found found) {
        const bool is_new = std::ranges::none_of(all_, [&](const Found& other) {
            return are_same(other.settings, found.settings) &&
                   are_same(other.positions.settings, found.positions.settings);
        });
        if (is_new) all_.push_back(std::move(found));
    }
    const std::vector<Found>& all() const { return all_; }

  private:
    static bool are_same(const Settings& a, const Settings& b) {
        return std::ranges::equal(a, b, [](const Setting& x, const Setting& y) {
            return x.name == y.name && x.value == y.value;
        });
    }

    std::vector<Found> all_;
};

std::vector<double> values_of(const std::vector<Measured>& numbers) {
    std::vector<double> values;
    for (const Measured& number : numbers) values.push_back(number.value);
    return values;
}

/// Returns the frequencies multiplied by `factor`.
std::vector<Measured> times(std::vector<Measured> frequencies, double factor) {
    for (Measured& frequency : frequencies) {
        frequency.value *= factor;
        frequency.error *= std::fabs(factor);
    }
    return frequencies;
}

/// Returns 1 and the steps of rows with which the fastest pair would turn by 1 at position 1.
std::vector<double> steps_of(const Measured& fastest) {
    std::vector<double> steps{1};
    for (const evidence::SimpleNumber& step : numbers_within(bounds_of(fastest), 1)) {
        const bool is_usual = step.value > 0 && step.bits < 12;
        if (is_usual && step.value != 1) steps.push_back(step.value);
    }
    return steps;
}

/// A table of waves, with what is asked of it again and again.
struct Waves {
    const TurningTable& table;
    std::optional<Measured> attention_factor;

    std::int64_t rows() const { return table.array().extents[0]; }
};

/// The rows stand at 0, 1, 2, ...
void add_counted(Collection& found, const Waves& waves) {
    if (!waves.table.may_be_unturned(0) || waves.rows() < 2) return;
    const auto frequencies = frequencies_at(waves.table, 0, 1, {0, 1 + 1e-6});
    if (!frequencies) return;
    // Frequencies that are all slower may be those of a smaller step.
    for (const double step : steps_of(frequencies->front())) {
        const std::vector<Measured> per_position = times(*frequencies, 1 / step);
        const double last = step * static_cast<double>(waves.rows() - 1);
        for (RopeSettings& settings :
             rope_settings({per_position, waves.attention_factor,
                            static_cast<std::int64_t>(std::ceil(last)) + 1})) {
            found.add({std::move(settings.settings), regular_positions(0, step, waves.rows()),
                       values_of(per_position), waves.table.drift()});
        }
    }
}

/// Returns the last position of these settings, if there are positions with which the table turns
/// as it does.
std::optional<double> add_at_its_positions(Collection& found, const Waves& waves, Turning turning) {
    if (turning.frequencies.empty()) return std::nullopt;
    const std::optional<RowPositions> positions = positions_at(waves.table, turning.frequencies);
    if (!positions) return std::nullopt;
    const double last = std::max(positions->at(0), positions->at(waves.rows() - 1));
    found.add({std::move(turning.settings), *positions, std::move(turning.frequencies),
               waves.table.drift()});
    return last;
}

/// The frequencies are those of a published model, and the rows stand anywhere.
void add_usual(Collection& found, const Waves& waves) {
    const auto [radius, error] = waves.table.radius();
    for (Turning& turning : usual_turnings(waves.table.pairs())) {
        if (std::fabs(turning.attention_factor - radius) > error + 1e-6) continue;
        add_at_its_positions(found, waves, std::move(turning));
    }
}

/// The rows stand at equal distances, wherever they begin, and the frequencies are any.
void add_advancing(Collection& found, const Waves& waves) {
    if (waves.rows() < 2) return;
    constexpr double pi = std::numbers::pi;
    std::optional<std::vector<Measured>> advances =
        waves.table.has_both() ? pegen::encodings::advances(waves.table, {-pi, pi})
                               : lone_advances(waves.table);
    if (!advances || advances->front().value == 0) return;
    if (advances->front().value < 0) advances = times(*advances, -1);
    const std::int64_t pairs = waves.table.pairs();
    for (const double step : steps_of(advances->front())) {
        if (advances->front().value > 1.01 * step) continue;
        ShownTurning shown{times(*advances, 1 / step), waves.attention_factor};
        for (const RopeSettings& settings : rope_settings(shown, 4)) {
            const auto last =
                add_at_its_positions(found, waves, turning_of(settings.settings, pairs, 1));
            if (!last) continue;
            shown.positions = static_cast<std::int64_t>(std::ceil(*last)) + 1;
        }
        if (shown.positions == 0) continue;
        // Now that the length of the sequence is known, the base may be one that grew with it.
        for (const RopeSettings& settings : rope_settings(shown)) {
            add_at_its_positions(found, waves,
                                 turning_of(settings.settings, pairs, shown.positions));
        }
    }
}

/// Adds the proposals of a hypothesis: exact, and as other code computes it.
void propose(std::vector<Proposal>& proposals, const RotaryColumns& columns, const Found& found,
             std::int64_t rows) {
    Proposal proposal{.table = columns.table, .settings = found.settings};
    for (const Settings* const more : {&columns.settings, &found.positions.settings}) {
        proposal.settings.insert(proposal.settings.end(), more->begin(), more->end());
    }
    if (found.positions.list.empty()) proposal.settings.push_back({"len", std::to_string(rows)});
    proposal.channels = columns.channels;
    proposal.angle = [found = std::make_shared<const Found>(found),
                      pairs = std::make_shared<const std::vector<std::int64_t>>(
                          columns.pair_of_column)](std::int64_t row, std::int64_t column) {
        const std::int64_t pair = (*pairs)[to_size(column)];
        return std::fabs(found->positions.at(row) * found->frequencies[to_size(pair)]);
    };
    // Without --arith, the table is exact.
    for (const std::string_view arith : {"", "float32", "ggml"}) {
        const double least = arith.empty() ? exact_arithmetic.drift : float32_arithmetic.drift;
        const bool is_too_far = found.drift == ggml_arithmetic.drift && arith != "ggml";
        if (is_too_far || (!arith.empty() && found.drift < least)) continue;
        proposals.push_back(proposal);
        if (!arith.empty()) proposals.back().settings.push_back({"arith", std::string(arith)});
    }
}

/// What an array is asked as a table with these columns.
class Question {
  public:
    Question(const Sample& array, RotaryColumns columns)
        : array_(array), columns_(std::move(columns)), shown_(radius_of(array, columns_)) {}

    bool is_answerable() const {
        return !shown_ || (shown_->value > 0 && shown_->error < shown_->value / 4);
    }
    const RotaryColumns& columns() const { return columns_; }
    TurningTable table(const Arithmetic& arithmetic) const {
        return {array_, columns_, is_one() ? Measured{1, 0} : *shown_, arithmetic};
    }
    std::optional<Measured> attention_factor() const {
        return shown_ && is_one() ? Measured{1, 0} : shown_;
    }

  private:
    bool is_one() const { return !shown_ || std::fabs(shown_->value - 1) <= shown_->error + 1e-6; }

    const Sample& array_;
    RotaryColumns columns_;
    std::optional<Measured> shown_;
};

/// Asks all questions in the cheapest way that has an answer.
void add_waves(std::vector<Proposal>& proposals, const Sample& array,
               const std::vector<Question>& questions) {
    const auto ask = [&](const Question& question, const auto& add, const auto& arithmetics) {
        Collection found;
        for (const Arithmetic& arithmetic : arithmetics) {
            const TurningTable table = question.table(arithmetic);
            add(found, Waves{table, question.attention_factor()});
        }
        constexpr std::size_t most = 24;
        for (std::size_t i = 0; i < std::min(most, found.all().size()); ++i) {
            propose(proposals, question.columns(), found.all()[i], array.extents[0]);
        }
    };
    const std::array all{float32_arithmetic, exact_arithmetic, ggml_arithmetic};
    for (const Question& question : questions) ask(question, add_counted, all);
    constexpr std::int64_t most_pairs = 1024;
    for (const auto& add : {add_usual, add_advancing}) {
        if (!proposals.empty()) return;
        for (const Question& question : questions) {
            if (question.columns().pairs() > most_pairs) continue;
            ask(question, add, std::array{float32_arithmetic});
        }
    }
}

/// A table of angles: position times frequency.
void add_angles(std::vector<Proposal>& proposals, const Sample& array) {
    const std::int64_t last = array.leading - 1, pairs = array.extents[1];
    if (last < 1 || pairs > 1 << 16) return;
    for (const double drift : {exact_arithmetic.drift, float32_arithmetic.drift}) {
        std::vector<Measured> advances;
        for (std::int64_t pair = 0; pair < pairs; ++pair) {
            const Measured first = cell(array, 0, pair), end = cell(array, last, pair);
            const Measured half = cell(array, last / 2, pair);
            const double advance = (end.value - first.value) / static_cast<double>(last);
            const double room =
                first.error + end.error + drift * (std::fabs(first.value) + std::fabs(end.value));
            const double there = first.value + advance * static_cast<double>(last / 2);
            if (!(std::fabs(there - half.value) <= 2 * room + half.error)) return;
            advances.push_back({advance, room / static_cast<double>(last)});
        }
        const double fastest = advances.front().value;
        if (fastest == 0) return;
        const Measured first = cell(array, 0, 0);
        for (const double sign : {1.0, -1.0}) {
            std::vector<double> steps{sign};
            for (const evidence::SimpleNumber& step : numbers_within(bounds_of(advances[0]), 2)) {
                if (std::fabs(step.value) != 1) steps.push_back(step.value);
            }
            for (const double step : steps) {
                if (fastest / step <= 0) continue;
                const double per_position = fastest / step;
                const Bounds start{(first.value - first.error) / per_position,
                                   (first.value + first.error) / per_position};
                const auto starts = numbers_within({start.low - drift * std::fabs(start.low),
                                                    start.high + drift * std::fabs(start.high)},
                                                   1);
                if (starts.empty()) continue;
                for (RopeSettings& settings : rope_settings({times(advances, 1 / step)}, 6)) {
                    RotaryColumns columns{.table = "angles"};
                    for (std::int64_t pair = 0; pair < pairs; ++pair) {
                        columns.pair_of_column.push_back(pair);
                    }
                    propose(proposals, columns,
                            {std::move(settings.settings),
                             regular_positions(starts.front().value, step, array.extents[0]),
                             values_of(times(advances, 1 / step)), drift},
                            array.extents[0]);
                }
            }
        }
    }
}

/// A vector of frequencies or of wavelengths.
void add_vectors(std::vector<Proposal>& proposals, const Sample& array) {
    const std::vector<double>& values = array.values;
    if (array.leading != array.extents[0] || values.size() > 1 << 16) return;
    const bool falls = std::ranges::is_sorted(values, std::greater<>());
    const bool rises = std::ranges::is_sorted(values);
    if ((!falls && !rises) || !(values.front() >= 0) || !(values.back() >= 0)) return;
    for (const double drift : {exact_arithmetic.drift, float32_arithmetic.drift}) {
        std::vector<Measured> frequencies;
        for (const double value : values) {
            const double error = array.error_of(value) + drift * value;
            if (falls) frequencies.push_back({value, error});
            if (!falls && !(value > error)) return;
            if (!falls) {
                const double frequency = 2 * std::numbers::pi / value;
                frequencies.push_back({frequency, frequency * error / (value - error)});
            }
        }
        for (RopeSettings& settings : rope_settings({frequencies})) {
            Proposal proposal{.table = falls ? "inv-freq" : "wavelengths",
                              .settings = std::move(settings.settings)};
            proposal.angle = [values](std::int64_t row, std::int64_t) {
                return values[to_size(row)];
            };
            proposals.push_back(proposal);
            proposal.settings.push_back({"arith", "float32"});
            if (falls) proposals.push_back(proposal);
        }
    }
}

}  // namespace

std::vector<Proposal> recognize_rope(const Sample& array) {
    std::vector<Proposal> proposals;
    if (array.leading < 1) return proposals;
    if (array.rank() == 1) {
        add_vectors(proposals, array);
        return proposals;
    }
    std::vector<Question> questions;
    for (RotaryColumns& columns : rotary_columns(array, "half")) {
        if (columns.layout == "axis-half") continue;
        Question question(array, std::move(columns));
        if (question.is_answerable()) questions.push_back(std::move(question));
    }
    add_waves(proposals, array, questions);
    if (proposals.empty() && array.rank() == 2) add_angles(proposals, array);
    return proposals;
}

}  // namespace pegen::encodings
