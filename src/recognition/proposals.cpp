#include "recognition/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "encodings/registry.h"
#include "inspect/fitted.h"
#include "recognition/candidate.h"
#include "recognition/evidence/median.h"
#include "recognition/evidence/point_grid.h"
#include "recognition/recognizers.h"
#include "recognition/views.h"

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

}  // namespace pegen::recognition
