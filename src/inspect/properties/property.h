#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/progress.h"
#include "core/table.h"

namespace pegen {

class Measured;

enum class Verdict { holds, fails, measured, not_applicable };

/// Returns "holds", "fails", "measured" or "-".
std::string_view name_of(Verdict verdict);

using ReportValue =
    std::variant<double, std::int64_t, std::string, std::vector<double>, std::vector<std::string>>;

/// A number of a report: the name of its JSON member, and its value.
struct ReportNumber {
    std::string_view name;
    ReportValue value;
};

/// The result of checking one property of a table.
struct Finding {
    Verdict verdict = Verdict::not_applicable;
    std::string text;  ///< the numbers in words, or why there are no numbers
    std::vector<ReportNumber> numbers{};

    void add(std::string_view name, ReportValue value);
};

/// A property that an encoding of positions may have, as data. The report of `check`, its JSON, its
/// help and what --require takes are read from the list. To add one, write a file in
/// src/inspect/properties and a line in its property.cpp.
struct Property {
    std::string_view name;     ///< "rotation"
    std::string_view formula;  ///< the claim as a formula: "PE(t + D) = T(D) PE(t)"
    std::string_view summary;  ///< the claim in words; lower case, no final period
    std::string_view source;   ///< the publication that makes the claim
    bool has_verdict = true;   ///< false: a measurement
    Finding (*measure)(Measured&);
};

/// Every property, in the order of the report.
std::span<const Property* const> all_properties();

/// Returns the property of this name; nullptr if there is none.
const Property* find_property(std::string_view name);

/// A property and its finding.
struct Checked {
    const Property* property;
    Finding finding;
    bool is_asked;  ///< the status of the program depends on it

    bool has_failed() const;
};

/// The requirements that a table is checked against.
struct Demands {
    /// The properties whose failure counts; a property that does not apply counts only if
    /// `are_required`. Without a value, every property that has a verdict.
    std::optional<std::vector<const Property*>> asked{};
    bool are_required = false;  ///< the user named the properties
    double slack = 0;           ///< deviations may exceed their bounds by this much
};

/// The result of a check.
struct PropertyReport {
    std::vector<Checked> properties;  ///< in the order of all_properties()
    std::string left_out;             ///< rows that take part in no displacement; may be empty
};

/// Measures every property of the table. Each property has a bound that follows from the rounding
/// of the values to their dtype; see properties.h. Reads the table in blocks, some parts of it more
/// than once. The result is the same for any number of threads. Throws what reading the rows
/// throws.
PropertyReport check_properties(const Table& table, const Demands& demands,
                                const Progress& progress = ignore_progress);

}  // namespace pegen
