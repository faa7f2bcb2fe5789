#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/parameters.h"
#include "core/progress.h"
#include "core/shape.h"
#include "core/table.h"
#include "encodings/file_description.h"
#include "encodings/preset.h"

namespace pegen {

struct Cell;

/// One of the tables an encoding offers.
struct TableSpec {
    std::string_view name;
    std::string_view summary;
    std::string_view title;        ///< of a figure, see title_of(); {name} stands for a value
    std::string_view value_label;  ///< at a figure's colour bar
    /// Its values are of weights as they are before training, where parameters name no file of
    /// them: a figure says so.
    bool is_initial = false;
    /// Unless --dtype names another: float32, or int64 for a table of integers.
    DType dtype = DType::float32;
    std::string_view idle_parameters = "";  ///< those without an effect on it, separated by spaces
    /// What it keeps for most parameters, of the properties that `check` measures, separated by
    /// spaces. Where parameters break a promise, check says so.
    std::string_view promises = "";
    bool has_whole_values = false;  ///< no value has a fraction, in a dtype of real numbers either
    std::string_view scored_by = "";  ///< as in Table
};

/// What an encoding makes of its parameters: all that is known before a value is computed.
struct Plan {
    /// As they were given, with every default that depends on other parameters filled in.
    Parameters parameters;
    Shape shape;
    std::vector<Axis> axes;  ///< one for each extent
    /// Makes the rows, each value rounded once to the dtype. If a value may depend on all others,
    /// this reads the whole table. What takes long reports: see core/reporting.h.
    /// Throws: UsageError if the dtype cannot hold the values.
    std::function<RowSource(DType dtype)> make_rows;
    /// What the user should know of how the parameters were found, a line each.
    std::vector<std::string> notes{};
    /// The channels that belong together, for `check`. Null if there are none, or if they stand as
    /// in any of usual_pairings() (inspect/properties/channel_pairs.h), where they are found.
    ChannelPairs pairs = nullptr;
    /// Says how the value with these indices, one for each extent, comes about: see
    /// encodings/cell.h. Null if the encoding cannot say.
    std::function<Cell(std::span<const std::int64_t> index)> cell = nullptr;
    /// That of a file whose elements the table has; none if the table is computed.
    std::optional<DType> dtype{};
    std::string title{};  ///< of a figure, instead of the TableSpec's; "" if that stands
    /// How many numbers are computed in all: skipped draws, terms of sums and channels that are not
    /// kept count, too. 0 if they are as many as the table has values.
    double terms = 0;
    /// True if the table has keys of the future, which the models that use it hide by a mask.
    bool is_before_mask = false;
};

/// An encoding, as data. To add one: docs/adding-an-encoding.md.
struct Encoding {
    std::string_view name;
    std::string_view summary;  ///< one line, lower case, no final period
    std::string_view formula;  ///< lines of plain text, for any parameters; its page has them, too
    /// Returns the formula with the values of these parameters, which need not be resolved. Null if
    /// the formula is the same for all.
    std::string (*formula_of)(const Parameters&) = nullptr;
    std::string_view source;    ///< paper, equation
    std::string_view examples;  ///< arguments of pe-gen, one command a line
    std::span<const ParameterSpec> parameters;
    std::span<const TableSpec> tables;  ///< the first is the default
    std::span<const PresetSpec> presets = {};
    /// Reads the parameters, checks what no single ParameterSpec can, opens the files they name,
    /// and says what table `table`, one of `tables`, will be. Computes no value. Call plan_of().
    /// Precondition: no parameter is an expression.
    /// Throws: UsageError with the rule and the remedy; FileError and FormatError for files.
    Plan (*plan)(Parameters parameters, std::string_view table);
    /// Says what the file that parameter config names asks for. Null if there is no such parameter.
    /// Throws: as plan.
    FileDescription (*describe_config)(const Parameters&) = nullptr;
    /// The parameter that names the file whose array is the table, as it is. Its name may be left
    /// out: "pe-gen plot FILE". There is no --table and no --dtype then. "" if tables are computed.
    std::string_view file_parameter = "";
};

/// Returns nullptr if the encoding offers no table of this name.
const TableSpec* find_table(const Encoding& encoding, std::string_view name);

/// Returns the formula with the values of these parameters, as far as the encoding has one.
std::string formula_with(const Encoding& encoding, const Parameters& parameters);

/// Returns Plan::terms, or the number of values if it is 0.
double terms_of(const Plan& plan);

/// Returns what the encoding makes of the parameters, of which some may be expressions: of the
/// channels that --keep-channels chooses, and transposed by --view channels-first, if it has such
/// parameters.
/// Throws: as Encoding::plan, Parameters::evaluate_expressions and parse_channels().
Plan plan_of(const Encoding& encoding, Parameters parameters, std::string_view table);

/// A table whose rows are still to be made.
struct PlannedTable {
    Table table;  ///< without rows
    /// Makes the rows. Throws: UsageError if the dtype cannot hold the values.
    std::function<RowSource(const Progress& progress)> make_rows;
    std::vector<std::string> notes{};  ///< as in Plan
    double terms = 0;                  ///< as in Plan, but never 0
};

/// Plans the table `spec` of `encoding`. `preset` is the name it was asked for by, "" for the
/// encoding's own. Throws: UsageError if the parameters do not go together, or if the table would
/// have more than 2^63 - 1 bytes; FileError and FormatError for files that parameters name.
PlannedTable plan_table(const Encoding& encoding, const TableSpec& spec,
                        const Parameters& parameters, DType dtype, std::string_view preset = "");

/// Returns the planned table with its rows. Throws: as plan_table and PlannedTable::make_rows.
Table make_table(const Encoding& encoding, const TableSpec& spec, const Parameters& parameters,
                 DType dtype, std::string_view preset = "",
                 const Progress& progress = ignore_progress);

}  // namespace pegen
