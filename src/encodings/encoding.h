#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/dtype.h"
#include "core/parameters.h"
#include "core/progress.h"
#include "core/shape.h"
#include "core/table.h"

namespace pegen {

/// An axis of an encoding's tables, as data. See Axis.
struct AxisSpec {
    AxisKind kind;
    std::string_view name;
    std::string_view label;
};

/// One of the tables an encoding offers.
struct TableSpec {
    std::string_view name;
    std::string_view summary;
    std::span<const AxisSpec> axes = {};
    /// In the place of `axes` where a parameter says which there are.
    std::span<const AxisSpec> (*axes_of)(const Parameters&) = nullptr;
    std::string_view title;        ///< of a figure; {name} stands for a parameter's value
    std::string_view value_label;  ///< beside a figure's colour bar
    /// All take parameters that Encoding::resolve has returned.
    Shape (*shape)(const Parameters&);
    /// Throws: UsageError if the dtype cannot hold the values.
    RowSource (*rows)(const Parameters&, DType) = nullptr;
    /// In the place of `rows` where every value may depend on all others, so that the table has to
    /// be gone through before its first row is known. Says how far that is.
    RowSource (*rows_after_passes)(const Parameters&, DType, const Progress&) = nullptr;
};

/// An encoding, as data. To add one: docs/adding-an-encoding.md.
struct Encoding {
    std::string_view name;
    std::string_view summary;  ///< one line, lower case, no final period
    std::string_view formula;  ///< lines of plain text, for any parameters
    /// The formula as these parameters make it, which need not be resolved. Null where it keeps its
    /// form.
    std::string (*formula_of)(const Parameters&) = nullptr;
    std::string_view source;    ///< paper, equation
    std::string_view examples;  ///< arguments of pe-gen, one command a line
    std::span<const ParameterSpec> parameters;
    std::span<const TableSpec> tables;  ///< the first is the default
    /// Checks what no single ParameterSpec can and fills in defaults that depend on other
    /// parameters. Throws: UsageError with the rule and the remedy.
    Parameters (*resolve)(Parameters);
};

/// nullptr if it offers no table of this name.
const TableSpec* find_table(const Encoding& encoding, std::string_view name);

/// The table `spec` of `encoding`. `preset` is the name it was asked for by, "" for the encoding's.
/// Throws: UsageError if the parameters do not go together or the dtype cannot hold the values.
Table make_table(const Encoding& encoding, const TableSpec& spec, const Parameters& parameters,
                 DType dtype, std::string_view preset = "",
                 const Progress& progress = ignore_progress);

}  // namespace pegen
