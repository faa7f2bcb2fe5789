#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/request.h"
#include "core/table.h"
#include "http/message.h"

namespace pegen::cli {

/// The table that a page requests, and its figure.
struct Asked {
    Request request;     ///< for one table, as a PNG
    std::string beside;  ///< name and options of an encoding to compare with; "" for none
    std::vector<std::int64_t> at{};  ///< the indices of the requested cell; empty for no cell
    std::optional<std::vector<double>> within{};  ///< width and height of the figure, in pixels
    std::optional<double> density{};  ///< pixels of the screen for each pixel of the page
    bool is_dark = false;             ///< the page is light on dark

    const RequestedTable& wanted() const { return request.tables.front(); }
    const Parameters& figure() const { return wanted().targets.front().parameters; }
};

/// The encoding that a page shows first if none was named.
inline constexpr std::string_view usual_subject = "sinusoid";

/// Finds an encoding or a preset.
/// Throws: UsageError, as find_subject(), and for an encoding that reads files.
Subject subject_of_pages(std::string_view name);

/// True unless the option of a figure is for terminals, or makes it move: a page, like a PDF, has
/// figures that stand still.
bool is_for_pages(std::string_view option);

/// Returns the options that a page may set: all options of a table and its figure, except options
/// that name files.
std::vector<const ParameterSpec*> options_of_pages(const Subject& subject);

/// Reads the arguments after the name of the subject. Ignores options without an effect on the
/// table, since a page keeps the options that were set for other tables.
/// Throws: UsageError, as for a command; also for options that a page may not set.
Asked asked_for(const Subject& subject, Arguments given);

/// Reads a request of a page: the name of an encoding or a preset, and query fields. A field is an
/// option, or "beside", "at" (indices, separated by commas), "within" (such as 900x700), "density",
/// "dark", "named", or "array".
/// Throws: UsageError, as for a command; also for options that name files.
Asked asked_for(std::string_view name, std::span<const http::Field> query);

/// Returns the text as a part of a URL's query: "a%20b".
std::string escaped(std::string_view text);

/// Returns the options as the query of a URL: "d=64&title=a%20b".
std::string query_of(const std::vector<GivenOption>& options);

// Limits on the requests of a page. The command line has no such limits.
inline constexpr std::int64_t most_values_drawn = std::int64_t{1} << 24;
/// A plot keeps the values of the table, or of all pairs of patches, as doubles.
inline constexpr std::int64_t most_values_plotted = std::int64_t{1} << 22;
inline constexpr std::int64_t most_values_compared = std::int64_t{1} << 20;
inline constexpr std::int64_t most_values_identified = std::int64_t{1} << 19;
inline constexpr std::int64_t most_values_written = std::int64_t{1} << 22;  ///< written as text
inline constexpr std::int64_t most_values_beside = std::int64_t{1} << 17;   ///< tables of --with
inline constexpr std::int64_t most_arrays = 4096;                           ///< of a file, listed
/// The limit of columns and of channels: a rotation is computed for each frequency of a row.
inline constexpr std::int64_t most_columns = std::int64_t{1} << 15;
inline constexpr double most_terms = 0x1p29;     ///< numbers computed for a table: see Plan::terms
inline constexpr double most_products = 0x1p32;  ///< multiplications for a figure of dot products
inline constexpr double most_pixels = 0x1p24;
inline constexpr std::chrono::seconds longest_work{10};

/// True if the options of a figure choose this plot.
bool is_plot(const Parameters& figure, std::string_view plot);

/// The exception that ends work if nobody waits for the answer any more, or if it takes too long.
class GivenUp : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Returns a Progress that throws GivenUp once nobody waits for the request any more, or once `end`
/// is reached. The message then says that the work takes longer than longest_work.
Progress patience(const http::IsGivenUp& is_given_up, std::chrono::steady_clock::time_point end);

/// Throws: UsageError if the table has more than `most_values` values.
void check_size(const Table& table, std::int64_t most_values);

/// Throws: as check_size(); UsageError if the table has more than most_columns columns or channels
/// or needs more than most_terms terms.
void check_work(const PlannedTable& planned, std::int64_t most_values);

/// Returns the planned table with its rows. Reading the rows calls report(), so that a Progress can
/// stop the work.
/// Throws: as check_work().
Table table_within(PlannedTable planned, std::int64_t most_values);

/// Throws: UsageError if the figure exceeds most_columns, most_products or most_pixels.
void check_figure(const Table& table, const Parameters& figure);

}  // namespace pegen::cli
