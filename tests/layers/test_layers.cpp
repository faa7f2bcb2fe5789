#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Bottom up. A room may include itself and the rooms below it.
constexpr std::array<std::string_view, 10> floors{"core",    "files",     "numerics", "torch",
                                                  "rows",    "encodings", "figure",   "formats",
                                                  "inspect", "cli"};

/// Rooms on neighbouring floors that do not know each other.
bool is_forbidden_neighbour(std::string_view room, std::string_view included) {
    return room == "figure" && (included == "encodings" || included == "numerics");
}

std::ptrdiff_t floor_of(std::string_view room) {
    return std::ranges::find(floors, room) - floors.begin();
}

struct Source {
    std::string path;
    std::string room;
    std::vector<std::string> includes;  ///< what stands between "" or <>
};

std::vector<Source> all_sources() {
    std::vector<Source> sources;
    for (const char* top : {"src"}) {
        const fs::path folder = fs::path(PEGEN_SOURCE_DIR) / top;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            const std::string extension = entry.path().extension();
            if (extension != ".h" && extension != ".cpp") continue;
            Source source{entry.path(), *fs::relative(entry.path(), folder).begin(), {}};
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                if (!line.starts_with("#include ")) continue;
                source.includes.push_back(line.substr(10, line.find_last_of("\">") - 10));
            }
            sources.push_back(source);
        }
    }
    return sources;
}

/// The room an include leads to; "" outside of the house.
std::string room_of(std::string include) {
    if (include.starts_with("pegen/")) include = include.substr(6);
    const std::string room = include.substr(0, include.find('/'));
    return std::ranges::find(floors, room) == floors.end() ? "" : room;
}

bool includes_any(const Source& source, std::initializer_list<std::string_view> headers) {
    return std::ranges::any_of(source.includes, [&](const std::string& include) {
        return std::ranges::any_of(
            headers, [&](std::string_view header) { return include.starts_with(header); });
    });
}

}  // namespace

TEST_CASE("house: every file is in a room") {
    const std::vector<Source> sources = all_sources();
    CHECK(sources.size() > 50);
    for (const Source& source : sources) {
        CAPTURE(source.path);
        CHECK(floor_of(source.room) < std::ssize(floors));
    }
}

TEST_CASE("house: no room includes one above it") {
    for (const Source& source : all_sources()) {
        for (const std::string& include : source.includes) {
            const std::string room = room_of(include);
            if (room.empty()) continue;
            CAPTURE(source.path);
            CAPTURE(include);
            CHECK(floor_of(room) <= floor_of(source.room));
            CHECK_FALSE(is_forbidden_neighbour(source.room, room));
        }
    }
}

TEST_CASE("house: each third party is known to one room") {
    for (const Source& source : all_sources()) {
        CAPTURE(source.path);
        if (source.room != "cli") CHECK_FALSE(includes_any(source, {"CLI/"}));
        if (source.room != "numerics") CHECK_FALSE(includes_any(source, {"mpfr.h", "gmp.h"}));
        if (!source.path.ends_with("core/parallel.cpp"))
            CHECK_FALSE(includes_any(source, {"omp.h"}));
        if (source.room != "figure") CHECK_FALSE(includes_any(source, {"stb_truetype.h"}));
        if ((source.room != "formats" && source.room != "files") ||
            source.path.find("png") == std::string::npos) {
            CHECK_FALSE(includes_any(source, {"stb_image", "libdeflate.h"}));
        }
        if (source.room == "core" || source.room == "numerics" || source.room == "encodings" ||
            source.room == "figure") {
            CHECK_FALSE(includes_any(source, {"nlohmann/"}));
        }
    }
}

TEST_CASE("house: public headers show no third party") {
    for (const Source& source : all_sources()) {
        if (source.path.find("/include/pegen/") == std::string::npos) continue;
        CAPTURE(source.path);
        CHECK_FALSE(includes_any(
            source, {"CLI/", "fmt/", "nlohmann/", "mpfr.h", "stb_", "omp.h", "libdeflate.h"}));
    }
}
