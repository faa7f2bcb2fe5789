#pragma once

#include <signal.h>

#include <array>
#include <string_view>

namespace pegen::cli {

/// What clears the line of the terminal the cursor is in.
inline constexpr std::string_view clear_line = "\r\x1b[K";

/// While it lives, a signal that ends the program first clears the line on standard error.
class ClearOnSignal {
  public:
    ClearOnSignal();
    ClearOnSignal(const ClearOnSignal&) = delete;
    ClearOnSignal& operator=(const ClearOnSignal&) = delete;
    ~ClearOnSignal();

  private:
    static constexpr std::array signals_{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    std::array<struct sigaction, signals_.size()> before_{};
};

}  // namespace pegen::cli
