#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "encodings/cell.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "recognition/recognized.h"
#include "recognition/recognizers.h"

using namespace pegen;

TEST_CASE("recognizers: each is of an encoding, in alphabetical order") {
    std::vector<std::string_view> names;
    for (const recognition::Recognizer& recognizer : recognition::all_recognizers()) {
        names.push_back(recognizer.encoding);
        CHECK_MESSAGE((find_encoding(recognizer.encoding) != nullptr), recognizer.encoding);
    }
    CHECK(std::ranges::is_sorted(names));
}

TEST_CASE("recognizers: the angle of a proposal's cell is the angle of the encoding's formula") {
    for (const std::string_view command : {
             "sinusoid --len 40 --d 16",
             "sinusoid --len 40 --d 16 --layout halves --start 3 --step 0.5",
             "sinusoid --len 40 --d 16 --reverse",
             "fairseq --len 40 --d 16",
             "periodic --len 40 --alpha 7",
             "relative --len 20 --d 16",
             "transformer-xl --len 20 --mem-len 6 --d 16",
             "transformer-xl --len 20 --mem-len 6 --d 16 --range causal",
             "grid --height 5 --width 6 --d 16",
             "grid --height 5 --width 6 --d 16 --start 2",
             "detr --height 5 --width 6 --num-pos-feats 8",
             "rope --len 30 --d 16 --table cos",
             "rope --len 30 --d 16 --start 100 --layout interleaved --table sin",
             "rope-grid --height 5 --width 6 --d 32 --table cos",
         }) {
        CAPTURE(command);
        const Table table = table_of(command);
        const Provenance& origin = table.provenance;
        const Plan plan = plan_of(*find_encoding(origin.encoding), origin.parameters, origin.table);
        const std::vector<evidence::Proposal> proposals = find_recognized(origin.encoding, table);
        REQUIRE(!proposals.empty());
        REQUIRE(proposals.front().angle);
        REQUIRE(plan.cell);
        int compared = 0;
        const std::int64_t columns = table.shape.size() / squeezed(table.shape.extents()).front();
        for (std::int64_t element = 0; element < table.shape.size(); ++element) {
            const Cell cell = plan.cell(index_of(element, table.shape.extents()));
            if (!cell.angle) continue;
            const double exact = std::fabs(nearest_double(cell.angle()));
            const double angle =
                std::fabs(proposals.front().angle(element / columns, element % columns));
            CHECK(angle == doctest::Approx(exact).epsilon(1e-4));
            ++compared;
        }
        CHECK(compared > 0);
    }
}
