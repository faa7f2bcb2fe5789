// Links only if src/core/fmt.cpp has what the templates of this version of fmt call: CMakeLists.txt
// asks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <string>
#include <vector>

int main() {
    std::string text = fmt::format("{} {:>5} {:.3g} {:e} {}", 1, "a", 0.1, 0.1F,
                                   fmt::join(std::vector{0.5, 1.0}, ", "));
    fmt::format_to(std::back_inserter(text), fmt::runtime("{:x} {}"), 255U, -1LL);
    return text.size() == fmt::formatted_size("{}", text) ? 0 : 1;
}
