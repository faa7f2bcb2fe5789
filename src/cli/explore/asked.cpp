#include "cli/explore/asked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "cli/arguments.h"
#include "core/error.h"
#include "core/names.h"
#include "core/progress.h"
#include "encodings/choice.h"
#include "encodings/parameters/shared.h"
#include "encodings/registry.h"
#include "figure/figure.h"
#include "figure/purpose.h"
#include "formats/pdf.h"

namespace pegen::cli {
namespace {

/// Keys of a query besides options and the place.
constexpr std::array other_keys{"beside", "at", "named", "array"};

/// What a page says of the place that its figure has.
constexpr std::array place_parameters{
    ParameterSpec{
        .name = "within", .type = ParameterType::size, .range = {.lowest = 64, .highest = 4096}},
    ParameterSpec{.name = "density", .range = {.lowest = 0.1, .highest = 10}},
    ParameterSpec{.name = "dark", .type = ParameterType::flag},
};

std::vector<std::int64_t> indices(std::string_view text) {
    std::vector<std::int64_t> all;
    for (const std::string_view part : fields(text, ',')) {
        std::int64_t index = 0;
        const auto [end, error] = std::from_chars(part.begin(), part.end(), index);
        if (error != std::errc() || end != part.end()) {
            throw UsageError(
                fmt::format("--at {}: must be an index for each axis, as in 7,3", text));
        }
        all.push_back(index);
    }
    return all;
}

/// Throws: UsageError for an option that a page may not set.
void check_options(const Subject& subject, const std::vector<GivenOption>& options) {
    const std::vector<const ParameterSpec*> allowed = options_of_pages(subject);
    for (const GivenOption& option : options) {
        const bool is_several = option.text == "all" || option.text.find(',') != option.text.npos;
        if (option.spec->name == "table" && is_several) {
            throw UsageError(fmt::format("--table {}: a page shows one table", option.text));
        }
        if (std::ranges::count(allowed, option.spec) > 0) continue;
        const bool names_file = option.spec->type == ParameterType::path;
        throw UsageError(
            fmt::format("--{}: {}", option.spec->name,
                        names_file ? "names a file, which a page does not" : "is not for a page"));
    }
}

bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~").find(c) != std::string_view::npos;
}

}  // namespace

Subject subject_of_pages(std::string_view name) {
    const Subject subject = find_subject(name);
    const bool is_listed = std::ranges::count(all_encodings(), subject.encoding) > 0;
    if (!is_listed) {
        throw UsageError(fmt::format("{}: is made of files, which a page does not name", name));
    }
    return subject;
}

bool is_for_pages(std::string_view option) {
    return !has_word(formats::pdf.idle_parameters, option);
}

std::vector<const ParameterSpec*> options_of_pages(const Subject& subject) {
    std::vector<const ParameterSpec*> options;
    for (const auto& specs : {subject.encoding->parameters, table_options(), figure_parameters()}) {
        for (const ParameterSpec& spec : specs) {
            if (spec.type == ParameterType::path || !is_for_pages(spec.name)) continue;
            options.push_back(&spec);
        }
    }
    return options;
}

Asked asked_for(const Subject& subject, Arguments given) {
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("unexpected argument '{}'; options begin with --",
                                     given.positionals.front()));
    }
    check_options(subject, given.options);
    // Options of a figure have an effect only if a figure is written.
    given.options.push_back({find_option(output_options(), "png"), "figure.png"});
    Request request = make_request(subject, given.options);
    const auto is_idle = [&](const GivenOption& option) { return !has_effect(request, option); };
    if (std::erase_if(given.options, is_idle) > 0) request = make_request(subject, given.options);
    return {std::move(request), ""};
}

Asked asked_for(std::string_view name, std::span<const http::Field> query) {
    const Subject subject = subject_of_pages(name);
    Parameters place{place_parameters};
    std::vector<std::string> settings;
    for (const auto& [key, value] : query) {
        if (place.knows(key)) {
            place.set(key, value, Origin::user);
        } else if (std::ranges::count(other_keys, key) == 0) {
            settings.push_back(fmt::format("--{}={}", key, value));
        }
    }
    const std::vector<std::string_view> arguments(settings.begin(), settings.end());
    Asked asked =
        asked_for(subject, parse_arguments(arguments, options_of(subject), subject.name()));
    for (const auto& [key, value] : query) {
        if (key == "beside") asked.beside = value;
        if (key == "at") asked.at = indices(value);
    }
    if (place.has("within")) asked.within = place.reals("within");
    if (place.has("density")) asked.density = place.real("density");
    asked.is_dark = place.flag("dark");
    return asked;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += is_unreserved(c) ? std::string(1, c)
                                   : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return result;
}

std::string query_of(const std::vector<GivenOption>& options) {
    std::string query;
    for (const GivenOption& option : options) {
        query += fmt::format("{}{}={}", query.empty() ? "" : "&", option.spec->name,
                             escaped(option.text));
    }
    return query;
}

