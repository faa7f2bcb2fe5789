#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"

/// What the recognizer of the encoding `name` proposes for the array.
std::vector<pegen::evidence::Proposal> find_recognized(std::string_view name,
                                                       const pegen::evidence::Sample& sample);
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
