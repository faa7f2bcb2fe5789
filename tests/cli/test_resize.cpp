#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "cli/apply/operation.h"
#include "cli/folder.h"
#include "core/dtype.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/npy.h"
#include "program.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::Folder;
using pegen::testing::put;

namespace {

using List = std::vector<double>;

struct TableFolder : Folder {
    /// Returns the values of the resized table x.npy of float64.
    List resized(const List& x, const std::string& shape, const std::string& options) const {
        put(path("x.npy"), npy_of_doubles(shape, x));
        make("apply resize -q --x x.npy --npy y.npy " + options);
        return all_values(read_npy(path("y.npy")));
    }
    Shape shape() const { return read_npy(path("y.npy")).shape; }
};

List counted(std::size_t count) {
    List values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = double(i);
    return values;
}

const cli::Operation& operation() {
    for (const cli::Operation* each : cli::all_operations()) {
        if (each->name == "resize") return *each;
    }
    throw std::logic_error("no operation resize");
}

}  // namespace

TEST_CASE("describe resize: each code base is beside those that make the same table") {
    const Folder folder;
    const std::string text = folder.make("describe resize");
    CHECK(folder.make("describe apply resize") == text);
    for (const std::string line : {"  --kernel bicubic                    0: vit, deit, mae,",
                                   "  --kernel bicubic --offset 0.1       0.16: dinov2\n",
                                   "  --kernel bilinear --antialias       0.37: siglip2\n"}) {
        CAPTURE(line);
        CHECK(text.find(line) != std::string::npos);
    }
    CHECK(folder.refusal("describe rope-permute").find("no such encoding") != std::string::npos);
}

TEST_CASE("apply resize: tables are those of PyTorch and of the code bases' own functions") {
    const TableFolder folder;
    std::istringstream lines(content(PEGEN_SOURCE_DIR "/tests/cli/resized.txt"));
    int tables = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#') continue;
        CAPTURE(line);
        const std::size_t space = line.find(' '), rows = std::stoul(line.substr(0, space));
        List x(rows);
        for (std::size_t i = 0; i < rows; ++i) x[i] = (double(37 * i % 64) - 32) / 16;
        const List y = folder.resized(x, "(" + std::to_string(rows) + ", 1)", line.substr(space));
        std::getline(lines, line);
        std::istringstream values(line);
        for (const double value : y) {
            double wanted = std::numeric_limits<double>::quiet_NaN();
            values >> wanted;
            CHECK(std::fabs(value - wanted) < 1e-13);
        }
        CHECK((values >> std::ws).eof());
        ++tables;
    }
    CHECK(tables > 35);
}

TEST_CASE("apply resize: every value is the exact sum, rounded once") {
    const Folder folder;
    folder.make("learned --len 15 --d 96 --seed 3 --npy x.npy");
    const List x = all_values(read_npy(folder.path("x.npy")));
    // Products of float32 and sixteenths are exact in double, and so are their sums, which are
    // often halfway between two float32.
    for (const std::string dtype : {"float32", "float16", "float64"}) {
        folder.make(
            "apply resize --x x.npy --from 3x5 --to 6x10 --kernel bilinear --npy y.npy -q "
            "--dtype " +
            dtype);
        const Table table = read_npy(folder.path("y.npy"));
        const List y = all_values(table);
        int ties = 0;
        for (int row = 0; row < 60; ++row) {
            const int i = row / 10, j = row % 10;
            const auto at = [](int index, int count) {
                const int near = index / 2;
                const int other = std::clamp(near + (index % 2 == 0 ? -1 : 1), 0, count - 1);
                return std::pair(near, other);
            };
            const auto [a, b] = at(i, 3);
            const auto [c, d] = at(j, 5);
            for (int k = 0; k < 96; ++k) {
                const auto value = [&, k](int m, int n) { return x[(m * 5 + n) * 96 + k]; };
                const double sum =
                    (9 * value(a, c) + 3 * value(a, d) + 3 * value(b, c) + value(b, d)) / 16;
                const double rounded = dtype == "float64"   ? sum
                                       : dtype == "float16" ? widen(round_to<float16>(sum))
                                                            : double(float(sum));
                CHECK(y[row * 96 + k] == rounded);
                ties += dtype == "float32" &&
                        std::fabs(std::remainder(sum, std::ldexp(1, std::ilogb(sum) - 23))) ==
                            std::ldexp(1, std::ilogb(sum) - 24);
            }
        }
        if (dtype == "float32") CHECK(ties > 100);
    }
}

