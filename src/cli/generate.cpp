#include "cli/generate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/print.h"
#include "pegen/core/error.h"
#include "pegen/core/parallel.h"
#include "pegen/formats/output_file.h"
#include "pegen/formats/write.h"
#include "pegen/numerics/self_test.h"

namespace pegen::cli {
namespace {

Table table_of(const Request& request) {
    const Preset* preset = request.subject.preset;
    return make_table(*request.subject.encoding, *request.table, request.parameters, request.dtype,
                      preset ? preset->name : "");
}

void check_target(const Target& target, const Request& request) {
    if (target.path == "-" && target.format->is_binary && isatty(STDOUT_FILENO)) {
        throw UsageError(
            fmt::format("--{} -: a terminal cannot show {}; redirect standard output to a file",
                        target.format->name, target.format->name));
    }
    if (request.keep_existing_files && target.path != "-" && std::filesystem::exists(target.path)) {
        throw FileError(target.path, "exists, and --no-clobber was given");
    }
}

/// "1048704 bytes", where that is known without writing it.
std::string size_of(const Target& target, const Table& table) {
    if (target.format->append_rows != raw_rows) return "size depends on the values";
    const auto around = target.format->head(table, target.parameters).size() +
                        target.format->tail(table, target.parameters).size();
    return fmt::format("{} bytes", static_cast<std::int64_t>(around) + total_bytes(table));
}

}  // namespace

void generate(const Request& request) {
    if (request.threads) limit_threads(*request.threads);
    numerics::self_test();
    const Table table = table_of(request);
    for (const Target& target : request.targets) check_target(target, request);

    std::vector<Output> outputs;
    for (const Target& target : request.targets) {
        outputs.push_back({target.format, target.parameters, OutputFile(target.path)});
    }
    write_table(table, outputs);
    for (Output& output : outputs) output.file.finish();
    for (Output& output : outputs) output.file.commit();
}

void print_dry_run(const Request& request) {
    const Table table = table_of(request);
    std::string text = fmt::format("encoding    {}\n", table.provenance.encoding);
    if (request.subject.preset) text += fmt::format("preset      {}\n", table.provenance.preset);
    text += fmt::format("table       {}\n", table.provenance.table);
    for (const Parameters::Entry& entry : table.provenance.parameters.entries()) {
        text += fmt::format("  {:<14}{}\n", entry.spec->name, to_string(entry.value));
    }
    text += fmt::format("shape       {}\n", to_string(table.shape));
    text += fmt::format("dtype       {}\n", info(table.dtype).name);
    for (const Target& target : request.targets) {
        check_target(target, request);
        text += fmt::format("{:<12}{}, {}\n", target.format->name,
                            target.path == "-" ? "standard output" : target.path,
                            size_of(target, table));
    }
    print(text);
}

}  // namespace pegen::cli
