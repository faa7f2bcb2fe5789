#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>

#include "files/temporary_folder.h"
#include "program.h"

namespace pegen::testing {

/// A manifest, m.json, in a folder of its own.
struct Batch {
    TemporaryFolder folder;

    explicit Batch(std::string_view manifest) { set(manifest); }

    void set(std::string_view manifest) const { put(folder.path("m.json"), manifest); }
    ProgramRun run(const std::string& options = "") const {
        return run_program("batch m.json " + options, folder.path(""));
    }
    std::string file(std::string_view name) const { return content(folder.path(name)); }
    bool has(std::string_view name) const { return std::filesystem::exists(folder.path(name)); }
};

/// A manifest of one job, a sinusoid with these settings.
inline std::string one_job(const std::string& settings) {
    return fmt::format(R"({{"jobs": [{{"encoding": "sinusoid", "d": 4, "len": 2, {}}}]}})",
                       settings);
}

/// Returns the message that refuses a manifest; checks that no file is made.
inline std::string batch_refusal(const std::string& manifest, int status = 3,
                                 const std::string& options = "") {
    const Batch batch(manifest);
    const ProgramRun run = batch.run("-q " + options);
    CHECK(run.status == status);
    CHECK(run.output.empty());
    CHECK(batch.folder.names() == std::set<std::string>{"m.json"});
    return run.errors.substr(0, run.errors.find('\n'));
}

}  // namespace pegen::testing
