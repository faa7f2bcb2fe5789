#include "encodings/parameters/frequency_tables.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;

Rows frequency_rows(const Frequencies& omega, DType dtype) {
    check_holds(dtype, omega.largest(), "the fastest frequency");
    return numerics::frequency_rows(omega, dtype);
}

/// A pair that does not turn has an infinite wavelength.
Rows wavelength_rows(const Frequencies& omega, DType dtype) {
    for (const numerics::Real& frequency : omega.reals()) {
        const double w = std::fabs(nearest_double(frequency));
        if (w != 0) check_holds(dtype, 2 * std::numbers::pi / w, "the longest wavelength");
    }
    return numerics::wavelength_rows(omega, dtype);
}

Cell cell_of(Term frequency, bool is_wavelength, std::int64_t k) {
    const Term wavelength{[=] { return 2 * numerics::pi() / frequency.value(); },
                          fmt::format("2 * pi / ({})", frequency.text)};
    return {
        .value = is_wavelength ? wavelength : frequency, .pair = k, .frequency = frequency.value};
}

}  // namespace

Plan frequency_plan(Parameters p, std::string_view table, std::int64_t count,
                    std::function<Frequencies()> frequencies, FrequencyTerms terms) {
    const bool is_wavelength = table == "wavelengths";
    const auto rows = is_wavelength ? wavelength_rows : frequency_rows;
    if (!terms) terms = digits_terms(frequencies);
    return {.parameters = std::move(p),
            .shape = {count},
            .axes = {frequency_axis()},
            .make_rows = [rows, frequencies = std::move(frequencies)](
                             DType dtype) { return rows(frequencies(), dtype); },
            .cell =
                [terms = std::move(terms), is_wavelength](std::span<const std::int64_t> index) {
                    return cell_of(terms(index[0]), is_wavelength, index[0]);
                }};
}

}  // namespace pegen::encodings
