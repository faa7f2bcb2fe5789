#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pegen::testing {

/// A new folder, which is removed with the object.
class TemporaryFolder {
  public:
    /// In $TMPDIR, or in /tmp if that cannot be used or has a space in its path: some tests make
    /// commands of it, which are split at spaces.
    TemporaryFolder() {
        namespace fs = std::filesystem;
        std::error_code ignored;
        for (const fs::path& parent : {fs::temp_directory_path(ignored), fs::path("/tmp")}) {
            std::string name = fs::current_path() / parent / "pe-gen-test-XXXXXX";
            if (name.find(' ') != name.npos || ::mkdtemp(name.data()) == nullptr) continue;
            path_ = name;
            return;
        }
        throw std::runtime_error("mkdtemp failed");
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string path(std::string_view name) const { return (path_ / name).string(); }

    /// Returns the names in the folder.
    std::set<std::string> names() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path_)) {
            names.insert(entry.path().filename().string());
        }
        return names;
    }

  private:
    std::filesystem::path path_;
};

inline std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace pegen::testing
