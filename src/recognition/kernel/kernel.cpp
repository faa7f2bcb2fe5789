#include "recognition/kernel/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/progress.h"
#include "recognition/candidate.h"
#include "recognition/elsewhere.h"
#include "recognition/evidence/attention_array.h"
#include "recognition/evidence/distribution.h"
#include "recognition/evidence/precision.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/kernel/confirm.h"
#include "recognition/kernel/rotary_kernel.h"
#include "recognition/kernel/rotary_search.h"
#include "recognition/kernel/view.h"
#include "recognition/proposals.h"
#include "recognition/rotary/frequency_settings.h"
#include "recognition/views.h"
#include "rows/arithmetic.h"

namespace pegen::recognition {
namespace {

constexpr std::int64_t values_at_once = 1 << 20;

/// Calls `compare` with corresponding parts of both arrays, and the index of the first value of
/// each part, until `compare` returns false.
template <class Compare>
bool all_parts(const KernelQuestion& question, const Progress& progress, const Compare& compare) {
    const Shape& shape = question.before.shape;
    const std::int64_t at_once = rows_holding(values_at_once, shape.columns());
    for (std::int64_t row = 0; row < shape.rows(); row += at_once) {
        const RowRange range{row, std::min(at_once, shape.rows() - row)};
        if (!compare(read_rows(question.before, range), read_rows(question.after, range),
                     row * shape.columns())) {
            return false;
        }
        progress(row + range.count, shape.rows());
    }
    return true;
}

/// The number by which the first values before the kernel are multiplied to come nearest to the
/// values after it (least squares), and the narrowest format that holds the values after.
struct Quotient {
    Measured factor;
    evidence::Precision precision;
};

/// Returns none if there is no such number.
std::optional<Quotient> quotient(const KernelQuestion& question) {
    const Shape& shape = question.before.shape;
    const RowRange range{0, std::min(shape.rows(), rows_holding(1 << 16, shape.columns()))};
    const std::vector<double> x = read_rows(question.before, range),
                              y = read_rows(question.after, range);
    const evidence::Precision precision = evidence::narrowest(y, question.after.dtype);
    double xx = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
        xx += x[i] * x[i];
        xy += x[i] * y[i];
    }
    if (!(xx > 0) || !std::isfinite(xy)) return {};
    const double factor = xy / xx;
    return Quotient{{factor, 2 * std::fabs(factor) * std::ldexp(1.0, -precision.digits)},
                    precision};
}

/// Returns a number in words, with the number of which it is the root, if there is one: "8, the
/// square root of 64".
std::string factor_text(double factor, std::int64_t channels) {
    const std::string number = shortest(factor);
    const double square = factor * factor;
    for (const double d : {static_cast<double>(channels), 1 / static_cast<double>(channels)}) {
        if (std::fabs(square - d) > 1e-6 * d || d == 1) continue;
        return d > 1 ? fmt::format("{}, the square root of {}", number, channels)
                     : fmt::format("{}, 1 / the square root of {}", number, channels);
    }
    return number;
}

/// Returns the answer if every value was multiplied by the same number, or if no value was changed;
/// none otherwise.
std::optional<KernelIdentification> scaling(const KernelQuestion& question,
                                            const std::optional<Quotient>& measured,
                                            const Progress& progress) {
    const auto is_same = [](const std::vector<double>& x, const std::vector<double>& y,
                            std::int64_t) {
        return std::ranges::equal(
            x, y, [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
    };
    KernelIdentification answer;
    if (all_parts(question, progress, is_same)) {
        answer.kind = KernelKind::none;
        answer.findings = {
            "The arrays are equal: nothing was done, or all positions are 0, where nothing turns."};
        return answer;
    }
    const auto is_zero = [](const std::vector<double>&, const std::vector<double>& y,
                            std::int64_t) {
        return std::ranges::all_of(y, [](double value) { return value == 0; });
    };
    if (all_parts(question, progress, is_zero)) {
        answer.findings = {"Every value of the second array is 0: nothing can be told from it."};
        return answer;
    }
    if (!measured || measured->factor.value == 0) return {};
    const evidence::Precision& precision = measured->precision;
    constexpr std::int64_t least_values = 8;
    for (const SimpleNumber& factor : evidence::simple_numbers(measured->factor, 2)) {
        Agreement agreement{.level = Level::rounding};
        std::int64_t changed = 0;
        const auto agrees = [&](const std::vector<double>& x, const std::vector<double>& y,
                                std::int64_t first) {
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double value = factor.value * x[i], off = std::fabs(value - y[i]);
                if (value == y[i] || (std::isnan(value) && std::isnan(y[i]))) continue;
                // The factor may have been rounded as well.
                if (!(off <= 2 * unit_of(value, precision))) return false;
                if (off > unit_of(value, precision)) agreement.level = Level::float32;
                if (off <= agreement.largest) continue;
                agreement.largest = off;
                agreement.place =
                    index_of(first + static_cast<std::int64_t>(i), question.before.shape.extents());
            }
            changed += std::ranges::count_if(x, [](double value) { return value != 0; });
            return true;
        };
        if (!all_parts(question, progress, agrees) || changed < least_values) continue;
        agreement.values = question.before.shape.size();
        agreement.evidence = static_cast<double>(changed) * (precision.digits - 1);
        answer.verdict = Verdict::identified;
        answer.kind = KernelKind::scaled;
        answer.agreement = agreement;
        answer.format = precision.dtype;
        answer.factor = factor.value;
        answer.findings = {fmt::format(
            "Every value is multiplied by {}, and nothing else is done.",
            factor_text(factor.value, question.before.shape.columns() / question.heads))};
        return answer;
    }
    return {};
}

constexpr std::int64_t most_values = 1 << 24;    ///< in a table
constexpr std::int64_t most_searched = 1 << 20;  ///< in a table whose first rows do not show it
constexpr std::int64_t enough_values = 1 << 17;  ///< in the first rows of a long table

/// The arrays as (samples, values of a table), where a table may have been added to each sample.
struct Addition {
    const KernelQuestion* question;
    FittedPresets* presets;
    int leading;  ///< number of leading axes that count samples
    std::int64_t samples;
    std::int64_t size;    ///< number of values in a sample
    std::int64_t values;  ///< in the leading rows of each sample that are looked at
    evidence::Precision precision;

    std::int64_t columns() const { return question->before.shape.columns(); }
    bool is_whole() const { return values == size; }

    std::vector<double> before(std::int64_t sample) const { return part(question->before, sample); }
    std::vector<double> after(std::int64_t sample) const { return part(question->after, sample); }

  private:
    std::vector<double> part(const Table& array, std::int64_t sample) const {
        return read_rows(array, {sample * size / columns(), values / columns()});
    }
};

/// Returns the addition in the first rows alone, if they may show a table (positions, channels).
Addition first_rows_of(Addition addition) {
    constexpr std::int64_t fewest = 64;
    const bool has_positions = addition.leading == addition.question->before.shape.rank() - 2;
    const std::int64_t rows = std::max(fewest, rows_holding(enough_values, addition.columns()));
    if (has_positions) addition.values = std::min(addition.values, rows * addition.columns());
    return addition;
}

/// Returns by how much the roundings of the sum, of the product and of the table may change the
/// sum.
double allowed(double sum, double product, const evidence::Precision& precision) {
    const double largest = std::max({std::fabs(sum), std::fabs(product), std::fabs(sum - product)});
    return 1.5 * unit_of(largest, precision);
}

/// Returns the numbers that the array may be multiplied by before the table is added.
std::vector<SimpleNumber> factors(const Addition& addition) {
    const std::int64_t d = addition.question->before.shape.columns();
    const double root = std::sqrt(static_cast<double>(d));
    std::vector<SimpleNumber> usual{{"1", 1, 0}, {"", root, 4}};
    if (addition.samples < 2) return usual;
    // In the difference of two samples the table cancels, so only the factor matters.
    const std::vector<double> x0 = addition.before(0), y0 = addition.after(0),
                              x1 = addition.before(1), y1 = addition.after(1);
    double xx = 0, xy = 0, error = 0;
    for (std::size_t i = 0; i < x0.size(); ++i) {
        const double x = x1[i] - x0[i], y = y1[i] - y0[i];
        xx += x * x;
        xy += x * y;
        error = std::max(error, 2 * allowed(y0[i], y0[i], addition.precision));
    }
    if (!(xx > 0) || !std::isfinite(xy)) return usual;
    const double off = 2 * error / std::sqrt(xx / static_cast<double>(x0.size()));
    std::vector<SimpleNumber> near;
    for (const SimpleNumber& number : usual) {
        if (std::fabs(number.value - xy / xx) <= off) near.push_back(number);
    }
    if (near.empty()) near = evidence::simple_numbers({xy / xx, off}, 2);
    return near;
}

/// What is left of the array without the multiple: the table, and how far its values may be off.
struct Remainder {
    std::vector<double> values;
    double error = 0;
};

/// Returns the remainder as the mean over some samples; none if they differ by more than their
/// errors.
std::optional<Remainder> remainder(const Addition& addition, double factor) {
    constexpr std::int64_t enough = 8;
    const std::int64_t samples = std::min(addition.samples, enough);
    Remainder result;
    std::vector<double> first;
    for (std::int64_t s = 0; s < samples; ++s) {
        std::vector<double> x = addition.before(s);
        const std::vector<double> y = addition.after(s);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double error = allowed(y[i], factor * x[i], addition.precision);
            x[i] = y[i] - factor * x[i];
            if (!std::isfinite(x[i])) return {};
            result.error = std::max(result.error, error);
            if (s > 0 && std::fabs(x[i] - first[i]) > 2 * (error + result.error)) return {};
        }
        if (s == 0) {
            first = result.values = std::move(x);
        } else {
            std::ranges::transform(result.values, x, result.values.begin(), std::plus());
        }
    }
    for (double& value : result.values) value /= static_cast<double>(samples);
    return result;
}

Table table_from(const Addition& addition, const std::vector<double>& values) {
    const std::vector<std::int64_t>& all = addition.question->before.shape.extents();
    std::vector<std::int64_t> extents(all.begin() + addition.leading, all.end());
    extents.front() = extents.front() * addition.values / addition.size;
    return evidence::data_table(values, Shape(std::move(extents)),
                                evidence::precision_of(DType::float64));
}

/// Returns by how much float32 code may be off in a value of the proposal's table.
double error_of_angle(const Proposal& proposal, std::int64_t row, std::int64_t channel) {
    const double angle = proposal.angle ? std::fabs(proposal.angle(row, channel)) : 0;
    return 0x1p-23 * (1 + 8 * angle);
}

/// Compares the first `samples` samples with the sum of a multiple of the array and a table.
Agreement agreement_of(const Addition& addition, double factor, const std::vector<double>& table,
                       const Proposal& proposal, std::int64_t samples, const Progress& progress) {
    Agreement agreement{.level = Level::rounding};
    const std::int64_t columns = addition.question->before.shape.columns();
    for (std::int64_t s = 0; s < samples; ++s) {
        const std::vector<double> x = addition.before(s), y = addition.after(s);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const auto element = static_cast<std::int64_t>(i);
            const double product = factor * x[i], value = product + table[i];
            const double off = std::fabs(value - y[i]);
            ++agreement.values;
            if (off > agreement.largest) {
                agreement.largest = off;
                agreement.place = index_of(s * addition.size + element,
                                           addition.question->before.shape.extents());
            }
            // The difference of two large numbers has the errors of both.
            const double rounding = allowed(value, product, addition.precision);
            if (off <= rounding) continue;
            agreement.level = Level::float32;
            const double error = error_of_angle(proposal, element / columns, element % columns);
            if (!(off <= rounding + error)) ++agreement.differing;
        }
        if (agreement.differing > 0) break;
        progress(s + 1, samples);
    }
    if (agreement.differing > 0) agreement.level = Level::none;
    return agreement;
}

