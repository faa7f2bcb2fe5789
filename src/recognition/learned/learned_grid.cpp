#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "draws/torch/fill.h"
#include "recognition/evidence/point_grid.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/seed_search.h"

namespace pegen::recognition {
namespace {

/// An image (channels, height, width).
struct Image {
    std::int64_t channels;
    std::int64_t height;
    std::int64_t width;
    std::span<const double> values;
    bool is_tokens = false;  ///< the rows of the array are pixels

    double at(std::int64_t channel, std::int64_t y, std::int64_t x) const {
        return values[(channel * height + y) * width + x];
    }
};

/// Returns the transpose of the values (rows, columns).
std::vector<double> transposed(std::span<const double> values, std::int64_t rows,
                               std::int64_t columns) {
    std::vector<double> result;
    for (std::int64_t column = 0; column < columns; ++column) {
        for (std::int64_t row = 0; row < rows; ++row) {
            result.push_back(values[row * columns + column]);
        }
    }
    return result;
}

/// True if the whole array is in memory, and its values may be uniform draws from [0, 1) or sums of
/// two.
bool may_be_drawn(const Sample& sample) {
    constexpr std::int64_t most_extent = 1 << 16;
    const auto is_possible = [](double x) { return x >= 0 && x < 2; };
    return sample.leading == sample.extents[0] && !sample.values.empty() &&
           std::ranges::max(sample.extents) <= most_extent &&
           std::ranges::all_of(sample.values, is_possible);
}

bool is_concatenated(const Image& image) {
    const std::int64_t feats = image.channels / 2;
    if (image.channels % 2 != 0) return false;
    for (std::int64_t c = 0; c < image.channels; ++c) {
        for (std::int64_t y = 0; y < image.height; ++y) {
            for (std::int64_t x = 0; x < image.width; ++x) {
                const double source = c < feats ? image.at(c, 0, x) : image.at(c, y, 0);
                if (image.at(c, y, x) != source) return false;
            }
        }
    }
    return true;
}

/// True if each value is the sum of a value of its column and a value of its row.
bool is_sum(const Image& image) {
    for (std::int64_t c = 0; c < image.channels; ++c) {
        for (std::int64_t y = 0; y < image.height; ++y) {
            for (std::int64_t x = 0; x < image.width; ++x) {
                const double sum = image.at(c, y, 0) + image.at(c, 0, x) - image.at(c, 0, 0);
                if (std::fabs(image.at(c, y, x) - sum) > 0x1p-6) return false;
            }
        }
    }
    return true;
}

constexpr std::int64_t usual_size = 50;

/// A drawn value that an image shows, or its difference to another drawn value.
struct Clue {
    std::size_t window;
    std::int64_t place;
    double value;
};

/// The draws and clues for one way of making the image.
struct Search {
    std::vector<std::int64_t> first_draws;
    std::vector<Clue> clues;
    bool are_differences = false;  ///< clues are window 1 minus window 0
};

/// Returns the search for one way of making the image. Rows are drawn before columns: both after
/// the normal draws with which two nn.Embedding are initialized, or, if `is_each`, each after the
/// normal draws of its own.
Search search_for(const Image& image, std::int64_t max_size, bool is_concat, bool is_each) {
    const std::int64_t feats = is_concat ? image.channels / 2 : image.channels;
    const std::int64_t size = max_size * feats;
    const std::int64_t first = torch::draws_of_normal_fills(is_each ? 1 : 2, size);
    const std::int64_t second = first + size + (is_each ? first : 0);
    Search search;
    const std::int64_t shown = std::min(feats, evidence::window_size);
    if (is_concat) {
        search.first_draws = {first, second};
        for (std::int64_t c = 0; c < shown; ++c) {
            search.clues.push_back({0, c, image.at(feats + c, 0, 0)});
            search.clues.push_back({1, c, image.at(c, 0, 0)});
        }
        return search;
    }
    search.are_differences = true;
    const bool is_along_y = image.height > 1;
    const std::int64_t start = is_along_y ? first : second;
    search.first_draws = {start, start + feats};
    for (std::int64_t c = 0; c < shown; ++c) {
        const double next = is_along_y ? image.at(c, 1, 0) : image.at(c, 0, 1);
        search.clues.push_back({1, c, next - image.at(c, 0, 0)});
    }
    return search;
}

/// Returns the seeds that agree with all clues.
std::vector<std::int64_t> seeds_of(const Search& search, double error,
                                   std::span<const std::int64_t> seeds) {
    return evidence::seeds_with(seeds, search.first_draws, [&](const evidence::SeedDraws& draws) {
        return std::ranges::all_of(search.clues, [&](const Clue& clue) {
            const double other = search.are_differences ? draws.unit(0, clue.place) : 0;
            const double drawn = draws.unit(clue.window, clue.place) - other;
            return std::fabs(drawn - clue.value) <= 0x1p-11 + error;
        });
    });
}

/// Returns the proposals for an image drawn from a usual seed.
std::vector<Proposal> proposals_for(const Image& image, double error) {
    const bool is_concat = is_concatenated(image);
    if (!is_concat && (image.height * image.width == 1 || !is_sum(image))) return {};
    const std::int64_t feats = is_concat ? image.channels / 2 : image.channels;
    const std::int64_t needed = std::max(image.height, image.width);
    std::vector<std::int64_t> sizes{usual_size, needed};
    sizes.insert(sizes.end(), {16, 20, 24, 25, 28, 30, 32, 40, 48, 60, 64, 80, 96, 100, 128, 256});
    for (const std::int64_t max_size : sizes) {
        if (max_size < needed) continue;
        const auto seeds =
            max_size == usual_size ? evidence::usual_seeds() : evidence::popular_seeds();
        std::vector<Proposal> proposals;
        for (const bool is_each : {false, true}) {
            const Search search = search_for(image, max_size, is_concat, is_each);
            for (const std::int64_t seed : seeds_of(search, error, seeds)) {
                Proposal proposal{.settings = {{"num-pos-feats", std::to_string(feats)},
                                               {"height", std::to_string(image.height)},
                                               {"width", std::to_string(image.width)}}};
                if (max_size != usual_size)
                    proposal.settings.push_back({"max-size", std::to_string(max_size)});
                if (!is_concat) proposal.settings.push_back({"combine", "sum"});
                if (is_each) proposal.settings.push_back({"init-order", "each"});
                if (image.is_tokens) proposal.settings.push_back({"view", "tokens"});
                if (seed != 0) proposal.settings.push_back({"seed", std::to_string(seed)});
                proposals.push_back(std::move(proposal));
            }
        }
        if (!proposals.empty()) return proposals;
    }
    return {};
}

}  // namespace

/// Returns the proposals for images drawn from one of the usual seeds.
std::vector<Proposal> recognize_learned_grid(const Sample& sample) {
    if (!may_be_drawn(sample)) return {};
    const std::vector<std::int64_t>& e = sample.extents;
    const double error = 2 * sample.error_of(1);
    if (sample.rank() == 3) return proposals_for({e[0], e[1], e[2], sample.values}, error);
    if (sample.rank() != 2) return {};
    const std::vector<double> values = transposed(sample.values, e[0], e[1]);
    for (const std::vector<std::int64_t>& grid : evidence::grids_of(e[0], 2)) {
        const Image image{e[1], grid[0], grid[1], values, true};
        std::vector<Proposal> proposals = proposals_for(image, error);
        if (!proposals.empty()) return proposals;
    }
    return {};
}

}  // namespace pegen::recognition
