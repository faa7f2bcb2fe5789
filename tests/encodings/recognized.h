#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"
#include "evidence/proposal.h"
#include "evidence/sample.h"

/// The array as the encodings see it: all of it in memory, axes of extent 1 left out.
pegen::evidence::Sample sample_of(const pegen::Table& table);

/// The same of an array of the table's shape and dtype with these values.
pegen::evidence::Sample sample_of(const pegen::Table& table, std::vector<double> values);

/// What the encoding `name` proposes for the array.
std::vector<pegen::evidence::Proposal> find_recognized(std::string_view name,
                                                       const pegen::Table& table);

/// The same as it would be typed: "learned --len 3 --d 5",
/// and "--table bias" last where it is not the first table. Files that a proposal brings are called
/// as they would be written: "--bias-table bias-table.npy".
std::vector<std::string> proposals_for(std::string_view name, const pegen::Table& table);

/// The first of them; "none" if there is none.
std::string proposal_for(std::string_view name, const pegen::Table& table);

/// The first proposal for the table of a command of this encoding: "learned --len 3 --d 5".
std::string proposal_for(std::string_view command);
