#include "cli/explore/page_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/command.h"
#include "formats/metadata.h"
#include "formats/registry.h"

namespace pegen::cli {

std::string page_command(const Asked& asked, const Table& table, std::string_view format) {
    const auto found = std::ranges::find(all_formats(), format, &Format::name);
    const Parameters figure = is_figure(**found) ? asked.figure() : Parameters();
    const std::string command = command_of("", figure_provenance(table, figure));
    return fmt::format("{} --{} {}.{}", command, format, asked.request.subject.name(), format);
}

}  // namespace pegen::cli
