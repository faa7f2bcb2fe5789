#include "cli/print.h"

#include "files/output_file.h"

namespace pegen::cli {

ExitStatus print(std::string_view text) {
    OutputFile standard_output("-");
    standard_output.write(text);
    standard_output.finish();
    return ExitStatus::done;
}

}  // namespace pegen::cli
