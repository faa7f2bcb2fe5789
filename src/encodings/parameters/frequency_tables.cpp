#include "encodings/parameters/frequency_tables.h"

#include <numbers>
#include <utility>

#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;

RowSource frequency_rows(const Frequencies& omega, DType dtype) {
    check_holds(dtype, omega.largest(), "the fastest frequency");
    return numerics::frequency_rows(omega, dtype);
}

RowSource wavelength_rows(const Frequencies& omega, DType dtype) {
    check_holds(dtype, 2 * std::numbers::pi / omega.smallest(), "the longest wavelength");
    return numerics::wavelength_rows(omega, dtype);
}

}  // namespace

Plan frequency_plan(Parameters p, std::string_view table, std::int64_t count,
                    std::function<Frequencies()> frequencies) {
    const auto rows = table == "wavelengths" ? wavelength_rows : frequency_rows;
    return {.parameters = std::move(p),
            .shape = {count},
            .axes = {frequency_axis()},
            .make_rows = [rows, frequencies = std::move(frequencies)](
                             DType dtype, const Progress&) { return rows(frequencies(), dtype); }};
}

}  // namespace pegen::encodings
