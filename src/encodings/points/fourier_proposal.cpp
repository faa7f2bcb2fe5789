#include "encodings/points/fourier_proposal.h"

#include <cmath>

#include "core/to_size.h"

namespace pegen::encodings {

std::vector<double> raw_at(const FourierArray& array, std::int64_t rank,
                           const std::vector<std::int64_t>& rows) {
    std::vector<double> raw;
    const std::int64_t column = raw_column(array.channels, rank);
    for (const std::int64_t row : rows) {
        raw.push_back(array.sample.values[to_size(row * array.channels.count() + column)]);
    }
    return raw;
}

void add_channels(evidence::Proposal& proposal, const FourierChannels& channels,
                  std::string_view freqs, std::string_view scale) {
    const auto set = [&](std::string_view name, std::string_view text, std::string_view usual) {
        if (text != usual) proposal.settings.push_back({name, std::string(text)});
    };
    set("freqs", freqs, "pow2:10");
    set("freq-scale", scale, "1");
    set("order", channels.order, "akf");
    set("first", channels.is_sin_first ? "sin" : "cos", "sin");
    set("raw", channels.raw, "none");
}

std::vector<ColumnWave> column_waves(const FourierChannels& channels,
                                     const std::vector<std::vector<double>>& frequencies) {
    std::vector<ColumnWave> columns(to_size(channels.count()));
    for (std::int64_t rank = 0; rank < channels.axes; ++rank) {
        for (const numerics::ChannelRun& run : layout(channels, rank).runs) {
            for (std::int64_t k = 0; k < run.count; ++k) {
                columns[to_size(run.first_channel + k * run.channel_stride)] = {
                    to_size(rank), std::fabs(frequencies[to_size(rank)][to_size(k)])};
            }
        }
    }
    return columns;
}

}  // namespace pegen::encodings
