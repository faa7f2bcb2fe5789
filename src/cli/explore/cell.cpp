#include "cli/explain_report.h"
#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/explore/replies.h"
#include "cli/generate.h"

namespace pegen::cli {

http::Reply cell_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    const TableSpec& spec = *asked.wanted().spec;
    check_size(planned_table(asked.request, asked.wanted()).table, most_values_drawn);
    return {
        .type = "application/json",
        .body = as_json(explain(asked.request.subject, spec, asked.request.parameters, asked.at))};
}

}  // namespace pegen::cli
