#include <doctest/doctest.h>

#include <string>

#include "cli/help/search.h"
#include "core/error.h"

using namespace pegen;
using namespace pegen::cli;

namespace {

std::string first_name(std::string_view text) {
    const Found found = search_names(text).front();
    return std::string(found.preset ? found.preset->name : found.encoding->name);
}

std::string refusal(std::string_view text) {
    try {
        return first_name(text);
    } catch (const UsageError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("search: a preset, an alias, a repository or a class finds it, in any spelling") {
    CHECK(first_name("diffwave") == "diffwave");
    CHECK(first_name("CSDI") == "diffwave");
    CHECK(search_names("CSDI").front().where == "also called csdi");
    CHECK(first_name("PositionEmbeddingRandom") == "sam");
    CHECK(first_name("bundle_adjusting NeRF") == "barf");
    CHECK(first_name("lmnt-com") == "diffwave");
    CHECK(first_name("GaussianFourierProjection") == "score-sde-fourier");
    CHECK(search_names("lmnt-com").front().where ==
          "from: lmnt-com/diffwave, src/diffwave/model.py, DiffusionEmbedding");
}

TEST_CASE("search: what is called so comes before what mentions it") {
    CHECK(first_name("rope") == "rope");
    CHECK(search_names("rope").size() > 10);
    CHECK(first_name("whisper") == "whisper");
}

TEST_CASE("search: what is not there is refused, and why") {
    CHECK(refusal("zzz").starts_with("list --search zzz: no encoding and no preset has this"));
    CHECK(refusal("Laplacian eigenvectors") ==
          "list --search Laplacian eigenvectors: encodings of graphs are made of a graph's matrix, "
          "not of positions");
    CHECK(refusal("spherical harmonics") ==
          "list --search spherical harmonics: spherical harmonics are not sines of a position");
    CHECK(refusal("").starts_with("list --search : no encoding"));
}
