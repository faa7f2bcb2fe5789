#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>

/// Runs the tests. First resets the settings that the program would inherit from the caller of the
/// tests: colours in pipes, a number of threads that OpenMP complains about, signals that nohup
/// ignores.
int main(int argc, char** argv) {
    for (const char* name : {"FORCE_COLOR", "CLICOLOR_FORCE", "OMP_NUM_THREADS"}) ::unsetenv(name);
    for (const int number : {SIGHUP, SIGINT, SIGTERM}) ::signal(number, SIG_DFL);
    return doctest::Context(argc, argv).run();
}
