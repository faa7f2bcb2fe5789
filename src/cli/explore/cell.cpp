#include "cli/explain/report.h"
#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/explore/replies.h"
#include "cli/explore/sides.h"
#include "cli/generate.h"
#include "core/json.h"
#include "core/number.h"
#include "inspect/cell_index.h"
#include "inspect/element_text.h"

namespace pegen::cli {
namespace {

/// Returns the value of the other table at the same indices, and the difference: the first table's
/// value minus this value. Both are null if the other table has no such cell.
Json other_cell(const Sides& sides) {
    const Table &first = sides.first.table, &other = sides.other.table;
    const std::vector<std::int64_t> at = cell_index(first.shape, first.axes, sides.asked.at);
    Json cell{{"name", sides.other.name}, {"value", nullptr}, {"difference", nullptr}};
    const std::optional<std::int64_t> element = element_at(other.shape, at);
    if (!element) return cell;
    cell["value"] = element_text(other, *element);
    cell["difference"] =
        shortest(read_value(first, *element_at(first.shape, at)) - read_value(other, *element));
    return cell;
}

}  // namespace

http::Reply cell_reply(const http::Request& request) {
    Asked asked = asked_for(request.path[1], request.query);
    check_work(planned_table(asked.request, asked.wanted()), most_values_drawn);
    const auto sides = sides_of(asked, request);
    if (sides) asked = sides->asked;
    const Request& table = asked.request;
    Json cell = json_of(explain(table.subject, *asked.wanted().spec, table.parameters, asked.at));
    if (sides) cell["beside"] = other_cell(*sides);
    return json_reply(cell);
}

}  // namespace pegen::cli
