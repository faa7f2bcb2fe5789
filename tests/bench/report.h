#pragma once

#include <benchmark/benchmark.h>

#include <cstdio>
#include <vector>

namespace pegen::bench {

/// Prints the counters of measure() as a table, one line for each benchmark.
class Report : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override {
        std::printf("| task | ours | 1000 rows/s | MB/s | yardstick | its time | ratio |\n");
        std::printf("|---|--:|--:|--:|---|--:|--:|\n");
        return true;
    }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) print(run);
        std::fflush(stdout);
    }

  private:
    static void print(const Run& run) {
        std::printf("| %s %s | %.1f ms |", run.run_name.function_name.c_str(),
                    run.run_name.args.c_str(), run.counters.at("ours_ms").value);
        print_rate(run, "rows_per_s", 1e3);
        print_rate(run, "bytes_per_s", 1e6);
        std::printf(" %s | %.1f ms | %.3f |\n", run.report_label.c_str(),
                    run.counters.at("yardstick_ms").value, run.counters.at("ratio").value);
    }

    /// Prints an empty cell if the benchmark has no such rate.
    static void print_rate(const Run& run, const char* name, double unit) {
        const auto counter = run.counters.find(name);
        if (counter == run.counters.end()) {
            std::printf(" |");
        } else {
            std::printf(" %.1f |", counter->second.value / unit);
        }
    }
};

}  // namespace pegen::bench
