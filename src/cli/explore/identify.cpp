#include "cli/explore/bounds.h"
#include "cli/explore/replies.h"
#include "cli/explore/sides.h"
#include "cli/identified_as.h"
#include "core/reporting.h"

namespace pegen::cli {

http::Reply identify_reply(const http::Request& request) {
    const std::string name = file_name(request);
    const Table table = file_table(request);
    check_size(table, most_values_identified);
    const std::string sentence = identified_as(name, table, report).sentence;
    return json_reply({{"sentence", sentence}});
}

}  // namespace pegen::cli
