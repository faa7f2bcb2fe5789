#include "pegen/pegen.h"

#include <fmt/format.h>

#include <utility>

#include "cli/generate.h"
#include "cli/open_files.h"
#include "cli/request.h"
#include "core/error.h"
#include "core/to_size.h"
#include "formats/tiles.h"
#include "formats/write.h"
#include "numerics/self_test.h"

namespace pegen {
namespace {

using Words = GeneratedTable::Words;

cli::Request request_of(const Words& words, const Words& more) {
    if (words.empty()) throw UsageError("needs the name of an encoding or a preset");
    std::vector<std::string_view> arguments(words.begin(), words.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const cli::NamedArguments named = cli::named_arguments(arguments);
    return cli::parse_request(named.subject, named.rest);
}

void check_range(const Table& table, std::int64_t first, std::int64_t count) {
    if (first >= 0 && count >= 0 && count <= table.shape.rows() &&
        first <= table.shape.rows() - count) {
        return;
    }
    throw UsageError(fmt::format("rows {} ... {}: must be 0 to {}", first, first + count - 1,
                                 table.shape.rows() - 1));
}

/// Returns an archive of the table alone.
std::string archive_of(const Table& table, const ArchiveFormat& format) {
    std::string file;
    const auto text = [](Bytes bytes) {
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const ByteSink sink{
        [&](Bytes bytes) { file += text(bytes); },
        [&](std::int64_t offset, Bytes bytes) {
            file.replace(to_size(offset), bytes.size(), text(bytes));
        },
    };
    format.write({&table, 1}, sink,
                 [](const Table& rows_of, const WriteBytes& write) { write_rows(rows_of, write); });
    return file;
}

}  // namespace

struct GeneratedTable::State {
    Words words;
    Table table;
};

GeneratedTable::GeneratedTable(const Words& words) {
    numerics::self_test();
    // With --quiet and without an output nothing is written, and nothing is shown.
    const cli::Request request = request_of(words, {"--quiet"});
    if (request.run.action != cli::Action::generate || !cli::all_targets(request).empty()) {
        throw UsageError("a table writes and shows nothing by itself: use file() or save()");
    }
    if (request.tables.size() != 1) throw UsageError("--table: one table at a time");
    const cli::RequestedTable& wanted = request.tables.front();
    state_ = std::make_shared<const State>(State{words, cli::table_of(request, wanted)});
}

const std::vector<std::int64_t>& GeneratedTable::shape() const {
    return state_->table.shape.extents();
}

std::vector<std::string> GeneratedTable::axes() const {
    std::vector<std::string> names;
    for (const Axis& axis : state_->table.axes) names.push_back(axis.name);
    return names;
}

std::string_view GeneratedTable::dtype() const { return info(state_->table.dtype).name; }

std::int64_t GeneratedTable::rows() const { return state_->table.shape.rows(); }

std::int64_t GeneratedTable::bytes_per_row() const { return row_bytes(state_->table); }

void GeneratedTable::read_rows(std::int64_t first, std::int64_t count,
                               std::span<std::byte> out) const {
    check_range(state_->table, first, count);
    if (out.size() != to_size(count * bytes_per_row())) {
        throw UsageError(fmt::format("{} bytes for {} rows: must be {}", out.size(), count,
                                     count * bytes_per_row()));
    }
    state_->table.rows({first, count}, out);
}

std::vector<double> GeneratedTable::values(std::int64_t first, std::int64_t count) const {
    check_range(state_->table, first, count);
    return pegen::read_rows(state_->table, {first, count});
}

std::string GeneratedTable::file(std::string_view format, const Words& options) const {
    Words output{fmt::format("--{}", format), "-"};
    output.insert(output.end(), options.begin(), options.end());
    const std::vector<cli::Target> targets = cli::all_targets(request_of(state_->words, output));
    if (targets.size() != 1) throw UsageError("file: one format at a time");
    const cli::Target& target = targets.front();
    const Table& table = state_->table;
    if (target.format->archive) return archive_of(table, *target.format->archive);
    std::string bytes = beginning(table, *target.format, target.parameters).file;
    const Tiles tiles = tiles_of(table);
    std::vector<std::byte> rows;
    for (std::int64_t tile = 0; target.format->append_rows && tile < tiles.count(); ++tile) {
        rows.resize(to_size(tiles[tile].count * row_bytes(table)));
        table.rows(tiles[tile], rows);
        target.format->append_rows(table, target.parameters, tiles[tile], rows, bytes);
    }
    return bytes + ending(table, *target.format, target.parameters);
}

void GeneratedTable::save(const std::string& path, const Words& options) const {
    Words output{"--output", path};
    output.insert(output.end(), options.begin(), options.end());
    const cli::Request request = request_of(state_->words, output);
    const cli::TableOfTargets all{state_->table, request.tables.front().targets};
    cli::StagedFiles files = cli::staged({&all, 1}, request.archives);
    cli::finish(files);
    commit(cli::files_of(files.files));
}

}  // namespace pegen
