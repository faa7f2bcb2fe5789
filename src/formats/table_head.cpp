#include "formats/table_head.h"

#include "core/parallel.h"
#include "encodings/registry.h"
#include "figure/colormap.h"
#include "figure/limits.h"
#include "figure/plots/heatmap.h"
#include "formats/command.h"
#include "formats/metadata.h"
#include "formats/write.h"

namespace pegen {
namespace {

std::string_view kind_name(AxisKind kind) {
    switch (kind) {
        case AxisKind::position:
            return "position";
        case AxisKind::point:
            return "point";
        case AxisKind::pixel:
            return "pixel";
        case AxisKind::channel:
            return "channel";
        case AxisKind::frequency:
            return "frequency";
        case AxisKind::batch:
            return "batch";
        case AxisKind::head:
            return "head";
        case AxisKind::query:
            return "query";
        case AxisKind::key:
            return "key";
        case AxisKind::function:
            return "function";
        case AxisKind::other:
            break;
    }
    return "other";
}

Json positions_json(const Axis& axis) {
    if (!axis.positions) return nullptr;
    if (const auto progression = axis.positions->exact_progression()) {
        return {{"start", progression->start}, {"step", progression->step}};
    }
    Json list = Json::array();
    for (std::int64_t i = 0; i < axis.positions->size(); ++i) list.push_back((*axis.positions)[i]);
    return list;
}

Json axes_json(const Table& table) {
    Json axes = Json::array();
    for (std::size_t i = 0; i < table.axes.size(); ++i) {
        const Axis& axis = table.axes[i];
        axes.push_back({{"name", axis.name},
                        {"label", axis.label},
                        {"kind", kind_name(axis.kind)},
                        {"size", table.shape[static_cast<int>(i)]},
                        {"rows_before", axis.rows_before},
                        {"positions", positions_json(axis)},
                        {"index_names", axis.index_names}});
    }
    return axes;
}

/// Adds the registry's data on the table; adds nothing for a table that no encoding generated.
void add_origin(Json& head, const Provenance& provenance) {
    const Encoding* const encoding = find_encoding(provenance.encoding);
    const Preset* const preset = find_preset(provenance.preset);
    head["name"] = preset ? provenance.preset : provenance.encoding;
    head["table"] = provenance.table;
    head["formula"] = encoding ? formula_with(*encoding, provenance.parameters) : "";
    head["source"] = preset ? preset->source : encoding ? encoding->source : "";
    head["note"] = preset ? preset->note : "";
}

}  // namespace

Json table_head(const Table& table, const Parameters& figure) {
    const std::string provenance = figure_provenance(table, figure);
    const Limits limits = colour_limits(or_any(finite_limits(table)), figure);
    Json head{{"command", provenance.empty() ? "" : command_of("", provenance)}};
    add_origin(head, table.provenance);
    head["dtype"] = info(table.dtype).name;
    head["shape"] = table.shape.extents();
    head["title"] = figure.has("title") ? figure.word("title") : table.title;
    head["value_label"] = table.value_label;
    head["axes"] = axes_json(table);
    head["colours"] = hexadecimal(palette_for(table, figure));
    head["limits"] = {limits.low, limits.high};
    head["version"] = PEGEN_VERSION;
    return head;
}

std::string element_bytes(const Table& table) {
    std::string bytes(total_bytes(table), '\0');
    if (bytes.empty()) return bytes;
    const std::span<std::byte> all = std::as_writable_bytes(std::span(bytes));
    const Tiles tiles = tiles_of(table);
    const std::int64_t row = row_bytes(table);
    parallel_for(tiles.count(), [&](std::int64_t tile) {
        const RowRange range = tiles[tile];
        table.rows(range, all.subspan(range.first * row, range.count * row));
    });
    return bytes;
}

}  // namespace pegen
