#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "http/client.h"
#include "http/server.h"

using namespace pegen;
using namespace pegen::http;
using namespace pegen::testing;

namespace {

/// A server in a thread, as long as the object lives.
class Served {
  public:
    explicit Served(Handler handler, Bounds bounds = {})
        : server_(0, bounds),
          handler_(std::move(handler)),
          thread_([this] { server_.serve(handler_, [this] { return is_ending_.load(); }); }) {}
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;
    ~Served() {
        is_ending_ = true;
        // The server checks is_ending_ after each reply and does not wait until the reply is sent,
        // so one last request ends it.
        Connection last(port());
        last.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) + "\r\n\r\n");
        thread_.join();
    }

    int port() const { return server_.port(); }

  private:
    Server server_;
    Handler handler_;
    std::atomic<bool> is_ending_ = false;
    std::thread thread_;
};

Reply greeting(const Request&) { return {.type = "text/plain", .body = "hello"}; }

std::string host_of(int port) { return "Host: 127.0.0.1:" + std::to_string(port) + "\r\n"; }

}  // namespace

TEST_CASE("server: replies forbid to be stored, sniffed, framed and read by others") {
    const Served served(greeting);
    const std::string reply = get(served.port(), "/");
    CHECK(status_of(reply) == 200);
    CHECK(content_of(reply) == "hello");
    for (const char* header :
         {"Cache-Control: no-store", "X-Content-Type-Options: nosniff",
          "Referrer-Policy: no-referrer",
          "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
          "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin"}) {
        CAPTURE(header);
        CHECK(reply.find(std::string("\r\n") + header + "\r\n") != reply.npos);
    }
    CHECK(reply.find("Access-Control") == reply.npos);
}

