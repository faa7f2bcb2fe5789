#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/names.h"
#include "core/shape.h"
#include "encodings/drawn/draws.h"
#include "recognition/identify.h"
#include "recognition/identify/array.h"
#include "recognition/identify/conventions.h"
#include "recognition/identify/trial.h"

using namespace pegen;
using namespace pegen::trials;

namespace {

using Cell = std::function<double(std::int64_t row, std::int64_t column)>;

Array filled(std::int64_t rows, std::int64_t columns, const Cell& cell) {
    Array array{{rows, columns}, DType::float32, {}};
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
            array.values.push_back(cell(row, column));
        }
    }
    return rounded_to(array, array.dtype);
}

/// The weights of attention: the softmax of random scores, each row for itself.
Array attention_weights(std::int64_t length, Random& random) {
    std::normal_distribution<double> normal;
    Array array = filled(length, length, [&](auto query, auto key) {
        return key > query ? 0 : std::exp(1.5 * normal(random));
    });
    for (std::int64_t row = 0; row < length; ++row) {
        const auto begin = array.values.begin() + row * length;
        double sum = 0;
        for (auto value = begin; value != begin + length; ++value) sum += *value;
        for (auto value = begin; value != begin + length; ++value) *value /= sum;
    }
    return rounded_to(array, array.dtype);
}

/// A table of a video whose rows were moved along the height of each frame.
Array rolled_video() {
    Array array = trial_of(command_of("rope-grid --depth 2 --height 6 --width 8 --d 24")).array;
    const std::int64_t row = 8 * array.columns(), frame = 6 * row, moved = 2 * row;
    for (const std::int64_t first : {std::int64_t{0}, frame}) {
        const auto begin = array.values.begin() + first;
        std::rotate(begin, begin + moved, begin + frame);
    }
    return array;
}

/// Cosines of channels that turn by three lists of positions, as those of text and images do.
Array three_lists(Random& random) {
    std::uniform_real_distribution<double> position(0, 200);
    std::vector<double> positions;
    for (int i = 0; i < 36; ++i) positions.push_back(std::floor(position(random)));
    return filled(12, 20, [&](auto row, auto column) {
        const auto pair = column % 10;
        return std::cos(positions[3 * row + pair % 3] *
                        std::pow(1e6, -static_cast<double>(pair) / 10));
    });
}

}  // namespace

TEST_CASE("identify: says what it tries, and tries no more once it has an answer") {
    const auto tried = [](const Array& array) {
        std::vector<std::string> stages;
        recognition::identify(table_of(array), ignore_progress,
                              [&](std::string_view stage) { stages.emplace_back(stage); });
        return stages;
    };
    const std::vector<std::string> of_table = tried(filled(40, 8, [](auto row, auto column) {
        const double angle = static_cast<double>(row) * std::pow(10, -(column / 2));
        return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }));
    CHECK(of_table.back() == "the array as it is");
    const std::vector<std::string> of_saw = tried(filled(40, 6, [](auto row, auto column) {
        return static_cast<double>((row * 17 + column * column * 5) % 23);
    }));
    CHECK(std::ranges::equal(of_table, std::span(of_saw).first(of_table.size())));
    CHECK(of_saw.back() == "the nearest table");
}

TEST_CASE("identify: angles that code repeats for the two channels of a pair") {
    const auto answer_to = [](const std::function<std::int64_t(std::int64_t)>& pair_of) {
        return recognition::identify(table_of(filled(300, 64, [&](auto row, auto column) {
            return static_cast<double>(row) *
                   std::pow(10000.0, -static_cast<double>(pair_of(column)) / 32);
        })));
    };
    const auto halves = answer_to([](std::int64_t column) { return column % 32; });
    REQUIRE(halves.found);
    CHECK(joined(halves.found->command, " ") == "pe-gen rope --table angles --len 300 --d 64");
    CHECK(halves.found->notes ==
          std::vector<std::string>{"the array has each channel twice: channel "
                                   "m + 32 is channel m"});
    const auto neighbours = answer_to([](std::int64_t column) { return column / 2; });
    REQUIRE(neighbours.found);
    CHECK(neighbours.found->command == halves.found->command);
    CHECK(
        neighbours.found->notes ==
        std::vector<std::string>{"the array has each channel twice: channel 2m + 1 is channel 2m"});
    CHECK_FALSE(answer_to([](std::int64_t column) { return column % 31; }).found);
}

