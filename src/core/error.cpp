#include "core/error.h"

#include <fmt/format.h>

#include <system_error>

#include "core/utf8.h"

namespace pegen {

Error::Error(std::string_view message) : std::runtime_error(one_line(message)) {}

void refuse(std::string_view option, std::string_view text, std::string_view rule) {
    throw UsageError(fmt::format("--{} {}: {}", option, text.empty() ? "''" : text, rule));
}

FormatError::FormatError(std::string_view path, std::int64_t offset, std::string_view expected)
    : Error(fmt::format("{}: byte {}: {}", path, offset, expected)) {}

FormatError::FormatError(std::string_view path, std::string_view failure)
    : Error(fmt::format("{}: {}", path, failure)) {}

FileError::FileError(std::string_view path, std::string_view failure, int error_number)
    : Error(fmt::format("{}: {}: {}", path, failure,
                        std::generic_category().message(error_number))) {}

FileError::FileError(std::string_view path, std::string_view failure)
    : Error(fmt::format("{}: {}", path, failure)) {}

}  // namespace pegen
