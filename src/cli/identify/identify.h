#pragma once

#include <span>
#include <string_view>

#include "cli/process.h"
#include "cli/progress_line.h"
#include "core/parameters.h"
#include "files/archive.h"

namespace pegen::cli {

/// Returns the options --permuted and --of.
std::span<const ParameterSpec> permuted_options();

/// Runs `pe-gen identify --permuted Wq.npy --of Wq0.npy`: finds out how the rows of the original
/// weight (--of) were reordered to give the permuted one. Throws: as run().
ExitStatus run_identify_permuted(std::span<const std::string_view> arguments);

enum class ReportForm { text, json, none };

/// Runs `pe-gen identify MODEL` for the arrays of a model: identifies the arrays whose names or
/// shapes are usual for positions, all of them if they are few, and compares them with what the
/// model's configuration asks for: the file itself, or a config.json or params.json beside it.
/// Arrays with the same values are one entry of the report. Ends with `no` if no array is
/// identified, or one differs from the configuration. `path` is the path of the archive. Throws: as
/// run().
ExitStatus identify_model(const Archive& archive, std::string_view path, ReportForm form,
                          ProgressLine& line);

}  // namespace pegen::cli
