// Any lines as the arguments of pe-gen, one per line: refused, or a request for a table of a size
// that is known. Nothing is computed or written.

#include <vector>

#include "cli/request.h"
#include "core/error.h"
#include "core/names.h"
#include "fuzz_target.h"

namespace {

using namespace pegen;
using pegen::fuzz::require;

void check_table(const cli::Request& request) {
    const Table table = plan_table(*request.subject.encoding, *request.tables.front().spec,
                                   request.parameters, request.tables.front().dtype)
                            .table;
    require(std::ssize(table.axes) == table.shape.rank());
    require(total_bytes(table) >= 0);
}

void check_arguments(const std::vector<std::string_view>& arguments) {
    const cli::NamedArguments named = cli::named_arguments(arguments);
    const cli::Request request = cli::parse_request(named.subject, named.rest);
    const bool is_table =
        request.run.action == cli::Action::generate || request.run.action == cli::Action::dry_run;
    if (is_table) check_table(request);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    try {
        check_arguments(fields(fuzz::as_text(bytes, size), '\n'));
    } catch (const UsageError&) {
    } catch (const FormatError&) {  // thrown for a file that an option names
    } catch (const FileError&) {
    }
    return 0;
}
