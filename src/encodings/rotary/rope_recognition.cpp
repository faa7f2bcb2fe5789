#include "encodings/rotary/rope_recognition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "encodings/rotary/frequency_settings.h"
#include "encodings/rotary/lone_columns.h"
#include "encodings/rotary/rope_angles.h"
#include "encodings/rotary/rope_proposal.h"
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

/// What is found, without repetitions.
class Collection {
  public:
    void add(FoundRope found) {
        const bool is_new = std::ranges::none_of(all_, [&](const FoundRope& other) {
            return are_same(other.settings, found.settings) &&
                   are_same(other.positions.settings, found.positions.settings);
        });
        if (is_new) all_.push_back(std::move(found));
    }
    bool has(const RowPositions& positions) const {
        return std::ranges::any_of(all_, [&](const FoundRope& other) {
            return are_same(other.positions.settings, positions.settings);
        });
    }
    const std::vector<FoundRope>& all() const { return all_; }

  private:
    static bool are_same(const Settings& a, const Settings& b) {
        return std::ranges::equal(a, b, [](const Setting& x, const Setting& y) {
            return x.name == y.name && x.value == y.value;
        });
    }

    std::vector<FoundRope> all_;
};

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

/// Returns the settings of these frequencies. Within noise, unusual ones would be fits to it.
std::vector<RopeSettings> settings_of(const Waves& waves, const std::vector<Measured>& frequencies,
                                      std::int64_t positions) {
    std::vector<RopeSettings> found =
        rope_settings({frequencies, waves.attention_factor, positions});
    constexpr double usual = 28;
    if (waves.table.array().noise > 0) {
        std::erase_if(found, [](const RopeSettings& settings) { return settings.bits > usual; });
    }
    return found;
}

/// The rows stand at 0, 1, 2, ...
void add_counted(Collection& found, const Waves& waves) {
    if (!waves.table.may_be_unturned(0) || waves.rows() < 2) return;
    const auto frequencies = frequencies_at(waves.table, 0, 1, {0, 1 + 1e-6});
    if (!frequencies) return;
    // Frequencies that are all slower may be those of a smaller step.
    for (const double step : steps_of(frequencies->front())) {
        const std::vector<Measured> per_position = times(*frequencies, 1 / step);
        const double last = step * static_cast<double>(waves.rows() - 1);
        std::vector<RopeSettings> all =
            settings_of(waves, per_position, static_cast<std::int64_t>(std::ceil(last)) + 1);
        for (RopeSettings& settings : all) {
            found.add({std::move(settings.settings), regular_positions(0, step, waves.rows()),
                       values_of(per_position), waves.table.drift()});
        }
    }
}

/// Returns the frequencies of a table whose rows stand at these positions.
std::optional<std::vector<Measured>> frequencies_of(const Waves& waves,
                                                    const RowPositions& positions) {
    const std::vector<std::int64_t> rows = some_rows(waves.table.array());
    std::vector<double> places;
    for (const std::int64_t row : rows) places.push_back(positions.at(row));
    std::vector<Measured> frequencies;
    for (std::int64_t pair = 0; pair < waves.table.pairs(); ++pair) {
        const auto frequency = frequency_of(waves.table, pair, rows, places, {0, 1 + 1e-6});
        if (!frequency) return std::nullopt;
        frequencies.push_back(*frequency);
    }
    return frequencies;
}

/// Adds these settings, if there are positions with which the table turns as it does, and all
/// others that make the same at these positions.
void add_at_its_positions(Collection& found, const Waves& waves, Turning turning) {
    if (turning.frequencies.empty()) return;
    const std::optional<RowPositions> positions = positions_at(waves.table, turning.frequencies);
    if (!positions) return;
    const bool is_new = !found.has(*positions);
    const double drift = waves.table.drift();
    found.add({std::move(turning.settings), *positions, std::move(turning.frequencies), drift});
    if (!is_new) return;
    const auto frequencies = frequencies_of(waves, *positions);
    if (!frequencies) return;
    const double last = std::max(positions->at(0), positions->at(waves.rows() - 1));
    const auto length = static_cast<std::int64_t>(std::ceil(last)) + 1;
    for (RopeSettings& settings : settings_of(waves, *frequencies, length)) {
        found.add({std::move(settings.settings), *positions, values_of(*frequencies), drift});
    }
}

