#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>

#include "cli/explore/asked.h"
#include "core/table.h"
#include "http/message.h"

namespace pegen::cli {

// What a page may ask for at most. The command line has no such limits.
inline constexpr std::int64_t most_values_drawn = std::int64_t{1} << 24;
inline constexpr std::int64_t most_values_compared = std::int64_t{1} << 20;
inline constexpr std::int64_t most_values_identified = std::int64_t{1} << 19;
inline constexpr std::int64_t most_values_written = std::int64_t{1} << 22;  ///< as text
inline constexpr std::int64_t most_values_beside = std::int64_t{1} << 17;   ///< of --with
/// For a wide row there are rotations of each of its frequencies.
inline constexpr std::int64_t most_columns = std::int64_t{1} << 15;
inline constexpr double most_terms = 0x1p29;     ///< computed for a table: see Plan::terms
inline constexpr double most_products = 0x1p32;  ///< of two values, in a figure of dot products
inline constexpr double most_pixels = 0x1p24;
inline constexpr std::chrono::seconds longest_work{10};

/// True if the options of a figure name this plot.
bool is_plot(const Parameters& figure, std::string_view plot);

/// Nobody waits for the answer any more, or it takes too long.
class GivenUp : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Returns what throws GivenUp once nobody waits for the request any more, or at this time, when it
/// has taken longer than longest_work.
Progress patience(const http::IsGivenUp& is_given_up, std::chrono::steady_clock::time_point end);

/// Throws: UsageError for a table of more than `most_values`.
void check_size(const Table& table, std::int64_t most_values);

/// Throws: as check_size(), and UsageError for one of more than most_columns or most_terms.
void check_work(const PlannedTable& planned, std::int64_t most_values);

/// Returns the planned table with its rows, which report.
/// Throws: as check_work().
Table table_within(PlannedTable planned, std::int64_t most_values);

/// Throws: UsageError for a figure of more than most_columns, most_products or most_pixels.
void check_figure(const Table& table, const Parameters& figure);

}  // namespace pegen::cli
