#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/attention_array.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/recognized.h"
#include "recognition/recognizers.h"

using namespace pegen;

namespace {

bool proposes(const std::string& command, DType dtype = DType::float32) {
    const std::string name = command.substr(0, command.find(' '));
    const std::vector<std::string> proposals = proposals_for(name, table_of(command, dtype));
    return std::ranges::find(proposals, command) != proposals.end();
}

}  // namespace

TEST_CASE("alibi: a bias is proposed with its form, its slopes and its mask") {
    for (const char* command : {
             "alibi --heads 8 --len 5",
             "alibi --heads 12 --len 9 --form symmetric",
             "alibi --heads 12 --len 9 --form causal --slopes geometric",
             "alibi --heads 4 --len 9 --key-len 20 --form last-key",
             "alibi --heads 6 --len 9 --form key --max-bias 4 --mask causal",
             "alibi --heads 8 --len 9 --mask causal",
             "alibi --heads 1 --len 9",
             "alibi --heads 8 --len 10 --form key --table row",
             "alibi --heads 6 --len 10 --table row",
             "alibi --heads 12 --table slopes",
             "alibi --heads 12 --slopes geometric --max-bias 16 --table slopes",
             "alibi --heads 20 --len 9 --form key --groups 4",
             "alibi --heads 4 --groups 4 --table slopes",
             "alibi --heads 8 --len 12 --out-scale 0.25",
             "alibi --heads 12 --len 9 --form symmetric --max-bias 16 --out-scale 0.3",
             "alibi --heads 1 --len 7 --out-scale 0.375",
         }) {
        INFO(command);
        CHECK(proposes(command));
    }
}

TEST_CASE("alibi: the slopes of many heads are found in few digits") {
    CHECK(proposes("alibi --heads 16 --len 50", DType::bfloat16));
    CHECK(proposes("alibi --heads 32 --len 20 --form symmetric", DType::bfloat16));
}

TEST_CASE("gpsa: the image and the strength are proposed") {
    for (const char* command :
         {"gpsa --height 5 --width 6 --heads 4",
          "gpsa --height 3 --width 4 --heads 1 --locality-strength 0.3",
          "gpsa --height 4 --width 2 --heads 9 --locality-strength 2",
          "gpsa --height 1 --width 7 --heads 16", "gpsa --height 6 --width 2 --table offsets"}) {
        INFO(command);
        CHECK(proposes(command));
    }
}

TEST_CASE("kerple: p and a are read from the values of each head") {
    for (const char* command : {
             "kerple --heads 8 --len 64 --kind log --p 1 --a 0.5",
             "kerple --heads 3 --len 64 --kind log --p 0.5,1,1.75 --a 0.25,0.5,0.125",
             "kerple --heads 3 --len 40 --kind power --p 0.5,1.5,2 --a 0.1",
             "kerple --heads 2 --len 40 --kind log --p 1.2 --a 0.3 --mask causal",
             "kerple --heads 1 --len 40 --kind log --p 1.2 --a 0.3",
         }) {
        INFO(command);
        CHECK(proposes(command));
    }
}

TEST_CASE("sandwich: d and base are read from one head") {
    for (const char* command : {
             "sandwich --heads 8 --len 24",
             "sandwich --heads 12 --len 24 --d 64 --base 500",
             "sandwich --heads 4 --len 24 --mask causal",
             "sandwich --heads 4 --len 1 --key-len 50 --base 1000",
         }) {
        INFO(command);
        CHECK(proposes(command));
    }
}

TEST_CASE("fire: the seed of the network, c and the threshold are read from the values") {
    for (const char* command : {
             "fire --heads 8 --len 64",
             "fire --heads 4 --len 64 --c 1 --threshold 16 --seed 7",
             "fire --heads 4 --len 40 --form symmetric --seed 42",
             "fire --heads 12 --len 64 --c 0.25 --threshold 100 --width 16 --mask causal",
         }) {
        INFO(command);
        CHECK(proposes(command));
    }
}

TEST_CASE("fire: is looked for in arrays of up to 1024 heads") {
    CHECK(proposes("fire --heads 1024 --len 4"));
    CHECK_FALSE(proposes("fire --heads 1025 --len 4"));
}

TEST_CASE("fire: a bias of few digits is proposed by its usual numbers") {
    for (const char* command : {
             "fire --heads 2 --len 50",
             "fire --heads 1 --len 50 --seed 7",
             "fire --heads 2 --len 24 --form symmetric --width 8",
             "fire --heads 16 --len 31 --c 1 --width 16 --seed 42",
         }) {
        INFO(command);
        CHECK(proposes(command, DType::bfloat16));
    }
}

TEST_CASE("recognize: no array makes an encoding throw") {
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const std::vector<std::int64_t>& extents : {std::vector<std::int64_t>{1},
                                                     {7},
                                                     {64},
                                                     {1, 9},
                                                     {2, 2},
                                                     {5, 3},
                                                     {8, 8},
                                                     {3, 4, 5},
                                                     {4, 3, 3},
                                                     {3, 3, 2},
                                                     {2, 1, 3, 4}}) {
        const Shape shape(extents);
        for (const double fill : {0.0, 1.0, -1.0, 0.5, 1e300, -infinity, infinity, nan}) {
            for (const double last : {fill, 0.0, 1.0, nan, -infinity}) {
                std::vector<double> values(static_cast<std::size_t>(shape.size()), fill);
                values.back() = last;
                const Table table = evidence::data_table(std::move(values), shape,
                                                         evidence::precision_of(DType::float64));
                for (const recognition::Recognizer& recognizer : recognition::all_recognizers()) {
                    INFO(recognizer.encoding, ", ", to_string(shape), " of ", fill, " and ", last);
                    CHECK_NOTHROW(recognizer.recognize(sample_of(table)));
                }
            }
        }
    }
}
