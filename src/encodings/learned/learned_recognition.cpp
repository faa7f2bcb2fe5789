#include "encodings/learned/learned_recognition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/to_size.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/drawn_tensor.h"
#include "evidence/distribution.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {
namespace {

using evidence::Proposal;
using evidence::Sample;

/// A table (len, d), as a matrix of the rows in memory.
struct Matrix {
    std::int64_t len;
    std::int64_t d;
    std::vector<double> values;
    std::optional<std::int64_t> zero_row{};  ///< NaN in `values`
};

std::optional<Matrix> matrix_of(const Sample& sample) {
    if (sample.rank() > 2) return std::nullopt;
    Matrix matrix{sample.rank() == 2 ? sample.extents[0] : 1, sample.extents.back(), sample.values};
    const auto is_finite = [](double x) { return std::isfinite(x); };
    if (matrix.d > most_channels || !std::ranges::all_of(matrix.values, is_finite)) {
        return std::nullopt;
    }
    return matrix;
}

/// Finds the row of zeros, and forgets its values: they were not drawn.
void set_zero_row_aside(Matrix& matrix) {
    const std::int64_t rows = std::ssize(matrix.values) / matrix.d;
    for (std::int64_t row = 0; row < rows && !matrix.zero_row; ++row) {
        const auto values =
            std::span(matrix.values).subspan(to_size(row * matrix.d), to_size(matrix.d));
        if (!std::ranges::all_of(values, [](double x) { return x == 0; })) continue;
        std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
        matrix.zero_row = row;
    }
}

std::vector<evidence::Setting> extents_of(std::int64_t len, std::int64_t d) {
    return {{"len", std::to_string(len)}, {"d", std::to_string(d)}};
}

std::vector<Proposal> constant(const Sample& sample, const Matrix& matrix) {
    std::vector<Proposal> proposals;
    const double value = matrix.values.front();
    for (const auto& number : evidence::simple_numbers({value, sample.error_of(value)}, 2)) {
        Proposal proposal{.settings = extents_of(matrix.len, matrix.d)};
        proposal.settings.push_back({"init", "constant:" + number.text});
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

/// How the array may be a part of what was drawn.
struct Origin {
    std::int64_t burn;
    std::int64_t first_row;
};

/// Likeliest first. Rows are missing where a padding row (2) or a class token (1) was left out.
constexpr std::array origins{Origin{0, 0}, Origin{1, 0}, Origin{1, 2}, Origin{0, 2},
                             Origin{0, 1}, Origin{1, 1}, Origin{2, 0}, Origin{3, 0}};

std::vector<DrawnBy> drawn_from(const Sample& sample, const Matrix& matrix, const Origin& origin) {
    return drawn_by({.rows = matrix.len + origin.first_row,
                     .columns = matrix.d,
                     .first = origin.first_row * matrix.d,
                     .values = matrix.values,
                     .precision = sample.precision,
                     .noise = sample.noise,
                     .before = origin.burn});
}

Proposal proposal_of(const Matrix& matrix, const Origin& origin, const DrawnBy& drawn) {
    Proposal proposal{.settings = extents_of(matrix.len + origin.first_row, matrix.d)};
    const auto add = [&](evidence::Setting setting) {
        proposal.settings.push_back(std::move(setting));
    };
    for (evidence::Setting& setting : settings_of(drawn, "normal:0,1")) add(std::move(setting));
    if (matrix.zero_row) {
        add({"padding-row", std::to_string(*matrix.zero_row + origin.first_row)});
    }
    if (origin.burn > 0) add({"burn", std::to_string(origin.burn)});
    if (origin.first_row > 0) {
        proposal.rows.resize(to_size(matrix.len));
        std::iota(proposal.rows.begin(), proposal.rows.end(), origin.first_row);
    }
    return proposal;
}

/// A tensor of whole numbers was not drawn, nor was one of few different ones.
bool has_fractions(const Matrix& matrix) {
    return std::ranges::any_of(matrix.values, [](double x) { return x != std::rint(x); });
}

}  // namespace

std::vector<Proposal> recognize_learned(const Sample& sample) {
    std::optional<Matrix> matrix = matrix_of(sample);
    if (!matrix || matrix->values.empty()) return {};
    const auto [least, largest] = std::ranges::minmax(matrix->values);
    if (least == largest) return constant(sample, *matrix);
    set_zero_row_aside(*matrix);
    if (!has_fractions(*matrix) || !evidence::may_be_draws(matrix->values, matrix->d)) return {};
    constexpr std::int64_t most_rows = std::int64_t{1} << 40;  // rows times channels are int64
    if (matrix->len > most_rows) return {};
    for (const Origin& origin : origins) {
        std::vector<Proposal> proposals;
        for (const DrawnBy& drawn : drawn_from(sample, *matrix, origin)) {
            proposals.push_back(proposal_of(*matrix, origin, drawn));
        }
        if (!proposals.empty()) return proposals;
    }
    return {};
}

}  // namespace pegen::encodings
