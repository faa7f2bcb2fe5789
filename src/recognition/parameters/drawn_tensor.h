#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recognition/evidence/precision.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/seed_search.h"

// By which initializer, after which seed, has PyTorch drawn some numbers?
namespace pegen::recognition {

/// What is known of a tensor (rows, columns) that may have been drawn.
struct DrawnTensor {
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t first = 0;      ///< the element, counted in C order, that values.front() is
    std::vector<double> values;  ///< elements that follow each other; NaN for those not known
    evidence::Precision precision;
    double noise = 0;
    std::int64_t before = 0;  ///< tensors of the same size drawn before
    bool is_later = false;    ///< as later_tensor(); else as initialized_tensor()
};

/// The parameters of encodings that draw.
struct DrawnBy {
    std::string init;  ///< "normal:0,0.02"
    std::int64_t seed;
    std::string_view rng;  ///< "torch" or "torch-scalar"
};

/// Returns what draws the tensor, usually one; none if none of the seeds does, or if less than six
/// elements are known. The usual seeds take some 20 ms; of a tensor with noise, which an array is
/// asked for several times, only popular ones are tried.
std::vector<DrawnBy> drawn_by(const DrawnTensor& tensor,
                              std::span<const std::int64_t> seeds = evidence::usual_seeds());

/// Returns the settings of parameters init, seed and rng that are not the defaults.
std::vector<evidence::Setting> settings_of(const DrawnBy& drawn, std::string_view default_init);

}  // namespace pegen::recognition