/// Returns the evidence of the table's values, in bits: only values that differ from their
/// neighbours count.
double evidence_of(const std::vector<double>& table, std::int64_t columns, double error) {
    double largest = 0, bits = 0;
    for (const double value : table) largest = std::max(largest, std::fabs(value));
    const double each = std::log2(1 + largest / error) - 1;
    for (std::size_t i = columns; i < table.size(); ++i) {
        const bool is_new = std::fabs(table[i] - table[i - 1]) > 2 * error &&
                            std::fabs(table[i] - table[i - columns]) > 2 * error;
        if (is_new) bits += std::max(each, 0.0);
    }
    return bits;
}

bool is_rotary(std::string_view name) {
    return name == "rope" || name == "rope-grid" || name == "mrope" || name == "xpos";
}

struct Added {
    Candidate candidate;
    std::vector<double> values;
};

/// True if the table is near the remainder in at least this share of some rows.
bool is_near(const Table& table, const Proposal& proposal, const Remainder& rest, double share) {
    const std::int64_t rows = table.shape.rows(), columns = table.shape.columns();
    constexpr std::int64_t some = 32;
    const std::int64_t looked_at = std::min(rows, some);
    std::int64_t near = 0;
    for (std::int64_t i = 0; i < looked_at; ++i) {
        const std::int64_t row = i * rows / looked_at;
        const std::vector<double> values = read_rows(table, {row, 1});
        std::int64_t far = 0;
        for (std::int64_t c = 0; c < columns; ++c) {
            const double error = 0.01 + 2 * rest.error + error_of_angle(proposal, row, c);
            far += std::fabs(values[c] - rest.values[row * columns + c]) <= error ? 0 : 1;
        }
        near += far == 0 ? 1 : 0;
    }
    return static_cast<double>(near) >= share * static_cast<double>(looked_at);
}

/// Returns the candidates that are near the remainder in at least this share of the rows, the
/// cheapest first, with the price of being added.
std::vector<Added> candidates_of(const Addition& addition, const Remainder& rest, double share) {
    std::vector<Added> found;
    const Table left = table_from(addition, rest.values);
    for (const View& view : views_of(left)) {
        if (!view.note.empty()) continue;
        Sample sample = view.sample();
        sample.noise = rest.error;
        std::vector<Candidate> candidates = recognized(sample);
        std::ranges::move(addition.presets->of(sample), std::back_inserter(candidates));
        for (Candidate& candidate : candidates) {
            if (!candidate.proposal.rows.empty() || !candidate.proposal.channels.empty() ||
                !candidate.proposal.data.empty()) {
                continue;  // apply add takes neither part of a table nor a table that needs a file
            }
            const std::optional<Table> table =
                table_of(candidate, evidence::precision_of(DType::float64));
            if (!table || table->shape.size() != addition.values) continue;
            if (!is_near(*table, candidate.proposal, rest, share)) continue;
            // Rotary tables are not meant to be added.
            constexpr double unusual = 12;
            const double unlikely = is_rotary(candidate.encoding->name) ? unusual : 0;
            candidate.bits = price_of(candidate) + unlikely;
            found.push_back({std::move(candidate), read_rows(*table, {0, table->shape.rows()})});
        }
    }
    std::ranges::stable_sort(found, {}, [](const Added& added) { return added.candidate.bits; });
    return found;
}

/// Returns the candidates whose table equals the remainder, the cheapest first.
std::vector<Added> agreeing(const Addition& addition, double factor, const Remainder& rest,
                            std::vector<Added> candidates) {
    const std::int64_t columns = addition.question->before.shape.columns();
    std::erase_if(candidates, [&](Added& added) {
        auto& [candidate, values] = added;
        candidate.agreement =
            agreement_of(addition, factor, values, candidate.proposal,
                         std::min<std::int64_t>(addition.samples, 2), ignore_progress);
        candidate.agreement.evidence = evidence_of(values, columns, rest.error);
        constexpr double least = 30;  // bits
        return candidate.agreement.level == Level::none ||
               candidate.agreement.evidence < least + candidate.bits;
    });
    return candidates;
}

std::vector<std::string> words_of(const Candidate& candidate) {
    return command_of(candidate, nullptr, candidate.table->dtype);
}

std::vector<std::string> adding(const KernelQuestion& question, const Candidate& candidate) {
    std::vector<std::string> command{"pe-gen", "apply", "add", "--x", question.path, "--"};
    const std::vector<std::string> words = words_of(candidate);
    command.insert(command.end(), words.begin() + 1, words.end());
    return command;
}

KernelIdentification answer_of(const Addition& addition, const SimpleNumber& factor,
                               const std::vector<Added>& found, const Agreement& agreement) {
    const KernelQuestion& question = *addition.question;
    const Candidate& best = found.front().candidate;
    KernelIdentification answer;
    answer.verdict = Verdict::identified;
    answer.kind = KernelKind::added;
    answer.agreement = agreement;
    answer.format = addition.precision.dtype;
    answer.factor = factor.value;
    if (factor.value == 1) {
        answer.command = adding(question, best);
    } else {
        answer.findings.push_back(
            fmt::format("The array is multiplied by {}, then the table is added.",
                        factor_text(factor.value, question.before.shape.columns())));
        answer.findings.push_back(
            fmt::format("The table is that of {}.", joined(words_of(best), " ")));
    }
    constexpr double close = 4;  // bits
    for (const Added& other : std::span(found).subspan(1)) {
        const Candidate& rival = other.candidate;
        const bool is_as_simple = rival.bits <= best.bits + close;
        if (!is_as_simple || rival.encoding != best.encoding) continue;
        const std::optional<std::string> told = told_apart_by(elsewhere(best), rival);
        if (!told) continue;
        answer.verdict = Verdict::ambiguous;
        answer.alternatives.push_back({adding(question, rival), *told});
    }
    return answer;
}

/// Returns the negative of the remainder.
Remainder negative(Remainder rest) {
    for (double& value : rest.values) value = -value;
    return rest;
}

/// Returns the candidates with --out-scale -1, as tables that are subtracted.
std::vector<Added> subtracted(std::vector<Added> candidates) {
    std::erase_if(candidates, [](Added& added) {
        Parameters& p = added.candidate.parameters;
        if (!p.knows("out-scale") || p.given("out-scale")) return true;
        try {
            p.set("out-scale", "-1", Origin::user);
        } catch (const UsageError&) {
            return true;  // some encodings have positive factors only
        }
        for (double& value : added.values) value = -value;
        return false;
    });
    return candidates;
}

Addition addition_of(const KernelQuestion& question, int leading, FittedPresets& presets) {
    const Shape& shape = question.before.shape;
    Addition addition{.question = &question,
                      .presets = &presets,
                      .leading = leading,
                      .samples = 1,
                      .size = 1,
                      .values = 0,
                      .precision = evidence::precision_of(question.after.dtype)};
    for (int axis = 0; axis < shape.rank(); ++axis) {
        (axis < leading ? addition.samples : addition.size) *= shape[axis];
    }
    addition.values = addition.size;
    addition.precision =
        evidence::narrowest(first_rows_of(addition).after(0), question.after.dtype);
    return addition;
}

