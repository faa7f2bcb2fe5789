#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/explore/replies.h"
#include "cli/generate.h"
#include "formats/table_head.h"

namespace pegen::cli {

http::Reply values_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    const Table table =
        table_within(planned_table(asked.request, asked.wanted()), most_values_of_page);
    return framed_reply(table_head(table, asked.figure()), {element_bytes(table)});
}

}  // namespace pegen::cli
