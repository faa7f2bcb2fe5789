#include "cli/print.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "core/names.h"
#include "core/utf8.h"
#include "files/json_text.h"
#include "files/output_file.h"
#include "numerics/real.h"

namespace pegen::cli {
namespace {

/// Returns the text with control characters other than line breaks escaped.
std::string shown(std::string_view text) {
    std::string shown;
    for (const std::string_view line : fields(text, '\n')) shown.append(one_line(line)) += '\n';
    shown.pop_back();  // the last field ends without a line break
    return shown;
}

}  // namespace

std::string printable(std::string_view text) {
    // Both ends are kept: a message that begins with a long path ends with the reason.
    constexpr std::size_t most = 4000, half = most / 2;
    if (text.size() > most) {
        return fmt::format("{} ... {}", printable(text.substr(0, half)),
                           printable(text.substr(text.size() - half)));
    }
    return one_line(text);
}

ExitStatus print(std::string_view text) {
    OutputFile standard_output("-");
    standard_output.write(shown(text));
    standard_output.finish();
    return ExitStatus::done;
}

std::string report(bool is_json, std::string_view name, const Json& content, std::string text) {
    if (!is_json) return text;
    Json report{{"schema", fmt::format("pe-gen/{}/1", name)}};
    report.update(content);
    report.add("text", shown(text));
    return json_line(report) + "\n";
}

void print_error(std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

void print_notes(std::span<const std::string> notes, Verbosity verbosity) {
    if (verbosity == Verbosity::quiet) return;
    for (const std::string& note : notes) print_error(fmt::format("pe-gen: {}\n", printable(note)));
}

ExitStatus print_version() {
    std::string text = fmt::format("pe-gen {}\nwith       {}\nlibraries  {}, fmt {}.{}.{}\n",
                                   PEGEN_VERSION, PEGEN_FEATURES, numerics::libraries(),
                                   FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
    if (std::string_view(PEGEN_COMMIT) != "") text += "commit     " PEGEN_COMMIT "\n";
    return print(text);
}

}  // namespace pegen::cli
