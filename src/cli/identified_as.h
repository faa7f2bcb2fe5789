#pragma once

#include <string>
#include <string_view>

#include "core/parameters.h"
#include "core/progress.h"
#include "core/table.h"
#include "encodings/encoding.h"

namespace pegen::cli {

/// The command that makes the table of a file.
struct FileOrigin {
    /// The command and the presets that make it: "mine.npy is made by pe-gen sinusoid --d 64, also
    /// called vaswani.". If a command makes nearly the same table, where the file differs. "" if no
    /// command was found.
    std::string sentence{};
    std::string command{};               ///< that makes the file, as text; "" if none does
    const Encoding* encoding = nullptr;  ///< null if no command makes the file
    Parameters parameters{};
    bool is_changed = false;  ///< the table is transposed, cut, resized ... in the file
};

/// Returns the origin of a file; nothing of a file with more than 2^22 values.
FileOrigin identified_as(std::string_view file, const Table& table,
                         const Progress& progress = ignore_progress);

}  // namespace pegen::cli
