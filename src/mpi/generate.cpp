#include "mpi/generate.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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
#include "core/progress.h"
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
            "pe-gen-mpi prints no tables; name a file: --npy FILE or --safetensors FILE");
    }
    if (!has_layout(*target.format)) {
        throw UsageError(
            fmt::format("--{} {}: the places of rows are not known before it is written, so ranks "
                        "cannot write it "
                        "together; use pe-gen, or --npy or --safetensors",
                        target.format->name, target.path));
    }
    if (find_target(target.path).is_written_directly()) {
        throw UsageError(
            fmt::format("--{} {}: ranks write at many places of a file; name one, or use pe-gen",
                        target.format->name, target.path));
    }
}

/// A file to be written, and the tables that are in it.
struct File {
    const cli::Target* target;
    std::size_t first_table;
    Layout layout;
    std::optional<SharedFile> shared{};  ///< while it is written

    /// Returns where the rows of a table begin; nothing if it is not in the file.
    std::optional<std::int64_t> rows_of(std::size_t table) const {
        const bool has_table = table >= first_table && table - first_table < layout.rows.size();
        return has_table ? std::optional(layout.rows[table - first_table]) : std::nullopt;
    }
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
        plan.files.push_back(
            {&target, first,
             layout_of(*target.format, target.parameters, tables.subspan(first, count))});
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
    for (const File& file : plan.files) {
        const cli::Target& target = *file.target;
        outputs.push_back({target.format, target.parameters, OutputFile(target.path, placing)});
        if (target.format->archive) {
            reserve(plan.tables, outputs.back());
        } else {
            reserve(plan.tables[file.first_table], {&outputs.back(), 1});
        }
    }
    return outputs;
}

/// The tiles of a table that this rank writes: as many as any other, up to one.
TileRange own_tiles(const Table& table) {
    if (table.shape.size() == 0) return {0, 0};
    const std::int64_t tiles = tiles_of(table).count();
    const auto begin_of = [&](std::int64_t number) {
        return tiles / rank_count() * number + std::min(number, tiles % rank_count());
    };
    return {begin_of(rank()), begin_of(rank() + 1) - begin_of(rank())};
}

/// Writes what is not rows to all files.
void write_texts(Plan& plan) {
    for (File& file : plan.files) {
        for (const auto& [offset, bytes] : file.layout.texts) {
            file.shared->write(offset, std::as_bytes(std::span(bytes)));
        }
    }
}

/// Writes this rank's rows of a table to all files that it is in.
void write_rows_of(Plan& plan, std::size_t number, const Progress& progress) {
    const Table& table = plan.tables[number];
    take_tiles(
        table, own_tiles(table),
        [&](RowRange rows, Bytes elements) {
            end_with_others();
            for (File& file : plan.files) {
                const std::optional<std::int64_t> begin = file.rows_of(number);
                if (begin) file.shared->write(*begin + rows.first * row_bytes(table), elements);
            }
        },
        progress);
}

/// What the first rank tells the others of a file that it has opened.
struct OpenedFile {
    std::string path;    ///< where it is until it has its name
    std::string number;  ///< of its inode, which is the same on all machines
    bool is_waited_for;
};

/// Returns the number of the inode; "" if there is no such file.
std::string inode_of(const std::string& path) {
    struct stat file {};
    return ::stat(path.c_str(), &file) == 0 ? std::to_string(file.st_ino) : "";
}

/// Returns the files that the first rank has opened, on every rank.
std::vector<OpenedFile> told(std::span<const Output> outputs) {
    std::string text;
    for (const Output& output : outputs) {
        const std::string path = output.file.path_for_others();
        for (const std::string& part :
             {path, inode_of(path), std::string(output.file.is_waited_for() ? "waits" : "")}) {
            text += part + '\0';
        }
    }
    text = text_of_first(text);
    const std::vector<std::string_view> parts = fields(text, '\0');
    std::vector<OpenedFile> files;
    for (std::size_t i = 0; i + 3 <= parts.size(); i += 3) {
        files.push_back({std::string(parts[i]), std::string(parts[i + 1]), !parts[i + 2].empty()});
    }
    return files;
}

/// While it lives, this rank removes the hidden names of files before a signal ends it: the first
/// rank, which made them, may have been ended in a way that leaves it no time.
class HiddenNames {
  public:
    explicit HiddenNames(std::span<const OpenedFile> files) : files_(files) {}
    HiddenNames(const HiddenNames&) = delete;
    HiddenNames& operator=(const HiddenNames&) = delete;

  private:
    static void remove(const void* names) {
        const auto& files = static_cast<const HiddenNames*>(names)->files_;
        for (const OpenedFile& file : files) ::unlink(file.path.c_str());
    }

    std::span<const OpenedFile> files_;
    BeforeSignal removal_{remove, this};
};

/// Throws: FileError if the file is another one for this rank, as in a container of its own.
SharedFile shared_file(const OpenedFile& file, const std::string& shown) {
    const std::string number = inode_of(file.path);
    if (number != file.number) {
        throw FileError(shown,
                        fmt::format("is {} for this rank at {}; start all ranks with the same "
                                    "file systems",
                                    number.empty() ? "not there" : "another file", file.path));
    }
    return SharedFile(file.path, shown);
}

}  // namespace

void generate(const cli::Request& request) {
    const bool is_first = rank() == 0;
    const std::string title(request.subject.name());
    cli::ProgressLine line(is_first ? request.run.verbosity : cli::Verbosity::quiet);
    const Progress progress = [&](std::int64_t done, std::int64_t total) {
        line.update(done, total);
    };
    const int processors = own_processors();
    limit_threads(request.run.threads.value_or(processors));
    Plan plan;
    together([&] {
        numerics::self_test();
        plan = plan_of(request);
    });

    Placing placing = request.run.placing;
    placing.has_name = !see_each_other();
    std::vector<Output> outputs;
    together([&] {
        if (!is_first) return;
        cli::check_targets(cli::all_targets(request), request.run);
        outputs = opened(plan, placing);
        cli::print_notes(plan.planned.front().notes, request.run.verbosity);
    });
    const std::vector<OpenedFile> files = told(outputs);
    {
        std::optional<HiddenNames> hidden;
        if (placing.has_name && !is_first) hidden.emplace(files);
        together([&] {
            for (std::size_t i = 0; i < plan.files.size(); ++i) {
                plan.files[i].shared.emplace(shared_file(files[i], plan.files[i].target->path));
            }
        });
        together([&] {
            line.begin(title + ": preparing");
            for (std::size_t i = 0; i < plan.tables.size(); ++i) {
                plan.tables[i].rows = plan.planned[i].make_rows(progress);
            }
            if (is_first) write_texts(plan);
            for (std::size_t i = 0; i < plan.tables.size(); ++i) {
                line.begin(title, row_bytes(plan.tables[i]));
                write_rows_of(plan, i, progress);
            }
            line.begin(title + ": waiting for the disk");
            for (std::size_t i = 0; i < plan.files.size(); ++i) {
                plan.files[i].shared->finish(files[i].is_waited_for);
            }
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
