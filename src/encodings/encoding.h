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

namespace pegen {

/// What a file named by --config says about an encoding, as text for the user.
struct FileDescription {
    struct Taken {
        std::string parameter;  ///< "factor"
        std::string source;     ///< "rope_scaling.factor 8"

        bool operator==(const Taken&) const = default;
    };
    struct Remark {
        std::string_view heading;
        std::string text;
    };

    std::string title;
    std::vector<Taken> taken;
    std::vector<std::string> ignored;
    Parameters parameters;  ///< resolved
    std::vector<Remark> remarks;
};

struct Encoding;

/// A convention of a public code base, as data: an encoding with some of its parameters set. Each
/// encoding lists its presets.
struct PresetSpec {
    std::string_view name;
    std::string_view aliases = "";  ///< other names, separated by spaces
    std::string_view settings;      ///< as a user would type them: "--layout halves --reverse"
    std::string_view summary;       ///< one line, lower case, no final period
    std::string_view source;        ///< repository and file
    std::string_view note = "";     ///< common pitfalls for its users
    std::string_view figure = "";   ///< options of its figure, typed like `settings`
};

/// A preset with its encoding: an entry of the registry.
struct Preset : PresetSpec {
    const Encoding* encoding;
};

/// Returns the encoding's defaults under the preset's settings.
Parameters parameters_of(const Preset& preset);

struct Cell;

/// A table that an encoding offers.
struct TableSpec {
    std::string_view name;
    std::string_view summary;
    std::string_view title;        ///< of a figure, see title_of(); {name} is replaced by a value
    std::string_view value_label;  ///< beside the colour bar of a figure
    /// True if the values are weights before training unless a parameter names a file of weights. A
    /// figure says so.
    bool is_initial = false;
    /// The dtype unless --dtype names another one: float32, or int64 for a table of integers.
    DType dtype = DType::float32;
    std::string_view idle_parameters = "";  ///< parameters without effect, separated by spaces
    /// The properties, as `check` measures them, that the table has for most parameters, separated
    /// by spaces. `check` reports it if parameters break such a promise.
    std::string_view promises = "";
    bool has_whole_values = false;    ///< all values are integers, even in a floating dtype
    bool has_shares = false;          ///< the values are shares of 1, such as attention's weights
    bool has_frequencies = false;     ///< the frequencies of the pairs, in radians per position
    bool has_powers = false;          ///< such as wavelengths: code is off by a share of each value
    std::string_view scored_by = "";  ///< see Table::scored_by
};

/// What an encoding derives from its parameters: everything known before a value is computed.
struct Plan {
    /// The given parameters, with every default filled in that depends on other parameters.
    Parameters parameters;
    Shape shape;
    std::vector<Axis> axes;  ///< one for each extent
    /// Makes the rows, each value rounded once to the dtype. Reads the whole table if a value may
    /// depend on all other values. Slow work reports its progress: see core/progress.h. Throws:
    /// UsageError if the dtype cannot hold the values.
    std::function<Rows(DType dtype)> make_rows;
    /// What the user should know about how the parameters were found, one line each.
    std::vector<std::string> notes{};
    /// The channels that form pairs, for `check`. Null if there are no pairs, or if they match one
    /// of usual_pairings() (inspect/properties/displaced.h), where `check` finds them.
    ChannelPairs pairs = nullptr;
    /// Returns how the value with these indices, one for each axis, is computed: see
    /// encodings/cell.h. Null if the encoding cannot tell.
    std::function<Cell(std::span<const std::int64_t> index)> cell = nullptr;
    /// The dtype of the file whose elements the table holds; nothing if the table is computed.
    std::optional<DType> dtype{};
    std::string title{};  ///< of a figure; "": TableSpec::title is used
    /// The number of values computed in all, with skipped draws, terms of sums and channels that
    /// are not kept. 0 if it is the number of values in the table.
    double terms = 0;
    /// True if the table includes keys after the query, which the models that use it mask, or
    /// shares of 0 for such keys.
    bool is_before_mask = false;
};

/// An encoding, as data. To add an encoding: docs/adding-an-encoding.md.
struct Encoding {
    std::string_view name;
    std::string_view summary;  ///< one line, lower case, no final period
    std::string_view formula;  ///< plain text for any parameters; also on its documentation page
    /// Returns the formula with the values of these parameters, which need not be resolved. Null if
    /// the formula is the same for all parameters.
    std::string (*formula_of)(const Parameters&) = nullptr;
    std::string_view source;    ///< paper, equation
    std::string_view examples;  ///< arguments of pe-gen, one command a line
    std::span<const ParameterSpec> parameters;
    std::span<const TableSpec> tables;  ///< the first is the default
    std::span<const PresetSpec> presets = {};
    /// Reads the parameters, checks what no single ParameterSpec can check, opens the files that
    /// they name, and plans the table `table`, one of `tables`. Computes no value. Callers use
    /// plan_of() instead. Precondition: no parameter is an expression. Throws: UsageError with the
    /// rule and the remedy; FileError and FormatError for files.
    Plan (*plan)(Parameters parameters, std::string_view table);
    /// Describes the file that the parameter config names. Null if the encoding has no such
    /// parameter. Throws: as plan.
    FileDescription (*describe_config)(const Parameters&) = nullptr;
    /// The parameter that names the file whose array is the table, unchanged. The user may leave
    /// its name out: "pe-gen plot FILE". Such an encoding has no --table and no --dtype. "" if
    /// tables are computed.
    std::string_view file_parameter = "";
};

/// Returns the table of this name; nullptr if the encoding offers none.
const TableSpec* find_table(const Encoding& encoding, std::string_view name);

/// Returns the parameter whose word float32 asks for the values that float32 code computes; nullptr
/// if there is none.
const ParameterSpec* float32_parameter(const Encoding& encoding);

/// Returns the formula with the values of these parameters filled in, as far as the encoding can.
std::string formula_with(const Encoding& encoding, const Parameters& parameters);

/// Returns Plan::terms, or the number of values in the table if `terms` is 0.
double terms_of(const Plan& plan);

/// Returns the encoding's plan for the parameters, some of which may be expressions. The plan is
/// reduced to the channels that --keep-channels chooses and transposed by --view channels-first, if
/// the encoding has these parameters. Its make_rows throws InternalError if the rows are not the
/// rows of its shape. Throws: as Encoding::plan, Parameters::evaluate_expressions and
/// parse_channels().
Plan plan_of(const Encoding& encoding, Parameters parameters, std::string_view table);

/// A table whose rows have not been made yet.
struct PlannedTable {
    Table table;  ///< without its rows
    /// Makes the rows. Throws: UsageError if the dtype cannot hold the values.
    std::function<Rows(const Progress& progress)> make_rows;
    std::vector<std::string> notes{};  ///< see Plan::notes
    double terms = 0;                  ///< see Plan::terms; never 0
};

/// Plans the table `spec` of `encoding`. `preset` is the preset name by which the user asked for
/// it, "" for the encoding's own name. Throws: UsageError if the parameters contradict each other,
/// or if the table would have more than 2^63 - 1 bytes; FileError and FormatError for files that
/// parameters name.
PlannedTable plan_table(const Encoding& encoding, const TableSpec& spec,
                        const Parameters& parameters, DType dtype, std::string_view preset = "");

/// Returns the planned table with its rows. Throws: as plan_table and PlannedTable::make_rows.
Table make_table(const Encoding& encoding, const TableSpec& spec, const Parameters& parameters,
                 DType dtype, std::string_view preset = "",
                 const Progress& progress = ignore_progress);

/// Returns the table of this name. Throws: UsageError that lists the encodings with such a table,
/// if this encoding has none.
const TableSpec& existing_table(const Encoding& encoding, std::string_view name);

/// Returns the title of a figure of the table: TableSpec::title with the values of the parameters
/// filled in, followed by the extents of the axes that the title does not name: "Grid (d_model=8,
/// height=3, width=4, depth=2)". Leaves out extents of 1, and the number of keys if it equals the
/// number of queries. Adds "before a causal mask" for Plan::is_before_mask,
/// except for shares, which are made behind the mask. Begins with the name of
/// a preset: "whisper: Positional Encoding (d_model=8, max_len=4)".
std::string title_of(const TableSpec& spec, const Plan& plan, std::string_view preset);

}  // namespace pegen
