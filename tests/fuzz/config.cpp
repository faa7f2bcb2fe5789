// Any bytes as a model's config.json or GGUF file: refused as malformed, or read as settings that
// rope refuses or accepts; then the plan has as many frequencies as the settings say. Tried for all
// layers, and for the layers of one type.

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/registry.h"
#include "encodings/rotary/config/gguf_config.h"
#include "encodings/rotary/config/model_config.h"
#include "encodings/rotary/config/report.h"
#include "fuzz_target.h"

using namespace pegen;
using pegen::fuzz::require;

namespace {

void check(std::string_view text, std::string_view layer_type) {
    const Encoding& rope = *find_encoding("rope");
    try {
        const encodings::ModelConfig config =
            text.starts_with("GGUF")
                ? encodings::read_gguf_config(InputFile::in_memory("c.json", text), layer_type)
                : encodings::parse_model_config(text, "c.json", layer_type);
        const Parameters parameters = encodings::with_config(Parameters(rope.parameters), config);
        const Plan plan = plan_of(rope, parameters, "inv-freq");
        require(2 * plan.shape.size() == plan.parameters.integer("rotary-dim"));
        require(encodings::summary(config, plan.parameters).starts_with("c.json: took "));
    } catch (const FormatError& error) {
        require(std::string_view(error.what()).starts_with("c.json:"));
    } catch (const UsageError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    for (const char* layer_type : {"", "full_attention", "sliding_attention"}) {
        check(fuzz::as_text(bytes, size), layer_type);
    }
    return 0;
}
