// Any bytes as a manifest: refused as malformed with a place, or jobs that have a name and keys.

#include "pegen/cli/manifest.h"

#include "fuzz_target.h"
#include "pegen/core/error.h"

using namespace pegen;
using pegen::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    try {
        for (const cli::Job& job : cli::parse_manifest(fuzz::as_text(bytes, size), "m").jobs) {
            require(job.place.starts_with("jobs["));
            for (const cli::Setting& setting : job.settings) {
                require(setting.key.find('_') == std::string::npos);
                require(setting.text.find('\0') == std::string::npos);
            }
        }
    } catch (const FormatError& error) {
        require(std::string_view(error.what()).starts_with("m: "));
    }
    return 0;
}