TEST_CASE("identify: cosines and sines that are stacked are two tables of one command") {
    const auto stacked = [](const std::string& first, const std::string& second) {
        Array both = trial_of(command_of(first)).array;
        const Array other = trial_of(command_of(second)).array;
        both.extents.insert(both.extents.begin(), 2);
        both.values.insert(both.values.end(), other.values.begin(), other.values.end());
        return recognition::identify(table_of(both));
    };
    const std::string rope = "rope --len 40 --d 32 --base 26918 --table ";
    const auto both = stacked(rope + "cos", rope + "sin");
    REQUIRE(both.found);
    CHECK(joined(both.found->command, " ") ==
          "pe-gen rope --table cos,sin --len 40 --d 32 --base 26918");
    CHECK(both.found->notes.back() ==
          "the array holds two tables: --table cos at index 0 of the first axis, --table sin at "
          "index 1 of the first axis");
    Array spoiled = trial_of(command_of(rope + "cos")).array;
    const Array sines = trial_of(command_of(rope + "sin")).array;
    spoiled.extents.insert(spoiled.extents.begin(), 2);
    spoiled.values.insert(spoiled.values.end(), sines.values.begin(), sines.values.end());
    spoiled.values[3 * 32 + 5] = 7;
    const auto near = recognition::identify(table_of(spoiled));
    REQUIRE(near.nearest);
    CHECK(near.nearest->command == both.found->command);
    CHECK(
        near.departure.starts_with("index 0 of the first axis is --table cos, but for one value, "
                                   "at (3, 5): 7 instead of "));
    const auto strangers = stacked(rope + "cos", "rope --len 40 --d 32 --table sin");
    CHECK((!strangers.found || strangers.found->command != both.found->command));
}

TEST_CASE("identify: two tables in one array, whatever axis they are along") {
    const Array cosines = trial_of(command_of("rope --len 30 --d 16")).array;
    const Array sines = trial_of(command_of("rope --len 30 --d 16 --table sin")).array;
    const Array other = trial_of(command_of("rope --len 30 --d 16 --base 500000")).array;
    const auto answer_to = [](std::vector<std::int64_t> extents, const auto& value) {
        Array both{extents, DType::float32, {}};
        const std::int64_t last = extents.back(), middle = extents[extents.size() - 2];
        for (std::int64_t i = 0; i < Shape(extents).size(); ++i) {
            both.values.push_back(value(i / last / middle, i / last % middle, i % last));
        }
        return recognition::identify(table_of(both));
    };
    const auto last_axis = answer_to({30, 16, 2}, [&](auto row, auto channel, auto which) {
        return (which == 0 ? cosines : sines).at(row, channel);
    });
    const auto channels = answer_to({30, 32}, [&](auto, auto row, auto channel) {
        return (channel < 16 ? cosines : sines).at(row, channel % 16);
    });
    const auto batch = answer_to({2, 3, 30, 16}, [&](auto table, auto row, auto channel) {
        return (table < 3 ? cosines : sines).at(row, channel);
    });
    for (const auto& found : {last_axis.found, channels.found, batch.found}) {
        REQUIRE(found);
        CHECK(joined(found->command, " ") == "pe-gen rope --table cos,sin --len 30 --d 16");
    }
    CHECK(channels.found->notes.back() ==
          "the array holds two tables: --table cos at channels 0 to 15, --table sin at channels 16 "
          "to 31");
    const auto two_bases = answer_to({2, 30, 16}, [&](auto table, auto row, auto channel) {
        return (table == 0 ? cosines : other).at(row, channel);
    });
    REQUIRE(two_bases.nearest);
    CHECK(joined(two_bases.nearest->command, " ") == "pe-gen rope --len 30 --d 16");
    CHECK(two_bases.departure ==
          "index 1 of the first axis is pe-gen rope --len 30 --d 16 --base 500000");
}

