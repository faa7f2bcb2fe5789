#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"
#include "recognition/evidence/proposal.h"

/// Returns the text of a setting; "" if the proposal does not have it.
std::string setting_of(const pegen::evidence::Proposal& proposal, std::string_view name);

/// True if one of the proposals makes all values of the table, each within one unit in the last
/// place of the table's format. Proposals of some rows or channels do not count.
bool makes_one_of(const std::vector<pegen::evidence::Proposal>& proposals,
                  std::string_view encoding, const pegen::Table& table);

/// Returns the settings of the first proposals, a line each, and how many there are.
std::string summary_of(const std::vector<pegen::evidence::Proposal>& proposals);

/// Checks that the encoding of the command, "fairseq --len 50 --d 16", proposes its table, and
/// check_stored().
void check_proposed(std::string_view command, pegen::DType dtype = pegen::DType::float32);

/// Checks that the proposals for the table of a command are the stored ones: how many there are,
/// the first ones word for word, and angles of the first. See identify/answers.h.
void check_stored(const std::vector<pegen::evidence::Proposal>& proposals, std::string_view command,
                  pegen::DType dtype = pegen::DType::float32);

/// Returns the settings of each proposal as typed:
/// "--order afk --axes xy".
std::vector<std::string> proposed(const std::vector<pegen::evidence::Proposal>& proposals);

/// True if one of the proposals has exactly these settings.
bool is_proposed(const std::string& settings,
                 const std::vector<pegen::evidence::Proposal>& proposals);
