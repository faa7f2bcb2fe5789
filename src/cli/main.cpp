#include "cli/process.h"
#include "cli/run.h"

int main(int argc, char** argv) { return pegen::cli::run_process(argc, argv, pegen::cli::run); }
