#include "cli/other_table.h"

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/options.h"
#include "cli/request.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/encoding.h"

namespace pegen::cli {

Table other_table(std::string_view text, std::string_view name) {
    const std::vector<std::string_view> all = words(text);
    if (all.empty()) throw UsageError("--with: needs the name of an encoding or a preset");
    const Subject subject = typed_subject(all.front());
    const Arguments given =
        parse_arguments(std::span(all).subspan(1), options_of(subject), subject.name());
    const Parameters parameters = with_options(subject.defaults(), given.options);
    for (const GivenOption& option : given.options) {
        const bool is_own = is_among(subject.encoding->parameters, option.spec);
        if (is_own && option.spec->type != ParameterType::path) continue;
        throw UsageError(fmt::format(
            "--with '{}': --{} cannot be used here; use only parameters that name no files", text,
            option.spec->name));
    }
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("--with '{}': unexpected argument '{}'; separate encodings by ';'", text,
                        given.positionals.front()));
    }
    return make_table(*subject.encoding, existing_table(*subject.encoding, name), parameters,
                      DType::float64);
}

}  // namespace pegen::cli
