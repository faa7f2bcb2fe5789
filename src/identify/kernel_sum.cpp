#include "identify/kernel_sum.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/element.h"
#include "core/to_size.h"
#include "evidence/simple_number.h"
#include "identify/candidate.h"
#include "identify/elsewhere.h"
#include "identify/kernel_scaling.h"
#include "identify/proposals.h"
#include "identify/views.h"

namespace pegen::identify {
namespace {

constexpr std::int64_t most_values = 1 << 22;  ///< of a table

/// The arrays as (samples, values of a table).
struct Addition {
    const KernelQuestion* question;
    int leading;  ///< how many leading axes count samples
    std::int64_t samples;
    std::int64_t values;  ///< of the table that is added to each sample
    evidence::Precision precision;

    std::vector<double> before(std::int64_t sample) const { return part(question->before, sample); }
    std::vector<double> after(std::int64_t sample) const { return part(question->after, sample); }

  private:
    std::vector<double> part(const Table& array, std::int64_t sample) const {
        const std::int64_t rows = values / array.shape.columns();
        return read_rows(array, {sample * rows, rows});
    }
};

/// What rounding the sum may change it by, and the product and the table before.
double allowed(double sum, double product, const evidence::Precision& precision) {
    const double largest = std::max({std::fabs(sum), std::fabs(product), std::fabs(sum - product)});
    return 1.5 * unit_of(largest, precision);
}

/// Returns the numbers that the array may be multiplied by before the table is added.
std::vector<evidence::SimpleNumber> factors(const Addition& addition) {
    const std::int64_t d = addition.question->before.shape.columns();
    const double root = std::sqrt(static_cast<double>(d));
    std::vector<evidence::SimpleNumber> usual{{"1", 1, 0}, {"", root, 4}};
    if (addition.samples < 2) return usual;
    // Where samples differ, only the factor matters.
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
    std::vector<evidence::SimpleNumber> near;
    for (const evidence::SimpleNumber& number : usual) {
        if (std::fabs(number.value - xy / xx) <= off) near.push_back(number);
    }
    if (near.empty()) near = evidence::simple_numbers({xy / xx, off}, 2);
    return near;
}

/// What is left without the multiple of the array: the table, and how far its values may be off.
struct Remainder {
    std::vector<double> values;
    double error = 0;
};

/// Returns the mean over some samples; none if they differ by more than the errors.
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
    const std::vector<std::int64_t>& extents = addition.question->before.shape.extents();
    Table table{.shape = Shape(std::vector(extents.begin() + addition.leading, extents.end())),
                .dtype = DType::float64,
                .axes = {},
                .rows = nullptr,
                .title = "",
                .value_label = "",
                .provenance = {}};
    table.axes.resize(to_size(table.shape.rank()));
    table.rows = [values, columns = table.shape.columns()](RowRange range,
                                                           std::span<std::byte> out) {
        const auto some = std::span(values).subspan(to_size(range.first * columns),
                                                    to_size(range.count * columns));
        store(some, DType::float64, out);
    };
    return table;
}

/// Compares samples with the sum of a multiple of the array and a table.
Agreement agreement_of(const Addition& addition, double factor, const std::vector<double>& table,
                       const std::function<double(std::int64_t, std::int64_t)>& angle,
                       std::int64_t samples, const Progress& progress) {
    Agreement agreement{.level = Level::rounding};
    const std::int64_t columns = addition.question->before.shape.columns();
    for (std::int64_t s = 0; s < samples; ++s) {
        const std::vector<double> x = addition.before(s), y = addition.after(s);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const auto element = static_cast<std::int64_t>(i);
            const double product = factor * x[i], value = product + table[i];
            const double off = std::fabs(value - y[i]);
            ++agreement.values;
            // What is left of two large numbers has their errors.
            const double rounding = allowed(value, product, addition.precision);
            if (off <= rounding) continue;
            agreement.level = Level::float32;
            const double turned =
                angle ? std::fabs(angle(element / columns, element % columns)) : 0;
            if (!(off <= rounding + 0x1p-23 * (1 + 8 * turned))) ++agreement.differing;
        }
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double off = std::fabs(factor * x[i] + table[i] - y[i]);
            if (!(off > agreement.largest)) continue;
            agreement.largest = off;
            agreement.place = index_of(s * addition.values + static_cast<std::int64_t>(i),
                                       addition.question->before.shape.extents());
        }
        if (agreement.differing > 0) break;
        progress(s + 1, samples);
    }
    if (agreement.differing > 0) agreement.level = Level::none;
    return agreement;
}

