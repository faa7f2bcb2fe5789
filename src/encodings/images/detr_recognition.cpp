#include "encodings/images/detr_recognition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "core/dtype.h"
#include "core/to_size.h"
#include "encodings/images/detr_padding.h"
#include "encodings/images/grid_waves.h"
#include "evidence/simple_number.h"
#include "evidence/spacing.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::SimpleNumber;

constexpr double usual_eps = 1e-6;

/// What the longest line of valid pixels of an axis shows.
struct AxisOfImages {
    Measured advance;                 ///< from one valid pixel to the next
    Measured first;                   ///< the position of the first one
    std::int64_t last;                ///< the number of valid pixels
    std::vector<SimpleNumber> bases;  ///< the simplest first; empty if there is one frequency
};

std::vector<SimpleNumber> bases_of(const MeasuredAxis& axis) {
    std::vector<SimpleNumber> bases;
    for (const evidence::Spacing& spacing :
         evidence::spacings(*axis.log_ratio, 2, static_cast<double>(axis.channels), 16)) {
        if (spacing.shift.value == 0) bases.push_back(spacing.base);
    }
    return bases;
}

std::optional<AxisOfImages> measured(const ImageWaves& images, const Padding& padding, int axis) {
    const std::vector<std::int64_t>& pixels = padding.longest[axis];
    if (pixels.size() < 2) return std::nullopt;
    const auto line =
        measured_line({.channels = images.features}, images.pairs(axis, pixels), images.sample);
    if (!line || std::fabs(line->radius.value - 1) > line->radius.error + 0x1p-20) {
        return std::nullopt;
    }
    AxisOfImages found{*line->axis.advance, line->axis.phases.front(), std::ssize(pixels), {}};
    if (line->axis.log_ratio) {
        found.bases = bases_of(line->axis);
        if (found.bases.empty()) return std::nullopt;
        const auto start = start_of(line->axis, found.bases.front().value, 0);
        if (!start) return std::nullopt;
        found.first = *start;
    }
    return found;
}

using Axes = std::array<AxisOfImages, 2>;

bool is_near(const Measured& number, double value) {
    return std::fabs(number.value - value) <= number.error + 0x1p-20 * std::fabs(value);
}

/// The parameters of --normalize, as numbers and as typed.
struct Normalized {
    SimpleNumber scale, offset, eps;
};

SimpleNumber simplest(const Measured& number) { return evidence::simple_numbers(number).front(); }

/// Returns --eps by two lines of different length: advance (last + eps) is the same in both.
std::optional<Measured> eps_of(const AxisOfImages& a, const AxisOfImages& b) {
    const double difference = a.advance.value - b.advance.value;
    if (a.last == b.last || difference == 0) return std::nullopt;
    const auto last_a = static_cast<double>(a.last), last_b = static_cast<double>(b.last);
    const double eps = (b.advance.value * last_b - a.advance.value * last_a) / difference;
    const double error =
        2 * (a.advance.error * last_a + b.advance.error * last_b) / std::fabs(difference);
    return Measured{eps, error};
}

/// Returns what --normalize may have, the usual --eps or the usual --scale first.
std::vector<Normalized> normalizations(const Axes& axes) {
    const AxisOfImages& longer = axes[axes[1].last > axes[0].last ? 1 : 0];
    const auto last = static_cast<double>(longer.last);
    const double advance = longer.advance.value;
    const Measured offset{longer.first.value / advance - 1,
                          (longer.first.error + longer.advance.error) / std::fabs(advance)};
    std::vector<Normalized> found;
    const auto add = [&](const Measured& scale, const SimpleNumber& eps) {
        std::vector<SimpleNumber> numbers = evidence::simple_numbers(scale, 2);
        for (const double usual : {2 * std::numbers::pi, 6.28}) {
            if (std::fabs(scale.value - usual) > 4 * scale.error) continue;
            numbers.push_back(simplest({usual, 0}));
        }
        for (SimpleNumber& number : numbers) {
            found.push_back({std::move(number), simplest(offset), eps});
        }
    };
    // Float32 code may lose --eps beside the count.
    const double share = 0x1p-21 + usual_eps / last;
    const auto scale_of = [&](double eps) {
        return Measured{advance * (last + eps),
                        longer.advance.error * last + share * std::fabs(advance * last)};
    };
    for (const double eps : {usual_eps, 1e-5, 1e-8, 0.0}) {
        add(scale_of(eps), simplest({eps, 0}));
    }
    const auto eps = eps_of(axes[0], axes[1]);
    if (eps && eps->value > 2 * eps->error) add(scale_of(eps->value), simplest(*eps));
    constexpr double turn = 2 * std::numbers::pi;
    const double with_turn = turn / advance - last;
    if (with_turn > 1e-5) {
        add({turn, 1e-12}, simplest({with_turn, turn / advance * longer.advance.error / advance}));
    }
    return found;
}

/// Returns the largest angle of each cell, for Proposal::angle.
std::function<double(std::int64_t, std::int64_t)> angle_of(
    const ImageWaves& images, const Padding& padding, const std::array<double, 2>& bases,
    const std::optional<Normalized>& normalized) {
    auto positions = std::make_shared<std::array<std::vector<float>, 2>>();
    for (const std::size_t axis : {0U, 1U}) {
        for (std::size_t pixel = 0; pixel < padding.is_valid.size(); ++pixel) {
            auto count = static_cast<double>(padding.counts[axis][pixel]);
            if (normalized) {
                const auto last = static_cast<double>(padding.lasts[axis][pixel]);
                count = (count + normalized->offset.value) / (last + normalized->eps.value) *
                        normalized->scale.value;
            }
            (*positions)[axis].push_back(static_cast<float>(std::fabs(count)));
        }
    }
    const std::int64_t channels = 2 * images.features, size = images.height * images.width;
    const bool has_batch = images.sample.rank() == 4;
    return [=, features = images.features](std::int64_t row, std::int64_t column) {
        const std::int64_t element =
            has_batch ? row * channels * size + column : row * size + column;
        const std::int64_t channel = element / size % channels;
        const std::int64_t pixel = element / (channels * size) * size + element % size;
        const std::size_t axis = channel < features ? 0 : 1;
        const double exponent =
            static_cast<double>(channel % features / 2 * 2) / static_cast<double>(features);
        return static_cast<double>((*positions)[axis][to_size(pixel)]) *
               std::pow(bases[axis], -exponent);
    };
}

