#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/run.h"
#include "cli/table_command.h"
#include "encodings/registry.h"

namespace pegen::cli {

Usage concat_usage(std::span<const std::string_view>, HelpLength length) {
    return subject_usage({&concatenation(), nullptr}, length);
}

ExitStatus run_concat(std::span<const std::string_view> arguments) {
    std::vector<std::string_view> words{concatenation().name};
    words.insert(words.end(), arguments.begin(), arguments.end());
    TableCommand command = table_command(words);
    return run_subject(command.subject, std::move(command.given));
}

}  // namespace pegen::cli