/// Returns what the table's values say, in bits: those that are not those of their neighbours.
double evidence_of(const std::vector<double>& table, std::int64_t columns, double error) {
    double largest = 0, bits = 0;
    for (const double value : table) largest = std::max(largest, std::fabs(value));
    const double each = std::log2(1 + largest / error) - 1;
    for (std::size_t i = to_size(columns); i < table.size(); ++i) {
        const bool is_new = std::fabs(table[i] - table[i - 1]) > 2 * error &&
                            std::fabs(table[i] - table[i - to_size(columns)]) > 2 * error;
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

/// Returns the candidates whose table is what is left, the cheapest first.
std::vector<Added> agreeing(const Addition& addition, double factor, const Remainder& rest) {
    std::vector<Added> found;
    const Table left = table_from(addition, rest.values);
    for (const View& view : views_of(left)) {
        if (!view.note.empty()) continue;
        evidence::Sample sample = view.sample();
        sample.noise = rest.error;
        std::vector<Candidate> candidates = recognized(sample);
        std::ranges::move(fitted_presets(sample), std::back_inserter(candidates));
        for (Candidate& candidate : candidates) {
            if (!candidate.proposal.rows.empty() || !candidate.proposal.channels.empty() ||
                !candidate.proposal.data.empty()) {
                continue;  // apply add has no part of a table, and no file
            }
            const std::optional<Table> table =
                table_of(candidate, evidence::precision_of(DType::float64));
            if (!table || table->shape.size() != addition.values) continue;
            std::vector<double> values = read_rows(*table, {0, table->shape.rows()});
            const auto is_far = [&](double a, double b) {
                return !(std::fabs(a - b) <= 0.01 + rest.error);
            };
            if (!std::ranges::equal(values, rest.values, std::not_fn(is_far))) continue;
            candidate.agreement =
                agreement_of(addition, factor, values, candidate.proposal.angle,
                             std::min<std::int64_t>(addition.samples, 2), ignore_progress);
            const double bits = evidence_of(values, left.shape.columns(), rest.error);
            // Tables that rotate are not meant to be added.
            constexpr double unusual = 12;
            const double unlikely = is_rotary(candidate.encoding->name) ? unusual : 0;
            candidate.bits = price_of(candidate) + unlikely;
            if (candidate.agreement.level == Level::none || bits < 30 + candidate.bits) continue;
            candidate.agreement.evidence = bits;
            found.push_back({std::move(candidate), std::move(values)});
        }
    }
    std::ranges::stable_sort(found, {}, [](const Added& added) { return added.candidate.bits; });
    return found;
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

KernelIdentification answer_of(const Addition& addition, const evidence::SimpleNumber& factor,
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
            fmt::format("The table is that of {}.", fmt::join(words_of(best), " ")));
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

}  // namespace

std::optional<KernelIdentification> sum(const KernelQuestion& question, const Progress& progress) {
    const Shape& shape = question.before.shape;
    // A table for each element of a batch, then one that all of them share.
    for (int leading = shape.rank() - 2; leading >= 0; --leading) {
        Addition addition{.question = &question,
                          .leading = leading,
                          .samples = 1,
                          .values = 1,
                          .precision = evidence::precision_of(question.after.dtype)};
        for (int axis = 0; axis < shape.rank(); ++axis) {
            (axis < leading ? addition.samples : addition.values) *= shape[axis];
        }
        if (addition.values > most_values) continue;
        addition.precision = evidence::narrowest(addition.after(0), question.after.dtype);
        for (const evidence::SimpleNumber& factor : factors(addition)) {
            const std::optional<Remainder> rest = remainder(addition, factor.value);
            if (!rest) continue;
            std::vector<Added> found = agreeing(addition, factor.value, *rest);
            while (!found.empty()) {
                const Added& best = found.front();
                Agreement agreement =
                    agreement_of(addition, factor.value, best.values, best.candidate.proposal.angle,
                                 addition.samples, progress);
                agreement.evidence = best.candidate.agreement.evidence;
                if (agreement.level != Level::none) {
                    return answer_of(addition, factor, found, agreement);
                }
                found.erase(found.begin());
            }
        }
    }
    return {};
}

}  // namespace pegen::identify