namespace {

/// Returns the number of channels that are computed, including channels that are not kept and
/// channels of tables without a channel axis, such as sandwich's. Returns 0 for encodings without
/// channels.
std::int64_t computed_channels(const Table& table) {
    const Provenance& origin = table.provenance;
    const Plan plan = plan_of(*find_encoding(origin.encoding),
                              without_channel_choice(origin.parameters), origin.table);
    const std::optional<int> axis = find_axis(plan.axes, AxisKind::channel);
    constexpr std::string_view d = encodings::d_parameter.name;
    const bool has_d = plan.parameters.knows(d) && plan.parameters.has(d);
    return std::max(axis ? plan.shape[*axis] : 0, has_d ? plan.parameters.integer(d) : 0);
}

/// Returns the number of cells of a heatmap: the values of the table or, for similarities, the dot
/// products of all pairs of rows.
double cells_of(const Table& table, const Parameters& figure) {
    const auto rows = static_cast<double>(table.shape.rows());
    return is_plot(figure, "similarity") ? rows * rows : static_cast<double>(table.shape.size());
}

/// Throws: UsageError if a plot would show too many columns, for example of a file, or too many dot
/// products, or keep too many values.
void check_plot(const Table& table, const Parameters& figure) {
    if (!figure.has("plot") || is_plot(figure, "heatmap")) return;
    const auto refuse_because = [&](std::int64_t count, std::string_view what) {
        throw UsageError(fmt::format(
            "--plot {}: takes too long for a page with {} {}; make the table smaller, or run the "
            "command",
            figure.word("plot"), count, what));
    };
    const Shape& shape = table.shape;
    if (shape.columns() > most_columns) refuse_because(shape.columns(), "columns");
    if (shape.size() > most_values_plotted) refuse_because(shape.size(), "values");
    const auto rows = static_cast<double>(shape.rows());
    const bool has_pairs = is_plot(figure, "patches");
    if (has_pairs && rows * rows > most_values_plotted) refuse_because(shape.rows(), "rows");
    const double products = rows * rows * static_cast<double>(shape.columns());
    const bool has_products = is_plot(figure, "similarity") || is_plot(figure, "offsets");
    if (has_products && products > most_products) refuse_because(shape.rows(), "rows");
}

/// Returns a function that calls `other` and throws UsageError once all the tables that it made
/// have more than most_values_beside values together.
auto other_within(decltype(Table::other) other) {
    const auto left = std::make_shared<std::int64_t>(most_values_beside);
    return [=](std::string_view words, std::string_view name) {
        Table table = other(words, name);
        *left -= table.shape.size();
        if (*left >= 0) return table;
        throw UsageError(fmt::format(
            "--with: takes too long for a page with more than {} values; run the command",
            most_values_beside));
    };
}

}  // namespace

bool is_plot(const Parameters& figure, std::string_view plot) {
    return figure.has("plot") && figure.word("plot") == plot;
}

Progress patience(const http::IsGivenUp& is_given_up, std::chrono::steady_clock::time_point end) {
    return [=](std::int64_t, std::int64_t) {
        if (is_given_up()) throw GivenUp("nobody waits for this any more");
        if (std::chrono::steady_clock::now() < end) return;
        throw GivenUp(
            fmt::format("takes longer than {} s; make the table smaller, or run the command",
                        longest_work.count()));
    };
}

void check_size(const Table& table, std::int64_t most_values) {
    if (table.shape.size() <= most_values) return;
    throw UsageError(
        fmt::format("a table of shape {}: has more than the {} values that a page asks for; make "
                    "it smaller, or run the command",
                    to_string(table.shape), most_values));
}

void check_work(const PlannedTable& planned, std::int64_t most_values) {
    check_size(planned.table, most_values);
    const Table& table = planned.table;
    if (planned.terms > most_terms) {
        throw UsageError(
            fmt::format("a table of shape {}: takes too long for a page, as {:.2g} numbers are "
                        "computed for it; make it smaller, or run the command",
                        to_string(table.shape), planned.terms));
    }
    if (std::max(table.shape.columns(), computed_channels(table)) > most_columns) {
        throw UsageError(fmt::format(
            "a table of shape {}: has more than the {} columns or channels that a page asks for; "
            "make it narrower, or run the command",
            to_string(table.shape), most_columns));
    }
}

Table table_within(PlannedTable planned, std::int64_t most_values) {
    check_work(planned, most_values);
    Table table = std::move(planned.table);
    const Rows rows = planned.make_rows(ignore_progress);
    table.rows = rows_like(rows, [=](RowRange range, std::span<std::byte> out) {
        report(0, 0);
        rows(range, out);
    });
    if (table.other) table.other = other_within(table.other);
    return table;
}

void check_figure(const Table& table, const Parameters& figure) {
    check_plot(table, figure);
    const Parameters meant = for_purpose(figure);
    const std::vector<double>& inches = meant.reals("figsize");
    const double dpi = meant.real("dpi");
    const double cell = figure.has("cell") ? static_cast<double>(figure.integer("cell")) : 1;
    const double pixels = figure.flag("no-axes") || figure.has("cell")
                              ? cells_of(table, figure) * cell * cell
                              : inches[0] * inches[1] * dpi * dpi;
    if (pixels <= most_pixels) return;
    throw UsageError(fmt::format(
        "--figsize, --dpi, --cell: a page draws at most {} pixels; run the command for a larger "
        "figure",
        most_pixels));
}

}  // namespace pegen::cli
