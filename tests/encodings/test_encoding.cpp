#include <doctest/doctest.h>

#include <string>

#include "encodings/encoding.h"
#include "encodings/registry.h"

using namespace pegen;

namespace {

std::string title(std::string_view name, std::string_view words = "", std::string_view table = "",
                  std::string_view preset = "") {
    const Encoding& encoding = *find_encoding(name);
    Parameters parameters(encoding.parameters);
    parameters.set_all(words, Origin::user);
    const TableSpec& spec = table.empty() ? encoding.tables.front() : *find_table(encoding, table);
    return title_of(spec, plan_of(encoding, parameters, spec.name), preset);
}

}  // namespace

TEST_CASE("title: says what the table is and how large") {
    CHECK(title("sinusoid", "--d 8 --len 4") == "Positional Encoding (d_model=8, max_len=4)");
    CHECK(title("rope", "--d 8 --len 4") == "RoPE, Cosines (d=8, max_len=4)");
    CHECK(title("sandwich", "--heads 4 --len 9") ==
          "Sandwich (heads=4, d=128, max_len=9), before a causal mask");
    CHECK(title("learned-grid") == "Learned Grid (num_pos_feats=256, height=20, width=20)");
}

TEST_CASE("title: a preset is named") {
    CHECK(title("sinusoid", "--d 8 --len 4", "", "whisper") ==
          "whisper: Positional Encoding (d_model=8, max_len=4)");
}

TEST_CASE("title: a bias without its mask says so, unless it is for models that see all keys") {
    for (const std::string encoding : {"alibi", "kerple", "fire", "sandwich"}) {
        CAPTURE(encoding);
        CHECK(title(encoding, "--len 9 --heads 2").ends_with("), before a causal mask"));
        CHECK(title(encoding, "--len 9 --heads 2 --mask causal").ends_with(")"));
    }
    CHECK(title("alibi", "--len 9 --form symmetric").ends_with(")"));
    CHECK(title("fire", "--len 9 --form symmetric").ends_with(")"));
    CHECK(title("alibi", "", "slopes").ends_with(")"));
    CHECK(title("alibi", "", "row").ends_with(")"));  // the last query sees all keys
    CHECK(title("alibi", "--len 1 --key-len 9").ends_with(")"));
    CHECK(title("alibi", "--len 2 --key-len 9").ends_with("), before a causal mask"));
}

TEST_CASE("title: buckets that do not tell the keys after the query are before a causal mask") {
    for (const std::string table : {"bucket", "bias"}) {
        CHECK(title("t5", "--len 9", table).ends_with(")"));
        CHECK(title("t5", "--len 9 --causal", table).ends_with("), before a causal mask"));
        CHECK(title("t5", "--len 1 --key-len 9 --causal", table).ends_with(")"));
    }
}

TEST_CASE("title: extents that are rare are named where they are more than 1") {
    const std::string_view grid = "--d 12 --height 3 --width 4";
    CHECK(title("grid", grid) == "Grid Positional Encoding (d_model=12, height=3, width=4)");
    CHECK(title("grid", std::string(grid) + " --depth 2") ==
          "Grid Positional Encoding (d_model=12, height=3, width=4, depth=2)");
    CHECK(title("detr", "--valid 9x9,5x7 --height 9 --width 9") ==
          "Positional Encoding (num_pos_feats=64, height=9, width=9, batch=2)");
    CHECK(title("alibi", "--len 9") ==
          "ALiBi (heads=8, form=signed, max_len=9), before a causal mask");
    CHECK(title("alibi", "--len 9 --key-len 9") == title("alibi", "--len 9"));
    CHECK(title("alibi", "--len 9 --key-len 12") ==
          "ALiBi (heads=8, form=signed, max_len=9, key_len=12), before a causal mask");
}

TEST_CASE("title: a table without positions names no number of positions") {
    CHECK(title("sinusoid", "--len 4", "wavelengths") == "Wavelengths (d_model=512, base=10000)");
    CHECK(title("rope", "--len 4", "inv-freq") == "RoPE, Inverse Frequencies (d=128)");
    CHECK(title("shaw", "--len 4", "key") == "Relative Key Vectors (left=16, right=16, d=64)");
}
