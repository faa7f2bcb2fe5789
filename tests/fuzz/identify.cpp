// Any bytes as an NPY file that `identify` looks at: it answers, and what it claims, its command
// makes.

#include "recognition/identify.h"

#include <cstdlib>

#include "core/error.h"
#include "files/npy.h"
#include "fuzz_target.h"
#include "memory_file.h"

using namespace pegen;
using pegen::fuzz::require;

namespace {

void check(const recognition::Identification& answer) {
    using recognition::Verdict;
    const bool is_claim = answer.verdict != Verdict::not_identified;
    require(is_claim == answer.found.has_value());
    require(!is_claim || answer.found->agreement.level != recognition::Level::none);
    require(!is_claim || !answer.nearest);
    require(answer.nearest.has_value() == !answer.departure.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::as_text(bytes, size));
    try {
        check(recognition::identify(read_npy(file.path())));
    } catch (const FormatError&) {
    } catch (const UsageError&) {
    }
    return 0;
}
