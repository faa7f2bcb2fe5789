#include "figure/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/shape.h"
#include "core/utf8.h"
#include "figure/chosen_font.h"
#include "figure/font.h"
#include "figure/layout.h"
#include "figure/paint.h"
#include "figure/plot.h"
#include "figure/plots/curves.h"
#include "figure/plots/heatmap.h"
#include "figure/plots/plots.h"
#include "figure/purpose.h"

namespace pegen {
namespace {

/// Returns the kinds of picture that have the option; empty if all have it.
std::vector<std::string_view> owners_of(std::string_view option) {
    std::vector<std::string_view> owners;
    for (const Plot* plot : all_plots()) {
        if (has_option(*plot, option)) owners.push_back(plot->name);
    }
    return owners;
}

/// The options without an effect on a bare heatmap in a file; the title is not one, as an SVG keeps
/// it.
constexpr std::string_view idle_if_bare =
    "figsize for font-size tight xlabel ylabel font foreground colorbar-label no-colorbar aspect "
    "interpolation ticks annotate decimals";

/// True if the user gave an option that heatmaps have but waves do not have.
bool asks_for_heatmap(const Parameters& parameters) {
    return std::ranges::any_of(parameters.entries(), [](const Parameters::Entry& entry) {
        return entry.origin == Origin::user && has_option(plots::heatmap, entry.spec->name) &&
               !has_option(plots::waves, entry.spec->name);
    });
}

const Plot& plot_of(const Table& table, const Parameters& parameters) {
    if (!parameters.has("plot")) {
        const bool is_curve = table.shape.rank() == 1 && !asks_for_heatmap(parameters);
        return is_curve ? plots::waves : plots::heatmap;
    }
    return **std::ranges::find_if(
        all_plots(), [&](const Plot* plot) { return plot->name == parameters.word("plot"); });
}

bool is_bare(const Plot& plot, const Parameters& parameters) {
    return has_option(plot, "cell") && is_bare(parameters);
}

/// Returns why the option has no effect; "" if it has one. In a window even --interpolation has an
/// effect on a bare heatmap, which is resampled if the window is too small.
std::string reason_against(std::string_view option, const Table& table,
                           const Parameters& parameters, bool is_window) {
    const Plot& plot = plot_of(table, parameters);
    const std::vector<std::string_view> owners = owners_of(option);
    if (!owners.empty() && !has_option(plot, option)) {
        return fmt::format("has no effect on --plot {}, only on {}", plot.name,
                           joined(owners, ", "));
    }
    if ((option == "fps" || option == "seconds") && !parameters.has("animate")) {
        return "is for --animate";
    }
    if (option == "decimals" && !parameters.flag("annotate")) return "is for --annotate";
    const bool is_resampled = option == "interpolation" && is_window;
    if (is_bare(plot, parameters) && has_word(idle_if_bare, option) && !is_resampled) {
        return "has no effect on a bare heatmap; leave it out, or --no-axes and --cell";
    }
    if (option == "unmasked" && table.masked_title.empty()) {
        return "has no effect: nothing in this table is masked";
    }
    if (option == "channels" && table.shape.rank() == 1) {
        return "has no effect on a table of one axis";
    }
    if (option == "colorbar-label" && parameters.flag("no-colorbar")) {
        return "has no effect with --no-colorbar";
    }
    return "";
}

/// Checks the user's options. Throws: UsageError for an option that has no effect.
void check_options(const Table& table, const Parameters& parameters, bool is_window) {
    for (const Parameters::Entry& entry : parameters.entries()) {
        if (entry.origin != Origin::user) continue;
        const std::string reason = reason_against(entry.spec->name, table, parameters, is_window);
        if (reason.empty()) continue;
        throw UsageError(fmt::format("--{}: {}", entry.spec->name, reason));
    }
}

/// Adds a note for each text left out.
/// Throws: UsageError if the user gave one of them.
void add_notes(Figure& figure, const Parameters& parameters) {
    for (const TextRole role : figure.left_out) {
        const auto [name, option, larger] = part_of(role);
        const bool is_own = option.empty() || !parameters.has(option);
        const std::string remedy = fmt::format(
            "{}{}", larger, parameters.has("font-size") ? ", or --font-size smaller" : "");
        std::string note = fmt::format("{}: does not fit in {:.4g} x {:.4g} in{}; {}", name,
                                       figure.width / figure.dpi, figure.height / figure.dpi,
                                       is_own ? " and is left out" : "", remedy);
        if (!is_own) throw UsageError(note);
        figure.notes.push_back(std::move(note));
    }
}

/// Checks the title of a bare heatmap, which shows no title although an SVG file keeps it.
/// Throws: UsageError if the title is not valid UTF-8.
void check_title(const Figure& figure) {
    try {
        decode_utf8(figure.title);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("--title: {}", error.what()));
    }
}

/// A font, how a viewer finds it, and a note on it for the user, which may be empty.
struct Lettering {
    std::shared_ptr<const Font> font;
    FontFace face;
    std::string note;
};

Lettering lettering_of(const Parameters& figure, Texts texts) {
    if (!figure.has("font")) return {};
    const std::string& given = figure.word("font");
    try {
        const std::shared_ptr<const Font> font = load_font(given);
        return {font, font ? font->face() : FontFace(), ""};
    } catch (const UsageError& error) {
        if (texts == Texts::drawn || names_font_file(given)) throw;
        return {
            nullptr, {given}, fmt::format("{}; the viewer of the file may have it", error.what())};
    }
}

Medium medium_of(const Parameters& parameters, std::shared_ptr<const Font> font, Texts texts) {
    const std::vector<double>& inches = parameters.reals("figsize");
    Medium medium = picture_medium(inches.front(), inches.back(), parameters.real("dpi"),
                                   std::move(font), texts == Texts::written);
    if (parameters.has("font-size")) {
        return with_font_size(std::move(medium), parameters.real("font-size"));
    }
    medium.is_tight = parameters.flag("tight");
    return medium;
}

}  // namespace

