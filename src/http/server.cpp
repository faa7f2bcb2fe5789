#include "http/server.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "files/open_file.h"
#include "http/guard.h"

namespace pegen::http {
namespace {

/// Threads that do one piece of work after another.
class Workers {
  public:
    using Work = std::function<void()>;

    explicit Workers(std::size_t threads);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    /// Waits for the work that has begun; the rest of the work is dropped.
    ~Workers();

    /// Adds a piece of work, which must not throw.
    void add(Work work);

    /// Returns the number of pieces of work that wait for a thread.
    std::size_t waiting() const;

  private:
    void work();

    mutable std::mutex mutex_;
    std::condition_variable is_needed_;
    std::deque<Work> waiting_;
    bool is_ending_ = false;
    std::vector<std::thread> threads_;
};

Workers::Workers(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    is_needed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Workers::add(Work work) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(work));
    }
    is_needed_.notify_one();
}

std::size_t Workers::waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
}

void Workers::work() {
    while (true) {
        Work next;
        {
            std::unique_lock lock(mutex_);
            is_needed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
            if (is_ending_) return;
            next = std::move(waiting_.front());
            waiting_.pop_front();
        }
        next();
    }
}

template <auto destroy>
struct Destroy {
    void operator()(auto* object) const { destroy(object); }
};

using Base = std::unique_ptr<event_base, Destroy<event_base_free>>;
using Http = std::unique_ptr<evhttp, Destroy<evhttp_free>>;
using Event = std::unique_ptr<event, Destroy<event_free>>;

/// The headers of every reply, unless the reply replaces them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> usual_headers{{
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
}};

/// The longest request head that the library reads. The library refuses a longer one by a reply
/// without the usual headers. Reading takes a time that grows with the square of the length, if
/// lines are folded.
constexpr ev_ssize_t longest_head_read = ev_ssize_t{1} << 18;

/// The number of threads: a figure and the cells under the pointer are computed beside a table that
/// takes long.
constexpr std::size_t threads = 4;

std::vector<Field> fields_of(const evkeyvalq* list) {
    std::vector<Field> fields;
    for (const evkeyval* entry = list->tqh_first; entry; entry = entry->next.tqe_next) {
        fields.emplace_back(entry->key, entry->value);
    }
    return fields;
}

std::size_t length_of(const Envelope& envelope) {
    std::size_t length = envelope.target.size();
    for (const auto& [name, value] : envelope.headers) length += name.size() + value.size();
    return length;
}

std::string_view method_of(const evhttp_request* request) {
    switch (evhttp_request_get_command(request)) {
        case EVHTTP_REQ_GET:
            return "GET";
        case EVHTTP_REQ_POST:
            return "POST";
        default:
            return "";
    }
}

std::string body_of(evhttp_request* request) {
    evbuffer* const buffer = evhttp_request_get_input_buffer(request);
    std::string body(evbuffer_get_length(buffer), '\0');
    evbuffer_remove(buffer, body.data(), body.size());
    return body;
}

/// Bytes on their way to a client, which are counted in a total.
struct Unsent {
    std::string bytes;
    std::size_t& total;  ///< number of bytes for all clients

    Unsent(std::string given, std::size_t& of_all) : bytes(std::move(given)), total(of_all) {
        total += bytes.size();
    }
    Unsent(const Unsent&) = delete;
    Unsent& operator=(const Unsent&) = delete;
    ~Unsent() { total -= bytes.size(); }
};

/// Gives the bytes to the buffer, which takes no copy of them. The bytes count as unsent until the
/// client has them or its connection is closed.
void hand_over(evbuffer* buffer, std::string bytes, std::size_t& unsent) {
    if (bytes.empty()) return;
    auto kept = std::make_unique<Unsent>(std::move(bytes), unsent);
    const auto forget = [](const void*, std::size_t, void* sent) {
        delete static_cast<Unsent*>(sent);
    };
    const std::string& text = kept->bytes;
    if (evbuffer_add_reference(buffer, text.data(), text.size(), forget, kept.get()) != 0) {
        throw std::bad_alloc();
    }
    static_cast<void>(kept.release());
}

void add_headers(evhttp_request* request, const Reply& reply) {
    evkeyvalq* const headers = evhttp_request_get_output_headers(request);
    const auto add = [&](const std::string& name, const std::string& value) {
        evhttp_remove_header(headers, name.c_str());
        evhttp_add_header(headers, name.c_str(), value.c_str());
    };
    for (const auto& [name, value] : usual_headers) add(std::string(name), std::string(value));
    add("Content-Type", reply.type);
    for (const auto& [name, value] : reply.headers) add(name, value);
}

