#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pegen::cli {

/// Returns the names of all pages: "pe-gen", "pe-gen-sinusoid", "pe-gen-whisper", "pe-gen-diff",
/// "pe-gen-attention-shaw" ...
std::vector<std::string> manual_pages();

/// Returns a page of the manual in the macros of man(7), generated from the same data as help. An
/// alias has the page of its preset. Throws: UsageError if there is no such page.
std::string manual_page(std::string_view name);

}  // namespace pegen::cli
