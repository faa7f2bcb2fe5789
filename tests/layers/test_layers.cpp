#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// The folders of src, which are its layers, bottom up: a file may include its own layer and those
/// below it.
constexpr std::array<std::string_view, 16> layers{
    "core",   "files",   "http",    "page",        "numerics", "draws",   "rows", "encodings",
    "figure", "formats", "inspect", "recognition", "cli",      "library", "mpi",  "wasm"};

/// True for layers that must not include each other, though one is above the other.
bool are_strangers(std::string_view layer, std::string_view included) {
    return (layer == "figure" && (included == "encodings" || included == "numerics")) ||
           (layer == "draws" && (included == "numerics" || included == "files")) ||
           (layer == "numerics" && included == "files");
}

std::ptrdiff_t height_of(std::string_view layer) {
    return std::ranges::find(layers, layer) - layers.begin();
}

struct Source {
    fs::path path;                      ///< below src or include: "core/table.h"
    std::vector<std::string> includes;  ///< the text between "" or <>

    std::string layer() const { return *path.begin(); }
};

std::vector<Source> sources_below(const char* top) {
    std::vector<Source> sources;
    const fs::path folder = fs::path(PEGEN_SOURCE_DIR) / top;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string extension = entry.path().extension();
        if (extension != ".h" && extension != ".cpp") continue;
        Source source{fs::relative(entry.path(), folder), {}};
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
            if (!line.starts_with("#include ")) continue;
            source.includes.push_back(line.substr(10, line.find_last_of("\">") - 10));
        }
        sources.push_back(source);
    }
    return sources;
}

const std::vector<Source>& all_sources() {
    static const std::vector<Source> sources = sources_below("src");
    return sources;
}

/// Returns the layer that an include leads to; "" if the file is not the project's.
std::string layer_of(const fs::path& include) {
    const std::string layer = *include.begin();
    return height_of(layer) == std::ssize(layers) ? "" : layer;
}

/// Folders of encodings and recognition that all families may use.
constexpr std::array<std::string_view, 3> shared_folders{"parameters", "evidence", "kernel"};

/// The family of encodings that a file belongs to: "images" of encodings/images/grid.cpp and
/// recognition/images/grid.cpp; "" of files above the families, and of the shared folders.
std::string family_of(const fs::path& path) {
    const std::string layer = *path.begin();
    if (layer != "encodings" && layer != "recognition") return "";
    if (std::distance(path.begin(), path.end()) < 3) return "";
    const std::string family = *std::next(path.begin());
    return std::ranges::count(shared_folders, family) > 0 ? "" : family;
}

bool includes_any(const Source& source, std::initializer_list<std::string_view> headers) {
    return std::ranges::any_of(source.includes, [&](const std::string& include) {
        return std::ranges::any_of(
            headers, [&](std::string_view header) { return include.starts_with(header); });
    });
}

}  // namespace

TEST_CASE("layers: every source is in a layer") {
    CHECK(all_sources().size() > 50);
    for (const Source& source : all_sources()) {
        INFO("Which layer is src/", source.path.string(),
             " in? The layers are listed in this test");
        CHECK(height_of(source.layer()) < std::ssize(layers));
    }
}

TEST_CASE("layers: no file includes a layer above its own") {
    for (const Source& source : all_sources()) {
        for (const std::string& include : source.includes) {
            const std::string layer = layer_of(include);
            if (layer.empty()) continue;
            INFO("src/", source.path.string(), " includes ", include);
            CHECK(height_of(layer) <= height_of(source.layer()));
            CHECK_FALSE(are_strangers(source.layer(), layer));
        }
    }
}

TEST_CASE("layers: a family of encodings does not include another") {
    for (const Source& source : all_sources()) {
        const std::string family = family_of(source.path);
        // Layers above the families may ask rope what frequencies mean, so they are skipped.
        if (family.empty() && source.layer() != "encodings") continue;
        for (const std::string& include : source.includes) {
            const std::string included = family_of(include);
            if (included.empty()) continue;
            INFO("src/", source.path.string(), " includes ", include);
            CHECK(included == family);
        }
    }
}