TEST_CASE("identify: position ids of a batch, padded or not") {
    const auto answer_to = [](const std::function<double(std::int64_t, std::int64_t)>& id) {
        Array ids = filled(2, 3000, id);
        ids.dtype = DType::int64;
        return recognition::identify(table_of(ids));
    };
    const auto equal = answer_to([](auto, auto column) { return static_cast<double>(column); });
    REQUIRE(equal.found);
    CHECK(joined(equal.found->command, " ") == "pe-gen index --len 3000");
    const auto padded = answer_to([](auto row, auto column) {
        return row == 0      ? static_cast<double>(column)
               : column < 40 ? 1.0
                             : static_cast<double>(column - 40);
    });
    REQUIRE(padded.nearest);
    CHECK(joined(padded.nearest->command, " ") == "pe-gen index --len 3000");
    CHECK(padded.departure == "row 1 is pe-gen index --positions 1x40,0:2960");
    Array batch = filled(6, 50, [](auto row, auto column) {
        return static_cast<double>(column < 2 * row ? 1 : column - 2 * row);
    });
    batch.dtype = DType::int64;
    CHECK(recognition::identify(table_of(batch)).departure ==
          "row 1 is pe-gen index --positions 1x2,0:48; row 2 is pe-gen index --positions 1x4,0:46; "
          "row 3 is pe-gen index --positions 1x6,0:44; 2 more rows are others");
}

TEST_CASE("identify: rows that are moved round have ranges of positions") {
    const Array table = trial_of(command_of("rope --len 40 --d 16")).array;
    const auto answer = recognition::identify(table_of(
        filled(40, 16, [&](auto row, auto column) { return table.at((row + 39) % 40, column); })));
    REQUIRE(answer.found);
    CHECK(joined(answer.found->command, " ") == "pe-gen rope --d 16 --positions 39,0:39");
    CHECK(answer.found->notes ==
          std::vector<std::string>{"the positions are 39 in row 0, count from 0 in rows 1 to 39"});
}

TEST_CASE("identify: an array of one value but for a few has no nearest table") {
    const auto answer = recognition::identify(table_of(
        filled(64, 32, [](auto row, auto column) { return row == 3 && column == 5 ? 0.5 : 1; })));
    CHECK_FALSE(answer.nearest);
    CHECK(answer.notes ==
          std::vector<std::string>{"all values but 1 are 1: no encoding can be told from them"});
}

TEST_CASE("identify: the numbers of an array of one value are told from nan, wherever they are") {
    for (const std::int64_t place : {0, 7, 23}) {
        const auto answer = recognition::identify(table_of(filled(24, 1, [=](auto row, auto) {
            return row == place ? std::numeric_limits<double>::quiet_NaN() : 2.0;
        })));
        CHECK(answer.notes ==
              std::vector<std::string>{
                  "all values but 1 (nan) are 2: no encoding can be told from them"});
    }
}

TEST_CASE("identify: a drawn tensor is named if some of its values are not as they were drawn") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Array drawn =
        trial_of(command_of("learned --len 30 --d 20 --seed 5 --init normal:0,0.02")).array;
    struct Case {
        std::int64_t first, count;
        double factor;
        std::string_view departure;
    };
    for (const Case& one :
         {Case{0, 1, nan, "one value, at (0, 0): nan instead of "},
          Case{25, 1, infinity, "one value, at (1, 5): "},
          Case{599, 1, 1.5, "one value, at (29, 19): "}, Case{3, 1, 1.5, "one value, at (0, 3): "},
          Case{60, 40, -1, "rows 3 and 4"},
          // More than an eighth of the tensor is no accident.
          Case{100, 100, -1, ""}}) {
        CAPTURE(one.departure);
        Array array = drawn;
        for (std::int64_t i = one.first; i < one.first + one.count; ++i) {
            array.values[i] *= one.factor;
        }
        const auto answer = recognition::identify(table_of(array));
        CHECK(answer.departure.find(one.departure) != std::string::npos);
        CHECK(answer.nearest.has_value() == !one.departure.empty());
        if (!answer.nearest) continue;
        CHECK(joined(answer.nearest->command, " ") ==
              "pe-gen learned --len 30 --d 20 --init normal:0,0.02 --seed 5");
    }
}