/// True if what is left of a large array may be a table: if it is the same in several samples, or
/// if its rows are alike. A search in random numbers would take long.
bool may_be_table(const Addition& addition, const Remainder& rest) {
    return addition.samples > 1 || addition.size <= enough_values ||
           evidence::are_rows_alike(rest.values, addition.columns());
}

/// Returns the candidate for the looked-at rows as one for all rows; none if it cannot be
/// continued.
std::optional<Candidate> in_all_rows(const Candidate& candidate, const Addition& shown) {
    if (shown.is_whole()) return candidate;
    auto continued_one = continued(candidate, shown.size / shown.columns(), 0);
    if (continued_one) continued_one->bits = candidate.bits;
    return continued_one;
}

/// Returns the values of the candidate's table, which all samples share; none if it has another
/// size.
std::optional<std::vector<double>> values_of(const Candidate& candidate, const Addition& whole) {
    const auto table = table_of(candidate, evidence::precision_of(DType::float64));
    if (!table || table->shape.size() != whole.size) return {};
    return read_rows(*table, {0, table->shape.rows()});
}

/// Returns the answer if a table that the looked-at rows show was added to all rows of the array,
/// or to a multiple of it; none otherwise.
std::optional<KernelIdentification> sum_shown_by(const Addition& shown, const Addition& whole,
                                                 const SimpleNumber& factor,
                                                 const Progress& progress) {
    const std::optional<Remainder> rest = remainder(shown, factor.value);
    if (!rest || !may_be_table(shown, *rest)) return {};
    std::vector<Added> found = agreeing(shown, factor.value, *rest, candidates_of(shown, *rest, 1));
    if (found.empty()) {
        found = agreeing(shown, factor.value, *rest,
                         subtracted(candidates_of(shown, negative(*rest), 1)));
    }
    std::erase_if(found, [&](Added& added) {
        auto candidate = in_all_rows(added.candidate, shown);
        if (candidate) added.candidate = std::move(*candidate);
        return !candidate;
    });
    for (; !found.empty(); found.erase(found.begin())) {
        const Candidate& best = found.front().candidate;
        const auto values = values_of(best, whole);
        if (!values) continue;
        Agreement agreement =
            agreement_of(whole, factor.value, *values, best.proposal, whole.samples, progress);
        agreement.evidence = best.agreement.evidence;
        if (agreement.level != Level::none) return answer_of(whole, factor, found, agreement);
    }
    return {};
}

/// Returns the answer if a table of the axes behind the first `leading` ones was added to the
/// array, or to a multiple of it; none otherwise.
std::optional<KernelIdentification> sum_behind(int leading, const KernelQuestion& question,
                                               FittedPresets& presets, const Progress& progress) {
    const Addition whole = addition_of(question, leading, presets);
    if (whole.size > most_values) return {};
    const Addition first = first_rows_of(whole);
    for (const SimpleNumber& factor : factors(first)) {
        progress(0, 0);
        auto answer = sum_shown_by(first, whole, factor, progress);
        const bool may_need_all = !first.is_whole() && whole.size <= most_searched;
        if (!answer && may_need_all) answer = sum_shown_by(whole, whole, factor, progress);
        if (answer) return answer;
    }
    return {};
}

/// The axes of the positions and of the channels of a table (len, d) that is added.
struct AddedAxes {
    int position;
    int channel;
};

/// Returns the axes of an array with the positions' and the channels' as the last ones.
std::vector<int> order_of(const AddedAxes& axes, int rank) {
    std::vector<int> order;
    for (int axis = 0; axis < rank; ++axis) {
        if (axis != axes.position && axis != axes.channel) order.push_back(axis);
    }
    order.insert(order.end(), {axes.position, axes.channel});
    return order;
}

/// Returns what is said of a table that is added along other axes than the last two.
std::string along_text(const AddedAxes& axes, int rank, const std::string& command) {
    std::string text =
        fmt::format("The table of {} is added along axis {}", command, axes.position);
    if (axes.channel != rank - 1) text += fmt::format(", its channels along axis {}", axes.channel);
    text += ".";
    if (rank == 3 && axes.position == 0) {
        text +=
            " In an array (len, batch, d) these are the positions; in (batch, len, d) they are the "
            "samples, and all tokens of a sample get the same row.";
    }
    return text;
}

/// Returns the answer if a table was added along other axes than the last ones, as in arrays (len,
/// batch, d) or (batch, d, len); none otherwise.
std::optional<KernelIdentification> sum_elsewhere(const KernelQuestion& question,
                                                  FittedPresets& presets,
                                                  const Progress& progress) {
    const int rank = question.before.shape.rank();
    constexpr std::int64_t most_moved = 1 << 22;
    if (rank < 3 || question.before.shape.size() > most_moved) return {};
    std::vector<AddedAxes> choices;
    for (int axis = rank - 3; axis >= 0; --axis) choices.push_back({axis, rank - 1});
    choices.push_back({rank - 1, rank - 2});
    for (const AddedAxes& axes : choices) {
        const std::vector<int> order = order_of(axes, rank);
        KernelQuestion moved = question;
        moved.before = with_axes(question.before, order);
        moved.after = with_axes(question.after, order);
        auto answer = sum_behind(rank - 2, moved, presets, progress);
        if (!answer) continue;
        std::string table = "this command";
        if (!answer->command.empty()) {
            const auto behind = std::ranges::find(answer->command, "--");
            table = fmt::format("pe-gen {}",
                                joined(std::vector(behind + 1, answer->command.end()), " "));
        }
        answer->command.clear();
        answer->alternatives.clear();
        const std::vector<std::int64_t> place = answer->agreement.place;
        for (std::size_t i = 0; i < place.size(); ++i) answer->agreement.place[order[i]] = place[i];
        answer->findings.push_back(along_text(axes, rank, table));
        return answer;
    }
    return {};
}

/// Returns the answer if a table that an encoding makes was added to the array, or to a multiple of
/// it; none otherwise.
std::optional<KernelIdentification> sum(const KernelQuestion& question, FittedPresets& presets,
                                        const Progress& progress) {
    // First a table for each element of a batch is tried, then a table that all elements share.
    for (int leading = question.before.shape.rank() - 2; leading >= 0; --leading) {
        if (auto answer = sum_behind(leading, question, presets, progress)) return answer;
    }
    return sum_elsewhere(question, presets, progress);
}

/// Returns the remainder as the median over some samples, which a few spoiled ones do not move.
Remainder typical_remainder(const Addition& addition, double factor) {
    constexpr std::int64_t enough = 9;
    const std::int64_t samples = std::min(addition.samples, enough);
    std::vector<std::vector<double>> all(addition.values);
    Remainder rest{std::vector<double>(addition.values), 0};
    for (std::int64_t s = 0; s < samples; ++s) {
        const std::vector<double> x = addition.before(s), y = addition.after(s);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double left = y[i] - factor * x[i];
            all[i].push_back(std::isfinite(left) ? left : 0);
            const double error = allowed(y[i], factor * x[i], addition.precision);
            if (std::isfinite(error)) rest.error = std::max(rest.error, error);
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        rest.values[i] = evidence::median(std::move(all[i]));
    }
    return rest;
}

/// Returns the candidate that has most rows of the remainder, at least half of them.
std::optional<Added> nearly_added(const Addition& addition, const Remainder& rest) {
    const std::int64_t columns = addition.question->before.shape.columns();
    const std::int64_t rows = addition.values / columns;
    const auto has_row = [&](const Added& added, std::int64_t row) {
        for (std::int64_t c = 0; c < columns; ++c) {
            const std::int64_t place = row * columns + c;
            const double apart = std::fabs(added.values[place] - rest.values[place]);
            const double error = error_of_angle(added.candidate.proposal, row, c);
            if (!(apart <= 2 * rest.error + error)) return false;
        }
        return true;
    };
    std::optional<Added> best;
    std::int64_t most = std::max<std::int64_t>(1, (rows - 1) / 2);  // rows that are too few
    constexpr double likely_share = 0.25;  // of a few rows, where half of all rows agree
    for (Added& added : candidates_of(addition, rest, likely_share)) {
        // A row without the table is no row of zeros of its own.
        const Parameters& p = added.candidate.parameters;
        if (p.knows("zero-row") && p.given("zero-row")) continue;
        std::int64_t agreeing = 0;
        for (std::int64_t row = 0; row < rows; ++row) agreeing += has_row(added, row) ? 1 : 0;
        const double share = static_cast<double>(agreeing) / static_cast<double>(rows);
        const double evidence = share * evidence_of(added.values, columns, rest.error);
        constexpr double least = 30;  // bits
        if (agreeing <= most || evidence < least + added.candidate.bits) continue;
        most = agreeing;
        best = std::move(added);
    }
    return best;
}

/// Returns the answer for a table that is added in most rows: where it is not.
KernelIdentification near_answer(const Addition& addition, double factor, const Added& added) {
    const KernelQuestion& question = *addition.question;
    const int rank = question.before.shape.rank();
    const KernelView view = view_of(question.before, question.after, {rank - 2, 1});
    OffPlaces off(view);
    KernelIdentification answer;
    bool is_zero = true, is_unchanged = true;
    for (std::int64_t s = 0; s < addition.samples; ++s) {
        const std::vector<double> x = addition.before(s), y = addition.after(s);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const auto place = static_cast<std::int64_t>(i);
            const std::int64_t row = place / view.channels, channel = place % view.channels;
            const double product = factor * x[i], value = product + added.values[i];
            const double error = allowed(value, product, addition.precision) +
                                 error_of_angle(added.candidate.proposal, row, channel);
            ++answer.agreement.values;
            if (std::fabs(value - y[i]) <= error) continue;
            ++answer.agreement.differing;
            answer.agreement.largest = std::max(answer.agreement.largest, std::fabs(value - y[i]));
            ++off.by_position[row];
            ++off.by_sample[s];
            ++off.by_channel[channel];
            is_zero = is_zero && y[i] == 0;
            is_unchanged = is_unchanged && y[i] == x[i];
        }
    }
    answer.kind = KernelKind::added;
    answer.format = addition.precision.dtype;
    answer.factor = factor;
    answer.nearest = adding(question, added.candidate);
    answer.departure = departure_of(off, view);
    if (factor != 1) {
        answer.findings.push_back(fmt::format("Before that, the array is multiplied by {}.",
                                              factor_text(factor, view.channels)));
    }
    if (is_zero) answer.findings.emplace_back("There the result is 0, as under a mask of padding.");
    if (is_unchanged) answer.findings.emplace_back("There the array is unchanged.");
    return answer;
}