void add_extents(Proposal& proposal, const ImageWaves& images, const Padding& padding) {
    proposal.settings.push_back({"num-pos-feats", fmt::format("{}", images.features)});
    const bool has_padding = std::ranges::count(padding.is_valid, false) > 0;
    const std::string parts = has_padding ? valid_parts(images, padding) : "";
    if (has_padding && parts.empty()) {
        proposal.data.push_back({"mask", "mask.npy", mask_of(images, padding)});
        return;
    }
    proposal.settings.push_back({"height", fmt::format("{}", images.height)});
    proposal.settings.push_back({"width", fmt::format("{}", images.width)});
    if (has_padding) {
        proposal.settings.push_back({"valid", parts});
    } else if (images.batch > 1) {
        proposal.settings.push_back({"batch", fmt::format("{}", images.batch)});
    }
}

Proposal proposal_of(const ImageWaves& images, const Padding& padding,
                     const std::array<const SimpleNumber*, 2>& bases,
                     const std::optional<Normalized>& normalized) {
    Proposal proposal;
    add_extents(proposal, images, padding);
    const auto [of_y, of_x] = bases;
    if (of_y->value != of_x->value) {
        proposal.settings.push_back({"temperature", of_y->text + "," + of_x->text});
    } else if (of_y->value != 10000) {
        proposal.settings.push_back({"temperature", of_y->text});
    }
    if (normalized) {
        proposal.settings.push_back({"normalize", "true"});
        if (normalized->scale.value != 2 * std::numbers::pi) {
            proposal.settings.push_back({"scale", normalized->scale.text});
        }
        if (normalized->offset.value != 0) {
            proposal.settings.push_back({"offset", normalized->offset.text});
        }
        if (normalized->eps.value != usual_eps) {
            proposal.settings.push_back({"eps", normalized->eps.text});
        }
    }
    proposal.angle = angle_of(images, padding, {of_y->value, of_x->value}, normalized);
    return proposal;
}

/// Returns the temperatures of y and x: one that both may have, or one for each.
std::vector<std::array<const SimpleNumber*, 2>> temperatures(const Axes& axes) {
    static const SimpleNumber usual{"10000", 10000, 0};
    if (axes[0].bases.empty()) return {{&usual, &usual}};
    std::vector<std::array<const SimpleNumber*, 2>> found;
    for (const SimpleNumber& of_y : axes[0].bases) {
        const auto of_x = std::ranges::find(axes[1].bases, of_y.value, &SimpleNumber::value);
        if (of_x != axes[1].bases.end() && found.size() < 2) found.push_back({&of_y, &*of_x});
    }
    const std::array<const SimpleNumber*, 2> simplest{&axes[0].bases.front(),
                                                      &axes[1].bases.front()};
    const bool is_new = std::ranges::none_of(found, [&](const auto& bases) {
        return bases[0]->value == simplest[0]->value && bases[1]->value == simplest[1]->value;
    });
    if (is_new) found.push_back(simplest);
    return found;
}

std::vector<Proposal> recognized(const ImageWaves& images) {
    const Padding padding = padding_of(images);
    const auto of_y = measured(images, padding, 0), of_x = measured(images, padding, 1);
    if (!of_y || !of_x) return {};
    const Axes axes{*of_y, *of_x};
    const bool is_counted = std::ranges::all_of(axes, [](const AxisOfImages& axis) {
        return is_near(axis.advance, 1) && is_near(axis.first, 1);
    });
    std::vector<std::optional<Normalized>> forms;
    if (is_counted) {
        forms.push_back(std::nullopt);
    } else {
        for (Normalized& normalized : normalizations(axes)) forms.push_back(std::move(normalized));
    }
    std::vector<Proposal> proposals;
    for (const auto& bases : temperatures(axes)) {
        for (const auto& form : forms) {
            proposals.push_back(proposal_of(images, padding, bases, form));
        }
    }
    return proposals;
}

}  // namespace

std::vector<Proposal> recognize_detr(const Sample& array) {
    const int rank = array.rank();
    if ((rank != 3 && rank != 4) || !is_floating(array.table.dtype)) return {};
    if (array.leading != array.extents.front()) return {};
    const std::vector<std::int64_t>& extents = array.extents;
    const std::int64_t channels = extents[to_size(rank - 3)];
    if (channels % 4 != 0) return {};
    const ImageWaves images{array, rank == 4 ? extents[0] : 1, channels / 2,
                            extents[to_size(rank - 2)], extents[to_size(rank - 1)]};
    // The first pixels are enough to refuse most arrays.
    for (const int axis : {0, 1}) {
        for (std::int64_t pixel = 0; pixel < std::min<std::int64_t>(images.pixels(), 4); ++pixel) {
            const double sine = images.value(axis * images.features, pixel);
            const double cosine = images.value(axis * images.features + 1, pixel);
            const double error = 8 * array.error_of(1);
            if (!(std::fabs(sine * sine + cosine * cosine - 1) <= error)) return {};
        }
    }
    return recognized(images);
}

}  // namespace pegen::encodings
