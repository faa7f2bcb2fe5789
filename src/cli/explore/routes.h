#pragma once

#include "http/message.h"

namespace pegen::cli {

/// Answers a request of the page, also one that cannot be met: with the message, and with the
/// option that it is about.
http::Reply answer(const http::Request& request);

}  // namespace pegen::cli