/// Returns the answer if a table is added to the array in most rows; none otherwise.
std::optional<KernelIdentification> nearly_sum(const KernelQuestion& question,
                                               FittedPresets& presets) {
    const Shape& shape = question.before.shape;
    const Addition whole = addition_of(question, shape.rank() - 2, presets);
    if (whole.size > most_values) return {};
    const Addition first = first_rows_of(whole);
    for (const double factor : {1.0, std::sqrt(static_cast<double>(shape.columns()))}) {
        const Remainder rest = typical_remainder(first, factor);
        if (!may_be_table(first, rest)) continue;
        auto added = nearly_added(first, rest);
        auto candidate = added ? in_all_rows(added->candidate, first) : std::nullopt;
        auto values = candidate ? values_of(*candidate, whole) : std::nullopt;
        if (values) return near_answer(whole, factor, {std::move(*candidate), std::move(*values)});
    }
    return {};
}

/// Two channels, the lower one first.
using Pair = std::array<std::int64_t, 2>;

/// Returns at most `enough` of `rows` rows, at equal distances.
std::vector<std::int64_t> spread_over(std::int64_t rows, std::int64_t enough) {
    std::vector<std::int64_t> some;
    for (std::int64_t i = 0; i < std::min(rows, enough); ++i) {
        some.push_back(i * rows / std::min(rows, enough));
    }
    return some;
}

/// Returns the rows of a sample in which pairs are looked for.
std::vector<std::int64_t> some_rows(const KernelSample& sample) {
    return spread_over(sample.positions * sample.samples, 64);
}

bool is_changed(const KernelSample& sample, std::int64_t channel) {
    return std::ranges::any_of(some_rows(sample), [&](std::int64_t row) {
        const std::size_t place = row * sample.channels + channel;
        return sample.before[place] != sample.after[place];
    });
}

/// True if the two channels, as a vector, have the same length after and before the kernel in all
/// rows.
bool keep_their_length(const KernelSample& sample, const Pair& pair, double unit) {
    return std::ranges::all_of(some_rows(sample), [&](std::int64_t row) {
        const auto length = [&](const std::vector<double>& values) {
            return std::hypot(values[row * sample.channels + pair[0]],
                              values[row * sample.channels + pair[1]]);
        };
        const double before = length(sample.before);
        return std::fabs(length(sample.after) - before) <= 4 * unit * before;
    });
}

/// Returns the pairs if each channel that the kernel changes has exactly one partner; none
/// otherwise.
std::vector<Pair> pairs_of(const KernelSample& sample, double unit) {
    std::vector<std::int64_t> channels;
    for (std::int64_t channel = 0; channel < sample.channels; ++channel) {
        if (is_changed(sample, channel)) channels.push_back(channel);
    }
    std::vector<std::int64_t> partner(sample.channels, -1);
    std::vector<Pair> pairs;
    for (const std::int64_t a : channels) {
        for (const std::int64_t b : channels) {
            if (b <= a || !keep_their_length(sample, {a, b}, unit)) continue;
            if (partner[a] >= 0 || partner[b] >= 0) return {};
            partner[a] = b;
            partner[b] = a;
            pairs.push_back({a, b});
        }
    }
    return 2 * pairs.size() == channels.size() ? pairs : std::vector<Pair>();
}

/// Returns the first pairs in words: "0 and 16, 1 and 17, 2 and 18".
std::string some_of(std::span<const Pair> pairs) {
    std::vector<std::string> texts;
    for (const Pair& pair : pairs.first(std::min<std::size_t>(3, pairs.size()))) {
        texts.push_back(fmt::format("{} and {}", pair[0], pair[1]));
    }
    return joined(texts, ", ");
}

/// Returns the pairs of channels that a kernel rotates, whatever the pairs are; none if there are
/// no such pairs.
std::vector<Pair> turned_pairs(const KernelSample& sample) {
    std::vector<Pair> pairs;
    for (const double unit : {sample.half_unit(), 0x1p-11, 0x1p-8}) {
        if (pairs.empty() && unit >= sample.half_unit()) pairs = pairs_of(sample, unit);
    }
    return pairs;
}

/// The angles by which the pairs of each row of a sample turn: (rows, pairs).
struct PairAngles {
    std::vector<Pair> pairs;
    std::int64_t rows;
    std::vector<Measured> angles;

    std::int64_t count() const { return std::ssize(pairs); }
    const Measured& at(std::int64_t row, std::int64_t pair) const {
        return angles[row * count() + pair];
    }
};

/// Returns the pairs that the channels may be in: halves, neighbours, or the pairs that turn.
std::vector<std::vector<Pair>> possible_pairs(const KernelSample& sample) {
    std::vector<Pair> halves, neighbours;
    const std::int64_t count = sample.channels / 2;
    for (std::int64_t m = 0; m < count; ++m) {
        halves.push_back({m, m + count});
        neighbours.push_back({2 * m, 2 * m + 1});
    }
    return {halves, neighbours, turned_pairs(sample)};
}

/// Returns the angles if all channels turn in these pairs, none of which changes its length.
std::optional<PairAngles> angles_of(const KernelSample& sample, const std::vector<Pair>& pairs) {
    if (2 * std::ssize(pairs) != sample.channels) return {};
    PairAngles found{pairs, sample.positions, {}};
    const double unit = std::max(sample.half_unit(), 0x1p-24);
    for (std::int64_t row = 0; row < found.rows; ++row) {
        const double *const x = sample.before_row(row, 0), *const y = sample.after_row(row, 0);
        for (const auto& [a, b] : pairs) {
            const double before = std::hypot(x[a], x[b]), after = std::hypot(y[a], y[b]);
            if (!(std::fabs(after - before) <= 8 * unit * before) || before == 0) return {};
            const double sin = x[a] * y[b] - x[b] * y[a], cos = x[a] * y[a] + x[b] * y[b];
            found.angles.push_back({std::atan2(sin, cos), 8 * unit});
        }
    }
    return found;
}

/// How many whole positions turn a pair by an angle, and one of them. 5 and 715 are nearly the same
/// angle: a position that is right without the errors of float32 code is preferred.
struct WholePositions {
    int count = 0;
    double position = 0;
};

WholePositions whole_positions_to(double farthest, const Measured& angle, double frequency) {
    constexpr double turn = 2 * std::numbers::pi;
    WholePositions found, exact;
    for (double turned = angle.value; turned <= farthest * frequency + angle.error;
         turned += turn) {
        const double position = turned / frequency, nearest = std::rint(position);
        const double error = angle.error / frequency, apart = std::fabs(position - nearest);
        // Code in float32 rounds the angle before it is turned back.
        const double error_of_float32 = error + 0x1p-22 * std::fabs(position);
        if (error_of_float32 >= 0.5) return {2, nearest};
        if (nearest < 0 || nearest > farthest || apart > error_of_float32) continue;
        found = {found.count + 1, nearest};
        if (apart <= error) exact = {exact.count + 1, nearest};
    }
    return exact.count == 1 ? exact : found;
}

/// Near positions are likelier than far ones, of which some are always right by chance.
WholePositions whole_positions(const Measured& angle, double frequency) {
    constexpr double near = 0x1p10, far = 0x1p15;
    const WholePositions found = whole_positions_to(near, angle, frequency);
    return found.count > 0 ? found : whole_positions_to(far, angle, frequency);
}

constexpr double unknown_position = -1;

/// Pairs that turn by the same positions.
struct Section {
    std::vector<std::int64_t> pairs;
    std::vector<double> positions;  ///< of some rows; unknown_position where they are not known
    std::size_t confirmed = 0;      ///< positions that another pair has shown, too

    /// True if no known position differs.
    bool agrees(const std::vector<double>& others) const {
        for (std::size_t i = 0; i < others.size(); ++i) {
            const bool are_known =
                positions[i] != unknown_position && others[i] != unknown_position;
            if (are_known && positions[i] != others[i]) return false;
        }
        return true;
    }

    /// Adds a pair with these positions, which agree, and takes over the ones that it lacks.
    void add(std::int64_t pair, const std::vector<double>& others) {
        pairs.push_back(pair);
        for (std::size_t i = 0; i < others.size(); ++i) {
            if (positions[i] == unknown_position) {
                positions[i] = others[i];
            } else if (others[i] != unknown_position) {
                ++confirmed;
            }
        }
    }
};

/// Returns the whole positions by which the pair turns in these rows; none if some row has none.
std::optional<std::vector<double>> positions_of(const PairAngles& angles,
                                                const std::vector<std::int64_t>& rows,
                                                std::int64_t pair, double frequency) {
    std::vector<double> positions;
    for (const std::int64_t row : rows) {
        const WholePositions found = whole_positions(angles.at(row, pair), frequency);
        if (found.count == 0) return {};
        positions.push_back(found.count == 1 ? found.position : unknown_position);
    }
    return positions;
}

