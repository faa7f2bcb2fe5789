#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "encodings/parameters/window.h"
#include "recognition/evidence/attention_array.h"
#include "recognition/evidence/point_grid.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/parameters/drawn_tensor.h"
#include "recognition/relative/free_weights.h"

namespace pegen::recognition {
namespace {

constexpr std::int64_t most_tokens = 1 << 12;

/// Returns the windows with this number of tokens, of images and of videos, with and without a
/// class token, with signed and absolute offsets.
std::vector<encodings::Window> windows_of(std::int64_t tokens) {
    std::vector<encodings::Window> windows;
    const auto add = [&](encodings::Window window) {
        for (const bool is_absolute : {false, true}) {
            window.is_absolute = is_absolute;
            windows.push_back(window);
        }
    };
    for (const bool has_class_token : {false, true}) {
        const std::int64_t places = tokens - (has_class_token ? 1 : 0);
        for (const std::vector<std::int64_t>& grid : evidence::grids_of(places, 3, 1)) {
            const std::int64_t depth = grid[0], height = grid[1], width = grid[2];
            // A video of one row or column is an image of its frames.
            if (depth > 1 && (height == 1 || width == 1)) continue;
            add({height, width, has_class_token, depth});
        }
    }
    return windows;
}

/// True if the window has several rows and columns. In a window of one row or column, the bias
/// depends on the distance alone, which other encodings explain better.
bool has_axes(const encodings::Window& window) { return window.height > 1 && window.width > 1; }

std::vector<Setting> settings_of(const encodings::Window& window) {
    std::vector<Setting> settings{{"height", std::to_string(window.height)},
                                  {"width", std::to_string(window.width)}};
    if (window.depth > 1) settings.push_back({"depth", std::to_string(window.depth)});
    if (window.has_class_token) settings.push_back({"prefix", "cls"});
    if (window.is_absolute) settings.push_back({"offsets", "absolute"});
    if (window.is_key_minus_query) settings.push_back({"sign", "key-query"});
    if (window.is_x_before_y) settings.push_back({"axes", "xy"});
    return settings;
}

/// Returns the window with its offsets numbered in every way: by both signs, in both orders.
std::vector<encodings::Window> numberings_of(encodings::Window window) {
    std::vector<encodings::Window> all;
    for (const bool is_reversed : {false, true}) {
        for (const bool is_x_before_y : {false, true}) {
            if ((is_reversed && window.is_absolute) || (is_x_before_y && !has_axes(window)))
                continue;
            window.is_key_minus_query = is_reversed;
            window.is_x_before_y = is_x_before_y;
            all.push_back(window);
        }
    }
    return all;
}

std::vector<Proposal> recognize_index(const Sample& sample) {
    if (sample.rank() != 2 || sample.extents[0] != sample.extents[1] ||
        sample.extents[0] > most_tokens || !index_extents(sample)) {
        return {};
    }
    const std::int64_t tokens = sample.extents[0];
    const std::int64_t rows = std::min<std::int64_t>(sample.leading, tokens);
    std::vector<double> some(rows * tokens);
    const auto agrees = [&](const encodings::Window& window, std::int64_t count) {
        const auto begin = std::span(some).first(count * tokens);
        encodings::offset_indices(window, DType::float64)({0, count},
                                                          std::as_writable_bytes(begin));
        return std::ranges::equal(begin, std::span(sample.values).first(begin.size()));
    };
    std::vector<Proposal> proposals;
    for (const encodings::Window& of_size : windows_of(tokens)) {
        for (const encodings::Window& window : numberings_of(of_size)) {
            // The first row of absolute offsets is the same for all windows.
            if (!agrees(window, 1) || !agrees(window, rows)) continue;
            proposals.push_back({.table = "index", .settings = settings_of(window)});
        }
    }
    return proposals;
}

/// Returns the weights (offsets, heads) of a bias; none if pairs with the same offset differ.
/// `sample` has the values of all heads in memory.
std::optional<std::vector<double>> weights_of(const Sample& sample, const encodings::Window& window,
                                              std::int64_t heads) {
    const std::int64_t queries = window.queries(), keys = window.keys();
    const Rows offsets = encodings::offset_indices(window, DType::float64);
    std::vector<double> indices(keys);
    std::vector<double> weights(window.offsets() * heads, std::numeric_limits<double>::quiet_NaN());
    // Query by query, because the first queries refute most windows.
    for (std::int64_t query = 0; query < queries; ++query) {
        offsets({query, 1}, std::as_writable_bytes(std::span(indices)));
        for (std::int64_t head = 0; head < heads; ++head) {
            const auto values =
                std::span(sample.values).subspan((head * queries + query) * keys, keys);
            for (std::int64_t key = 0; key < keys; ++key) {
                double& weight = weights[static_cast<std::int64_t>(indices[key]) * heads + head];
                if (std::isnan(weight)) weight = values[key];
                if (weight != values[key]) return {};
            }
        }
    }
    return weights;
}

std::vector<Proposal> recognize_bias(const Sample& sample) {
    const std::int64_t tokens = sample.extents.back();
    const std::int64_t heads = sample.rank() == 3 ? sample.extents[0] : 1;
    if (sample.rank() < 2 || sample.extents[sample.rank() - 2] != tokens || tokens > most_tokens ||
        std::ssize(sample.values) != heads * tokens * tokens ||
        lines_of(sample, {{tokens, tokens}, heads})) {
        return {};
    }
    std::vector<Proposal> proposals;
    for (const encodings::Window& window : windows_of(tokens)) {
        if (!has_axes(window)) continue;
        std::optional<std::vector<double>> weights = weights_of(sample, window, heads);
        if (!weights) continue;
        Proposal proposal{.table = "bias", .settings = settings_of(window)};
        proposal.settings.push_back({"heads", std::to_string(heads)});
        const std::optional<DrawnBy> drawn = drawn_by({.rows = window.offsets(),
                                                       .columns = heads,
                                                       .values = *weights,
                                                       .precision = sample.precision,
                                                       .noise = sample.noise,
                                                       .is_later = true});
        if (drawn) {
            proposals.push_back(proposal);
            append(proposals.back().settings, settings_of(*drawn, "trunc-normal:0,0.02,-2,2"));
        }
        if (!may_be_trained(*weights, heads)) continue;
        proposal.data.push_back(
            {"bias-table", "bias-table.npy",
             evidence::data_table(std::move(*weights), Shape{window.offsets(), heads},
                                  sample.precision)});
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

}  // namespace

/// Returns the proposals for an array as the index, or as a bias by this index, drawn or in a file.
std::vector<Proposal> recognize_swin(const Sample& sample) {
    if (sample.values.empty()) return {};
    const std::vector<Proposal> index = recognize_index(sample);
    return index.empty() ? recognize_bias(sample) : index;
}

}  // namespace pegen::recognition
