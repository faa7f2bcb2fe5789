// The figure of 128 channels and 400 positions, and the parts of its time.

#include <benchmark/benchmark.h>

#include "figure/figure.h"
#include "files.h"
#include "formats/png.h"
#include "tables.h"

namespace pegen::bench {
namespace {

Table table() { return sinusoid(128, 400, DType::float32); }

Image draw() { return draw_figure(table(), Parameters(figure_parameters())); }

double seconds_to_draw() {
    return seconds([] { benchmark::DoNotOptimize(draw()); });
}

double seconds_to_make() { return seconds_to_write(table(), formats::png, "/dev/null"); }

void figure_draw(benchmark::State& state) {
    measure(state, "whole figure to /dev/null", seconds_to_draw, seconds_to_make);
}

void figure_encode(benchmark::State& state) {
    const Image image = draw();
    measure(
        state, "whole figure to /dev/null",
        [&] { return seconds([&] { benchmark::DoNotOptimize(encode_png(image, {})); }); },
        seconds_to_make);
}

BENCHMARK(figure_draw)
    ->Name("figure, draw (table included), d 128, len 400")
    ->Iterations(20)
    ->UseManualTime();
BENCHMARK(figure_encode)
    ->Name("figure, encode as PNG, d 128, len 400")
    ->Iterations(20)
    ->UseManualTime();

}  // namespace
}  // namespace pegen::bench
