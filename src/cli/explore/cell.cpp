#include <nlohmann/json.hpp>

#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/explore/cell_index.h"
#include "cli/explore/replies.h"
#include "cli/generate.h"

namespace pegen::cli {

http::Reply cell_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    const PlannedTable planned = planned_table(asked.request, asked.wanted());
    check_cell(planned.table, asked.at);
    return json_reply(nlohmann::ordered_json::object());
}

}  // namespace pegen::cli
