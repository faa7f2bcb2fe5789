// Any bytes as a manifest: refused as malformed, or jobs that have a place, well-formed keys and
// labels with names, and whose files are in the folder.

#include "cli/batch/manifest.h"

#include <limits.h>

#include <filesystem>

#include "cli/batch/job_request.h"
#include "core/error.h"
#include "fuzz_target.h"

using namespace pegen;
using pegen::fuzz::require;

namespace {

void check_files(const cli::Job& job, const cli::Manifest& manifest) {
    try {
        const cli::Request request = cli::job_request(job, manifest.defaults, "m");
        for (const cli::Target& target : cli::all_targets(request)) {
            const std::filesystem::path path(target.path);
            require(target.path.size() < PATH_MAX);
            require(path.is_relative() && *path.lexically_normal().begin() != "..");
        }
    } catch (const UsageError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    try {
        const cli::Manifest manifest = cli::parse_manifest(fuzz::as_text(bytes, size), "m");
        // If there are many jobs, about a thousand of them are checked.
        for (std::size_t i = 0; i < manifest.size; i += 1 + manifest.size / 1000) {
            const cli::Job job = manifest.job(i);
            require(job.place.starts_with("jobs["));
            for (const cli::Setting* setting : job.settings) {
                require(setting->key.find('_') == std::string::npos);
                require(setting->value.text.find('\0') == std::string::npos);
            }
            for (const cli::Setting* label : job.labels) {
                require(!label->key.empty() && label->key.find('\0') == std::string::npos);
                require(label->key.find_first_of("{}:/") == std::string::npos);
                require(label->value.text.find('\0') == std::string::npos);
            }
        }
        constexpr std::size_t looked_at = 8;
        for (std::size_t i = 0; i < std::min(looked_at, manifest.size); ++i) {
            check_files(manifest.job(i), manifest);
        }
    } catch (const FormatError& error) {
        require(std::string_view(error.what()).starts_with("m: "));
    }
    return 0;
}
