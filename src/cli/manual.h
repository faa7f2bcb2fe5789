#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pegen::cli {

/// The names of all pages: "pe-gen", "pe-gen-sinusoid", "pe-gen-diff", "pe-gen-attention-shaw" ...
std::vector<std::string> manual_pages();

/// Returns a page of the manual, in the macros of man(7), from what help is made from. A preset's
/// page is that of its encoding. Throws: UsageError for another name.
std::string manual_page(std::string_view name);

}  // namespace pegen::cli
