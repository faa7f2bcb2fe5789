#include <doctest/doctest.h>

#include <algorithm>

#include "figure/figure.h"
#include "formats/metadata.h"

using namespace pegen;

TEST_CASE("metadata: any text of a figure's option is one line of ASCII") {
    Table table;
    table.provenance.encoding = "sinusoid";
    Parameters figure(figure_parameters());
    figure.set("title", "\n\x7f\u03b8\xff", Origin::user);
    const std::string line = figure_provenance(table, figure);
    CHECK(line.find(R"("figure":{"title":"\n)") != line.npos);
    CHECK(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '\x7f'; }));
}