TEST_CASE("apply resize: a table of the right size stays as it is, as in every code base") {
    const TableFolder folder;
    const std::string help = run_program("apply resize --help").output;
    int names = 0;
    for (const cli::Glossary& glossary : operation().glossaries()) {
        for (const auto& entry : glossary.entries) {
            const std::string &name = entry.name, &meaning = entry.meaning;
            CAPTURE(name);
            const bool is_sequence = meaning.find("sequence") != std::string::npos;
            const bool has_image = meaning.find("hwd") != std::string::npos ||
                                   meaning.find("dhw") != std::string::npos;
            const bool has_window = meaning.find("--window") != std::string::npos;
            const auto rows_of = [&](std::string_view option) {
                const std::size_t place = meaning.find(option);
                return place == std::string::npos ? 0 : meaning[place + option.size()] - '0';
            };
            const int size = has_window ? 5 : 3;
            const int points = is_sequence ? size : size * size;
            const int rows = points + rows_of("--prefix ") + rows_of("--suffix ");
            List x = counted(rows * (has_image ? 1 : 2));
            x[0] = -0.0;
            const std::string shape =
                has_image ? meaning.find("hwd") != std::string::npos ? "(1, 3, 3, 1)" : "(1, 3, 3)"
                          : "(" + std::to_string(rows) + ", 2)";
            const List y = folder.resized(x, shape, "--to 3 --as " + name);
            CHECK(y == x);
            CHECK(std::signbit(y[0]));
            CHECK(help.find("\n  " + name + " ") != std::string::npos);
            ++names;
        }
    }
    CHECK(names > 20);
}

TEST_CASE("apply resize: the page has every code base, with its options") {
    const std::string page = content(PEGEN_SOURCE_DIR "/docs/apply.md");
    const cli::Glossary glossary = operation().glossaries().front();
    for (const auto& entry : glossary.entries) {
        const std::string &name = entry.name, &meaning = entry.meaning;
        CAPTURE(name);
        const std::string settings = meaning.substr(0, meaning.find(':'));
        CHECK(page.find("| `" + name + "` | `" + settings + "` | ") != std::string::npos);
    }
}

TEST_CASE("apply resize: class tokens before and behind the grid are kept, dtypes and axes too") {
    const TableFolder folder;
    const List kept = folder.resized(counted(10), "(1, 5, 2)", "--to 1 --as timm");
    CHECK(kept == List{0, 1, 5, 6});
    CHECK((folder.shape() == Shape{1, 2, 2}));
    // One row before a square is a class token if neither a code base nor --prefix says otherwise.
    CHECK(folder.resized(counted(10), "(5, 2)", "--to 1x1 --kernel bilinear") == kept);
    CHECK(folder.resized(counted(6), "(6, 1)", "--to 1x1 --kernel area --prefix 2") ==
          List{0, 1, 3.5});
    CHECK(folder.resized(counted(28), "(28, 1)", "--to 2 --as beit").size() == 12);
    CHECK(all_values(read_npy(folder.path("y.npy"))).back() == 27);
    CHECK(folder.resized(counted(12), "(12, 1)", "--from 3x4 --to 1x2 --kernel area") ==
          List{4.5, 6.5});
    CHECK(folder.resized(counted(12), "(2, 3, 2)", "--axes hwd --to 1x1 --kernel area") ==
          List{5, 6});
    CHECK((folder.shape() == Shape{1, 1, 2}));
    CHECK(folder.resized(counted(12), "(2, 3, 2)", "--axes dhw --to 1x1 --kernel area") ==
          List{2.5, 8.5});
    CHECK((folder.shape() == Shape{2, 1, 1}));
    folder.make("apply resize --x x.npy --axes dhw --to 1x1 --kernel area --dtype f16 --npy h.npy");
    CHECK((read_npy(folder.path("h.npy")).dtype == DType::float16));
    folder.make("apply resize --x x.npy --axes dhw --to 6x4 --as sam2 --threads 1 --npy a.npy");
    folder.make("apply resize --x x.npy --axes dhw --to 6x4 --as sam2 --threads 2 --npy b.npy");
    CHECK(content(folder.path("a.npy")) == content(folder.path("b.npy")));
}

TEST_CASE("apply resize: an option of the user's replaces the code base's") {
    const TableFolder folder;
    const auto of = [&](const std::string& options) {
        return folder.resized(counted(16), "(16, 1)", "--to 3x3 " + options);
    };
    CHECK(of("--as siglip2 --antialias=false") == of("--kernel bilinear"));
    CHECK(of("--as siglip --cubic -0.5 --antialias") == of("--kernel bicubic --antialias"));
    CHECK(of("--as siglip --cubic -0.5") != of("--kernel bicubic"));
    CHECK(of("--as timm --prefix 0 --kernel nearest") == of("--kernel nearest"));
    CHECK(of("--as dinov2 --prefix 0 --offset 0") == of("--as vit --prefix 0"));
    CHECK(of("--as dinov2 --prefix 0") == of("--kernel bicubic --scale 0.775"));
}

