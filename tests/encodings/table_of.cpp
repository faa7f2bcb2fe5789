#include "encodings/table_of.h"

#include "core/error.h"
#include "encodings/drawn/command.h"

using namespace pegen;

Table table_of(std::string_view command, DType dtype) {
    trials::Command typed = trials::command_of(command);
    typed.dtype = dtype;
    return made_by(typed);
}

std::vector<double> all_values(const Table& table) {
    return read_rows(table, {0, table.shape.rows()});
}

std::vector<double> values_of(std::string_view command, DType dtype) {
    return all_values(table_of(command, dtype));
}

std::string refusal_of(std::string_view command, DType dtype) {
    try {
        table_of(command, dtype);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}