/// The frequencies are those of a published model, and the rows stand anywhere.
void add_usual(Collection& found, const Waves& waves) {
    const auto [radius, error] = waves.table.radius();
    for (Turning& turning : usual_turnings(waves.table.pairs())) {
        if (std::fabs(turning.attention_factor - radius) > error + 1e-6) continue;
        add_at_its_positions(found, waves, std::move(turning));
    }
}

/// The rows stand at equal distances, the first at `farthest` at most, and the frequencies are any.
void add_advancing_from(Collection& found, const Waves& waves, double farthest) {
    constexpr double pi = std::numbers::pi;
    std::optional<std::vector<Measured>> advances =
        waves.table.has_both() ? pegen::encodings::advances(waves.table, {-pi, pi}, farthest)
                               : lone_advances(waves.table);
    if (!advances || advances->front().value == 0) return;
    if (advances->front().value < 0) advances = times(*advances, -1);
    const std::int64_t pairs = waves.table.pairs();
    for (const double step : steps_of(advances->front())) {
        if (advances->front().value > 1.01 * step) continue;
        std::vector<RopeSettings> all = settings_of(waves, times(*advances, 1 / step), 0);
        // The first ones that fit show the positions, and these the others.
        constexpr std::size_t most = 4;
        if (all.size() > most) all.resize(most);
        for (RopeSettings& settings : all) {
            add_at_its_positions(found, waves, turning_of(settings.settings, pairs, 1));
        }
    }
}

void add_advancing(Collection& found, const Waves& waves) {
    if (waves.rows() < 2) return;
    for (const double farthest : {static_cast<double>(waves.rows()), 0x1p12, 0x1p17}) {
        add_advancing_from(found, waves, farthest);
        // Columns alone do not say where they begin.
        if (!found.all().empty() || !waves.table.has_both()) return;
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
        // Within noise, all that is a little like the first proposal agrees.
        const std::size_t most = array.noise == 0 ? 24 : 2;
        for (std::size_t i = 0; i < std::min(most, found.all().size()); ++i) {
            FoundRope one = found.all()[i];
            if (array.noise > 0) one.drift = exact_arithmetic.drift;
            propose(proposals, question.columns(), one, array.extents[0]);
        }
    };
    std::vector<Arithmetic> arithmetics{float32_arithmetic, exact_arithmetic, ggml_arithmetic};
    // Noise is larger than what arithmetic makes.
    if (array.noise > 0) arithmetics.resize(1);
    for (const Question& question : questions) ask(question, add_counted, arithmetics);
    constexpr std::int64_t most_pairs = 1024;
    for (const auto& add : {add_usual, add_advancing}) {
        if (!proposals.empty()) return;
        for (const Question& question : questions) {
            if (question.columns().pairs() > most_pairs) continue;
            ask(question, add, std::array{float32_arithmetic});
        }
    }
}

}  // namespace

std::vector<Proposal> recognize_rope(const Sample& array) {
    if (array.leading < 1) return {};
    if (array.rank() == 1) return propose_vectors(array);
    std::vector<Proposal> proposals;
    std::vector<Question> questions;
    for (RotaryColumns& columns : rotary_columns(array, "half")) {
        if (columns.layout == "axis-half") continue;
        Question question(array, std::move(columns));
        if (question.is_answerable()) questions.push_back(std::move(question));
    }
    add_waves(proposals, array, questions);
    if (proposals.empty() && array.rank() == 2) return propose_angles(array);
    return proposals;
}

}  // namespace pegen::encodings
