#include "core/progress.h"

#include <utility>

namespace pegen {
namespace {

constexpr std::int64_t operations_between_reports = 1 << 14;

thread_local const Reporting* innermost = nullptr;
thread_local std::int64_t operations_left = operations_between_reports;

}  // namespace

Reporting::Reporting(const Progress& progress)
    : progress_(progress), outer_(std::exchange(innermost, this)) {}

Reporting::~Reporting() { innermost = outer_; }

void report(std::int64_t done, std::int64_t total) {
    for (const Reporting* one = innermost; one; one = one->outer_) one->progress_(done, total);
}

void report_work(std::int64_t operations) {
    operations_left -= operations;
    if (operations_left > 0) return;
    operations_left = operations_between_reports;
    report(0, 0);
}

SharedReporting::SharedReporting(const Reporting* of_other)
    : own_(std::exchange(innermost, of_other)) {}

SharedReporting::~SharedReporting() { innermost = own_; }

const Reporting* SharedReporting::of_this_thread() { return innermost; }

}  // namespace pegen
