#include "files/whole_file.h"

#include <fmt/format.h>

#include <span>

#include "core/error.h"
#include "files/input_file.h"

namespace pegen {

std::string start_of(const InputFile& file, std::int64_t most_bytes) {
    std::string start(file.holds(most_bytes) ? most_bytes : file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(start)));
    return start;
}

std::string whole_text(const InputFile& file, std::int64_t most_bytes) {
    if (file.holds(most_bytes + 1)) {
        throw FormatError(file.path(), fmt::format("has more than {} bytes", most_bytes));
    }
    return start_of(file, most_bytes);
}

std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

std::string read_whole(std::string_view path, std::int64_t most_bytes) {
    return whole_text(*InputFile::regular_or_pipe(path), most_bytes);
}

}  // namespace pegen
