#pragma once

#include <string>

namespace pegen::cli {

/// Opens the address in the user's browser, by xdg-open, if there is a display. Does not wait, and
/// says nothing if that fails: the address is printed anyway.
void open_browser(const std::string& address);

}  // namespace pegen::cli