TEST_CASE("layers: draws share the C library, and NumPy's a generator of PyTorch's") {
    for (const Source& source : all_sources()) {
        if (source.layer() != "draws") continue;
        const std::string library = *std::next(source.path.begin());
        for (const fs::path include : source.includes) {
            if (*include.begin() != "draws") continue;
            const std::string included = *std::next(include.begin());
            INFO("src/", source.path.string(), " includes ", include.string());
            CHECK((included == library || included == "glibc" ||
                   (library == "numpy" && include == "draws/torch/mt19937.h")));
        }
    }
}

TEST_CASE("layers: nothing but identify includes recognition, which a build can do without") {
    for (const Source& source : all_sources()) {
        const std::string path = source.path;
        if (source.layer() == "recognition" || path.starts_with("cli/identify/")) continue;
        CAPTURE(path);
        CHECK_FALSE(includes_any(source, {"recognition/", "cli/identify/"}));
    }
}

TEST_CASE("layers: recognition's evidence is below its families, and these below identify") {
    for (const Source& source : all_sources()) {
        if (source.layer() != "recognition") continue;
        const std::string folder = *std::next(source.path.begin());
        if (folder == "kernel" || folder == source.path.filename()) continue;
        for (const fs::path include : source.includes) {
            if (*include.begin() != "recognition") continue;
            const std::string included = *std::next(include.begin());
            INFO("src/", source.path.string(), " includes ", include.string());
            CHECK((included == "evidence" || included == folder ||
                   (included == "parameters" && folder != "evidence")));
        }
    }
}

TEST_CASE("layers: each library of others is known to one layer") {
    for (const Source& source : all_sources()) {
        const std::string layer = source.layer();
        CAPTURE(source.path.string());
        if (layer != "cli") CHECK_FALSE(includes_any(source, {"CLI/"}));
        if (layer != "numerics") CHECK_FALSE(includes_any(source, {"mpfr.h", "gmp.h"}));
        if (source.path != "core/parallel.cpp") CHECK_FALSE(includes_any(source, {"omp.h"}));
        if (layer != "http") CHECK_FALSE(includes_any(source, {"event2/"}));
        if (layer != "wasm") CHECK_FALSE(includes_any(source, {"emscripten"}));
        if (!source.path.string().starts_with("files/linux/")) {
            CHECK_FALSE(includes_any(source, {"linux/", "sys/statfs.h", "sys/vfs.h"}));
        }
        if (layer != "mpi") CHECK_FALSE(includes_any(source, {"mpi.h"}));
        if (layer != "figure") CHECK_FALSE(includes_any(source, {"stb_truetype.h"}));
        if ((layer != "formats" && layer != "files") ||
            source.path.string().find("png") == std::string::npos) {
            CHECK_FALSE(includes_any(source, {"stb_image"}));
            if (source.path != "files/deflate.cpp") {
                CHECK_FALSE(includes_any(source, {"libdeflate.h"}));
            }
        }
        if (source.path != "formats/number_text.cpp") {
            CHECK_FALSE(includes_any(source, {"dragonbox/"}));
        }
        if (source.path.string().find("_zip") == std::string::npos) {
            CHECK_FALSE(includes_any(source, {"zlib.h", "minizip/"}));
        }
        if (layer != "mpi" && source.path != "files/json_text.cpp" &&
            source.path != "files/archive.cpp") {
            CHECK_FALSE(includes_any(source, {"nlohmann/", "fmt/ranges.h"}));
        }
    }
}

TEST_CASE("layers: public headers include the standard library only") {
    for (const Source& header : sources_below("include")) {
        for (const std::string& include : header.includes) {
            INFO(header.path.string(), " includes ", include);
            const bool is_of_c = include == "stddef.h" || include == "stdint.h";
            const bool is_of_cpp = include.find_first_of("./") == std::string::npos;
            CHECK((is_of_c || is_of_cpp || include == "pegen/api.h"));
        }
    }
}
