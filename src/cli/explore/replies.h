#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "http/message.h"

namespace pegen::cli {

// The replies to a page's requests, which docs/explore.md lists. The path of the request must be as
// the function's row in routes.cpp says. All functions that take a request throw UsageError,
// FormatError and GivenUp.

/// Returns the program's lists of encodings, presets, options and so on, for the search and the
/// controls of the page.
http::Reply specs_reply(const http::Request& request);

/// Returns what `pe-gen describe` prints on an encoding or a preset, with the numbers of the
/// requested options.
http::Reply about_reply(const http::Request& request);

/// Returns the figure of the table. With "beside", or with a file as the body, also returns the
/// figures of the other table and of the difference, and sentences on the differences.
http::Reply draw_reply(const http::Request& request);

/// Returns the arrays of the file in the body: {"arrays": [{"name": ..., "shape": [...], "dtype":
/// ..., "usual": true}, ...]}, where "usual" arrays have a name or a shape that is usual for
/// positions. An array that cannot be read has a "refusal" in the place of its shape and dtype. The
/// list is empty for a file of one array without a name, such as NPY.
http::Reply arrays_reply(const http::Request& request);

/// Returns the command that makes the file in the body: {"sentence": "the file is made by ..."}.
/// The sentence is "" if no command was found.
http::Reply identify_reply(const http::Request& request);

/// Returns the explanation of the cell under the pointer, as `pe-gen explain --json` does. In a
/// comparison also returns the value of the other table.
http::Reply cell_reply(const http::Request& request);

/// Returns the values of the row and of the column that contain the requested cell.
http::Reply curves_reply(const http::Request& request);

/// Returns the elements of the table.
http::Reply values_reply(const http::Request& request);

/// Returns the table as a file of the format in the path.
http::Reply file_reply(const http::Request& request);

/// Returns JSON as a reply.
http::Reply json_reply(const Json& json, int status = 200);

/// Returns a reply of one line of JSON, followed by the parts.
http::Reply framed_reply(const Json& head, std::vector<std::string> parts);

/// Answers a request of the page. The reply to a request that fails has the error message, and the
/// option that the message is about.
http::Reply answer(const http::Request& request);

}  // namespace pegen::cli
