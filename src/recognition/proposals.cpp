#include "recognition/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "encodings/registry.h"
#include "inspect/fitted.h"
#include "numerics/interpolation.h"
#include "recognition/agreement.h"
#include "recognition/candidate.h"
#include "recognition/evidence/distribution.h"
#include "recognition/evidence/point_grid.h"
#include "recognition/recognizers.h"
#include "recognition/views.h"
#include "rows/arranged.h"
#include "rows/resized.h"

namespace pegen::recognition {
namespace {

/// Returns how much the values of each column change from row to row, as the median over some rows:
/// less than the column's frequency, but at least half of it.
std::vector<double> changes_of(const Sample& array) {
    const std::int64_t columns = array.rank() == 1 ? 1 : array.extents.back();
    const std::int64_t rows = std::ssize(array.values) / columns;
    constexpr std::int64_t enough = 256;
    std::vector<double> changes;
    for (std::int64_t column = 0; column < columns; ++column) {
        std::vector<double> steps{0};
        for (std::int64_t row = 1; row < std::min(rows, enough); ++row) {
            const std::size_t place = row * columns + column;
            const double step = array.values[place] - array.values[place - columns];
            if (std::isfinite(step)) steps.push_back(std::abs(step));
        }
        changes.push_back(evidence::median(std::move(steps)));
    }
    return changes;
}

/// Returns the approximate angles of a table along positions; null for other tables.
std::function<double(std::int64_t, std::int64_t)> angle_of(const Plan& plan, const TableSpec& table,
                                                           const Sample& array,
                                                           const std::vector<double>& changes) {
    const auto axis = std::ranges::find_if(plan.axes, [](const Axis& candidate) {
        return candidate.kind == AxisKind::position || candidate.kind == AxisKind::point ||
               candidate.kind == AxisKind::pixel;
    });
    if (axis == plan.axes.end() || !is_floating(table.dtype)) return nullptr;
    const bool is_first =
        plan.shape[static_cast<int>(axis - plan.axes.begin())] == array.extents.front();
    const bool is_sequence = axis->kind == AxisKind::position && is_first;
    const auto largest = static_cast<double>(*std::ranges::max_element(array.extents));
    return [=, positions = *axis, columns = std::ssize(changes)](std::int64_t row,
                                                                 std::int64_t column) {
        const double position = is_sequence ? position_at(positions, row).value_or(0) : largest;
        return 2 * changes[column % columns] * position;
    };
}

/// Returns the plan of a table; none if the encoding refuses the parameters.
std::optional<Plan> planned(const Encoding& encoding, const Parameters& parameters,
                            const TableSpec& table) {
    try {
        return plan_of(encoding, parameters, table.name);
    } catch (const Error&) {
        return {};
    }
}

/// The parameters that set extents: kept as they are, or fitted to a table's shape.
enum class ExtentsAre { given, fitted };

/// Adds each table of the encoding that has these extents with these parameters.
void add_tables(std::vector<Candidate>& candidates, const Encoding& encoding,
                const Parameters& parameters, const std::vector<std::int64_t>& extents,
                ExtentsAre extents_are) {
    for (const TableSpec& table : encoding.tables) {
        const Parameters own = extents_are == ExtentsAre::fitted
                                   ? fitted(encoding, table, parameters, Shape(extents))
                                   : parameters;
        // Wider rows are biases for keys, or an array that is transposed.
        constexpr std::int64_t widest = 1 << 14;
        if (own.knows("d") && own.has("d") && own.integer("d") > widest) continue;
        const std::optional<Plan> plan = planned(encoding, own, table);
        if (!plan || squeezed(plan->shape.extents()) != extents) continue;
        candidates.push_back(candidate_of(encoding, table, own));
    }
}

/// Returns the candidates with the angles that the array shows.
std::vector<Candidate> with_angles(std::vector<Candidate> candidates, const Sample& array) {
    const std::vector<double> changes = changes_of(array);
    for (Candidate& candidate : candidates) {
        const auto plan = planned(*candidate.encoding, candidate.parameters, *candidate.table);
        candidate.proposal.angle = angle_of(plan.value(), *candidate.table, array, changes);
    }
    return candidates;
}

bool is_of_images(const Encoding& encoding) {
    const Parameters parameters(encoding.parameters);
    return parameters.knows("height") && parameters.knows("width");
}

/// Returns the parameters with every height and width that give this number of tokens of `d`
/// channels, if neither is more than 16 times the other; nothing if the encoding has no height and
/// width.
std::vector<Parameters> of_images(const Encoding& encoding, Parameters parameters,
                                  std::int64_t tokens, std::int64_t d) {
    std::vector<Parameters> all;
    if (!is_of_images(encoding)) return all;
    // A preset that turns all channels of a model is wider than heads are.
    constexpr std::int64_t widest_head = 1024;
    if (encoding.name == "rope-grid" && d > std::max(widest_head, parameters.integer("d"))) {
        return all;
    }
    // The width of heads that are rotated is set by the model and is no extent of a table.
    if (parameters.knows("d")) parameters.set("d", fmt::format("{}", d), Origin::user);
    constexpr std::int64_t longest = 16;  // spectrograms are longer than pictures
    for (const std::vector<std::int64_t>& grid : evidence::grids_of(tokens, 2)) {
        if (std::max(grid[0], grid[1]) > longest * std::min(grid[0], grid[1])) continue;
        Parameters image = parameters;
        try {
            image.set("height", fmt::format("{}", grid[0]), Origin::user);
            image.set("width", fmt::format("{}", grid[1]), Origin::user);
        } catch (const UsageError&) {
            continue;  // no encoding makes so wide an image
        }
        all.push_back(std::move(image));
    }
    return all;
}

/// True if the values are by a formula that the user writes: the default one is an example.
bool has_formula_of_its_own(const Parameters& parameters) { return parameters.knows("value"); }

/// Calls `propose` with each encoding and its defaults, and with each preset's, several at a time.
/// Returns all candidates, the encodings' first.
std::vector<Candidate> from_all_presets(
    const std::function<void(const Encoding&, const Parameters&, std::vector<Candidate>&)>&
        propose) {
    const std::span<const Encoding* const> encodings = all_encodings();
    const std::span<const Preset> presets = all_presets();
    const std::int64_t count = std::ssize(encodings);
    std::vector<std::vector<Candidate>> found(count + std::ssize(presets));
    parallel_for(std::ssize(found), [&](std::int64_t i) {
        if (i < count) {
            const Parameters defaults(encodings[i]->parameters);
            if (!has_formula_of_its_own(defaults)) propose(*encodings[i], defaults, found[i]);
        } else {
            const Preset& preset = presets[i - count];
            propose(*preset.encoding, parameters_of(preset), found[i]);
        }
    });
    std::vector<Candidate> all;
    for (std::vector<Candidate>& some : found) {
        std::ranges::move(some, std::back_inserter(all));
    }
    return all;
}

std::vector<Candidate> fitted_to(const std::vector<std::int64_t>& extents) {
    return from_all_presets([&](const Encoding& encoding, const Parameters& parameters,
                                std::vector<Candidate>& candidates) {
        add_tables(candidates, encoding, parameters, extents, ExtentsAre::fitted);
    });
}

}  // namespace

std::vector<Candidate> recognized(const Sample& array, const Progress& progress) {
    const std::span<const Recognizer> recognizers = all_recognizers();
    std::vector<std::vector<Proposal>> proposals(recognizers.size());
    parallel_for(std::ssize(recognizers), [&](std::int64_t i) {
        progress(0, 0);
        proposals[i] = recognizers[i].recognize(array);
    });
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < recognizers.size(); ++i) {
        const Encoding& encoding = *find_encoding(recognizers[i].encoding);
        for (const Proposal& proposal : proposals[i]) {
            if (auto candidate = candidate_of(encoding, proposal)) {
                candidates.push_back(std::move(*candidate));
            }
        }
    }
    return candidates;
}

