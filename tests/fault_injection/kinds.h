#pragma once

#include "session.h"

// Kinds of fault. Each function injects one kind, or some similar ones, into many runs and prints
// the result.

// calls.cpp: calls of the C library
void fail_calls(Session& session);
void do_without(Session& session);
void interrupt_writes(Session& session);
void fail_memory(Session& session);
void fail_threads(Session& session);

// signals.cpp
void send_signals_at_calls(Session& session);
void send_every_signal(Session& session);
void send_signals_at_random(Session& session);
void kill_at_random(Session& session);
void kill_at_calls(Session& session);

// manifest.cpp: many files, with any of the faults above
void kill_manifests(Session& session);
void interrupt_manifests(Session& session);
void fail_manifests(Session& session);

// limits.cpp: too little of something
void set_limits(Session& session);
void allow_few_files(Session& session);
void forbid_threads(Session& session);
void fill_disks(Session& session);

// surroundings.cpp: the environment that the program inherits
void misconfigure(Session& session);
void close_streams(Session& session);
void lose_output(Session& session);

// crowds.cpp: several runs at the same time
void write_at_once(Session& session);
void never_clobber_at_once(Session& session);

// meetings.cpp: another event happens between two calls
void meet_other_runs(Session& session);
void meet_other_files(Session& session);
void meet_while_failing(Session& session);
void meet_exchanged_folders(Session& session);

// random_walk.cpp
void walk_at_random(Session& session);

// corners.cpp: odd folders, paths and descriptors
void append_only(Session& session);
void use_long_paths(Session& session);
void write_to_descriptors(Session& session);
void keep_what_is_named(Session& session);
void lose_current_folder(Session& session);

// system_calls.cpp
void answer_system_calls(Session& session);