/// Returns how far the angles of a pair are from the section's positions times the frequency, in
/// all rows together.
double distance_to(const Section& section, const PairAngles& angles,
                   const std::vector<std::int64_t>& rows, std::int64_t pair, double frequency) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (section.positions[i] == unknown_position) continue;
        const double apart = angles.at(rows[i], pair).value - section.positions[i] * frequency;
        sum += std::fabs(std::remainder(apart, 2 * std::numbers::pi));
    }
    return sum;
}

/// Sections, and the frequency of each pair.
struct Sectioning {
    double base;
    bool has_own_spectra;  ///< each section has its own frequencies, from 1 on
    std::vector<double> frequencies;
    std::vector<Section> sections{};
};

constexpr std::size_t most_sections = 4;

/// Returns the sections of pairs of one spectrum, base^(-m / pairs) for pair m.
std::optional<Sectioning> of_one_spectrum(const PairAngles& angles,
                                          const std::vector<std::int64_t>& rows, double base) {
    Sectioning found{base, false, {}};
    const auto count = static_cast<double>(angles.count());
    for (std::int64_t m = 0; m < angles.count(); ++m) {
        const double frequency = std::pow(base, -static_cast<double>(m) / count);
        found.frequencies.push_back(frequency);
        const auto positions = positions_of(angles, rows, m, frequency);
        if (!positions) return {};
        // The positions of slow pairs are not all known, and agree with several sections.
        Section* nearest = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (Section& section : found.sections) {
            const double distance = distance_to(section, angles, rows, m, frequency);
            if (!section.agrees(*positions) || distance >= least) continue;
            nearest = &section;
            least = distance;
        }
        if (!nearest) {
            if (found.sections.size() == most_sections) return {};
            found.sections.push_back({{}, std::vector<double>(rows.size(), unknown_position), 0});
            nearest = &found.sections.back();
        }
        nearest->add(m, *positions);
    }
    return found;
}

/// Returns the sections in which pair k of n has the frequency base^(-k / n).
std::optional<Sectioning> of_own_spectra(const PairAngles& angles,
                                         const std::vector<std::int64_t>& rows, double base) {
    Sectioning found{base, true, {}};
    for (std::int64_t first = 0; first < angles.count();) {
        if (found.sections.size() == most_sections) return {};
        std::int64_t n = angles.count() - first;
        std::optional<Section> section;
        for (; n >= 2 && !section; --n) {
            Section tried{{}, std::vector<double>(rows.size(), unknown_position)};
            for (std::int64_t k = 0; k < n; ++k) {
                const double frequency =
                    std::pow(base, -static_cast<double>(k) / static_cast<double>(n));
                const auto positions = positions_of(angles, rows, first + k, frequency);
                if (!positions || !tried.agrees(*positions)) break;
                tried.add(first + k, *positions);
            }
            if (std::ssize(tried.pairs) == n) section = std::move(tried);
        }
        if (!section) return {};
        const auto size = static_cast<double>(section->pairs.size());
        for (std::size_t k = 0; k < section->pairs.size(); ++k) {
            found.frequencies.push_back(std::pow(base, -static_cast<double>(k) / size));
        }
        first += std::ssize(section->pairs);
        found.sections.push_back(std::move(*section));
    }
    return found;
}

/// Sets the positions of all rows; false if some are not known, or if too few are shown by more
/// than one pair: any angle is that of some position.
bool set_all_positions(const PairAngles& angles, Sectioning& found) {
    for (Section& section : found.sections) {
        if (2 * section.confirmed < section.positions.size()) return false;
        section.positions.assign(angles.rows, unknown_position);
        for (std::int64_t row = 0; row < angles.rows; ++row) {
            for (const std::int64_t pair : section.pairs) {
                const WholePositions whole =
                    whole_positions(angles.at(row, pair), found.frequencies[pair]);
                if (whole.count == 0) return false;
                if (whole.count > 1) continue;
                section.positions[row] = whole.position;
                break;
            }
            if (section.positions[row] == unknown_position) return false;
        }
    }
    return true;
}

/// Compares the sample with what the sections make of it. The place is a row of the view and a
/// channel.
Agreement agreement_of(const KernelSample& sample, const PairAngles& angles,
                       const Sectioning& found) {
    Agreement agreement{.level = Level::rounding};
    const double unit = std::max(sample.half_unit(), 0x1p-24);
    for (const Section& section : found.sections) {
        for (const std::int64_t m : section.pairs) {
            const auto& [a, b] = angles.pairs[m];
            for (std::int64_t row = 0; row < sample.positions; ++row) {
                const double angle = section.positions[row] * found.frequencies[m];
                const double cos = std::cos(angle), sin = std::sin(angle);
                for (std::int64_t s = 0; s < sample.samples; ++s) {
                    const double *const x = sample.before_row(row, s), *const y =
                                                                           sample.after_row(row, s);
                    const double error = (8 * unit + 0x1p-22 * angle) * std::hypot(x[a], x[b]);
                    const double off = std::max(std::fabs(x[a] * cos - x[b] * sin - y[a]),
                                                std::fabs(x[a] * sin + x[b] * cos - y[b]));
                    agreement.values += 2;
                    if (off > agreement.largest) {
                        agreement.largest = off;
                        agreement.place = {row * sample.samples + s, a};
                    }
                    if (!(off <= error)) ++agreement.differing;
                    if (off > 2 * unit * std::hypot(x[a], x[b])) agreement.level = Level::float32;
                }
            }
        }
    }
    if (agreement.differing > 0) agreement.level = Level::none;
    return agreement;
}

/// Returns "0 to 7", "0, 3, 6 ... 27", or the first of the pairs.
std::string pairs_text(const std::vector<std::int64_t>& pairs) {
    const auto count = std::ssize(pairs);
    if (count < 3) return joined(pairs, " and ");
    const std::int64_t step = pairs[1] - pairs[0];
    bool is_even = true;
    for (std::ptrdiff_t i = 1; i < count; ++i) is_even = is_even && pairs[i] - pairs[i - 1] == step;
    if (is_even && step == 1) return fmt::format("{} to {}", pairs.front(), pairs.back());
    return fmt::format("{}, {}, {} {} {}", pairs[0], pairs[1], pairs[2],
                       is_even ? "..." : "and others to", pairs.back());
}

/// True if the pairs of each section are neighbours.
bool are_together(const Sectioning& found) {
    return std::ranges::all_of(found.sections, [](const Section& section) {
        return section.pairs.back() - section.pairs.front() == std::ssize(section.pairs) - 1;
    });
}

std::vector<std::string> findings_of(const Sectioning& found, const PairAngles& angles, int axis) {
    std::vector<std::int64_t> sizes;
    for (const Section& section : found.sections) sizes.push_back(std::ssize(section.pairs));
    const std::string frequencies =
        found.has_own_spectra
            ? fmt::format("{}^(-k / n) for pair k of n in each, as in images and videos",
                          plain(found.base))
            : fmt::format("{}^(-m / {}) for pair m of all, as in mrope --base {} --sections {}{}",
                          plain(found.base), angles.count(), plain(found.base), joined(sizes, ","),
                          are_together(found) ? "" : " --order interleaved");
    std::vector<std::string> findings{
        fmt::format("Pairs of channels, {}, are rotated in {} sections, of {} pairs, each by "
                    "positions of its own "
                    "along axis {}, with the frequencies {}.",
                    some_of(angles.pairs), sizes.size(), joined(sizes, ", "), axis, frequencies)};
    for (const Section& section : found.sections) {
        constexpr std::size_t most = 16;
        const auto& all = section.positions;
        const std::vector<double> some(
            all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size())));
        findings.push_back(fmt::format("Pairs {}: positions {}{}", pairs_text(section.pairs),
                                       joined(some, ", "), all.size() > most ? ", ..." : "."));
    }
    return findings;
}

/// Returns the indices, along the axes of the array, of a place given as (row, channel), where the
/// rows are those of (positions, samples).
std::vector<std::int64_t> place_in_view(const KernelView& view,
                                        const std::vector<std::int64_t>& place) {
    if (place.empty()) return std::vector<std::int64_t>(view.before.shape.rank());
    const std::int64_t position = place[0] / view.samples(), sample = place[0] % view.samples();
    const std::int64_t row =
        (sample / view.inner * view.positions + position) * view.inner + sample % view.inner;
    return index_of(row * view.channels + place[1], view.before.shape.extents());
}

/// True if the sections are alike, with the same positions: the heads of the last axis.
bool are_heads(const Sectioning& found) {
    const Section& first = found.sections.front();
    return found.has_own_spectra && std::ranges::all_of(found.sections, [&](const Section& other) {
               return other.pairs.size() == first.pairs.size() && other.agrees(first.positions);
           });
}

KernelIdentification identified(const KernelQuestion& question, const Progress& progress,
                                const SearchStage& stage = ignore_stage);

/// Returns the answer for an array whose last axis holds so many heads.
KernelIdentification in_heads(std::int64_t heads, KernelQuestion question,
                              const Progress& progress) {
    question.heads = heads;
    KernelIdentification answer = identified(question, progress);
    answer.findings.push_back(
        fmt::format("The last axis holds {} heads of {} channels: --heads {}.", heads,
                    question.before.shape.columns() / heads, heads));
    return answer;
}