std::vector<Candidate> fitted_presets(const Sample& array) {
    return with_angles(fitted_to(array.extents), array);
}

std::vector<Candidate> FittedPresets::of(const Sample& array) {
    const auto [place, is_new] = known_.try_emplace(array.extents);
    if (is_new) place->second = fitted_to(array.extents);
    return with_angles(place->second, array);
}

std::vector<Candidate> fitted_layouts(const Sample& array) {
    std::vector<Candidate> candidates;
    for (const Encoding* encoding : all_encodings()) {
        const auto layout = std::ranges::find(encoding->parameters, "layout", &ParameterSpec::name);
        if (layout == encoding->parameters.end() || layout->type != ParameterType::word) continue;
        for (const std::string_view choice : words(layout->choices)) {
            Parameters parameters(encoding->parameters);
            parameters.set("layout", choice, Origin::user);
            add_tables(candidates, *encoding, parameters, array.extents, ExtentsAre::fitted);
        }
    }
    return with_angles(std::move(candidates), array);
}

std::vector<Candidate> fitted_images(const Sample& array) {
    constexpr std::int64_t most_tokens = 1 << 16;
    if (array.rank() != 2 || array.extents.front() > most_tokens) return {};
    std::vector<Candidate> images = from_all_presets(
        [&](const Encoding& encoding, Parameters parameters, std::vector<Candidate>& candidates) {
            // The table may be with or without a class token, or with DeiT's two.
            for (const std::int64_t prefix : {0, 1, 2}) {
                if (parameters.knows("prefix-rows")) {
                    parameters.set("prefix-rows", fmt::format("{}", prefix), Origin::user);
                }
                const std::int64_t tokens = array.extents.front() - prefix;
                for (const Parameters& image :
                     of_images(encoding, parameters, tokens, array.extents.back())) {
                    add_tables(candidates, encoding, image, array.extents, ExtentsAre::given);
                }
            }
        });
    return with_angles(std::move(images), array);
}