TEST_CASE("identify: a drawn tensor is named if values all over it are others") {
    Array array =
        trial_of(command_of("learned --len 64 --d 32 --seed 50 --init uniform:-1,1")).array;
    for (std::size_t i = 0; i < 100; ++i) array.values[(13 * i * i + 40) % 2048] *= -1;
    const auto answer = recognition::identify(table_of(array));
    REQUIRE(answer.nearest);
    CHECK(joined(answer.nearest->command, " ") ==
          "pe-gen learned --len 64 --d 32 --init uniform:-1,1 --seed 50");
}

TEST_CASE("identify: draws in 16 bits do not have a number next to their own") {
    // The bounds are 16 sqrt(6 / 19), about 8.9914.
    const auto answer = recognition::identify(table_of(
        trial_of(command_of("random-fourier --table weights --d 16 --height 8 --width 6 --depth 2 "
                            "--init xavier-uniform --seed 1 --weight-scale 16 --dtype bfloat16"))
            .array));
    CHECK_FALSE(answer.found);
}

TEST_CASE("identify: the nearest command has each option that its table shows") {
    Array array = trial_of(command_of("learned --len 64 --d 32 --seed 42 --padding-row 7")).array;
    array.at(3, 4) = 5;
    const auto answer = recognition::identify(table_of(array));
    REQUIRE(answer.nearest);
    CHECK(joined(answer.nearest->command, " ") ==
          "pe-gen learned --len 64 --d 32 --seed 42 --padding-row 7");
    CHECK(answer.departure.starts_with("one value, at (3, 4): 5"));
}

TEST_CASE("identify: few zeros at random places are no dropout") {
    Array array =
        trial_of(command_of("learned --len 40 --d 24 --seed 57 --init xavier-uniform")).array;
    for (const std::size_t zero : {100, 300, 500, 700, 900}) array.values[zero] = 0;
    CHECK(recognition::identify(table_of(array)).departure ==
          "5 values in rows 4, 12, 20, 29, 37, channels 4, 12, 20");
}

TEST_CASE("identify: frequencies and slopes as code in doubles makes them") {
    const auto list = [](std::int64_t count, const std::function<double(double)>& value) {
        Array array{{count}, DType::float64, {}};
        for (std::int64_t i = 0; i < count; ++i) {
            array.values.push_back(value(static_cast<double>(i)));
        }
        return table_of(array);
    };
    for (const double base : {1e4, 5e5, 1e6}) {
        for (const std::int64_t pairs : {32, 48, 64, 128}) {
            CAPTURE(pairs);
            const double ratio = std::log(base) / static_cast<double>(pairs);
            const auto answer = recognition::identify(
                list(pairs, [=](double pair) { return std::exp(-ratio * pair); }));
            REQUIRE(answer.found);
            CHECK(answer.found->parameters.real("base") == base);
        }
    }
    // The slopes are powers of the first one.
    const double first = std::exp2(-8 / 64.0);
    const auto answer =
        recognition::identify(list(64, [=](double head) { return first * std::pow(first, head); }));
    REQUIRE(answer.found);
    CHECK(joined(answer.found->command, " ") ==
          "pe-gen alibi --table slopes --heads 64 --dtype float64");
}

TEST_CASE("identify: of bases next to each other, the one that makes every frequency is named") {
    const Array array = trial_of(command_of("rope --table inv-freq --d 128 --base 1000001 "
                                            "--arith float32"))
                            .array;
    const auto answer = recognition::identify(table_of(array));
    REQUIRE(answer.found);
    CHECK(answer.found->parameters.real("base") == 1000001);
}

