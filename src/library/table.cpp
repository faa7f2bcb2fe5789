#include "pegen/table.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "cli/generate.h"
#include "cli/open_files.h"
#include "core/default_floating_point.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "formats/registry.h"
#include "formats/write.h"
#include "library/words.h"

namespace pegen {

std::string_view version() { return PEGEN_VERSION; }

namespace {

void check_range(const Table& table, std::int64_t first, std::int64_t count) {
    if (first >= 0 && count >= 0 && count <= table.shape.rows() &&
        first <= table.shape.rows() - count) {
        return;
    }
    throw UsageError(fmt::format("{} rows from row {} on: the table has rows 0 to {}", count, first,
                                 table.shape.rows() - 1));
}

}  // namespace

struct GeneratedTable::State {
    std::optional<std::int64_t> threads;
    Table table;
    std::vector<std::string> axes;
    std::vector<std::string> notes;
};

GeneratedTable::GeneratedTable(const Words& words) {
    const DefaultFloatingPoint arithmetic;
    // With --quiet and without an output, nothing is written or shown.
    const cli::Request request = request_of(words, {"--quiet"});
    if (!cli::all_targets(request).empty()) {
        throw UsageError("a table writes and shows nothing; use file() or save()");
    }
    if (request.tables.size() != 1)
        throw UsageError("--table: must be one; ask for each by itself, or use file() or save()");
    const ThreadLimit limit(request.run.threads);
    PlannedTable planned = cli::planned_table(request, request.tables.front());
    planned.table.rows = planned.make_rows(ignore_progress);
    std::vector<std::string> axes;
    for (const Axis& axis : planned.table.axes) axes.push_back(axis.name);
    state_ = std::make_shared<const State>(State{request.run.threads, std::move(planned.table),
                                                 std::move(axes), std::move(planned.notes)});
}

const std::vector<std::int64_t>& GeneratedTable::shape() const {
    return state_->table.shape.extents();
}

const std::vector<std::string>& GeneratedTable::axes() const { return state_->axes; }

std::string_view GeneratedTable::dtype() const { return info(state_->table.dtype).name; }

std::int64_t GeneratedTable::rows() const { return state_->table.shape.rows(); }

std::int64_t GeneratedTable::bytes_per_row() const { return row_bytes(state_->table); }

const std::vector<std::string>& GeneratedTable::notes() const { return state_->notes; }

void GeneratedTable::read_rows(std::int64_t first, std::int64_t count,
                               std::span<std::byte> out) const {
    const Table& table = state_->table;
    check_range(table, first, count);
    const std::size_t bytes = bytes_per_row();
    if (out.size() != count * bytes) {
        throw UsageError(
            fmt::format("{} bytes for {} rows: must be {}", out.size(), count, count * bytes));
    }
    if (out.empty()) return;
    const DefaultFloatingPoint arithmetic;
    const ThreadLimit limit(state_->threads);
    const Tiles tiles{count, tiles_of(table).rows_per_tile};
    parallel_for(tiles.count(), [&](std::int64_t tile) {
        const RowRange part = tiles[tile];
        table.rows({first + part.first, part.count},
                   out.subspan(part.first * bytes, part.count * bytes));
    });
}

std::vector<double> GeneratedTable::values(std::int64_t first, std::int64_t count) const {
    check_range(state_->table, first, count);
    const DefaultFloatingPoint arithmetic;
    return pegen::read_rows(state_->table, {first, count});
}

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
    const DefaultFloatingPoint arithmetic;
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
    const DefaultFloatingPoint arithmetic;
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
