#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "http/message.h"

namespace pegen::http {

/// The limits of requests, each with the status of the reply to a request beyond it.
struct Bounds {
    std::size_t head = std::size_t{1} << 16;    ///< bytes of the address and the headers: 431
    std::size_t body = std::size_t{1} << 24;    ///< bytes: 413, by the library
    std::size_t waiting = 64;                   ///< requests that are not being answered yet: 503
    std::size_t unsent = std::size_t{1} << 26;  ///< bytes that clients have not taken yet: 503
    std::chrono::seconds silence{10};           ///< after which a connection is closed
};

/// An HTTP server on the loopback interface, 127.0.0.1, for pages of this program alone: requests
/// that refusal() refuses never reach the handler. Every reply forbids browsers to store, sniff or
/// frame it, to let other sites read it, to name it as a referrer, and to run or load anything.
class Server {
  public:
    /// Listens at the port; 0 means any free port. Throws: FileError if the port is not available.
    explicit Server(int port, Bounds bounds = {});
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    int port() const;

    /// Answers requests, several at a time, until a signal ends the program or `until` returns
    /// true. `until` is called after each request.
    void serve(
        const Handler& handler, const IsGivenUp& until = [] { return false; });

  private:
    struct Parts;

    std::unique_ptr<Parts> parts_;
};

}  // namespace pegen::http
