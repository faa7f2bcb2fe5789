#include "cli/batch/beneath.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "core/error.h"

namespace pegen::cli {

void check_beneath(std::string_view path) {
    namespace fs = std::filesystem;
    const auto refuse = [&](std::string_view why) {
        throw UsageError(
            fmt::format("{}: {}; a path of a manifest stays in the manifest's folder", path, why));
    };
    const fs::path whole(path);
    if (whole.is_absolute()) refuse("is absolute");
    fs::path so_far;
    for (const fs::path& part : whole) {
        if (part == "..") refuse("leads upwards");
        so_far /= part;
        std::error_code error;  // a file that does not exist is not a link
        if (fs::is_symlink(fs::symlink_status(so_far, error))) {
            refuse(fmt::format("{} is a symbolic link", so_far.string()));
        }
    }
}

}  // namespace pegen::cli
