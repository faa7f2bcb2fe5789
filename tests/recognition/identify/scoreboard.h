#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "recognition/identify/answers.h"
#include "recognition/identify/trial.h"

namespace pegen::trials {

/// Counts the outcomes of trials by kind.
class Scoreboard {
  public:
    /// Judges the trial of a table or a kernel. Keeps it as a failure unless the answer is right or
    /// ambiguous and says so.
    template <class T>
    void add(const std::string& kind, const T& trial) {
        add(kind, trial.name, judge(trial));
    }

    /// Returns a line for each kind: how many were tried, how many had which outcome, and how long
    /// half of them took at most.
    std::string text() const;

    int count(Outcome outcome) const;
    /// The trials that were missed or wrong, with the answer.
    const std::vector<std::string>& failures() const { return failures_; }
    const std::vector<Answer>& answers() const { return answers_; }

  private:
    void add(const std::string& kind, const std::string& name, const Judgement& judgement);

    struct Row {
        std::array<int, 6> outcomes{};
        std::vector<double> seconds{};
    };

    std::map<std::string, Row> rows_;
    std::vector<std::string> failures_;
    std::vector<Answer> answers_;
};

}  // namespace pegen::trials
