#include "formats/json.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/json.h"
#include "files/json_text.h"
#include "formats/metadata.h"
#include "formats/number_text.h"

namespace pegen {
namespace {

char* write_text(char* place, std::string_view text) {
    std::memcpy(place, text.data(), text.size());
    return place + text.size();
}

/// Makes a JSON number of the text of an element, or a string if JSON has no number for it.
template <class T>
char* make_json(char* place, char* end, T element) {
    if constexpr (std::is_same_v<T, bool>) {
        return write_text(place, element ? "true" : "false");
    } else if constexpr (std::is_integral_v<T>) {
        return end;
    } else {
        const double value = widen(element);
        if (value != 0 && std::fabs(value) < 1) return end;
        if (std::isnan(value)) return write_text(place, R"("NaN")");
        if (std::isinf(value)) {
            return write_text(place, value > 0 ? R"("Infinity")" : R"("-Infinity")");
        }
        const std::string_view text(place, end);
        if (text.find_first_of(".e") != std::string_view::npos) return end;
        // Without a point, readers take the number for an integer, which has no -0.
        return write_text(end, ".0");
    }
}

/// A table without rows is written as at most this many lists.
constexpr std::int64_t most_empty_lists = 1'000'000;

/// Returns nested lists down to the first axis without extent: "[[],[]]" for (2, 0, 3).
std::string empty_lists(const Shape& shape) {
    std::string lists = "[]";
    int axis = 0;
    std::int64_t count = 1;
    for (; shape[axis] > 0; ++axis) {
        if (shape[axis] > most_empty_lists / count) {
            throw UsageError("json: shape " + to_string(shape) + ": too many empty lists");
        }
        count *= shape[axis];
    }
    while (--axis >= 0) {
        std::string outer = "[";
        for (std::int64_t i = 0; i < shape[axis]; ++i) outer += (i > 0 ? "," : "") + lists;
        lists = std::move(outer) + "]";
    }
    return lists;
}

std::string head(const Table& table, const Parameters&) {
    auto json = Json::object();  // as in provenance_json
    json["schema"] = "pe-gen/table/1";
    json.update(provenance_json(table.provenance));
    json["dtype"] = info(table.dtype).name;
    json["shape"] = table.shape.extents();
    json["axes"] = Json::array();
    for (const Axis& axis : table.axes) json["axes"].push_back(axis.name);

    std::string text = utf8_json_line(json);
    text.back() = ',';  // "data" follows
    text += R"("data":)";
    if (table.shape.rank() == 0) return text;
    return text + (table.shape.rows() == 0 ? empty_lists(table.shape) : "[\n");
}

/// Returns how many rows each list around a row holds, innermost first, without the outermost list,
/// which head() opens and tail() closes.
std::vector<std::int64_t> rows_per_list(const Shape& shape) {
    std::vector<std::int64_t> rows;
    std::int64_t product = 1;
    for (int axis = shape.rank() - 2; axis > 0; --axis) {
        product *= shape[axis];
        rows.push_back(product);
    }
    return rows;
}

void append_rows(const Table& table, const Parameters&, RowRange range,
                 std::span<const std::byte> rows, std::string& out) {
    const int rank = table.shape.rank();
    const std::vector<std::int64_t> lists = rows_per_list(table.shape);
    const std::size_t bytes = row_bytes(table);
    with_element_type(table.dtype, [&]<class T>(std::type_identity<T>) {
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t row = range.first + i;
            for (const std::int64_t size : lists) out.append(row % size == 0, '[');
            if (rank > 1) out += '[';
            append_elements<T>(rows.subspan(i * bytes, bytes), make_json<T>, out);
            if (rank > 1) out += ']';
            for (const std::int64_t size : lists) out.append((row + 1) % size == 0, ']');
            if (row + 1 < table.shape.rows()) out += ',';
            if (rank > 0) out += '\n';
        }
    });
}

std::string tail(const Table& table, const Parameters&) {
    const bool list_is_open = table.shape.rank() > 0 && table.shape.rows() > 0;
    return list_is_open ? "]}\n" : "}\n";
}

}  // namespace

constinit const Format formats::json{
    .name = "json",
    .summary = "what the table is, and its values as nested lists",
    .extensions = "json",
    .is_binary = false,
    .parameters = no_parameters,
    .options_title = "",
    .head = head,
    .append_rows = append_rows,
    .tail = tail,
};

}  // namespace pegen
