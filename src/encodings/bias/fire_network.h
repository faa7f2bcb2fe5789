#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "evidence/simple_number.h"

// The network by which FIRE makes a bias of a normalized distance.
namespace pegen::encodings {

/// Two layers, 1 -> width -> heads, as torch.nn.Linear draws them.
struct FireNetwork {
    std::int64_t width;
    std::vector<double> w1, b1;
    std::vector<double> w2;  ///< (heads, width)
    std::vector<double> b2;

    double at(double x, std::int64_t head) const;
};

/// Draws the weights of a seed.
FireNetwork fire_network(std::int64_t seed, std::int64_t width, std::int64_t heads);

/// Returns the input between 0 and 1 for which the network has these biases, one for each head, up
/// to `error`; none if it has them nowhere.
std::optional<evidence::Measured> input_for(const FireNetwork& network,
                                            const std::vector<double>& biases, double error);

}  // namespace pegen::encodings
