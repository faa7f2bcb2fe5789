#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"
#include "recognition/rotary/sequence_text.h"

using namespace pegen;
using namespace pegen::recognition;

namespace {

/// Returns the sequences with tokens at these positions, as text; "none" if there is none.
std::string text_of(const std::vector<TokenPosition>& tokens) {
    std::string all;
    const auto may_stand = [&](std::int64_t token, const TokenPosition& position) {
        return tokens[static_cast<std::size_t>(token)] == position;
    };
    for (const auto& text : sequences_of(static_cast<std::int64_t>(tokens.size()), may_stand)) {
        all += (all.empty() ? "" : " or ") + text.sequence + " " + std::string(text.next);
    }
    return all.empty() ? "none" : all;
}

}  // namespace

TEST_CASE("mrope recognition: a sequence is read from positions") {
    CHECK(text_of({{0, 0, 0}, {1, 1, 1}}) == "text:2 ");
    CHECK(text_of({{0, 0, 0}, {1, 1, 1}, {1, 1, 2}, {1, 2, 1}, {1, 2, 2}, {3, 3, 3}}) ==
          "text:1,image:2x2,text:1 ");
    CHECK(text_of({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 3, 3}}) == "video:3x1x1,text:1 max");
    CHECK(text_of({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 1}}) == "video:3x1x1,text:1 grid");
    CHECK(text_of({{0, 0, 0}, {5, 5, 5}}) == "none");
    CHECK(text_of({{1, 1, 1}}) == "none");
    CHECK(text_of({}) == "none");
}

TEST_CASE("mrope recognition: ids, cosines and sines of sequences are found") {
    for (const char* table : {"ids", "cos", "sin"}) {
        const std::string last = " --table " + std::string(table);
        check_proposed("mrope" + last);
        check_proposed("qwen2-vl --sequence text:9,video:8x4x5,text:20" + last);
        check_proposed("qwen2-vl --sequence text:9,video:8x4x4,text:20 --next grid" + last);
        check_proposed("qwen3-vl --sequence text:5,image:9x7,text:12,image:4x8,text:3" + last);
        check_proposed(
            "mrope --sequence text:5,image:6x6,text:2 --d 32 --base 7000 "
            "--sections 4,6,6 --layout single" +
            last);
    }
}

TEST_CASE("mrope recognition: sequences of 16 bits are found") {
    check_proposed("mrope --sequence image:3x4 --d 64 --sections 8,12,12 --layout single",
                   DType::float16);
    check_proposed("mrope --sequence text:2,video:3x2x4,text:4 --d 16 --sections 2,3,3",
                   DType::bfloat16);
    check_proposed(
        "mrope --sequence text:3,image:2x2,text:2,image:4x2,text:1 --d 64 --sections 8,12,12",
        DType::bfloat16);
    check_proposed("mrope --sequence text:3,image:2x2,text:2,image:4x2,text:1 --sections 24,20,20",
                   DType::float16);
}

TEST_CASE("mrope recognition: all sequences are proposed that coarse values leave open") {
    // At bfloat16, only the pairs of t show anything of these positions.
    const Table table =
        table_of("mrope --sequence text:2,image:3x2,text:9 --d 64 --base 1e12 --sections 8,12,12",
                 DType::bfloat16);
    std::vector<std::string> sequences;
    for (const auto& proposal : find_recognized("mrope", table)) {
        sequences.push_back(setting_of(proposal, "sequence"));
    }
    for (const char* sequence : {"text:2,image:3x2,text:9", "text:2,image:2x3,text:9"}) {
        CAPTURE(sequence);
        CHECK(std::ranges::count(sequences, sequence) > 0);
    }
}

TEST_CASE("mrope recognition: a text alone is left to rope") {
    CHECK(find_recognized("mrope", table_of("qwen2-vl --sequence text:30")).empty());
}

TEST_CASE("mrope recognition: numbers that are no positions have no proposal") {
    const Table ids = table_of("mrope --table ids");
    std::vector<double> values = all_values(ids);
    values[3] = -1;
    CHECK(find_recognized("mrope", sample_of(ids, values)).empty());
    CHECK(find_recognized("mrope", sample_of(ids, std::vector(values.size(), 0.5))).empty());
}
