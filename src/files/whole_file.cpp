#include "files/whole_file.h"

#include <fmt/format.h>

#include <span>

#include "core/error.h"
#include "files/input_file.h"

namespace pegen {

std::string whole_text(const InputFile& file, std::int64_t most_bytes) {
    if (file.holds(most_bytes + 1)) {
        throw FormatError(file.path(), fmt::format("has more than {} bytes", most_bytes));
    }
    std::string text(file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    return text;
}

std::string read_whole(std::string_view path, std::int64_t most_bytes) {
    return whole_text(*InputFile::regular_or_pipe(path), most_bytes);
}

}  // namespace pegen
