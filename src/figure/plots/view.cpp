#include "figure/plots/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "figure/layout.h"
#include "figure/plots/curves.h"

namespace pegen {
namespace {

/// True if the indices of the axis are, or may be, positions of a sequence or an image.
bool may_be_positions(const Axis& axis) {
    switch (axis.kind) {
        case AxisKind::other:
        case AxisKind::position:
        case AxisKind::point:
        case AxisKind::pixel:
        case AxisKind::query:
        case AxisKind::key:
            return true;
        case AxisKind::channel:
        case AxisKind::frequency:
        case AxisKind::batch:
        case AxisKind::head:
        case AxisKind::function:
            break;
    }
    return false;
}

/// Checks what the columns of a row are. Throws: UsageError if they are queries or keys, so that a
/// row has values of pairs of positions and is no vector of channels.
void check_columns(const Axis& axis) {
    if (axis.kind != AxisKind::query && axis.kind != AxisKind::key) return;
    throw UsageError(
        "a table over queries and keys: its values depend on pairs of positions, and this figure "
        "is over positions; use --plot heatmap or --plot steps");
}

/// Some rows of a table, read at the first call of columns().
class ChosenRows {
  public:
    ChosenRows(Table table, std::vector<std::int64_t> rows)
        : table_(std::move(table)), rows_(std::move(rows)) {}

    /// Writes columns first, first + 1, ... of the chosen rows, each column as a row.
    void columns(RowRange range, std::span<std::byte> out) {
        std::call_once(once_, [&] { read(); });
        const std::size_t size = info(table_.dtype).size;
        const std::size_t length = table_.shape[1] * size;
        std::byte* place = out.data();
        for (std::int64_t column = range.first; column < range.first + range.count; ++column) {
            for (std::size_t row = 0; row < rows_.size(); ++row, place += size) {
                std::memcpy(place, bytes_.data() + row * length + column * size, size);
            }
        }
    }

  private:
    void read() {
        const std::size_t length = row_bytes(table_);
        bytes_.resize(rows_.size() * length);
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            table_.rows({rows_[row], 1}, std::span(bytes_).subspan(row * length, length));
        }
    }

    Table table_;
    std::vector<std::int64_t> rows_;
    std::once_flag once_;
    std::vector<std::byte> bytes_;
};

/// Returns the table of queries and keys with NaN where a key comes after its query. Keys are in
/// the order of their positions.
Table without_later_keys(const Table& table) {
    const std::size_t rank = table.axes.size();
    const Axis& queries = table.axes[rank - 2];
    const Axis& keys = table.axes[rank - 1];
    const std::int64_t count = table.shape[static_cast<int>(rank) - 2];
    const std::int64_t columns = table.shape.columns();
    const auto fill = [=, table = table](RowRange range, std::span<double> out) {
        std::ranges::copy(read_rows(table, range), out.begin());
        for (std::int64_t row = 0; row < range.count; ++row) {
            const auto here = position_at(queries, (range.first + row) % count);
            std::int64_t seen = 0;
            for (std::int64_t end = columns; seen < end;) {
                const std::int64_t middle = seen + (end - seen) / 2;
                if (position_at(keys, middle) <= here) {
                    seen = middle + 1;
                } else {
                    end = middle;
                }
            }
            std::ranges::fill(out.subspan(row * columns + seen, columns - seen),
                              std::numeric_limits<double>::quiet_NaN());
        }
    };
    Table masked = table;
    masked.title = table.masked_title;
    masked.has_whole_values = is_whole(table);
    masked.dtype = DType::float64;
    masked.rows = rounded({fill, table.shape.rows(), columns}, DType::float64);
    return masked;
}

/// Returns the table whose rows have the dot products that attention sees: the table itself, or its
/// sibling of the name Table::scored_by.
/// Throws: UsageError if there is no such table, or if channels are chosen.
Table scored_table(const Table& table) {
    if (table.scored_by.empty() || !table.sibling) return table;
    if (table.scored_by == "none") {
        throw UsageError(fmt::format(
            "the table {} serves to turn queries and keys, and its rows have no dot products that "
            "attention sees; use --plot heatmap or --plot waves",
            table.name));
    }
    if (table.provenance.parameters.has("keep-channels")) {
        throw UsageError(
            "--keep-channels: chooses cosines without their sines, which have no dot products that "
            "attention sees; leave it out");
    }
    Table scored = table.sibling({.table = table.scored_by});
    scored.title += ", Constant Query and Key";
    return scored;
}

}  // namespace

std::vector<View> selected_views(const Table& table, const Parameters& parameters) {
    const bool is_masked = !table.masked_title.empty() && !parameters.flag("unmasked");
    Table shown = is_masked ? without_later_keys(table) : table;
    if (!is_masked) shown.masked_title.clear();
    if (!parameters.has("select")) return views_of(shown, {});
    return views_of(shown, parameters.integers("select"));
}

