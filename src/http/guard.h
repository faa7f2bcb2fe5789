#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "http/message.h"

namespace pegen::http {

/// What a request says of itself, before anything of it is used.
struct Envelope {
    std::string_view method;  ///< "GET"; "" if it is another one than GET and POST
    std::string_view target;  ///< "/draw/fairseq?d=64", as it was sent
    std::span<const Field> headers;
};

/// Returns the reply to a request that is refused, none to one that may be answered by a server on
/// the loopback interface at `port`.
///
/// Refused are requests
///  - that are neither GET nor POST: 405;
///  - whose Host is not 127.0.0.1, localhost or [::1] with this port, as when a name of another
///    site was made to mean this machine (DNS rebinding): 421;
///  - whose Origin is another one, or that a browser says are not made by our own page
///    (Sec-Fetch-Site): 403. Only the page "/" itself can be opened from elsewhere: an address that
///    the user opens may be redirected by another site.
/// Header names count whatever their case, and a header may be there once only.
std::optional<Reply> refusal(const Envelope& envelope, int port);

/// Takes path and query of a target apart, as encodeURIComponent() writes them: a plus is a plus.
/// Returns nothing for one that is no path, has a wrong percent escape, or whose text is not UTF-8
/// or has control characters.
std::optional<Request> parsed_target(std::string_view target);

}  // namespace pegen::http