/// Returns a function that is true once the client has closed the connection. The library does not
/// notice this, since it does not read while a request is being answered.
IsGivenUp is_closed(int descriptor) {
    return [descriptor] {
        char next = 0;
        const ssize_t count = ::recv(descriptor, &next, 1, MSG_PEEK);
        return count == 0 ||
               (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
    };
}

/// Makes reads and writes return at once, and closes the descriptor in other programs.
void set_up(const Descriptor& descriptor) {
    evutil_make_socket_nonblocking(descriptor.number());
    evutil_make_socket_closeonexec(descriptor.number());
}

/// Wakes the loop, from any thread.
class Bell {
  public:
    Bell() {
        std::array<int, 2> ends{-1, -1};
        if (::pipe(ends.data()) != 0) throw FileError("a pipe", "cannot be made", errno);
        listening_ = Descriptor(ends[0]);
        ringing_ = Descriptor(ends[1]);
        set_up(listening_);
        set_up(ringing_);
    }

    int number() const { return listening_.number(); }

    /// A pipe that is full wakes the loop as well.
    void ring() const {
        [[maybe_unused]] const ssize_t written = ::write(ringing_.number(), "", 1);
    }

    /// Takes all rings.
    void silence() const {
        std::array<char, 256> rings{};
        while (::read(listening_.number(), rings.data(), rings.size()) > 0) continue;
    }

  private:
    Descriptor listening_, ringing_;
};

Descriptor listening(int port) {
    Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
    const auto fail = [&] {
        throw FileError(fmt::format("port {}", port), "cannot be listened at", errno);
    };
    if (!socket.is_open()) fail();
    set_up(socket);
    // A port that was in use a moment ago can be taken again.
    const int yes = 1;
    setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* const place = reinterpret_cast<const sockaddr*>(&address);
    if (bind(socket.number(), place, sizeof(address)) != 0) fail();
    if (listen(socket.number(), SOMAXCONN) != 0) fail();
    return socket;
}

int port_of(const Descriptor& socket) {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

/// Pauses accepting connections while there are no more descriptors, instead of trying without end.
void pause_accepting(evconnlistener* listener, void*) {
    evconnlistener_disable(listener);
    constexpr timeval pause{0, 100'000};
    const auto go_on = [](evutil_socket_t, short, void* paused) {
        evconnlistener_enable(static_cast<evconnlistener*>(paused));
    };
    event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, go_on, listener, &pause);
}

template <class T>
T* made(T* object) {
    if (!object) throw std::bad_alloc();
    return object;
}

}  // namespace

struct Server::Parts {
    /// A reply that is computed while it is sent.
    struct Stream {
        Parts& server;
        evhttp_request* request;  ///< nullptr once its connection is closed
        std::function<std::string()> more;
        bool is_computing = false;
    };

    explicit Parts(const Bounds& given) : bounds(given) {}

    Bounds bounds;
    std::size_t unsent = 0;  // before what frees the connections
    std::list<Stream> streams{};
    Base base{made(event_base_new())};
    Http http{made(evhttp_new(base.get()))};
    Bell bell;
    Event on_bell{made(event_new(base.get(), bell.number(), EV_READ | EV_PERSIST, answered, this))};
    int port = 0;
    const Handler* handler = nullptr;
    const IsGivenUp* until = nullptr;

    std::mutex mutex;
    std::vector<std::function<void()>> ready;  ///< work for the loop on what was computed
    std::optional<Workers> workers;

    /// Called by the library for each request.
    static void asked(evhttp_request* request, void* self) {
        static_cast<Parts*>(self)->ask(request);
    }
    static void answered(evutil_socket_t, short, void* self) {
        static_cast<Parts*>(self)->do_ready();
    }

    void ask(evhttp_request* request) {
        const std::vector<Field> headers = fields_of(evhttp_request_get_input_headers(request));
        const std::string_view target = evhttp_request_get_uri(request);
        const Envelope envelope{method_of(request), target, headers};
        if (length_of(envelope) > bounds.head) {
            return send(request, error_reply(431, "the address or the headers are too long"));
        }
        if (auto refused = refusal(envelope, port)) return send(request, std::move(*refused));
        std::optional<Request> parsed = parsed_target(target);
        if (!parsed) return send(request, error_reply(400, "the address is malformed"));
        const auto later = [&](std::string_view why) {
            Reply reply = error_reply(503, why);
            reply.headers.emplace_back("Retry-After", "1");
            send(request, std::move(reply));
        };
        if (workers->waiting() >= bounds.waiting) return later("too many requests wait");
        if (unsent >= bounds.unsent) return later("too many replies wait for their readers");
        parsed->is_post = envelope.method == "POST";
        parsed->body = body_of(request);
        evhttp_connection* const connection = evhttp_request_get_connection(request);
        parsed->is_given_up =
            is_closed(bufferevent_getfd(evhttp_connection_get_bufferevent(connection)));
        workers->add([this, request, asked = std::move(*parsed)] {
            Reply reply =
                asked.is_given_up() ? error_reply(503, "given up") : reply_of(*handler, asked);
            hand_back([this, request, reply = std::move(reply)]() mutable {
                send(request, std::move(reply));
            });
        });
    }

    /// Lets the loop call `next`. Called by any thread.
    void hand_back(std::function<void()> next) {
        {
            const std::lock_guard lock(mutex);
            ready.push_back(std::move(next));
        }
        bell.ring();
    }

    void send(evhttp_request* request, Reply reply) {
        add_headers(request, reply);
        // The library does not close the connection after CONNECT, whatever the headers say.
        if (evhttp_request_get_command(request) == EVHTTP_REQ_CONNECT) {
            evhttp_request_set_on_complete_cb(request, hang_up, nullptr);
        }
        evhttp_connection* const connection = evhttp_request_get_connection(request);
        if (!reply.more || !connection) {
            hand_over(evhttp_request_get_output_buffer(request), std::move(reply.body), unsent);
            return evhttp_send_reply(request, reply.status, nullptr, nullptr);
        }
        Stream& stream = streams.emplace_back(Stream{*this, request, std::move(reply.more)});
        evhttp_connection_set_closecb(connection, closed, &stream);
        evhttp_send_reply_start(request, reply.status, nullptr);
        send_part(stream, std::move(reply.body));
    }

    static void hang_up(evhttp_request* request, void*) {
        evhttp_connection* const connection = evhttp_request_get_connection(request);
        shutdown(bufferevent_getfd(evhttp_connection_get_bufferevent(connection)), SHUT_WR);
    }

    void send_part(Stream& stream, std::string bytes) {
        const std::unique_ptr<evbuffer, Destroy<evbuffer_free>> part(made(evbuffer_new()));
        hand_over(part.get(), std::move(bytes), unsent);
        evhttp_send_reply_chunk_with_cb(stream.request, part.get(), taken, &stream);
        // The time for which the connection may be silent starts again whenever the client takes
        // some bytes.
        bufferevent_disable(
            evhttp_connection_get_bufferevent(evhttp_request_get_connection(stream.request)),
            EV_READ);
    }

    /// Called by the library when the client has taken what was sent.
    static void taken(evhttp_connection*, void* part_of) {
        Stream& stream = *static_cast<Stream*>(part_of);
        stream.server.compute_more(stream);
    }

    /// Called by the library when a connection is closed.
    static void closed(evhttp_connection*, void* part_of) {
        Stream& stream = *static_cast<Stream*>(part_of);
        // A request that still belongs to the connection is freed with it.
        const bool is_ours = !evhttp_request_get_connection(stream.request);
        if (is_ours) evhttp_send_reply_end(stream.request);
        stream.request = nullptr;
        if (!stream.is_computing) stream.server.forget(stream);
    }

    void forget(const Stream& stream) {
        streams.remove_if([&](const Stream& one) { return &one == &stream; });
    }

    void compute_more(Stream& stream) {
        stream.is_computing = true;
        workers->add([this, &stream] {
            std::optional<std::string> bytes;  // nothing if computing fails
            try {
                bytes = stream.more();
            } catch (const std::exception&) {
            }
            hand_back([this, &stream, bytes = std::move(bytes)]() mutable {
                go_on(stream, std::move(bytes));
            });
        });
    }

    void go_on(Stream& stream, std::optional<std::string> bytes) {
        stream.is_computing = false;
        if (!stream.request) return forget(stream);
        if (bytes && !bytes->empty()) return send_part(stream, std::move(*bytes));
        evhttp_request* const request = stream.request;
        evhttp_connection* const connection = evhttp_request_get_connection(request);
        evhttp_connection_set_closecb(connection, nullptr, nullptr);
        forget(stream);
        if (!bytes) return evhttp_connection_free(connection);
        evhttp_send_reply_end(request);
    }

    void do_ready() {
        bell.silence();
        std::vector<std::function<void()>> now;
        {
            const std::lock_guard lock(mutex);
            now.swap(ready);
        }
        for (const std::function<void()>& next : now) next();
        if ((*until)()) event_base_loopexit(base.get(), nullptr);
    }
};

Server::Server(int port, Bounds bounds) : parts_(std::make_unique<Parts>(bounds)) {
    event_set_log_callback([](int, const char*) {});
    Descriptor socket = listening(port);
    parts_->port = port_of(socket);
    evhttp* const http = parts_->http.get();
    evconnlistener* const listener =
        made(evconnlistener_new(parts_->base.get(), nullptr, nullptr,
                                LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, socket.number()));
    static_cast<void>(socket.release());  // the listener closes it
    evconnlistener_set_error_cb(listener, pause_accepting);
    made(evhttp_bind_listener(http, listener));
    evhttp_set_max_headers_size(http, longest_head_read);
    evhttp_set_max_body_size(http, static_cast<ev_ssize_t>(bounds.body));
    evhttp_set_timeout(http, static_cast<int>(bounds.silence.count()));
    constexpr int all_known = 0xffff;  // all methods, also those that are refused with a reason
    evhttp_set_allowed_methods(http, all_known);
    evhttp_set_gencb(http, Parts::asked, parts_.get());
    event_add(parts_->on_bell.get(), nullptr);
}

Server::~Server() = default;

int Server::port() const { return parts_->port; }

void Server::serve(const Handler& handler, const IsGivenUp& until) {
    parts_->handler = &handler;
    parts_->until = &until;
    parts_->workers.emplace(threads);
    event_base_dispatch(parts_->base.get());
    parts_->workers.reset();
}

}  // namespace pegen::http
