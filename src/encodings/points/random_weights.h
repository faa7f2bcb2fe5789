#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "encodings/parameters/generator.h"
#include "encodings/parameters/initializer.h"
#include "files/array_file.h"

// The drawn matrix and phases of random Fourier features.
namespace pegen::encodings {

inline constexpr ParameterSpec weights_parameter{
    .name = "weights",
    .type = ParameterType::path,
    .summary = "NPY file, or FILE:NAME in a checkpoint: the matrix, instead of a drawn one"};

inline constexpr ParameterSpec weight_order_parameter{
    .name = "weight-order",
    .type = ParameterType::word,
    .default_value = "ak",
    .choices = "ak ka",
    .summary = "the matrix has a row for each axis (ak), or for each frequency (ka)"};

inline constexpr ParameterSpec weight_scale_parameter{
    .name = "weight-scale",
    .default_value = "1",
    .summary = "factor for the drawn matrix, in float32"};

inline constexpr ParameterSpec in_disc_parameter{
    .name = "in-disc",
    .type = ParameterType::flag,
    .summary =
        "shorten the normals of each frequency, which are two, so that they are uniform in a "
        "disc of radius --weight-scale",
    .is_rare = true};

inline constexpr ParameterSpec phases_parameter{
    .name = "phases",
    .type = ParameterType::path,
    .summary = "NPY file, or FILE:NAME: a phase for each frequency, in turns of --freq-scale"};

inline constexpr ParameterSpec phase_init_parameter{
    .name = "phase-init",
    .type = ParameterType::text,
    .default_value = "none",
    .summary = "distribution of the phases, which are drawn after the matrix, as of --init"};

inline constexpr ParameterSpec skip_parameter{
    .name = "skip",
    .type = ParameterType::integer,
    .default_value = "0",
    .range = {.lowest = 0, .highest = 1 << 30},
    .summary = "number of draws of 32 bits that PyTorch's other tensors took before the matrix"};

/// Where the weights and the phases come from.
struct RandomWeights {
    std::int64_t axes;
    std::int64_t frequencies;
    bool is_axis_first;                   ///< of the matrix
    std::optional<ArrayFile> matrix;      ///< none: drawn
    std::optional<ArrayFile> phase_list;  ///< none: drawn, or no phases
    Initializer initializer;
    std::optional<Initializer> phase_initializer;
    bool is_in_disc;
    double scale;
    std::int64_t seed;
    std::int64_t skip;
    Generator generator;

    bool has_phases() const { return phase_list || phase_initializer; }
};

/// Reads the parameters, of which --weights has a say in `frequencies` if that is 0: then its file
/// says how many there are. Throws: UsageError; FileError and FormatError for files.
RandomWeights random_weights_of(const Parameters& parameters, std::int64_t axes,
                                std::int64_t frequencies);

/// Returns the weights of each axis, one for each frequency. Those that NumPy draws are rounded to
/// float32 first. Throws: FileError, FormatError.
std::vector<std::vector<double>> weights_of(const RandomWeights& weights);

/// Returns the phases, zeros if there are none, likewise. Throws: FileError, FormatError.
std::vector<double> phases_of(const RandomWeights& weights);

}  // namespace pegen::encodings
