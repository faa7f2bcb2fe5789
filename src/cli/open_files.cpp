#include "cli/open_files.h"

#include <algorithm>
#include <utility>

#include "files/input_file.h"

namespace pegen::cli {
namespace {

Output open_output(const Target& target, const Placing& placing) {
    return {target.format, target.parameters, OutputFile(target.path, placing)};
}

std::vector<Output*> all_outputs(OpenFiles& files) {
    std::vector<Output*> all;
    for (std::vector<Output>& outputs : files.outputs) {
        for (Output& output : outputs) all.push_back(&output);
    }
    for (Output& archive : files.archives) all.push_back(&archive);
    return all;
}

bool is_rewritten(const Output& output) {
    return output.format->archive && output.format->archive->is_rewritten;
}

}  // namespace

void open_outputs(OpenFiles& files, const Table& table, std::span<const Target> targets) {
    std::vector<Output> outputs;
    for (const Target& target : targets) outputs.push_back(open_output(target, files.placing));
    reserve(table, outputs);
    files.tables.push_back(table);
    files.outputs.push_back(std::move(outputs));
}

void open_archives(OpenFiles& files, std::span<const Target> archives) {
    for (const Target& archive : archives) {
        files.archives.push_back(open_output(archive, files.placing));
        reserve(files.tables, files.archives.back());
    }
}

std::vector<OutputFile*> files_of(OpenFiles& files) {
    std::vector<OutputFile*> all;
    for (Output* output : all_outputs(files)) all.push_back(&output->file);
    return all;
}

void append(std::vector<std::string>& notes, std::vector<std::string> more) {
    for (std::string& note : more) {
        if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
    }
}

StagedFiles staged(std::span<const TableOfTargets> tables, std::span<const Target> archives,
                   Hashing hashing, const Placing& placing) {
    StagedFiles result;
    OpenFiles& files = result.files;
    files.placing = placing;
    for (const auto& [table, targets] : tables) open_outputs(files, table, targets);
    open_archives(files, archives);
    const std::vector<Output*> outputs = all_outputs(files);
    result.digests.resize(hashing == Hashing::sha256 ? outputs.size() : 0);
    for (std::size_t i = 0; i < result.digests.size(); ++i) {
        if (!is_rewritten(*outputs[i])) outputs[i]->digest = &result.digests[i];
    }
    for (std::size_t i = 0; i < files.tables.size(); ++i) {
        append(result.notes, write_table(files.tables[i], files.outputs[i]));
    }
    for (Output& archive : files.archives) write_archive(files.tables, archive);
    return result;
}

bool is_waited_for(StagedFiles& staged) {
    return std::ranges::any_of(files_of(staged.files),
                               [](const OutputFile* file) { return file->is_waited_for(); });
}

void finish(StagedFiles& staged) {
    for (OutputFile* file : files_of(staged.files)) file->finish();
}

void place(StagedFiles& staged, ChangedFolders& folders) {
    commit(files_of(staged.files), folders);
    const std::vector<Output*> outputs = all_outputs(staged.files);
    for (std::size_t i = 0; i < staged.digests.size(); ++i) {
        if (is_rewritten(*outputs[i])) {
            staged.digests[i] = sha256_of(InputFile(outputs[i]->file.path()));
        }
    }
}

}  // namespace pegen::cli