TEST_CASE(
    "identify: an error of frequencies, wavelengths and slopes is seen beside larger values") {
    for (const char* command :
         {"rope --table inv-freq --d 64", "rope --table wavelengths --d 64",
          "sinusoid --table frequencies --d 30 --base 777", "sinusoid --table wavelengths --d 30",
          "rope-grid --table inv-freq --d 64", "rope-grid --table wavelengths --d 64",
          "alibi --table slopes --heads 16"}) {
        for (const DType dtype : {DType::float32, DType::float64}) {
            CAPTURE(command);
            Array array = array_of(
                made_by(command_of(command + fmt::format(" --dtype {}", info(dtype).name))));
            double& smallest = *std::ranges::min_element(array.values);
            const auto place = &smallest - array.values.data();
            smallest *= dtype == DType::float32 ? 1 + 0x1p-18 : 1 + 0x1p-44;
            const auto answer = recognition::identify(table_of(array));
            CHECK_FALSE(answer.found);
            CHECK(answer.departure.starts_with(fmt::format("one value, at ({}): ", place)));
        }
    }
}

TEST_CASE("identify: all rows of a table in 16 bits are compared") {
    Array array = trial_of(command_of("sinusoid --len 1025 --d 48 --arith bfloat16 "
                                      "--rounded frequencies"))
                      .array;
    REQUIRE(recognition::identify(table_of(array)).found);
    std::fill(array.values.begin() + 580 * 48, array.values.begin() + 620 * 48, 0.5);
    const auto answer = recognition::identify(table_of(array));
    CHECK_FALSE(answer.found);
    CHECK(answer.departure.find("rounded to bfloat16") == std::string::npos);
}

TEST_CASE("identify: numbers that are one but for rounding are no table") {
    const auto answer = recognition::identify(table_of(filled(40, 16, [](auto row, auto column) {
        return static_cast<double>(1 + ((row * 7 + column) % 3 == 1 ? 0x1p-23F : 0));
    })));
    CHECK_FALSE(answer.found);
    CHECK_FALSE(answer.nearest);
    CHECK(answer.notes ==
          std::vector<std::string>{
              "all values are 1, but for rounding: no encoding can be told from them"});
}

TEST_CASE("identify: exponents that are divided by the width of all heads") {
    const std::string command = "rope --len 300 --d 64 --base 10000^(1/12)";
    const auto answer = recognition::identify(table_of(trial_of(command_of(command)).array));
    REQUIRE(answer.found);
    CHECK(joined(answer.found->command, " ") == "pe-gen " + command);
    CHECK(answer.found->notes.front() ==
          "of base 10000 the exponent is divided by 768, the width of 12 heads, not by 64, the "
          "width of one");
}

TEST_CASE("identify: the logarithm to base 10 taken for the natural one, in rope") {
    const std::string command = "rope --len 300 --d 64 --base exp(4)";
    const auto answer = recognition::identify(table_of(trial_of(command_of(command)).array));
    REQUIRE(answer.found);
    CHECK(joined(answer.found->command, " ") == "pe-gen " + command);
    CHECK(
        answer.found->notes ==
        std::vector<std::string>{"base exp(4): the logarithm of 10000 to base 10 is taken for the "
                                 "natural one"});
}

TEST_CASE("identify: one query's biases for more keys than a table has columns") {
    const std::string command = "alibi --table row --heads 4 --len 80000";
    const auto answer = recognition::identify(table_of(trial_of(command_of(command)).array));
    REQUIRE(answer.found);
    CHECK(joined(answer.found->command, " ") == "pe-gen " + command);
}

TEST_CASE("identify: biases whose heads are the last axis") {
    const Array bias = trial_of(command_of("alibi --heads 3 --len 20")).array;
    Array heads_last{{20, 20, 3}, bias.dtype, {}};
    for (std::int64_t pair = 0; pair < 20 * 20; ++pair) {
        for (std::int64_t head = 0; head < 3; ++head) {
            heads_last.values.push_back(bias.values[head * 20 * 20 + pair]);
        }
    }
    const auto answer = recognition::identify(table_of(heads_last));
    REQUIRE(answer.found);
    CHECK(joined(answer.found->command, " ") == "pe-gen alibi --heads 3 --len 20");
    CHECK(std::ranges::count(answer.found->notes,
                             "the last axis of the array is the first one of the table") == 1);
}

