#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "files/open_file.h"

namespace pegen::testing {

/// A connection to a server of this machine, for requests written byte by byte.
class Connection {
  public:
    explicit Connection(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address),
                      sizeof(address)) != 0) {
            throw std::runtime_error("no connection");
        }
    }

    /// Returns false if the server has closed the connection.
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t count =
                ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    }

    /// Returns all bytes received until the server closes the connection.
    std::string rest() {
        std::string text;
        char piece[65536];
        for (ssize_t count; (count = ::read(socket_.number(), piece, sizeof(piece))) > 0;) {
            text.append(piece, static_cast<std::size_t>(count));
        }
        return text;
    }

    /// True if bytes have arrived, or the connection is closed.
    bool has_reply() const {
        pollfd state{socket_.number(), POLLIN, 0};
        return ::poll(&state, 1, 0) == 1;
    }

    /// Tells the server that no more bytes will be sent.
    void finish() { ::shutdown(socket_.number(), SHUT_WR); }

  private:
    Descriptor socket_;
};

/// Sends a whole request and returns the whole reply, head and content.
inline std::string raw_reply(int port, const std::string& request) {
    Connection connection(port);
    connection.send(request);
    return connection.rest();
}

/// A GET as a browser on the page sends it; the connection is closed after it.
inline std::string get(int port, const std::string& target, const std::string& headers = "") {
    return raw_reply(port, "GET " + target +
                               " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                               "\r\nConnection: close\r\n" + headers + "\r\n");
}

inline int status_of(const std::string& reply) {
    return reply.starts_with("HTTP/1.") ? std::stoi(reply.substr(9, 3)) : 0;
}

inline std::string content_of(const std::string& reply) {
    const std::size_t end = reply.find("\r\n\r\n");
    return end == reply.npos ? "" : reply.substr(end + 4);
}

}  // namespace pegen::testing
