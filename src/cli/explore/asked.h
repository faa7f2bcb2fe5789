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

/// The table and the figure of it that a page asks for.
struct Asked {
    Request request;     ///< of one table, as a PNG
    std::string beside;  ///< the words of another encoding to compare it with; "" for none
    std::vector<std::int64_t> at{};  ///< the indices of a cell; empty if none is asked for
    std::optional<std::vector<double>> within{};  ///< the pixels of the screen there is room for

    const RequestedTable& wanted() const { return request.tables.front(); }
    const Parameters& figure() const { return wanted().targets.front().parameters; }
};

/// What a page shows that is asked for nothing.
inline constexpr std::string_view usual_subject = "sinusoid";

/// Finds an encoding or a preset. Throws: UsageError, as find_subject, and for what is made of
/// files.
Subject subject_of_pages(std::string_view name);

/// The options that a page may set: those of a table and its figure that name no files.
std::vector<const ParameterSpec*> options_of_pages(const Subject& subject);

/// Reads the arguments behind the name. Those without an effect on the table are left out: a page
/// keeps what was set for other tables. Throws: UsageError, as for a command; also for options that
/// a page may not set.
Asked asked_for(const Subject& subject, Arguments given);

/// Reads what a page asks for: the name of an encoding or a preset, and a field for each option, or
/// "beside", "at", whose indices are separated by commas, "within", such as 900x700, or "named".
/// Throws: UsageError, as for a command; also for options that name files.
Asked asked_for(std::string_view name, std::span<const http::Field> query);

/// The query that asks for this: "d=64&title=a%20b".
std::string query_of(const std::vector<GivenOption>& options);

}  // namespace pegen::cli
