#include "recognition/recognized.h"

#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/recognizers.h"

using namespace pegen;

std::vector<evidence::Proposal> find_recognized(std::string_view name,
                                                const evidence::Sample& sample) {
    return recognition::find_recognizer(name)->recognize(sample);
}

std::vector<evidence::Proposal> find_recognized(std::string_view name, const Table& table) {
    return find_recognized(name, sample_of(table));
}

std::vector<std::string> proposals_for(std::string_view name, const Table& table) {
    const Encoding& encoding = *find_encoding(name);
    std::vector<std::string> texts;
    for (const evidence::Proposal& proposal : find_recognized(name, table)) {
        std::string text(name);
        for (const evidence::Setting& setting : proposal.settings) {
            text += " --" + std::string(setting.name);
            if (setting.value != "true") text += " " + setting.value;
        }
        for (const evidence::DataFile& data : proposal.data) {
            text += " --" + std::string(data.parameter) + " " + std::string(data.name);
        }
        if (!proposal.table.empty() && proposal.table != encoding.tables.front().name) {
            text += " --table " + std::string(proposal.table);
        }
        texts.push_back(text);
    }
    return texts;
}

std::string proposal_for(std::string_view name, const Table& table) {
    const std::vector<std::string> texts = proposals_for(name, table);
    return texts.empty() ? "none" : texts.front();
}

std::string proposal_for(std::string_view command) {
    return proposal_for(command.substr(0, command.find(' ')), table_of(command));
}
