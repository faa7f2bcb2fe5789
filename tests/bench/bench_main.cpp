#include "report.h"

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    pegen::bench::Report report;
    benchmark::RunSpecifiedBenchmarks(&report);
}