/// Returns the answer if sections of the pairs turn by whole positions of their own; none
/// otherwise.
std::optional<KernelIdentification> in_sections(const KernelView& view,
                                                const KernelQuestion& question,
                                                const Progress& progress) {
    const KernelSample sample = read_sample(view);
    constexpr std::int64_t most_pairs = 256, enough = 24;
    constexpr std::array bases{1e4, 1e6, 5e5, 5e6, 256.0, 1e5, 1e7, 100.0};
    const bool is_whole = sample.positions == view.positions && sample.samples == view.samples();
    if (!is_whole || sample.channels % 2 != 0 || sample.channels > 2 * most_pairs) return {};
    const std::vector<std::int64_t> rows = spread_over(sample.positions, enough);
    for (const std::vector<Pair>& pairs : possible_pairs(sample)) {
        const std::optional<PairAngles> angles = angles_of(sample, pairs);
        if (!angles) continue;
        for (const double base : bases) {
            for (const auto& search : {of_one_spectrum, of_own_spectra}) {
                std::optional<Sectioning> found = search(*angles, rows, base);
                if (!found || found->sections.size() < 2 || !set_all_positions(*angles, *found)) {
                    continue;
                }
                const Agreement agreement = agreement_of(sample, *angles, *found);
                if (agreement.level == Level::none) continue;
                if (are_heads(*found) && question.heads == 1) {
                    return in_heads(std::ssize(found->sections), question, progress);
                }
                KernelIdentification answer;
                answer.verdict = Verdict::identified;
                answer.kind = KernelKind::rotated;
                answer.format = sample.precision.dtype;
                answer.agreement = agreement;
                answer.axes = view.axes;
                answer.agreement.place = place_in_view(view, agreement.place);
                answer.findings = findings_of(*found, *angles, view.axes.position);
                return answer;
            }
        }
    }
    return {};
}

/// Returns kernels with the same base and each usual scaling that slows down only the slow pairs,
/// or with its own scaling and each usual length: a few positions in a coarse format may not show
/// such a scaling.
std::vector<RotaryKernel> with_slower_pairs(const RotaryKernel& kernel) {
    if (kernel.rounds()) return {};
    using Settings = std::vector<Setting>;
    const auto llama3 = [](const char* factor) {
        return Settings{{"scaling", "llama3"},
                        {"factor", factor},
                        {"original-max-position-embeddings", "8192"}};
    };
    const auto proportional = [](const char* part) {
        return Settings{{"scaling", "proportional"}, {"partial-rotary-factor", part}};
    };
    Settings base = kernel.settings;
    std::erase_if(base, [](const Setting& setting) { return setting.name != "base"; });
    std::vector<RotaryKernel> others;
    for (const Settings& scaling : {llama3("8"), llama3("32"), proportional("0.75"),
                                    proportional("0.5"), proportional("0.25")}) {
        others.push_back(kernel);
        others.back().settings = base;
        append(others.back().settings, scaling);
    }
    const auto length =
        std::ranges::find(kernel.settings, "original-max-position-embeddings", &Setting::name);
    if (length == kernel.settings.end()) return others;
    for (const char* usual :
         {"2048", "4096", "8192", "16384", "32768", "65536", "131072", "24576", "40960"}) {
        others.push_back(kernel);
        others.back().settings[length - kernel.settings.begin()].value = usual;
    }
    return others;
}

/// True if both kernels turn each pair by the same angles in all rows, and in the rows of longer
/// arrays.
bool turn_alike(const RotaryKernel& a, const RotaryKernel& b) {
    const auto are_near = [](double p, double q) {
        return std::fabs(p - q) <= 1e-9 * std::max(std::fabs(p), std::fabs(q));
    };
    const double sign = a.is_inverse == b.is_inverse ? 1 : -1;
    const Positions first = a.positions(2), second = b.positions(2);
    const std::int64_t rows = std::min(first.size(), second.size());
    if (terms_of(a.convention) != terms_of(b.convention) || first.size() != second.size() ||
        a.angle_format != b.angle_format ||
        (!a.list.empty() && !b.list.empty() && a.list != b.list && a.is_inverse == b.is_inverse)) {
        return false;
    }
    const auto is_turned_alike_in = [&](std::int64_t row) {
        for (std::size_t m = 0; m < a.frequencies.size(); ++m) {
            if (!are_near(a.frequencies[m] * first[row], sign * b.frequencies[m] * second[row])) {
                return false;
            }
        }
        return true;
    };
    if (!a.list.empty() && a.list == b.list) {
        // All rows but those at 0 tell the same.
        const auto size = [](double position) { return std::fabs(position); };
        return is_turned_alike_in(std::ranges::max_element(a.list, {}, size) - a.list.begin());
    }
    for (std::int64_t row = 0; row < rows; ++row) {
        if (!is_turned_alike_in(row)) return false;
    }
    return true;
}

/// Returns the kernels that may be meant instead of the best one: kernels that agree with the
/// sample as well and are hardly less simple, kernels with a preset's settings, and kernels with
/// other scalings, which have not been compared yet.
std::vector<RotaryFinding> rivals_of(const RotaryFinding& best,
                                     const std::vector<RotaryFinding>& agreeing) {
    constexpr double close = 3, close_of_other_pairs = 16, close_to_known = 40;  // bits
    std::vector<RotaryFinding> rivals;
    for (const RotaryFinding& other : agreeing) {
        const RotaryKernel &a = best.kernel, &b = other.kernel;
        if (turn_alike(a, b)) continue;
        const bool is_usual = b.has_known_frequencies && a.start == b.start && a.step == b.step;
        // Pairs that hardly turn do not show whether they are rotated at all.
        const bool has_other_pairs = a.convention.dim != b.convention.dim;
        const double most = is_usual          ? close_to_known
                            : has_other_pairs ? close_of_other_pairs
                                              : close;
        if (b.bits - a.bits <= most) rivals.push_back(other);
    }
    for (RotaryKernel& other : with_slower_pairs(best.kernel)) {
        other.frequencies = frequencies_of(other.settings, other.convention.dim);
        if (other.frequencies.empty() || turn_alike(best.kernel, other)) continue;
        other.factor = attention_factor_of(other.settings, other.convention.dim);
        const bool is_named = std::ranges::any_of(rivals, [&](const RotaryFinding& rival) {
            return rival.kernel.factor == other.factor && turn_alike(rival.kernel, other);
        });
        if (!is_named) rivals.push_back({other, {}});
    }
    return rivals;
}

void check(const KernelQuestion& question) {
    const Shape& shape = question.before.shape;
    if (shape != question.after.shape) {
        throw UsageError(
            fmt::format("the array before has shape {}, the one after {}; a kernel keeps the shape",
                        to_string(shape), to_string(question.after.shape)));
    }
    if (shape.rank() < 2 || shape.size() == 0) {
        throw UsageError(fmt::format("the arrays have shape {}; they need the axes (..., len, d)",
                                     to_string(shape)));
    }
}

/// Returns the axis of positions if `apply rope` needs it as an option; none otherwise.
std::optional<int> axis_to_say(const KernelView& view) {
    const bool is_last_but_one =
        view.axes.position == view.before.shape.rank() - 2 && view.axes.heads == 1;
    return is_last_but_one ? std::nullopt : std::optional(view.axes.position);
}

std::vector<std::string> command_of(const RotaryKernel& kernel, const KernelView& view,
                                    const KernelQuestion& question) {
    if (!kernel.has_command()) return {};
    std::vector<std::string> command =
        command_of(kernel, question.path, view.channels, axis_to_say(view));
    if (view.axes.heads > 1) {
        command.emplace_back("--heads");
        command.push_back(fmt::format("{}", view.axes.heads));
    }
    return command;
}

/// Returns the command of the second step, which moves neighbouring channels into halves after the
/// rotation.
std::vector<std::string> reordering(const RotaryKernel& kernel, const KernelView& view) {
    if (!kernel.has_command() || !kernel.convention.reads_neighbours) return {};
    std::vector<std::string> words{"pe-gen",
                                   "apply",
                                   "rope-permute",
                                   "--from",
                                   "interleaved",
                                   "--to",
                                   "half",
                                   "--axis",
                                   "-1",
                                   "--heads",
                                   fmt::format("{}", view.axes.heads)};
    if (kernel.convention.dim != view.channels) {
        words.emplace_back("--rotary-dim");
        words.push_back(fmt::format("{}", kernel.convention.dim));
    }
    words.insert(words.end(), {"--x", "-"});
    return words;
}

/// Returns the indices, along the axes of the array, of a place given as (row, channel).
std::vector<std::int64_t> place_in(const KernelView& view, const std::vector<std::int64_t>& place) {
    if (place.size() != 2) return {};
    const std::int64_t element = place[0] * view.channels + place[1];
    return index_of(element, view.before.shape.extents());
}

KernelIdentification answer_of(const RotaryFinding& best, const KernelView& view) {
    KernelIdentification answer;
    answer.kind = KernelKind::rotated;
    answer.axes = view.axes;
    answer.agreement = best.found.agreement;
    answer.agreement.place = place_in(view, best.found.agreement.place);
    answer.rotary = best.kernel;
    answer.factor = best.kernel.factor;
    answer.findings = findings_of(best.kernel, view.channels);
    return answer;
}

/// Returns the kernel with the same settings that computes exactly.
RotaryKernel without_rounding(RotaryKernel kernel) {
    kernel.frequency_format = kernel.angle_format = kernel.table_format = {};
    kernel.frequencies = frequencies_of(kernel.settings, kernel.convention.dim);
    if (rounding_of(kernel.list)) {
        kernel.start = kernel.list.front();
        kernel.list.clear();
    }
    return kernel;
}