std::vector<Candidate> fitted_originals(std::int64_t prefix,
                                        const std::array<std::int64_t, 2>& grid, std::int64_t d) {
    const bool is_sequence = grid[1] == 1;
    const std::vector<std::int64_t> extents{prefix + grid[0] * grid[1], d};
    return from_all_presets(
        [&](const Encoding& encoding, Parameters parameters, std::vector<Candidate>& candidates) {
            if (is_of_images(encoding) == is_sequence || parameters.knows("seed")) return;
            const auto set = [&](std::string_view name, std::int64_t number) {
                if (!parameters.knows(name)) return;
                parameters.set(name, fmt::format("{}", number), Origin::user);
            };
            set("d", d);
            set("len", grid[0]);
            set("height", grid[0]);
            set("width", grid[1]);
            if (prefix > 0) set("prefix-rows", prefix);
            add_tables(candidates, encoding, parameters, extents, ExtentsAre::given);
            std::erase_if(candidates, [](const Candidate& candidate) {
                return !is_floating(candidate.table->dtype);
            });
        });
}

namespace {

using numerics::Interpolation;

/// The height and the width of a grid; a sequence has the width 1.
using Extents = std::array<std::int64_t, 2>;

/// A grid of points, row by row, behind `prefix` other rows of a table.
struct Points {
    std::int64_t prefix;
    Extents extents;

    std::int64_t row(std::int64_t y, std::int64_t x) const { return prefix + y * extents[1] + x; }
    bool is_sequence() const { return extents[1] == 1; }
};

std::string text_of(const Points& points) {
    return points.is_sequence() ? fmt::format("{}", points.extents[0])
                                : fmt::format("{}x{}", points.extents[0], points.extents[1]);
}

/// Rows of a table (rows, d), each of which is read once.
class ReadRows {
  public:
    explicit ReadRows(Table table) : table_(std::move(table)) {}

    const std::vector<double>& at(std::int64_t row) {
        const auto [place, is_new] = read_.try_emplace(row);
        if (is_new) place->second = read_rows(table_, {row, 1});
        return place->second;
    }