TEST_CASE("apply resize: what is not finite stays among the values it belongs to") {
    const TableFolder folder;
    const double infinity = std::numeric_limits<double>::infinity();
    const List y = folder.resized({1, 0, infinity, 0, 3, 0, std::nan(""), 0, 5, -0.0, 6, -0.0},
                                  "(6, 2)", "--to 11 --kernel linear --align-corners");
    REQUIRE(y.size() == 22);
    CHECK(y[0] == 1);
    CHECK(y[2] == infinity);
    CHECK(y[4] == infinity);
    CHECK(y[8] == 3);
    CHECK(std::isnan(y[10]));
    CHECK(y[16] == 5);
    CHECK(y[18] == 5.5);
    const double greatest = std::numeric_limits<double>::max();
    CHECK(folder.resized({greatest, greatest}, "(2, 1)", "--to 1 --kernel linear") ==
          List{greatest});
    CHECK(folder.resized({0x1p-1074, 0}, "(2, 1)", "--to 4 --kernel linear") ==
          List{0x1p-1074, 0x1p-1074, 0, 0});
}

TEST_CASE("apply resize: what cannot be done is refused") {
    const TableFolder folder;
    folder.resized(counted(201), "(201, 1)", "--to 100 --kernel crop");
    const auto refused = [&](const std::string& options) {
        const std::string message = folder.refusal("apply resize --x x.npy " + options);
        REQUIRE(message.starts_with("pe-gen: "));
        return message.substr(8, message.size() - 9);
    };
    constexpr const char* example =
        ", as in pe-gen apply resize --x pos_embed.npy --to 24x24 --as timm";
    CHECK(refused("") == "apply resize: needs --to HxW" + std::string(example));
    CHECK(refused("--to 2") ==
          "apply resize: needs --as CODEBASE or --kernel" + std::string(example));
    CHECK(refused("--to 2 --as tim").ends_with("did you mean 'timm'?"));
    CHECK(refused("--to 2 --as timm") ==
          "x.npy has shape (201, 1), no square grid with --prefix 1 and --suffix 0; --prefix 5 "
          "leaves 14x14, --from HxW another");
    CHECK(refused("--to 2 --as beit") ==
          "x.npy has shape (201, 1), no square grid with --prefix 0 and --suffix 3; --prefix 2 "
          "leaves 14x14, --from HxW another");
    CHECK(refused("--to 2 --as longformer --prefix 300") ==
          "x.npy has shape (201, 1), no sequence with --prefix 300 and --suffix 0; --prefix 0 "
          "leaves 201, --from N another");
    CHECK(refused("--to 2 --as vit --from 14x14") ==
          "--from 14x14: x.npy has shape (201, 1), 5 rows before the grid; --prefix 5 keeps them");
    CHECK(refused("--to 2 --as vit --from 15x14") ==
          "--from 15x14: x.npy has shape (201, 1), 9 rows too few");
    CHECK(refused("--to 2 --as sam2") ==
          "--axes dhw: x.npy has shape (201, 1), needs 3 axes, and before them only axes of extent "
          "1; try --axes tokens");
    CHECK(refused("--to 2x3x4 --as vit") == "--to 2x3x4: must be HxW, as in 14x14, or N");
    CHECK(refused("--to 4x --as vit") == "--to 4x: must be HxW, as in 14x14, or N");
    CHECK(refused("--to 2 --as siglip").find("no square grid with --prefix 0") !=
          std::string::npos);
    CHECK(refused("--to 2x3 --as sam") == "--to 2x3: must be N positions");
    CHECK(refused("--to 0x3 --as vit") == "--to 0x3: sizes must be between 1 and 1048576");
    CHECK(refused("--to 3 --kernel area --antialias") ==
          "--antialias: --kernel area does not have it; leave it out");
    CHECK(refused("--to 3 --kernel linear --align-corners --scale 2") ==
          "--scale 2: --align-corners takes no scale; leave --scale out");
    CHECK(refused("--to 3 --kernel linear --scale 2,3") ==
          "--scale: needs one number, or for a grid one for rows, one for columns");
    CHECK(refused("--to 300 --kernel crop") ==
          "--kernel crop: makes 300 of 201 values; cannot make more; use repeat");
    CHECK(refused("--to 30 --kernel geometric") ==
          "--kernel geometric: makes 30 of 201 values; needs odd numbers; --window takes N for "
          "2 N - 1");
    folder.resized(counted(9), "(9, 1)", "--to 5 --as timm-swin");
    CHECK(refused("--to 5 --as simmim") ==
          "--kernel geometric: makes 9 of 3 values; a spline needs 4; use geometric-linear");
    folder.resized(counted(12), "(2, 3, 2)", "--to 1 --as timm-nhwc");
    CHECK(refused("--to 1 --as timm") ==
          "--axes tokens: x.npy has shape (2, 3, 2), needs 2 axes, and before them only axes of "
          "extent 1; try --axes hwd or dhw");
    CHECK(refused("--to 1 --as timm-nhwc --prefix 1") ==
          "--prefix 1: the table's axes are the grid's; leave --prefix out");
}
