#include "mpi/generate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/generate.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "core/signals.h"
#include "core/to_size.h"
#include "files/output_file.h"
#include "files/target.h"
#include "formats/registry.h"
#include "formats/tiles.h"
#include "formats/write.h"
#include "mpi/layout.h"
#include "mpi/ranks.h"
#include "mpi/shared_file.h"
#include "numerics/self_test.h"

namespace pegen::mpi {
namespace {

/// Throws: UsageError if the ranks cannot write the target together.
void check_target(const cli::Target& target) {
    if (target.format->is_shown || target.path == "-") {
        throw UsageError(
            "pe-gen-mpi writes no standard output; name a file: --npy FILE or --safetensors FILE");
    }
    if (!has_layout(*target.format)) {
        throw UsageError(fmt::format(
            "--{} {}: the places of rows are not known before it is written, so ranks cannot write it "
            "together; use pe-gen, or --npy or --safetensors",
            target.format->name, target.path));
    }
    if (find_target(target.path).is_written_directly()) {
        throw UsageError(fmt::format(
            "--{} {}: ranks write at many places of a file; name one, or use pe-gen",
            target.format->name, target.path));
    }
}

/// A file to be written, and the tables that are in it.
struct File {
    const cli::Target* target;
    std::size_t first_table;
    Layout layout;
};

/// What every rank knows of the tables and files of a request before a value is computed.
struct Plan {
    std::vector<PlannedTable> planned;
    std::vector<Table> tables;
    std::vector<File> files;
};

Plan plan_of(const cli::Request& request) {
    Plan plan;
    for (const cli::RequestedTable& wanted : request.tables) {
        plan.planned.push_back(cli::planned_table(request, wanted));
        plan.tables.push_back(plan.planned.back().table);
    }
    const std::span<const Table> tables = plan.tables;
    const auto add = [&](const cli::Target& target, std::size_t first, std::size_t count) {
        check_target(target);
        plan.files.push_back({&target, first,
                              layout_of(*target.format, target.parameters,
                                        tables.subspan(first, count))});
    };
    for (std::size_t i = 0; i < tables.size(); ++i) {
        for (const cli::Target& target : request.tables[i].targets) add(target, i, 1);
    }
    for (const cli::Target& archive : request.archives) add(archive, 0, tables.size());
    return plan;
}

/// Opens the files on the first rank, which finds a disk without room for them.
std::vector<Output> opened(const Plan& plan, const Placing& placing) {
    std::vector<Output> outputs;
    for (const auto& [target, first, layout] : plan.files) {
        outputs.push_back({target->format, target->parameters, OutputFile(target->path, placing)});
        if (target->format->archive) {
            reserve(plan.tables, outputs.back());
        } else {
            reserve(plan.tables[first], {&outputs.back(), 1});
        }
    }
    return outputs;
}

/// While it lives, this rank removes the hidden names of files before a signal ends it: the first
/// rank, which made them, may have been ended in a way that leaves it no time.
class HiddenNames {
  public:
    explicit HiddenNames(std::vector<std::string> paths) : paths_(std::move(paths)) {}
    HiddenNames(const HiddenNames&) = delete;
    HiddenNames& operator=(const HiddenNames&) = delete;

  private:
    static void remove(const void* paths) {
        for (const std::string& path : *static_cast<const std::vector<std::string>*>(paths)) {
            ::unlink(path.c_str());
        }
    }

    std::vector<std::string> paths_;
    BeforeSignal removal_{remove, &paths_};
};

/// The tiles of a table that this rank writes: as many as any other, up to one.
TileRange own_tiles(const Table& table) {
    if (table.shape.size() == 0) return {0, 0};
    const std::int64_t tiles = tiles_of(table).count();
    const auto begin_of = [&](std::int64_t number) {
        return tiles / rank_count() * number + std::min(number, tiles % rank_count());
    };
    return {begin_of(rank()), begin_of(rank() + 1) - begin_of(rank())};
}

/// Writes this rank's rows of all tables to all files, and the first rank what is not rows.
void write_share(const Plan& plan, std::list<SharedFile>& shared, cli::ProgressLine& line,
                 const std::string& title) {
    if (rank() == 0) {
        auto file = shared.begin();
        for (const File& of : plan.files) {
            for (const auto& [offset, bytes] : of.layout.texts) {
                file->write(offset, std::as_bytes(std::span(bytes)));
            }
            ++file;
        }
    }
    for (std::size_t i = 0; i < plan.tables.size(); ++i) {
        const Table& table = plan.tables[i];
        std::vector<std::pair<SharedFile*, std::int64_t>> places;
        auto file = shared.begin();
        for (const File& of : plan.files) {
            const bool has_table = i >= of.first_table && i - of.first_table < of.layout.rows.size();
            if (has_table) places.emplace_back(&*file, of.layout.rows[i - of.first_table]);
            ++file;
        }
        line.begin(title, row_bytes(table));
        take_tiles(
            table, own_tiles(table),
            [&](RowRange rows, Bytes elements) {
                end_with_others();
                for (const auto& [place, offset] : places) {
                    place->write(offset + rows.first * row_bytes(table), elements);
                }
            },
            [&](std::int64_t done, std::int64_t total) { line.update(done, total); });
    }
}

}  // namespace

void generate(const cli::Request& request) {
    const bool is_first = rank() == 0;
    cli::ProgressLine line(is_first ? request.run.verbosity : cli::Verbosity::quiet);
    limit_threads(request.run.threads.value_or(own_processors()));
    Plan plan;
    together([&] {
        numerics::self_test();
        plan = plan_of(request);
        const std::vector<cli::Target> targets = cli::all_targets(request);
        if (is_first) cli::check_targets(targets, request.run);
    });

    Placing placing = request.run.placing;
    placing.has_name = !are_on_one_machine();
    std::vector<Output> outputs;
    std::string paths;
    std::string waits;
    together([&] {
        if (!is_first) return;
        outputs = opened(plan, placing);
        for (const Output& output : outputs) {
            paths += output.file.path_for_others() + '\0';
            waits += output.file.is_waited_for() ? 'y' : 'n';
        }
        cli::print_notes(plan.planned.front().notes, request.run.verbosity);
    });
    paths = text_of_first(paths);
    waits = text_of_first(waits);
    {
        std::list<SharedFile> shared;
        std::optional<HiddenNames> hidden;
        together([&] {
            std::vector<std::string> names;
            for (const std::string_view path : fields(paths, '\0')) names.emplace_back(path);
            names.pop_back();
            if (placing.has_name && !is_first) hidden.emplace(names);
            for (std::size_t i = 0; i < names.size(); ++i) {
                shared.emplace_back(names[i], plan.files[i].target->path);
            }
        });
        const std::string title(request.subject.name());
        together([&] {
            line.begin(title + ": preparing");
            for (std::size_t i = 0; i < plan.tables.size(); ++i) {
                plan.tables[i].rows =
                    plan.planned[i].make_rows([&](std::int64_t done, std::int64_t total) {
                        line.update(done, total);
                    });
            }
            write_share(plan, shared, line, title);
            line.begin(title + ": waiting for the disk");
            std::size_t i = 0;
            for (SharedFile& file : shared) file.finish(waits[i++] == 'y');
        });
    }
    line.hide();
    together([&] {
        if (!is_first) return;
        finish(outputs);
        end_with([&] { commit(outputs); });
    });
}

}  // namespace pegen::mpi
