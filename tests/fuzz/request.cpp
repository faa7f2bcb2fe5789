// Any bytes as the target of a request of the page, "/draw/sinusoid?d=4": refused, or a table, and
// the command that the page shows asks for the same table and figure. Nothing is computed.

#include <algorithm>

#include "cli/explore/asked.h"
#include "cli/explore/page_command.h"
#include "cli/generate.h"
#include "core/error.h"
#include "fuzz_target.h"
#include "http/guard.h"
#include "shell_words.h"

using namespace pegen;
using pegen::fuzz::require;

namespace {

Table table_of(const cli::Request& request) {
    return cli::planned_table(request, request.tables.front()).table;
}

void check_command(const cli::Asked& asked, const Table& table) {
    const std::string command = cli::page_command(asked, table, "png");
    const std::vector<std::string> words = fuzz::shell_words(command);
    const std::vector<std::string_view> arguments(words.begin() + 1, words.end());
    const cli::NamedArguments named = cli::named_arguments(arguments);
    const cli::Request request = cli::parse_request(named.subject, named.rest);
    require(request.tables.size() == 1 && request.tables.front().targets.size() == 1);
    const Table again = table_of(request);
    require(again.shape == table.shape && again.dtype == table.dtype);
    const cli::Asked as_asked{.request = request, .beside = ""};
    require(cli::page_command(as_asked, again, "png") == command);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const auto request = http::parsed_target(fuzz::as_text(bytes, size));
    if (!request || request->path.empty()) return 0;
    try {
        const cli::Asked asked = cli::asked_for(request->path.back(), request->query);
        check_command(asked, table_of(asked.request));
    } catch (const UsageError&) {
    }
    return 0;
}
