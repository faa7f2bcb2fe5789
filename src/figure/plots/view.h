#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/layout.h"
#include "figure/views.h"

namespace pegen {

/// Returns the views of the table that --select chooses. Keys after each query are left out, as
/// NaN, if models mask them and the user has not asked for --unmasked; the views then have the
/// Table::masked_title, and none otherwise.
std::vector<View> selected_views(const Table& table, const Parameters& parameters);

/// Returns the table of the only view that --select leaves, for pictures over positions. The rows
/// of this table are the positions, or its columns if has_channels_first().
/// Throws: UsageError if there are more views, if the values depend on pairs of positions (queries
/// and keys), or if positions are merged from several axes and one of these axes does not count
/// positions, such as (frequency, position). Axes of unknown kind, as in a file, may be merged.
Table table_over_positions(const Table& table, const Parameters& parameters);

/// True if the rows of a table of two axes are channels and its columns are not.
bool has_channels_first(const Table& table);

/// Returns the table with positions as rows: the table itself or, if it has its channels first, the
/// transposed table. The transposed table is kept in memory once its rows are first read.
Table with_channels_last(const Table& table);

/// Returns the transposed table of a table with channels first, with only the given channels.
Table with_channels_last(const Table& table, std::vector<std::int64_t> channels);

/// Returns the table whose rows are positions and have the dot products that attention sees. For
/// most tables it is table_over_positions(); for rotary cosines, sines or angles it is the sibling
/// with both cosines and sines. Rotary tables turn queries and keys, so the dot product of two rows
/// of the sibling, the sum of cos((i - j) w), is the score of a constant query and key. Throws:
/// UsageError as table_over_positions(), and if the rows are known not to be positions, if the
/// encoding has no such sibling, or if the table has chosen channels of cosines or sines.
Table scored_vectors(const Table& table, const Parameters& parameters);

/// Returns the text parameter `name`, or `otherwise` if it is not given.
std::string text_or(const Parameters& parameters, std::string_view name, std::string otherwise);

/// Returns the title of a table with ", topic" behind its name: "RoPE, Similarity (d=64)". An empty
/// title becomes the topic.
std::string with_topic(std::string title, std::string_view topic);

/// Sets the texts to --title, --xlabel and --ylabel, or to the given texts where an option is
/// missing; these, and a label of the colour bar that is not --colorbar-label, may be short.
void set_texts(FigureSpec& spec, const Parameters& parameters, std::string title,
               std::string x_label, std::string y_label);

/// A table with its name in a legend.
struct NamedTable {
    std::string name;
    Table table;
};

/// Returns the sibling `name` of the table and, with --with, the tables `name` of other encodings.
/// --with is like "name: words; words". A table alone has no name. Throws: UsageError if one of
/// them has no such table, if there are more than colours of curves, or for a file.
std::vector<NamedTable> with_others(const Table& table, const Parameters& parameters,
                                    std::string_view name);

}  // namespace pegen
