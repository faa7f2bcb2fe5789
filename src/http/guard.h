#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "http/message.h"

namespace pegen::http {

/// The data that a request begins with, before any of it is used.
struct Envelope {
    std::string_view method;  ///< "GET"; "" if it is neither GET nor POST
    std::string_view target;  ///< "/draw/fairseq?d=64", as it was sent
    std::span<const Field> headers;
};

/// Returns the reply to a request that is refused; nothing if a server on the loopback interface at
/// `port` may answer the request.
///
/// Refused are requests
///  - that are neither GET nor POST: 405;
///  - whose Host is not 127.0.0.1, localhost or [::1] with this port, as when a name of another
///    site was made to mean this machine (DNS rebinding): 421;
///  - whose Origin is another one, or that a browser says are not made by our own page
///    (Sec-Fetch-Site): 403. Only pages, "/" and what ends in .html, can be opened from elsewhere:
///    an address that the user opens may be redirected by another site.
/// Header names are compared regardless of case, and a header may occur only once.
std::optional<Reply> refusal(const Envelope& envelope, int port);

/// Splits a target into path and query, as encodeURIComponent() writes them: a plus is a plus.
/// Returns nothing for a target that is not a path or has a wrong percent escape, and for text that
/// is not UTF-8 or has control characters.
std::optional<Request> parsed_target(std::string_view target);

}  // namespace pegen::http