TEST_CASE("server: the handler gets what was asked and its own headers go out") {
    const Served served([](const Request& request) -> Reply {
        std::string text = request.is_post ? "POST" : "GET";
        for (const std::string& part : request.path) text += " " + part;
        for (const auto& [name, value] : request.query) text += " " + name + "=" + value;
        return {.status = 418,
                .type = "text/plain",
                .body = text + " " + request.body,
                .headers = {{"Content-Security-Policy", "mine"}}};
    });
    const std::string body(100'000, 'x');
    const std::string reply =
        raw_reply(served.port(), "POST /a/b%20c?d=4 HTTP/1.1\r\n" + host_of(served.port()) +
                                     "Connection: close\r\nContent-Length: 100000\r\n\r\n" + body);
    CHECK(status_of(reply) == 418);
    CHECK(content_of(reply) == "POST a b c d=4 " + body);
    CHECK(reply.find("\r\nContent-Security-Policy: mine\r\n") != reply.npos);
}

TEST_CASE("server: DNS rebinding and other sites do not reach the handler") {
    std::atomic<int> calls = 0;
    const Served served([&](const Request& request) {
        ++calls;
        return greeting(request);
    });
    const std::string port = std::to_string(served.port());
    const auto refused = [&](const std::string& headers) {
        return status_of(
            raw_reply(served.port(), "GET / HTTP/1.1\r\nConnection: close\r\n" + headers + "\r\n"));
    };
    CHECK(refused("Host: rebound.example:" + port + "\r\n") == 421);
    CHECK(refused("") == 421);
    CHECK(refused(host_of(served.port()) + "Origin: http://evil.example\r\n") == 403);
    CHECK(refused(host_of(served.port()) + "Sec-Fetch-Site: cross-site\r\n") == 403);
    CHECK(status_of(raw_reply(served.port(), "GET http://evil.example/ HTTP/1.1\r\n" +
                                                 host_of(served.port()) +
                                                 "Connection: close\r\n\r\n")) == 400);
    CHECK(calls == 0);
    CHECK(refused(host_of(served.port())) == 200);
    CHECK(calls == 1);
}

TEST_CASE("server: other methods are refused, and the connection is closed as they ask") {
    const Served served(greeting, {.silence = std::chrono::hours(1)});
    for (const char* method : {"PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW"}) {
        CAPTURE(method);
        const int status = status_of(
            raw_reply(served.port(), std::string(method) + " / HTTP/1.1\r\n" +
                                         host_of(served.port()) + "Connection: close\r\n\r\n"));
        CHECK((status == 405 || status == 501));
    }
}

TEST_CASE("server: too long a head or body is refused") {
    const Served served(greeting, {.head = 2000, .body = 1000});
    for (const std::size_t length : {std::size_t{3000}, std::size_t{200'000}}) {
        const std::string reply = get(served.port(), "/" + std::string(length, 'a'));
        CHECK(status_of(reply) == 431);
        CHECK(reply.find("nosniff") != reply.npos);
    }
    CHECK(status_of(get(served.port(), "/" + std::string(3'000'000, 'a'))) == 400);
    const std::string reply =
        raw_reply(served.port(), "POST / HTTP/1.1\r\n" + host_of(served.port()) +
                                     "Connection: close\r\nContent-Length: 4000000000\r\n\r\n");
    CHECK(status_of(reply) == 413);
    CHECK(status_of(get(served.port(), "/")) == 200);
}

TEST_CASE("server: thousands of malformed requests cost nothing") {
    const Served served(greeting);
    std::mt19937 random(7);
    const std::string usual = "GET /draw/sinusoid?d=4 HTTP/1.1\r\n" + host_of(served.port()) +
                              "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc";
    for (int i = 0; i < 3000; ++i) {
        std::string request = usual.substr(0, random() % usual.size());
        for (int change = 0; change < 4 && !request.empty(); ++change) {
            request[random() % request.size()] = static_cast<char>(random());
        }
        Connection connection(served.port());
        connection.send(request);
        if (i % 8 == 0) {
            connection.finish();
            connection.rest();
        }
    }
    CHECK(content_of(get(served.port(), "/")) == "hello");
}

TEST_CASE("server: idle connections do not keep others from being answered") {
    const Served served(greeting);
    std::vector<Connection> idle;
    for (int i = 0; i < 300; ++i) {
        idle.emplace_back(served.port());
        if (i % 2 == 0) idle.back().send("GET / HT");
    }
    CHECK(content_of(get(served.port(), "/")) == "hello");
}

TEST_CASE("server: a request is given up when its client has gone") {
    std::atomic<bool> has_begun = false, was_given_up = false;
    const Served served([&](const Request& request) {
        if (request.path != std::vector<std::string>{"long"}) return greeting(request);
        has_begun = true;
        while (!request.is_given_up()) std::this_thread::yield();
        was_given_up = true;
        return greeting(request);
    });
    {
        Connection connection(served.port());
        connection.send("GET /long HTTP/1.1\r\n" + host_of(served.port()) + "\r\n");
        while (!has_begun) std::this_thread::yield();
        CHECK(content_of(get(served.port(), "/")) == "hello");
        CHECK_FALSE(was_given_up);
    }
    while (!was_given_up) std::this_thread::yield();
    CHECK(content_of(get(served.port(), "/")) == "hello");
}

TEST_CASE("server: requests that wait for too many others are refused") {
    std::atomic<bool> may_end = false;
    std::atomic<int> running = 0;
    const Served served(
        [&](const Request& request) {
            ++running;
            while (!may_end) std::this_thread::yield();
            return greeting(request);
        },
        {.waiting = 2});
    std::vector<Connection> clients;
    const std::string request =
        "GET / HTTP/1.1\r\n" + host_of(served.port()) + "Connection: close\r\n\r\n";
    for (int i = 0; i < 4; ++i) {
        clients.emplace_back(served.port()).send(request);
        while (running < i + 1) std::this_thread::yield();
    }
    for (int i = 0; i < 12; ++i) clients.emplace_back(served.port()).send(request);
    const auto answered = [&] {
        return std::ranges::count_if(clients,
                                     [](Connection& client) { return client.has_reply(); });
    };
    // Two of the twelve have a place to wait.
    while (answered() < 10) std::this_thread::yield();
    may_end = true;
    int refused = 0, done = 0;
    for (Connection& client : clients) {
        const int status = status_of(client.rest());
        refused += status == 503;
        done += status == 200;
    }
    CHECK(refused == 10);
    CHECK(done == 6);
}

TEST_CASE("server: a reply that is computed while it is sent arrives whole") {
    const std::string part(300'000, 'x');
    const Served served([&](const Request& request) -> Reply {
        Reply reply{.type = "text/plain", .body = "first "};
        reply.more = [&part, is_failing = request.path.size() == 2, parts = 0]() mutable {
            if (is_failing && parts == 3) throw std::runtime_error("secret");
            return ++parts > 20 ? std::string() : part;
        };
        if (request.path != std::vector<std::string>{"chunked"})
            reply.headers = {{"Content-Length", "6000006"}};
        return reply;
    });
    const std::string sized = get(served.port(), "/sized");
    CHECK(status_of(sized) == 200);
    CHECK(content_of(sized).size() == 6'000'006);
    const std::string chunked = get(served.port(), "/chunked");
    CHECK(chunked.find("\r\nTransfer-Encoding: chunked\r\n") != chunked.npos);
    CHECK(chunked.ends_with("\r\n0\r\n\r\n"));
    CHECK(content_of(chunked).size() > 6'000'000);
    // A client sees that the content is incomplete.
    CHECK(content_of(get(served.port(), "/sized/failing")).size() < 6'000'006);
    const std::string failing = get(served.port(), "/chunked/failing");
    CHECK_FALSE(failing.ends_with("0\r\n\r\n"));
    CHECK(failing.find("secret") == failing.npos);
}

TEST_CASE("server: a reply is computed no faster than its client takes it") {
    std::atomic<int> parts = 0;
    const Served served([&parts](const Request& request) -> Reply {
        if (request.path.empty()) return greeting(request);
        Reply reply{.type = "text/plain"};
        reply.more = [&parts] {
            ++parts;
            return std::string(1 << 20, 'x');
        };
        return reply;
    });
    Connection connection(served.port());
    connection.send("GET /endless HTTP/1.1\r\n" + host_of(served.port()) + "\r\n");
    while (!connection.has_reply()) std::this_thread::yield();
    for (int i = 0; i < 50; ++i) CHECK(content_of(get(served.port(), "/")) == "hello");
    CHECK(parts < 50);
}

TEST_CASE("server: requests are refused while too many bytes wait for their readers") {
    const Served served(
        [](const Request& request) -> Reply {
            if (request.path.empty()) return greeting(request);
            return {.type = "text/plain", .body = std::string(1 << 25, 'x')};
        },
        {.unsent = 1 << 20});
    {
        Connection silent(served.port());
        silent.send("GET /large HTTP/1.1\r\n" + host_of(served.port()) + "\r\n");
        while (!silent.has_reply()) std::this_thread::yield();
        const std::string refused = get(served.port(), "/");
        CHECK(status_of(refused) == 503);
        CHECK(refused.find("\r\nRetry-After: 1\r\n") != refused.npos);
    }
    while (status_of(get(served.port(), "/")) != 200) std::this_thread::yield();
}

TEST_CASE("server: a handler that throws costs its own request only") {
    const Served served([](const Request& request) {
        if (request.path.empty()) return greeting(request);
        throw std::runtime_error("secret");
    });
    const std::string reply = get(served.port(), "/x");
    CHECK(status_of(reply) == 500);
    CHECK(reply.find("secret") == reply.npos);
    CHECK(status_of(get(served.port(), "/")) == 200);
}

TEST_CASE("server: a port that is taken is refused") {
    const Server first(0);
    CHECK_THROWS_AS(Server(first.port()), FileError);
    CHECK_THROWS_WITH(Server(first.port()), ("port " + std::to_string(first.port()) +
                                             ": cannot be listened at: Address already in use")
                                                .c_str());
}