KernelIdentification near_answer(RotaryFinding nearest, const KernelView& view,
                                 const KernelSample& sample, const KernelQuestion& question,
                                 const Progress& progress) {
    nearest.found = compare_all(view, nearest.kernel, sample.precision, progress);
    std::string departure = departure_of(nearest.found.off, view);
    // If values are off all over the array, the rounding of this kernel is not the one that was
    // used.
    if (departure.empty() && nearest.kernel.rounds()) {
        nearest.kernel = without_rounding(nearest.kernel);
        nearest.found = compare_all(view, nearest.kernel, sample.precision, progress);
        departure = departure_of(nearest.found.off, view);
    }
    KernelIdentification answer = answer_of(nearest, view);
    answer.nearest = command_of(nearest.kernel, view, question);
    answer.departure = std::move(departure);
    // What is otherwise found of the kernel is certain only if the differences are in one place.
    if (answer.departure.empty()) answer.findings.clear();
    return answer;
}

/// Samples that the same kernel turns, by their indices in the view.
struct TurnedAlike {
    RotaryKernel kernel;
    std::vector<std::int64_t> samples;
};

/// Returns the kernels of the samples that are rotated, each looked at alone, the kernel of most
/// samples first.
std::vector<TurnedAlike> kernels_of_samples(const KernelSample& sample, const KernelView& view) {
    std::vector<TurnedAlike> groups;
    for (std::int64_t s = 0; s < sample.samples; ++s) {
        const RotaryFindings found = find_rotary_kernels(only_sample(sample, s), view);
        if (found.agreeing.empty()) continue;
        const RotaryKernel& kernel = found.agreeing.front().kernel;
        const auto same = std::ranges::find_if(
            groups, [&](const TurnedAlike& group) { return turn_alike(group.kernel, kernel); });
        if (same == groups.end()) {
            groups.push_back({kernel, {sample.indices[s]}});
        } else {
            same->samples.push_back(sample.indices[s]);
        }
    }
    std::ranges::stable_sort(groups, std::ranges::greater(),
                             [](const TurnedAlike& group) { return group.samples.size(); });
    return groups;
}

/// Returns where samples are, along the axes that tell them from others: "at 1, 3 of axis 1".
std::string place_of(const std::vector<std::int64_t>& samples, const KernelView& view) {
    std::vector<std::int64_t> extents = view.before.shape.extents();
    extents.back() = view.axes.heads;
    extents[view.axes.position] = 1;
    std::vector<std::set<std::int64_t>> along(extents.size());
    for (const std::int64_t sample : samples) {
        const std::vector<std::int64_t> index = index_of(sample, extents);
        for (std::size_t axis = 0; axis < index.size(); ++axis) along[axis].insert(index[axis]);
    }
    std::size_t in_all = 1;
    std::vector<std::string> places;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        in_all *= along[axis].size();
        if (std::ssize(along[axis]) == extents[axis]) continue;
        const std::string indices =
            joined(std::vector(along[axis].begin(), along[axis].end()), ", ");
        const bool is_heads = axis + 1 == extents.size();
        places.push_back(is_heads ? fmt::format("in heads {}", indices)
                                  : fmt::format("at {} of axis {}", indices, axis));
    }
    if (in_all == samples.size() && !places.empty()) return joined(places, ", ");
    return fmt::format("in {} of {} samples", samples.size(), view.samples());
}

/// Returns an answer from the samples, each looked at alone, because the samples of a batch may
/// have positions of their own, and heads another kernel; none if no sample is rotated.
std::optional<KernelIdentification> samples_apart(const KernelView& view,
                                                  const KernelSample& sample,
                                                  const KernelQuestion& question,
                                                  const Progress& progress) {
    // Any two or three rows are turned by some positions.
    constexpr std::int64_t fewest_positions = 8;
    constexpr std::size_t most_kernels = 8;
    if (sample.samples == 1 || view.positions < fewest_positions) return {};
    const std::vector<TurnedAlike> groups = kernels_of_samples(sample, view);
    if (groups.empty() || groups.size() > most_kernels) return {};
    KernelIdentification answer =
        near_answer({groups.front().kernel, {}}, view, sample, question, progress);
    answer.findings.clear();
    std::int64_t explained = 0;
    for (const TurnedAlike& group : groups) explained += std::ssize(group.samples);
    const bool are_all = explained == view.samples();
    std::vector<std::string> elsewhere;
    for (const TurnedAlike& group : groups) {
        const std::string place =
            sample.samples == view.samples()
                ? place_of(group.samples, view)
                : fmt::format("in sample {} of {}", group.samples.front(), view.samples());
        std::vector<std::string> own = findings_of(group.kernel, view.channels);
        if (own.empty() && groups.size() == 1) break;  // the nearest command says it
        if (own.empty())
            own = {fmt::format("{}.", joined(command_of(group.kernel, view, question), " "))};
        std::string text = fmt::format("{}: {}", place, joined(own, " "));
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
        answer.findings.push_back(std::move(text));
        if (&group != groups.data()) elsewhere.push_back(place);
    }
    if (are_all) answer.departure = joined(elsewhere, "; ");
    return answer;
}

KernelIdentification unexplained_answer(const UnexplainedTurns& turns, const KernelView& view) {
    KernelIdentification answer;
    answer.agreement.values = answer.agreement.differing = view.before.shape.size();
    answer.findings = oddities_of(turns.convention, view.channels);
    const bool is_half = turns.convention.pairing == rows::Pairing::half;
    std::string what = fmt::format(
        "Channels {} are rotated along axis {}, ",
        is_half ? fmt::format("m and m + {}", turns.convention.dim / 2) : "2m and 2m + 1",
        view.axes.position);
    if (turns.steps.empty()) {
        what +=
            "but the angles are not known to be positions of rows times frequencies of pairs: "
            "positions along two axes, as of an image, make such angles, and sections, as in "
            "mrope.";
    } else {
        const bool is_turned_further = std::ranges::any_of(turns.steps, [](const Measured& step) {
            return std::fabs(step.value) > 4 * step.error;
        });
        if (!is_turned_further) {
            answer.findings.push_back(what + "all rows by the same angles.");
            return answer;
        }
        std::vector<std::string> some;
        for (const Measured& step : turns.steps) {
            if (some.size() < 8) some.push_back(fmt::format("{:.4g}", step.value));
        }
        what += fmt::format(
            "each pair by equal angles from most rows to the next, but which base and scaling "
            "these angles are of cannot be told: {}{}.",
            joined(some, ", "), some.size() < turns.steps.size() ? ", ..." : "");
    }
    answer.findings.push_back(std::move(what));
    return answer;
}

/// Compares the kernel with the whole array. If its steps hold in a part of the sample's or of the
/// array's rows alone, each row gets the position that it shows.
void confirm(RotaryFinding& finding, const KernelView& view, const KernelSample& sample,
             const Progress& progress) {
    finding.found = compare_all(view, finding.kernel, sample.precision, progress);
    const bool has_more_rows = sample.positions < view.positions;
    if (finding.found.agreement.level != Level::none || !has_more_rows) return;
    if (!finding.kernel.list.empty()) return;
    RotaryFinding listed{with_positions_of_rows(finding.kernel, sample, view), {}};
    listed.found = compare_all(view, listed.kernel, sample.precision, progress);
    const bool has_evidence = listed.found.agreement.evidence > 2 * listed.kernel.bits;
    if (listed.found.agreement.level != Level::none && has_evidence) finding = std::move(listed);
}

/// What the sample of a view shows of rotations.
struct ViewedTurns {
    KernelView view;
    KernelSample sample;
    RotaryFindings findings;
    std::vector<RotaryFinding> likely;  ///< the kernels that agree with the sample, or the nearest
};

ViewedTurns turns_of(const KernelView& view) {
    ViewedTurns turns{view, read_sample(view), {}, {}};
    turns.findings = find_rotary_kernels(turns.sample, view);
    turns.likely = turns.findings.agreeing;
    if (turns.likely.empty() && turns.findings.nearest) {
        turns.likely.push_back(*turns.findings.nearest);
    }
    return turns;
}

/// Returns the answer if the array was rotated; none otherwise.
std::optional<KernelIdentification> rotation(ViewedTurns& turns, const KernelQuestion& question,
                                             const Progress& progress) {
    const KernelView& view = turns.view;
    const KernelSample& sample = turns.sample;
    for (auto best = turns.likely.begin(); best != turns.likely.end(); ++best) {
        confirm(*best, view, sample, progress);
        if (best->found.agreement.level == Level::none) continue;
        KernelIdentification answer = answer_of(*best, view);
        answer.format = sample.precision.dtype;
        answer.verdict = best->kernel.doubts.empty() ? Verdict::identified : Verdict::ambiguous;
        for (const std::string& doubt : best->kernel.doubts) {
            answer.findings.push_back(fmt::format(
                "{} is no usual number, or not known exactly: another number or another scaling "
                "may turn alike at these positions. More positions{} may show which.",
                doubt, sample.precision.digits < 24 ? ", or float32," : ""));
        }
        answer.command = command_of(best->kernel, view, question);
        answer.then = reordering(best->kernel, view);
        const bool has_arith = std::ranges::find(answer.command, "--arith") != answer.command.end();
        if (has_arith && answer.agreement.level == Level::rounding) {
            answer.findings.emplace_back(
                "The array has exact angles otherwise; the command computes them in float32, as "
                "models do, so that its last digits are others.");
        }
        for (RotaryFinding& rival : rivals_of(*best, turns.findings.agreeing)) {
            // Beside one command, no alternative needs two.
            if (answer.then.empty() && !reordering(rival.kernel, view).empty()) continue;
            rival.found = compare_sample(sample, rival.kernel, sample.half_unit());
            if (rival.found.agreement.level == Level::none) continue;
            rival.found = compare_all(view, rival.kernel, sample.precision);
            if (rival.found.agreement.level == Level::none) continue;
            // A kernel that rounds otherwise than the array, where the best one rounds alike, is
            // another one.
            const bool is_exact = best->found.agreement.unequal == 0;
            if (is_exact && rival.found.agreement.unequal > 0) continue;
            answer.verdict = Verdict::ambiguous;
            answer.alternatives.push_back({command_of(rival.kernel, view, question),
                                           joined(findings_of(rival.kernel, view.channels), " ")});
        }
        return answer;
    }
    return {};
}

