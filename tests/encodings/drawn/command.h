#pragma once

#include <string>
#include <string_view>

#include "encodings/encoding.h"

namespace pegen::trials {

/// The command that made a table.
struct Command {
    const Encoding* encoding;
    const TableSpec* table;
    Parameters parameters;
    DType dtype;
    std::string name;  ///< "sinusoid", or "fairseq" for a preset
};

/// Returns the command as one would type it.
std::string text_of(const Command& command);

/// Reads a command such as "fairseq --len 50 --table frequencies", in which --dtype may be given.
Command command_of(std::string_view text);

/// Makes the table. Throws: UsageError.
Table made_by(const Command& command);

}  // namespace pegen::trials
