#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "encodings/table_of.h"

using namespace pegen;

namespace {

struct Golden {
    const char* command;
    const char* source;
    Shape shape;
    std::int64_t row;
    std::vector<double> values;
};

// Rows of the tables that the named code bases make with PyTorch, in float32.
const std::vector<Golden> goldens{
    {"transformer-xl --len 7 --d 8",
     "kimiyoung/transformer-xl",
     {7, 8},
     0,
     {-0.279415488243103, 0.5646424889564514, 0.059964004904031754, 0.0059999641962349415,
      0.9601702690124512, 0.8253356218338013, 0.998200535774231, 0.9999819993972778}},
    {"transformer-xl --len 7 --d 8",
     "kimiyoung/transformer-xl",
     {7, 8},
     3,
     {0.14112000167369843, 0.29552021622657776, 0.029995499178767204, 0.0029999956022948027,
      -0.9899924993515015, 0.9553365111351013, 0.9995500445365906, 0.9999955296516418}},
    {"transformer-xl --len 12 --d 10 --clamp 5",
     "kimiyoung/transformer-xl",
     {12, 10},
     0,
     {-0.9589242935180664, 0.7120732069015503, 0.12526439130306244, 0.019904037937521935,
      0.003154781414195895, 0.28366219997406006, 0.7021052241325378, 0.9921233654022217,
      0.9998018741607666, 0.9999950528144836}},
    {"transformer-xl --len 12 --d 10 --clamp 5",
     "kimiyoung/transformer-xl",
     {12, 10},
     7,
     {-0.756802499294281, 0.5923377275466919, 0.10030648112297058, 0.01592360995709896,
      0.0025238264352083206, -0.6536436080932617, 0.8056897521018982, 0.9949566125869751,
      0.9998732209205627, 0.9999968409538269}},
    {"xlnet --len 4 --d 6",
     "huggingface/transformers",
     {8, 6},
     0,
     {-0.756802499294281, 0.18459871411323547, 0.00861763022840023, -0.6536436080932617,
      0.9828139543533325, 0.9999628663063049}},
    {"xlnet --len 4 --d 6",
     "huggingface/transformers",
     {8, 6},
     7,
     {-0.14112000167369843, -0.1387980878353119, -0.006463258061558008, -0.9899924993515015,
      0.9903206825256348, 0.9999791383743286}},
    {"conformer --len 4 --d 6",
     "facebookresearch/fairseq",
     {7, 6},
     0,
     {0.14112000167369843, -0.9899924993515015, 0.1387980878353119, 0.9903206825256348,
      0.006463258992880583, 0.9999791383743286}},
    {"conformer --len 4 --d 6",
     "facebookresearch/fairseq",
     {7, 6},
     6,
     {-0.14112000167369843, -0.9899924993515015, -0.1387980878353119, 0.9903206825256348,
      -0.006463258992880583, 0.9999791383743286}},
};

std::vector<double> distances_of(const Table& table) {
    std::vector<double> distances;
    for (std::int64_t row = 0; row < table.shape[0]; ++row) {
        distances.push_back(position_at(table.axes.front(), row).value());
    }
    return distances;
}

}  // namespace

TEST_CASE("transformer-xl: the rows are those of the code bases") {
    for (const Golden& golden : goldens) {
        CAPTURE(golden.command);
        CAPTURE(golden.source);
        CAPTURE(golden.row);
        const Table table = table_of(golden.command);
        CHECK(table.shape == golden.shape);
        const std::vector<double> row = read_rows(table, {golden.row, 1});
        REQUIRE(row.size() == golden.values.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            CHECK(std::fabs(row[i] - golden.values[i]) <= 0x1p-24);
        }
    }
}

TEST_CASE("transformer-xl: distances fall, to 0 or to that of the last key from the first query") {
    const std::string size = "transformer-xl --len 2 --mem-len 3 --d 2";
    CHECK(distances_of(table_of(size)) == std::vector<double>{4, 3, 2, 1, 0});
    CHECK(distances_of(table_of(size + " --range xlnet")) ==
          std::vector<double>{5, 4, 3, 2, 1, 0, -1});
    CHECK(distances_of(table_of(size + " --range full")) == std::vector<double>{4, 3, 2, 1, 0, -1});
}

TEST_CASE("transformer-xl: the rows of larger distances are that of --clamp, on both sides") {
    const std::string size = "transformer-xl --len 9 --d 4 --range full";
    const std::vector<double> free = values_of(size), clamped = values_of(size + " --clamp 3");
    for (std::size_t row = 0; row < 17; ++row) {
        const std::size_t source = std::clamp<std::size_t>(row, 5, 11);
        for (std::size_t channel = 0; channel < 4; ++channel) {
            CHECK(clamped[row * 4 + channel] == free[source * 4 + channel]);
        }
    }
    CHECK(values_of(size + " --clamp 8") == free);
}

TEST_CASE("transformer-xl: causal rows are the sinusoidal encoding upside down, in halves") {
    CHECK(values_of("transformer-xl --len 30 --mem-len 20 --d 12") ==
          values_of("sinusoid --len 50 --d 12 --layout halves --reverse"));
    CHECK(values_of("transformer-xl --len 30 --d 12 --layout interleaved --base 100") ==
          values_of("sinusoid --len 30 --d 12 --base 100 --reverse"));
}
