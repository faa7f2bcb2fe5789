#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/dtype.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "inspect/properties/measured.h"
#include "inspect/properties/properties.h"
#include "inspect/properties/texts.h"

namespace pegen {
namespace {

/// The ratio of the second half's largest value to the first half's above which values count as
/// growing.
constexpr double growth = 1.9;

bool promises_bounded(const Provenance& provenance) {
    const Encoding* const encoding = find_encoding(provenance.encoding);
    const TableSpec* const table = encoding ? find_table(*encoding, provenance.table) : nullptr;
    return table && has_word(table->promises, "bounded");
}

double scale_of(const Parameters& parameters) {
    double scale = 1;
    for (const Parameters::Entry& entry : parameters.entries()) {
        const double* const value = std::get_if<double>(&entry.value);
        if (entry.spec->role == Role::scale && value) scale *= std::fabs(*value);
    }
    return scale;
}

double rounded_to(double value, DType dtype) {
    return with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_integral_v<T>) {
            return value;
        } else {
            return widen(round_to<T>(value));
        }
    });
}

/// Returns the bound that is promised, or the bound of sines and cosines if a table of unknown
/// origin keeps it.
std::optional<double> bound_of(const Table& table, double largest) {
    if (promises_bounded(table.provenance)) {
        return rounded_to(scale_of(table.provenance.parameters), table.dtype);
    }
    if (table.provenance.encoding.empty() && largest <= 1) return 1;
    return {};
}

Finding measure(Measured& measured) {
    if (!measured.no_vectors().empty()) {
        return {Verdict::not_applicable, measured.no_vectors()};
    }
    const PositionVectors& vectors = measured.vectors();
    const Survey& survey = measured.survey();
    if (survey.not_finite_count > 0) {
        return {Verdict::fails,
                fmt::format("{}, first {} in {}, channel {}",
                            not_finite_text(survey.not_finite_count), survey.not_finite.value,
                            vectors.place(survey.not_finite.position), survey.not_finite.channel),
                {{"not_finite", survey.not_finite_count}}};
    }
    const double largest = survey.largest.value;
    // For a file it is unknown whether values that have grown so far would go on growing.
    const bool is_generated = !measured.table().provenance.encoding.empty();
    Finding finding{Verdict::measured,
                    fmt::format("largest |value| {}", brief(largest)),
                    {{"largest", largest},
                     {"position", survey.largest.position},
                     {"channel", survey.largest.channel},
                     {"largest_of_first_half", survey.largest_of_first_half}}};
    const std::string place = fmt::format(
        "in {}, channel {}", vectors.place(survey.largest.position), survey.largest.channel);
    if (const auto bound = bound_of(measured.table(), largest)) {
        finding.verdict = largest <= *bound + measured.slack() ? Verdict::holds : Verdict::fails;
        finding.text += fmt::format(", bound {}", brief(*bound));
        if (finding.verdict == Verdict::fails) finding.text += ", " + place;
        finding.add("bound", *bound);
    } else if (is_generated && vectors.positions > 1 &&
               largest > growth * survey.largest_of_first_half) {
        finding.verdict = Verdict::fails;
        finding.text += fmt::format(" {}; it grows with the position: {} in the first half", place,
                                    brief(survey.largest_of_first_half));
    } else {
        finding.text += ", and no bound is known";
    }
    return finding;
}

}  // namespace

constinit const Property properties::bounded{
    .name = "bounded",
    .formula = "|PE(t)| <= B in every channel",
    .summary = "values stay within a bound, whatever the position",
    .source = "Kazemnejad 2019, Transformer Architecture: The Positional Encoding",
    .measure = measure,
};

}  // namespace pegen