  private:
    Table table_;
    std::map<std::int64_t, std::vector<double>> read_;
};

/// Returns the table as (rows, d).
Table flattened(const Table& table, std::int64_t d) {
    const std::int64_t count = table.shape.size() / d;
    return reshaped(table, {count, d});
}

/// A way to resize that some code bases share.
struct Way {
    Parameters options;
    bool is_of_sequences;
    std::vector<const rows::ResizingCodeBase*> code_bases{};
};

bool are_alike(const Parameters& a, const Parameters& b) {
    return std::ranges::all_of(a.entries(), [&](const Parameters::Entry& entry) {
        const std::string_view name = entry.spec->name;
        return name == "axes" || name == "prefix" || are_same(entry.value, b.value(name));
    });
}

/// Returns the ways to resize a table of an encoding. Tables of windows hold trained numbers; the
/// beginning of a table, and a table that is repeated, are recognized by their positions.
std::vector<Way> all_ways() {
    std::vector<Way> ways;
    for (const rows::ResizingCodeBase& code_base : rows::resizing_code_bases) {
        const Parameters p = rows::parameters_of(code_base);
        if (p.flag("window") || has_word("crop repeat", p.word("kernel"))) continue;
        const bool is_of_sequences = p.word("axes") == "sequence";
        auto way = std::ranges::find_if(ways, [&](const Way& known) {
            return known.is_of_sequences == is_of_sequences && are_alike(known.options, p);
        });
        if (way == ways.end()) way = ways.insert(way, {p, is_of_sequences});
        way->code_bases.push_back(&code_base);
    }
    return ways;
}

/// Returns how much values of a row may be off that are computed in double from rounded ones.
double tolerance_of(const std::vector<double>& row, const Sample& array) {
    return (1e-4 + 4 * evidence::unit_of(1, array.precision)) * evidence::largest_magnitude(row);
}

bool are_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    return std::ranges::equal(a, b,
                              [=](double x, double y) { return std::abs(x - y) <= tolerance; });
}

/// Returns some points that a wrong grid, or a wrong way to resize, does not get right.
std::vector<Extents> tried_points(const Extents& extents) {
    const auto [height, width] = extents;
    return {{1, width / 3}, {height / 2, width / 2}, {height - 2, width - 1}};
}

/// True if every channel depends on y alone or on x alone, as resizing leaves it.
bool is_grid(ReadRows& array, const Points& points, const Sample& sample) {
    return std::ranges::all_of(tried_points(points.extents), [&](const Extents& point) {
        const auto [y, x] = point;
        const std::vector<double>& here = array.at(points.row(y, x));
        const std::vector<double>& of_y = array.at(points.row(y, 0));
        const std::vector<double>& of_x = array.at(points.row(0, x));
        const double tolerance = tolerance_of(here, sample);
        for (std::size_t i = 0; i < here.size(); ++i) {
            const double off = std::min(std::abs(here[i] - of_y[i]), std::abs(here[i] - of_x[i]));
            if (!(off <= tolerance)) return false;
        }
        return true;
    });
}

/// Returns the grids, and the sequence, that the array's rows may be.
std::vector<Points> points_of(ReadRows& rows, const Sample& array) {
    std::vector<Points> all;
    if (array.rank() == 3) {
        all = {{0, {array.extents[0], array.extents[1]}}};
    } else {
        constexpr std::int64_t most_prefix = 5;
        for (std::int64_t prefix = 0; prefix <= most_prefix; ++prefix) {
            for (const auto& grid : evidence::grids_of(array.extents[0] - prefix, 2)) {
                // Images are at most four times as high as wide, or as wide as high.
                const bool is_image = grid[0] <= 4 * grid[1] && grid[1] <= 4 * grid[0];
                if (is_image) all.push_back({prefix, {grid[0], grid[1]}});
            }
        }
    }
    std::erase_if(all, [&](const Points& points) { return !is_grid(rows, points, array); });
    if (array.rank() == 2 && array.extents[0] > 2) all.push_back({0, {array.extents[0], 1}});
    return all;
}

/// Returns the sizes that a table may have had before, the largest last.
std::vector<Points> originals_of(const Points& points) {
    std::vector<Points> all;
    if (points.is_sequence()) {
        for (const std::int64_t length :
             {32,  48,  64,  77,  80,  100, 128, 196,  197,  200,  248,  256,  257,  300, 384,
              400, 448, 500, 512, 514, 576, 768, 1000, 1024, 1026, 1500, 2048, 2050, 4096}) {
            all.push_back({0, {length, 1}});
        }
    } else {
        constexpr std::int64_t longest = 64;
        for (std::int64_t side = 2; side <= longest; ++side) {
            all.push_back({points.prefix, {side, side}});
        }
    }
    std::erase_if(all, [&](const Points& original) { return original.extents == points.extents; });
    return all;
}

