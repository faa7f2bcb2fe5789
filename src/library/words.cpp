#include "library/words.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "cli/subject.h"
#include "core/error.h"
#include "numerics/self_test.h"

namespace pegen {
namespace {

/// Tests the arithmetic of this machine once. Throws: InternalError if it is wrong.
void test_arithmetic_once() {
    static const bool is_right = [] {
        numerics::self_test();
        return true;
    }();
    static_cast<void>(is_right);
}

}  // namespace

cli::Request request_of(const Words& words, const Words& options) {
    test_arithmetic_once();
    if (words.empty()) throw UsageError("needs the name of an encoding or a preset");
    for (const std::string& word : words) {
        if (word.find('\0') == word.npos) continue;
        throw UsageError(
            fmt::format("'{}': has a null character", word.substr(0, word.find('\0'))));
    }
    const std::vector<std::string_view> typed(words.begin(), words.end());
    const cli::NamedArguments named = cli::named_arguments(typed);
    std::vector<std::string_view> arguments(options.begin(), options.end());
    arguments.insert(arguments.end(), named.rest.begin(), named.rest.end());
    const cli::Request request = cli::parse_request(named.subject, arguments);
    if (request.run.action == cli::Action::generate) return request;
    throw UsageError("--dry-run and --version print something, and make no table");
}

}  // namespace pegen
