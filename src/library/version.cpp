#include "pegen/table.h"

std::string_view pegen::version() { return PEGEN_VERSION; }
