#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/request.h"
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

}  // namespace pegen::cli