std::array<Interpolation, 2> axes_of(const Way& way, const Points& from, const Points& to) {
    const auto axis = [&](std::size_t i) {
        return rows::interpolation_of(way.options, i, from.extents[i], to.extents[i]);
    };
    return {axis(0), axis(1)};
}

/// A table of the largest size, whose rows are read when they are needed. Tables of other sizes
/// have rows of it, if positions are counted alike at all sizes.
struct Original {
    Candidate candidate;
    Points points;
    ReadRows rows;
};

/// True if some rows of the array are the original's, of the size `from`, resized.
bool agrees_at_some_points(Original& original, const Points& from, ReadRows& array,
                           const Points& to, const Way& way, const Sample& sample) {
    const std::array<Interpolation, 2> axes = axes_of(way, from, to);
    return std::ranges::all_of(tried_points(to.extents), [&](const Extents& point) {
        const auto [y, x] = point;
        const numerics::Weights of_y = weights_of(axes[0], y), of_x = weights_of(axes[1], x);
        const std::vector<double>& given = array.at(to.row(y, x));
        std::vector<double> made(given.size());
        for (std::size_t i = 0; i < of_y.values.size(); ++i) {
            for (std::size_t j = 0; j < of_x.values.size(); ++j) {
                const double weight = numerics::nearest_double(of_y.values[i]) *
                                      numerics::nearest_double(of_x.values[j]);
                const std::vector<double>& row = original.rows.at(
                    original.points.row(of_y.first + static_cast<std::int64_t>(i),
                                        of_x.first + static_cast<std::int64_t>(j)));
                for (std::size_t c = 0; c < made.size(); ++c) made[c] += weight * row[c];
            }
        }
        return are_near(made, given, tolerance_of(given, sample));
    });
}

/// An original, and a way to make the array of it.
struct Found {
    Candidate candidate;
    Points from;
    Points to;
    const Way* way;
    Agreement agreement{};
};

Table resized(const Table& original, const Found& found, const Sample& array) {
    const Points &from = found.from, &to = found.to;
    const std::int64_t points = from.extents[0] * from.extents[1];
    Table table = array.table;
    table.dtype = original.dtype;
    table.rows = rows::resized(rows::slice(original.rows, {from.prefix, points}),
                               axes_of(*found.way, from, to), original.dtype);
    if (from.prefix > 0) {
        table.rows = rows::concatenated(
            {rows::slice(original.rows, {0, from.prefix}), std::move(table.rows)});
    }
    table.rows = rows::reshaped(table.rows, table.shape.columns());
    return table;
}

/// True if the original, resized, is the whole array; sets the agreement.
bool agrees(Found& found, const Sample& array, const Progress& progress) {
    const std::optional<Table> original = table_of(found.candidate, array.precision);
    if (!original) return false;
    const Table flat = flattened(*original, array.extents.back());
    // PyTorch computes the places in float32, and the original was rounded as the array is.
    const double angle = std::max(8.0, 0x1p20 * evidence::unit_of(1, array.precision));
    const Proposal proposal{.settings = {}, .angle = [=](auto, auto) { return angle; }};
    found.agreement =
        agreement_of(resized(flat, found, array), array, proposal, Scope::whole, progress);
    constexpr double bits_of_resizing = 30;
    return found.agreement.level != Level::none &&
           found.agreement.evidence > found.candidate.bits + bits_of_resizing;
}

/// Returns the candidate with another size.
Candidate original_of(Candidate candidate, const Points& size) {
    const auto set = [&](std::string_view name, std::int64_t number) {
        if (candidate.parameters.knows(name)) candidate.parameters.resolve(name, number);
    };
    set(size.is_sequence() ? "len" : "height", size.extents[0]);
    set("width", size.extents[1]);
    return candidate;
}

