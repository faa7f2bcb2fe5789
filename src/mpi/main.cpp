#include "cli/process.h"
#include "mpi/run.h"

int main(int argc, char** argv) { return pegen::cli::run_process(argc, argv, pegen::mpi::run); }
