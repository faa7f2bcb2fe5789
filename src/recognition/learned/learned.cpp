#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "encodings/parameters/shared.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/parameters/drawn_tensor.h"

namespace pegen::recognition {
namespace {

/// A table (len, d), of which `values` holds the rows in memory. A value that was not drawn is NaN.
struct Matrix {
    std::int64_t len;
    std::int64_t d;
    std::vector<double> values;
    std::optional<std::int64_t> zero_row{};
};

std::optional<Matrix> matrix_of(const Sample& sample) {
    if (sample.rank() > 2) return std::nullopt;
    Matrix matrix{sample.rank() == 2 ? sample.extents[0] : 1, sample.extents.back(), sample.values};
    // Few spoiled values are set aside. A mask is no drawn table.
    const auto is_spoiled = [](double x) { return !std::isfinite(x); };
    const auto spoiled = std::ranges::count_if(matrix.values, is_spoiled);
    if (matrix.d > encodings::most_channels || 4 * spoiled > std::ssize(matrix.values)) {
        return std::nullopt;
    }
    std::ranges::replace_if(matrix.values, is_spoiled, std::numeric_limits<double>::quiet_NaN());
    return matrix;
}

/// Finds the first row of zeros and sets its values to NaN, since zeros were not drawn.
void set_zero_row_aside(Matrix& matrix) {
    const std::int64_t rows = std::ssize(matrix.values) / matrix.d;
    for (std::int64_t row = 0; row < rows && !matrix.zero_row; ++row) {
        const auto values = std::span(matrix.values).subspan(row * matrix.d, matrix.d);
        if (!std::ranges::all_of(values, [](double x) { return x == 0; })) continue;
        std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
        matrix.zero_row = row;
    }
}

std::vector<Setting> extents_of(std::int64_t len, std::int64_t d) {
    return {{"len", std::to_string(len)}, {"d", std::to_string(d)}};
}

/// The part that the array may be of the drawn values: draws of `burn` tensors come first, and some
/// rows of the drawn table are missing.
struct Origin {
    std::int64_t burn;
    std::int64_t rows_before;
    std::int64_t rows_after;
};

/// The origins to try, most likely first. Rows are missing before the array if a padding row (2
/// rows) or a class token (1 row) was left out, and after the array if a text is shorter than the
/// table.
constexpr std::array origins{Origin{0, 0, 0},  Origin{1, 0, 0}, Origin{1, 2, 0},  Origin{0, 2, 0},
                             Origin{0, 1, 0},  Origin{1, 1, 0}, Origin{0, 0, 16}, Origin{0, 1, 16},
                             Origin{0, 2, 16}, Origin{2, 0, 0}, Origin{3, 0, 0}};

/// The number of leading origins for which all usual seeds are tried. For values with noise, no
/// other origins are tried.
constexpr std::size_t likely_origins = 2;

std::int64_t rows_of(const Matrix& matrix, const Origin& origin) {
    return origin.rows_before + matrix.len + origin.rows_after;
}

std::optional<DrawnBy> drawn_from(const Sample& sample, const Matrix& matrix, const Origin& origin,
                                  std::span<const std::int64_t> seeds) {
    // Some rows are enough to refute a seed.
    const std::span<const double> values = matrix.values;
    constexpr std::int64_t enough = 1 << 16;
    const std::int64_t most = rows_holding(enough, matrix.d) * matrix.d;
    return drawn_by({.rows = rows_of(matrix, origin),
                     .columns = matrix.d,
                     .first = origin.rows_before * matrix.d,
                     .values = values.first(std::min<std::int64_t>(std::ssize(values), most)),
                     .precision = sample.precision,
                     .noise = sample.noise,
                     .before = origin.burn},
                    seeds);
}

Proposal proposal_of(const Matrix& matrix, const Origin& origin, const DrawnBy& drawn) {
    Proposal proposal{.settings = extents_of(rows_of(matrix, origin), matrix.d)};
    const auto add = [&](Setting setting) { proposal.settings.push_back(std::move(setting)); };
    append(proposal.settings, settings_of(drawn, "normal:0,1"));
    if (matrix.zero_row) {
        add({"padding-row", std::to_string(*matrix.zero_row + origin.rows_before)});
    }
    if (origin.burn > 0) add({"burn", std::to_string(origin.burn)});
    if (rows_of(matrix, origin) > matrix.len) {
        proposal.rows.resize(matrix.len);
        std::iota(proposal.rows.begin(), proposal.rows.end(), origin.rows_before);
    }
    return proposal;
}

/// True if some value is not a whole number. A tensor of whole numbers was not drawn.
bool has_fractions(const Matrix& matrix) {
    return std::ranges::any_of(matrix.values,
                               [](double x) { return std::isfinite(x) && x != std::rint(x); });
}

}  // namespace

/// Returns the proposals for tables that PyTorch drew from one of the usual seeds.
std::vector<Proposal> recognize_learned(const Sample& sample) {
    std::optional<Matrix> matrix = matrix_of(sample);
    if (!matrix || matrix->values.empty()) return {};
    set_zero_row_aside(*matrix);
    if (!has_fractions(*matrix)) return {};
    constexpr std::int64_t most_rows = std::int64_t{1} << 40;  // rows * channels fits int64
    if (matrix->len > most_rows) return {};
    const std::size_t tried = sample.noise > 0 ? likely_origins : origins.size();
    for (std::size_t i = 0; i < tried; ++i) {
        const auto seeds = i < likely_origins ? evidence::usual_seeds() : evidence::popular_seeds();
        if (const auto drawn = drawn_from(sample, *matrix, origins[i], seeds)) {
            return {proposal_of(*matrix, origins[i], *drawn)};
        }
    }
    return {};
}

}  // namespace pegen::recognition
