#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The code bases' arithmetic in float64, with the matrices that PyTorch 1.13 and NumPy 1.24 draw.
// clang-format off
constexpr PresetSample samples[] = {
    {"alphafold3-fourier",
     {-0.8326109603662936, 0.6879711885680145, 0.9755509172788653, 0.30498843655465574, 0.9993810012496294, -0.9019461684732357}},
    {"edm-fourier --seed 3 --width 9 --d 40",
     {1.0, -0.9201491343144741, -0.9611792815592115, -0.36545892098068644, -0.9994901104361676, 0.4988561840319538}},
    {"giraffe-gauss --depth 4 --height 4 --width 4",
     {-0.13618776487723255, 0.5464732699810724, 0.9397378137457547, 0.9252300492236365, -0.9808112820062587, 0.17587462965720324}},
    {"k-diffusion --width 9 --d 40",
     {1.0, 0.9806965266928755, 0.04219233628724948, 0.9942717137573317, -0.5614353624214641, -0.9843769009763425}},
    {"sam --height 5 --width 7 --d 16",
     {0.4996935701609978, 0.2584589210291487, -0.8324313349892257, 0.9872894380370275, 0.5067664252740078, -0.9730981700913898}},
    {"score-sde-fourier --width 9 --d 40",
     {-0.0, 0.007270615389383304, 0.780533302082504, -0.1421056282689455, -0.9936075013246223, -0.9524425946111333}},
    {"stylegan3 --height 5 --width 7 --d 16",
     {-0.4123113233519122, -0.933929273381872, 0.5051873677680513, -0.20823559106439873, -0.7219508265698007, 0.9936623667014058}},
};
// clang-format on

}  // namespace

TEST_CASE("random-fourier: each preset gives the values of the code base it is named after") {
    check_presets("random-fourier", samples);
}
