#include "cli/run.h"

#include <emscripten.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "cli/print.h"
#include "cli/process.h"

// What index.mjs calls beside the functions of pegen.h.

using namespace pegen;

extern "C" {

/// Runs `pe-gen WORDS...`. Files are those of the module, in memory. Returns the exit status.
EMSCRIPTEN_KEEPALIVE int posenc_run(const char* const* words, std::size_t count) {
    try {
        const std::vector<std::string_view> arguments(words, words + count);
        return static_cast<int>(cli::run(arguments));
    } catch (...) {
        const cli::Failure failure = cli::current_failure();
        cli::print_error(failure.message);
        return static_cast<int>(failure.status);
    }
}

}  // extern "C"