bool has_effect(std::string_view option, const Table& table, const Parameters& parameters) {
    return reason_against(option, table, parameters, false).empty();
}

Figure compose_figure(const Table& table, const Parameters& parameters, const Medium& medium) {
    if (table.shape.size() == 0) {
        throw UsageError(
            fmt::format("a table of shape {}: has no values to draw", to_string(table.shape)));
    }
    check_options(table, parameters, medium.is_window);
    const bool lacks_numbers = medium.is_window && parameters.flag("annotate");
    Parameters shown = parameters;
    if (lacks_numbers) shown.resolve("annotate", false);
    Figure figure = plot_of(table, shown).compose(table, shown, medium);
    if (lacks_numbers) {
        figure.notes.emplace_back(
            "--annotate: the cells of a terminal have no room for numbers, which are left out; "
            "use --png or, in a terminal that shows pictures, --show-as");
    }
    figure.theme = theme_of(parameters);
    brighten_on_dark(figure);
    if (figure.is_bare) check_title(figure);
    if (!medium.is_window) add_notes(figure, parameters);
    return figure;
}

Figure compose_figure(const Table& table, const Parameters& parameters, Texts texts,
                      Limits least_limits) {
    Parameters meant = for_purpose(parameters);
    if (is_bare(plot_of(table, meant), meant)) {
        Medium medium{};
        medium.dpi = meant.real("dpi");
        medium.least_limits = least_limits;
        return compose_figure(table, meant, medium);
    }
    const bool is_found = texts == Texts::drawn && !meant.has("font");
    if (is_found) meant = with_found_font(std::move(meant), table);
    Lettering lettering = lettering_of(meant, texts);
    Medium medium = medium_of(meant, lettering.font, texts);
    medium.least_limits = least_limits;
    Figure figure = compose_figure(table, meant, medium);
    figure.font = std::move(lettering.face);
    if (is_found && meant.has("font")) {
        lettering.note = fmt::format(
            "--font: the texts are in {}, which is installed here, since the built-in font lacks "
            "some of their characters",
            meant.word("font"));
    }
    if (!lettering.note.empty()) figure.notes.push_back(std::move(lettering.note));
    return figure;
}

Image draw_figure(const Table& table, const Parameters& parameters) {
    return paint(compose_figure(table, parameters));
}

namespace {

/// Returns pixels left ... right - 1 of rows top ... bottom - 1.
IndexGrid cropped(const IndexGrid& grid, int left, int top, int right, int bottom) {
    IndexGrid part{right - left, bottom - top, {}};
    part.indices.reserve(to_size(part.width) * to_size(part.height));
    for (int y = top; y < bottom; ++y) {
        const auto row = grid.indices.begin() + static_cast<std::ptrdiff_t>(y) * grid.width;
        part.indices.insert(part.indices.end(), row + left, row + right);
    }
    return part;
}

}  // namespace

PlacedGrid body_within_frame(const Panel& panel, IndexGrid body) {
    const PixelArea& area = panel.body;
    assert(body.width == area.width && body.height == area.height);
    // The last column and row of pixels lie under the middle of the frame.
    const auto pixel = [](double edge) { return static_cast<int>(std::floor(edge + 0.5)); };
    const int left = std::max(area.left, pixel(panel.axes.left));
    const int top = std::max(area.top, pixel(panel.axes.top));
    const int right = std::min(area.left + area.width, pixel(panel.axes.right) + 1);
    const int bottom = std::min(area.top + area.height, pixel(panel.axes.bottom) + 1);
    const bool is_whole = right - left == area.width && bottom - top == area.height;
    return {left, top,
            is_whole ? std::move(body)
                     : cropped(body, left - area.left, top - area.top, right - area.left,
                               bottom - area.top)};
}

}  // namespace pegen