/// Returns the answer if samples were rotated, each in its own way, or if it is not known by which
/// angles; none if nothing comes near a rotation.
std::optional<KernelIdentification> other_rotation(const ViewedTurns& turns,
                                                   const KernelQuestion& question,
                                                   const Progress& progress) {
    if (auto answer = samples_apart(turns.view, turns.sample, question, progress)) return answer;
    const auto& unexplained = turns.findings.unexplained;
    return unexplained ? std::optional(unexplained_answer(*unexplained, turns.view)) : std::nullopt;
}

/// True if the answer has a list in which all rows have the same position. The rows may be the
/// heads of one token, whose positions are counted along an axis of extent 1.
bool has_one_position(const KernelIdentification& answer) {
    if (!answer.rotary || answer.rotary->list.empty()) return false;
    const std::vector<double>& list = answer.rotary->list;
    return std::ranges::all_of(list, [&](double position) { return position == list.front(); });
}

/// Returns the answer if the array was rotated along one of its axes; none otherwise. Adds the
/// views that were looked at.
std::optional<KernelIdentification> rotation_along_an_axis(const KernelQuestion& question,
                                                           std::vector<ViewedTurns>& views,
                                                           const Progress& progress) {
    std::optional<KernelIdentification> one_position;
    for (const KernelAxes& axes :
         possible_axes(question.before.shape, question.position_axis, question.heads)) {
        progress(0, 0);
        views.push_back(turns_of(view_of(question.before, question.after, axes)));
        std::optional<KernelIdentification> answer = rotation(views.back(), question, progress);
        if (!answer) continue;
        if (!has_one_position(*answer)) return answer;
        if (!one_position) one_position = std::move(answer);
    }
    return one_position;
}

/// Returns the array with each value changed.
template <class Change>
Table changed(Table array, const Change& change) {
    const auto fill = [values = rows::as_float64(array.rows), change](RowRange range,
                                                                      std::span<double> out) {
        values(range, std::as_writable_bytes(out));
        for (double& value : out) value = change(value);
    };
    array.rows = pegen::rounded({fill, array.rows.count(), array.rows.columns()}, array.dtype);
    return array;
}

/// Returns the answer with a sentence on what is done to all values after the rotation, which no
/// command does.
KernelIdentification with_change(KernelIdentification answer, std::string_view change,
                                 std::string_view details) {
    std::string sentence(change);
    if (!answer.command.empty()) {
        sentence += fmt::format(", which {} does", joined(answer.command, " "));
    }
    answer.findings.insert(answer.findings.begin(), fmt::format("{}{}.", sentence, details));
    answer.command.clear();
    answer.then.clear();
    answer.alternatives.clear();
    return answer;
}

/// Returns the answer if the array was rotated, and all of its values negated; none otherwise.
std::optional<KernelIdentification> negated_rotation(const KernelQuestion& question,
                                                     const Progress& progress) {
    KernelQuestion negated = question;
    negated.after = changed(question.after, std::negate());
    std::vector<ViewedTurns> views;
    std::optional<KernelIdentification> answer = rotation_along_an_axis(negated, views, progress);
    if (!answer) return {};
    if (answer->rotary) answer->rotary->factor *= -1;
    return with_change(*std::move(answer), "Every value is negated after the rotation", "");
}

/// Returns the share of values that dropout has made 0; none if there are hardly any, or if most
/// are.
std::optional<double> dropped_share(const KernelQuestion& question) {
    constexpr double least = 0.005, most = 0.9;
    const Shape& shape = question.before.shape;
    const RowRange range{0, std::min(shape.rows(), rows_holding(1 << 18, shape.columns()))};
    const std::vector<double> x = read_rows(question.before, range),
                              y = read_rows(question.after, range);
    double all = 0, dropped = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        all += x[i] != 0 ? 1 : 0;
        dropped += x[i] != 0 && y[i] == 0 ? 1 : 0;
    }
    const double share = dropped / all;
    if (!(share > least && share < most)) return {};
    const double error = 4 * std::sqrt(share * (1 - share) / all);
    return evidence::simple_numbers({share, error}, 1).front().value;
}

/// Returns the answer if the array was rotated, and dropout made some values 0 and the others
/// larger; none otherwise.
std::optional<KernelIdentification> dropped_rotation(const KernelQuestion& question,
                                                     const Progress& progress) {
    const std::optional<double> share = dropped_share(question);
    if (!share) return {};
    KernelQuestion rest = question;
    rest.after = changed(question.after, [kept = 1 - *share](double value) {
        return value == 0 ? std::numeric_limits<double>::quiet_NaN() : value * kept;
    });
    for (const KernelAxes& axes :
         possible_axes(question.before.shape, question.position_axis, question.heads)) {
        ViewedTurns turns = turns_of(view_of(rest.before, rest.after, axes));
        if (turns.likely.empty()) continue;
        RotaryFinding& nearest = turns.likely.front();
        nearest.found = compare_all(turns.view, nearest.kernel, turns.sample.precision, progress);
        Agreement& agreement = nearest.found.agreement;
        if (agreement.differing > agreement.nans) continue;
        agreement.level = Level::float32;
        agreement.differing = agreement.nans = 0;
        KernelIdentification answer = answer_of(nearest, turns.view);
        answer.verdict = Verdict::identified;
        answer.format = turns.sample.precision.dtype;
        answer.command = command_of(nearest.kernel, turns.view, question);
        return with_change(
            std::move(answer), fmt::format("Dropout of {:.2g} is on after the rotation", *share),
            fmt::format(": {:.2g} % of the values are 0, the others are multiplied by {:.5g}",
                        100 * *share, 1 / (1 - *share)));
    }
    return {};
}

/// The answer that explains most values.
class Nearest {
  public:
    void add(std::optional<KernelIdentification> answer) {
        if (!answer) return;
        const bool is_nearer =
            !answer_ || answer->agreement.differing < answer_->agreement.differing;
        if (is_nearer) answer_ = std::move(answer);
    }
    const std::optional<KernelIdentification>& answer() const { return answer_; }
    bool explains_most() const {
        return answer_ && 4 * answer_->agreement.differing < 3 * answer_->agreement.values;
    }

  private:
    std::optional<KernelIdentification> answer_;
};

KernelIdentification identified(const KernelQuestion& question, const Progress& progress,
                                const SearchStage& stage) {
    stage("a rotation");
    const std::optional<Quotient> measured = quotient(question);
    if (auto answer = scaling(question, measured, progress)) return *answer;
    std::vector<ViewedTurns> views;
    if (auto answer = rotation_along_an_axis(question, views, progress)) return *answer;
    // Most pairs are turned by small angles, so that the values keep their sign on the whole.
    if (measured && measured->factor.value < 0) {
        if (auto answer = negated_rotation(question, progress)) return *answer;
    }
    if (auto answer = dropped_rotation(question, progress)) return *answer;
    stage("a rotation in sections");
    for (const ViewedTurns& turns : views) {
        if (auto answer = in_sections(turns.view, question, progress)) return *answer;
    }
    stage("the nearest rotation");
    Nearest nearest;
    for (const ViewedTurns& turns : views) {
        if (turns.likely.empty()) continue;
        nearest.add(
            near_answer(turns.likely.front(), turns.view, turns.sample, question, progress));
    }
    // An array that is mostly explained by a rotation is not taken for a sum.
    FittedPresets presets;
    if (!nearest.explains_most()) {
        stage("an added table");
        if (auto answer = sum(question, presets, progress)) return *answer;
    }
    stage("the nearest kernel");
    for (const ViewedTurns& turns : views) {
        if (turns.likely.empty()) nearest.add(other_rotation(turns, question, progress));
    }
    if (!nearest.explains_most()) nearest.add(nearly_sum(question, presets));
    KernelIdentification answer = nearest.answer().value_or(KernelIdentification());
    if (answer.nearest.empty()) {
        const std::vector<Pair> pairs = turned_pairs(views.front().sample);
        if (answer.findings.empty() && !pairs.empty()) {
            answer.findings = {fmt::format("Channels are rotated in {} pairs, such as {}.",
                                           pairs.size(), some_of(pairs))};
        }
    }
    return answer;
}

}  // namespace

KernelIdentification identify_kernel(const KernelQuestion& question, const Progress& progress,
                                     const SearchStage& stage) {
    check(question);
    KernelIdentification answer = identified(question, progress, stage);
    const Shape& shape = question.before.shape;
    if (answer.verdict == Verdict::not_identified && shape.rank() > 2 && shape.columns() == 2) {
        answer.findings.emplace_back(
            "The last axis has 2 values. If they are the parts of complex numbers, save the pairs "
            "as neighbouring channels: numpy's x.view(x.real.dtype), torch's "
            "view_as_real(x).flatten(-2).");
    }
    return answer;
}

}  // namespace pegen::recognition