/// Returns the sizes of the original, and the ways, that make the array at some points.
std::vector<Found> found_of(Candidate candidate, const std::vector<Points>& sizes, const Points& to,
                            ReadRows array, const std::vector<Way>& ways, const Sample& sample) {
    std::vector<Found> all;
    const std::optional<Table> table = table_of(candidate, sample.precision);
    if (!table) return all;
    Original original{std::move(candidate), sizes.back(),
                      ReadRows(flattened(*table, sample.extents.back()))};
    for (const Points& from : sizes) {
        for (const Way& way : ways) {
            if (way.is_of_sequences != from.is_sequence()) continue;
            if (!agrees_at_some_points(original, from, array, to, way, sample)) continue;
            all.push_back({original_of(original.candidate, from), from, to, &way});
        }
    }
    return all;
}

std::int64_t prefix_of(const rows::ResizingCodeBase& code_base) {
    const Parameters p = rows::parameters_of(code_base);
    return p.has("prefix") ? p.integer("prefix") : 0;
}

/// Says in words, and by a command, how the array is made of the original. Names the code bases
/// whose tables have such axes and as many rows before the grid, if there are any.
std::string how_of(const Found& found, const Sample& array) {
    const Points& to = found.to;
    const std::string_view axes = array.rank() == 3  ? "hwd"
                                  : to.is_sequence() ? "sequence"
                                                     : "tokens";
    std::vector<const rows::ResizingCodeBase*> all = found.way->code_bases;
    const auto keep = [&](const auto& is_alike) {
        if (std::ranges::any_of(all, is_alike)) std::erase_if(all, std::not_fn(is_alike));
    };
    keep([&](const auto* known) { return rows::parameters_of(*known).word("axes") == axes; });
    keep([&](const auto* known) { return prefix_of(*known) == to.prefix; });
    std::vector<std::string_view> names;
    for (const rows::ResizingCodeBase* code_base : all) names.push_back(code_base->name);
    std::string options = fmt::format("--to {} --as {}", text_of(to), names.front());
    if (prefix_of(*all.front()) != to.prefix) options += fmt::format(" --prefix {}", to.prefix);
    if (rows::parameters_of(*all.front()).word("axes") != axes) {
        options += fmt::format(" --axes {}", axes);
    }
    return fmt::format(
        "from {} to {}, as {} do{} it: with the command's table as TABLE.npy, pe-gen apply resize "
        "--x TABLE.npy {}",
        text_of(found.from), text_of(to), joined(names, ", "), names.size() == 1 ? "es" : "",
        options);
}

}  // namespace

std::optional<ResizedTable> find_resized(const Sample& array, const Progress& progress) {
    const bool has_rows = array.rank() == 2 || array.rank() == 3;
    if (!has_rows || !is_floating(array.table.dtype) || array.extents.back() < 2) return {};
    const std::vector<Way> ways = all_ways();
    ReadRows rows(flattened(array.table, array.extents.back()));
    std::vector<Found> all;
    for (const Points& to : points_of(rows, array)) {
        const std::vector<Points> sizes = originals_of(to);
        const std::vector<Candidate> originals =
            fitted_originals(to.prefix, sizes.back().extents, array.extents.back());
        std::vector<std::vector<Found>> found(originals.size());
        parallel_for(std::ssize(originals), [&](std::int64_t i) {
            progress(0, 0);
            found[i] = found_of(originals[i], sizes, to, rows, ways, array);
        });
        for (std::vector<Found>& some : found) all.insert(all.end(), some.begin(), some.end());
    }
    // Several ways are one where antialiasing has nothing to do: that of the rows before the grid.
    std::ranges::stable_sort(all, {}, [](const Found& found) {
        const auto keeps_as_many = [&](const auto* known) {
            return prefix_of(*known) == found.to.prefix;
        };
        return std::pair(found.candidate.bits,
                         std::ranges::none_of(found.way->code_bases, keeps_as_many));
    });
    const auto best =
        std::ranges::find_if(all, [&](Found& found) { return agrees(found, array, progress); });
    if (best == all.end()) return {};
    const Candidate& candidate = best->candidate;
    Table original =
        make_table(*candidate.encoding, *candidate.table, candidate.parameters, array.table.dtype);
    if (array.rank() == 3) {
        const auto [height, width] = best->from.extents;
        original = reshaped(original, {height, width, array.extents.back()});
    }
    return ResizedTable{std::move(original), best->agreement, how_of(*best, array)};
}

}  // namespace pegen::recognition
