#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recognition/evidence/precision.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/seed_search.h"

// A search for the initializer and the seed with which PyTorch drew a tensor.
namespace pegen::recognition {

/// The known elements of a tensor (rows, columns) that may have been drawn.
struct DrawnTensor {
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t first = 0;          ///< index of values.front() in the tensor, in C order
    std::span<const double> values;  ///< consecutive elements; NaN for unknown ones
    evidence::Precision precision;
    double noise = 0;
    std::int64_t before = 0;  ///< number of tensors of the same size drawn before
    bool is_later = false;    ///< drawn as in later_tensor(), else initialized_tensor()
};

/// The parameters init, seed and rng with which an encoding draws.
struct DrawnBy {
    std::string init;  ///< "normal:0,0.02"
    std::int64_t seed;
    std::string_view rng;  ///< "torch" or "torch-scalar"
};

/// Returns the parameters that draw the tensor; none if no seed fits, or if fewer than six elements
/// are known. For a tensor with noise, which is tried several times for an array, only popular
/// seeds are tried.
std::optional<DrawnBy> drawn_by(const DrawnTensor& tensor,
                                std::span<const std::int64_t> seeds = evidence::usual_seeds());

/// Returns the settings of init, seed and rng that differ from the defaults.
std::vector<Setting> settings_of(const DrawnBy& drawn, std::string_view default_init);

}  // namespace pegen::recognition
