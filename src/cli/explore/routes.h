#pragma once

#include "http/message.h"

namespace pegen::cli {

/// Answers a request of the page. The reply to a request that fails has the error message, and the
/// option that the message is about.
http::Reply answer(const http::Request& request);

}  // namespace pegen::cli