Table table_over_positions(const Table& table, const Parameters& parameters) {
    std::vector<View> views = selected_views(table, parameters);
    if (views.size() > 1) {
        throw UsageError(
            fmt::format("a table of shape {}: is {} panels, and this figure is of "
                        "one; choose it with --select",
                        to_string(table.shape), views.size()));
    }
    View& view = views.front();
    const bool is_turned = has_channels_first(view.table);
    const std::vector<Axis>& merged = is_turned ? view.merged_into_columns : view.merged_into_rows;
    const auto axis = std::ranges::find_if_not(merged, may_be_positions);
    if (merged.size() > 1 && axis != merged.end()) {
        throw UsageError(fmt::format(
            "a table of shape {}: its {} are {}, and this figure is over positions, which {} "
            "does not count; choose with --select",
            to_string(table.shape), is_turned ? "columns" : "rows",
            view.table.axes[is_turned ? 1 : 0].name, axis->name));
    }
    check_columns(view.table.axes.back());
    return std::move(view.table);
}

bool has_channels_first(const Table& table) {
    return table.axes[0].kind == AxisKind::channel && table.axes[1].kind != AxisKind::channel;
}

Table with_channels_last(const Table& table) {
    if (!has_channels_first(table)) return table;
    std::vector<std::int64_t> channels(table.shape[0]);
    std::iota(channels.begin(), channels.end(), 0);
    return with_channels_last(table, std::move(channels));
}

Table with_channels_last(const Table& table, std::vector<std::int64_t> channels) {
    Table turned = table;
    turned.shape = {table.shape[1], std::ssize(channels)};
    std::swap(turned.axes[0], turned.axes[1]);
    turned.rows = rows_like(
        turned, [rows = std::make_shared<ChosenRows>(table, std::move(channels))](
                    RowRange range, std::span<std::byte> out) { rows->columns(range, out); });
    return turned;
}

Table scored_vectors(const Table& table, const Parameters& parameters) {
    Table vectors = with_channels_last(table_over_positions(scored_table(table), parameters));
    if (may_be_positions(vectors.axes[0])) return vectors;
    throw UsageError(fmt::format(
        "a table by {}: this figure is over positions; use --plot heatmap or --plot waves",
        vectors.axes[0].name));
}

std::string text_or(const Parameters& parameters, std::string_view name, std::string otherwise) {
    return parameters.has(name) ? parameters.word(name) : std::move(otherwise);
}

std::string with_topic(std::string title, std::string_view topic) {
    if (title.empty()) return std::string(topic);
    const std::size_t list = title.find(" (");
    const bool has_list = list != title.npos && title.find(')', list) != title.npos;
    return title.insert(has_list ? list : title.size(), fmt::format(", {}", topic));
}

void set_texts(FigureSpec& spec, const Parameters& parameters, std::string title,
               std::string x_label, std::string y_label) {
    spec.title = text_or(parameters, "title", std::move(title));
    spec.x_label = text_or(parameters, "xlabel", std::move(x_label));
    spec.y_label = text_or(parameters, "ylabel", std::move(y_label));
    for (const TextRole role :
         {TextRole::title, TextRole::x_label, TextRole::y_label, TextRole::colorbar_label}) {
        if (!parameters.has(part_of(role).option)) spec.may_be_short.push_back(role);
    }
}

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == text.npos) return "";
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// Returns the text, shortened to fit into a legend.
std::string shortened(std::string_view text) {
    constexpr std::size_t most = 24;
    return text.size() <= most ? std::string(text) : fmt::format("{}...", text.substr(0, most - 3));
}

}  // namespace

std::vector<NamedTable> with_others(const Table& table, const Parameters& parameters,
                                    std::string_view name) {
    std::vector<NamedTable> all;
    all.push_back({"", table.sibling({.table = name})});
    if (!parameters.has("with")) return all;
    if (!table.other) throw UsageError("--with: a file is drawn alone");
    const std::vector<std::string_view> commands = fields(parameters.word("with"), ';');
    if (commands.size() + 1 > curve_colours.size()) {
        throw UsageError(
            fmt::format("--with: one figure tells at most {} curves apart", curve_colours.size()));
    }
    for (const std::string_view command : commands) {
        const std::size_t colon = command.find(':');
        const std::string_view words =
            trimmed(colon == command.npos ? command : command.substr(colon + 1));
        const std::string_view label = colon == command.npos ? words : command.substr(0, colon);
        all.push_back({shortened(trimmed(label)), table.other(words, name)});
    }
    all.front().name = table.provenance.subject();
    return all;
}

}  // namespace pegen
