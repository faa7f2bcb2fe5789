#include "files/whole_file.h"

#include <fmt/format.h>

#include <span>

#include "core/error.h"
#include "files/input_file.h"

namespace pegen {

std::string read_whole(std::string_view path, std::int64_t most_bytes) {
    const auto file = InputFile::regular_or_pipe(path);
    if (file->holds(most_bytes + 1)) {
        throw FormatError(path, fmt::format("has more than {} bytes", most_bytes));
    }
    std::string text(file->size(), '\0');
    file->read(0, std::as_writable_bytes(std::span(text)));
    return text;
}

}  // namespace pegen
