#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cli/generate.h"
#include "cli/open_files.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "formats/registry.h"
#include "formats/write.h"
#include "library/rounding.h"
#include "library/words.h"
#include "pegen/table.h"

namespace pegen {
namespace {

void check_format(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Format* format : all_formats()) {
        if (format->is_shown) continue;
        if (format->name == name) return;
        names.push_back(format->name);
    }
    throw UsageError(fmt::format("the format '{}': must be one of {}{}", name, joined(names, ", "),
                                 did_you_mean(name, names)));
}

std::string archive_of(std::span<const Table> tables, const ArchiveFormat& format,
                       const Parameters& parameters) {
    std::string file;
    if (const auto size = format.size(tables, parameters)) make_room(file, *size);
    const auto text = [](Bytes bytes) {
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const ByteSink sink{
        [&](Bytes bytes) { file += text(bytes); },
        [&](std::int64_t offset, Bytes bytes) { file.replace(offset, bytes.size(), text(bytes)); },
    };
    format.write(tables, parameters, sink,
                 [](const Table& table, const WriteBytes& write) { write_rows(table, write); });
    return file;
}

std::vector<cli::TableOfTargets> tables_of(const cli::Request& request) {
    std::vector<cli::TableOfTargets> tables;
    for (const cli::RequestedTable& wanted : request.tables) {
        tables.push_back({cli::table_of(request, wanted), wanted.targets});
    }
    return tables;
}

}  // namespace

std::string file(const Words& words, std::string_view format) {
    const RoundingToNearest rounding;
    check_format(format);
    const cli::Request request = request_of(words, {fmt::format("--{}", format), "-"});
    const std::vector<cli::Target> targets = cli::all_targets(request);
    if (targets.size() != 1) throw UsageError("file: one file at a time; use save()");
    const ThreadLimit limit(request.run.threads);
    std::vector<Table> tables;
    for (auto& [table, _] : tables_of(request)) tables.push_back(std::move(table));
    const cli::Target& target = targets.front();
    if (const ArchiveFormat* archive = target.format->archive) {
        return archive_of(tables, *archive, target.parameters);
    }
    return whole_file(tables.front(), *target.format, target.parameters);
}

void save(const Words& words, const std::string& path) {
    const RoundingToNearest rounding;
    if (path.find('\0') != path.npos) throw UsageError("the path has a null character");
    const cli::Request request = request_of(words, {"--output", path});
    for (const cli::Target& target : cli::all_targets(request)) {
        if (target.path == "-") throw UsageError("save writes to files, not to standard output");
    }
    cli::check_targets(cli::all_targets(request), request.run);
    const ThreadLimit limit(request.run.threads);
    cli::StagedFiles files =
        cli::staged(tables_of(request), request.archives, cli::Hashing::none, request.run.placing);
    cli::finish(files);
    commit(cli::files_of(files.files));
}

}  // namespace pegen
