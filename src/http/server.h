#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "http/message.h"

namespace pegen::http {

/// What a client may ask for at most.
struct Bounds {
    std::size_t head = std::size_t{1} << 16;    ///< bytes of the address and the headers: 431
    std::size_t body = std::size_t{1} << 24;    ///< bytes: 413, by the library
    std::size_t waiting = 64;                   ///< requests that are not being answered yet: 503
    std::size_t unsent = std::size_t{1} << 26;  ///< bytes that clients have not taken yet: 503
    std::chrono::seconds silence{10};           ///< then a connection is closed
};

/// An HTTP server on the loopback interface, 127.0.0.1, for pages of this program alone: what
/// refusal() refuses never reaches the handler. Every reply forbids to be stored, sniffed, framed,
/// read by other sites or named as a referrer, and to run or load anything.
class Server {
  public:
    /// Takes the port; 0: any free one. Throws: FileError if it cannot be had.
    explicit Server(int port, Bounds bounds = {});
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    int port() const;

    /// Answers requests, several at a time, until a signal ends the program or `until` returns
    /// true, which it is asked after each request.
    void serve(
        const Handler& handler, const IsGivenUp& until = [] { return false; });

  private:
    struct Parts;

    std::unique_ptr<Parts> parts_;
};

}  // namespace pegen::http