TEST_CASE("identify: a table whose last digits are rounded or cut off is the table") {
    Array table = trial_of(command_of("sinusoid --len 50 --d 64 --dtype float64")).array;
    const auto command_for = [&](const std::function<double(double)>& change) {
        Array array = table;
        std::ranges::transform(array.values, array.values.begin(), change);
        const auto answer = recognition::identify(table_of(array));
        return answer.found ? joined(answer.found->command, " ") : "";
    };
    const auto cut_bits = [](double x) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
        return static_cast<double>(std::bit_cast<float>(bits & 0xffff0000U));
    };
    const std::string exact = "pe-gen sinusoid --len 50 --d 64";
    CHECK(command_for([](double x) {
              return std::trunc(x * 1e4) / 1e4;
          }).starts_with(exact + " --dtype float64"));
    CHECK(command_for(cut_bits).starts_with(exact));
    table.dtype = DType::float32;
    CHECK(command_for(cut_bits).starts_with(exact));
    CHECK(command_for([](double x) {
              return static_cast<double>(static_cast<float>(std::rint(x * 1e6) / 1e6));
          }) == exact);
}

TEST_CASE("identify: equal rows of position ids are one row, repeated") {
    const auto answer = recognition::identify(
        table_of(filled(4, 512, [](auto, auto column) { return static_cast<double>(column); })));
    REQUIRE(answer.found);
    CHECK(joined(answer.found->command, " ") == "pe-gen index --len 512");
    const auto by_key = recognition::identify(
        table_of(trial_of(command_of("alibi --heads 1 --len 16 --form key")).array));
    REQUIRE(by_key.found);
    CHECK(joined(by_key.found->command, " ") == "pe-gen alibi --heads 1 --len 16 --form key");
}

TEST_CASE("identify: a mask makes no table near") {
    // Biases by learned buckets beside the largest numbers that code adds to masked scores.
    Random random(4);
    std::normal_distribution<double> normal;
    const Array array = filled(
        64, 64, [&](auto query, auto key) { return key > query ? -1e9 : 3 * normal(random); });
    CHECK_FALSE(recognition::identify(table_of(array)).nearest);
    // Beside the infinities of a mask no number is right: ALiBi without one, its slopes reversed.
    Array biases{{8, 64, 64}, DType::float32, {}};
    for (std::int64_t i = 0; i < 8 * 64 * 64; ++i) {
        const auto distance = static_cast<double>(std::abs(i % 64 - i / 64 % 64));
        biases.values.push_back(-distance * std::exp2(i / (64 * 64) - 8));
    }
    CHECK_FALSE(recognition::identify(table_of(biases)).nearest);
}

TEST_CASE("identify: names no nearest convention of arrays that nothing is near to") {
    Random random(1);
    std::normal_distribution<double> normal;
    const std::pair<std::string_view, Array> arrays[]{
        {"attention weights", attention_weights(24, random)},
        {"a rolled video", rolled_video()},
        {"three lists of positions", three_lists(random)},
        {"weights about 1", filled(40, 32, [&](auto, auto) { return 1 + 0.05 * normal(random); })},
        {"mostly 1", filled(50, 32,
                            [&](auto row, auto column) {
                                return (7 * row + column) % 10 != 0 ? 1 : normal(random);
                            })},
        {"rows of 1, then noise",
         filled(1200, 16, [&](auto row, auto) { return row < 1100 ? 1 : normal(random); })},
        {"signs of distances", filled(30, 30,
                                      [](auto query, auto key) {
                                          return key == query ? 0 : key > query ? 1 : -1;
                                      })},
    };
    for (const auto& [name, array] : arrays) {
        const std::string of(name);
        CAPTURE(of);
        const recognition::Identification answer = recognition::identify(table_of(array));
        CHECK((answer.verdict == recognition::Verdict::not_identified));
        CHECK(!answer.nearest);
        CHECK(answer.departure.empty());
    }
}
