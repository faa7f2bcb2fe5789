#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "http/message.h"

// What a page gets: docs/explore.md lists the requests. Each function takes one whose path is as
// its row in routes.cpp says. Throws: UsageError, FormatError, GivenUp.
namespace pegen::cli {

/// The lists of the program, for search and controls.
http::Reply specs_reply(const http::Request& request);

/// What describe says of an encoding or a preset, with the numbers of these settings.
http::Reply about_reply(const http::Request& request);

/// The figure; with "beside", or a file as the body, also that of the other table and of the
/// difference, and what separates them.
http::Reply draw_reply(const http::Request& request);

/// Which command makes the file that is the body: {"sentence": "the file is made by ..."}; "" if
/// none was found.
http::Reply identify_reply(const http::Request& request);

/// The cell under the pointer, as explain --json; beside another table also the value there.
http::Reply cell_reply(const http::Request& request);

/// The values of the row and of the column of a cell.
http::Reply curves_reply(const http::Request& request);

/// The elements of the table.
http::Reply values_reply(const http::Request& request);

/// The table as a file of the format that the path names.
http::Reply file_reply(const http::Request& request);

/// Returns JSON as a reply.
http::Reply json_reply(const nlohmann::ordered_json& json, int status = 200);

/// Returns one line of JSON and the parts behind it as a reply.
http::Reply framed_reply(const nlohmann::ordered_json& head, std::vector<std::string> parts);

}  // namespace pegen::cli
