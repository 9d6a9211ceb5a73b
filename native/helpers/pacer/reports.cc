#include "native/helpers/pacer/reports.h"

#include <string>
#include <vector>

namespace whiteline::pacer {
namespace {

using helpers::Message;

/** Points of the distribution curve, percent: closer to both ends than in the middle. */
constexpr double kCurvePercents[] = {
    0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1,  2,  5,  10, 15,   20,   25,   30,    35,    40,    45,    50,
    55,    60,   65,   70,   75,  80,  85,  90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.98, 99.99, 99.999};

std::vector<int64_t> curveOf(const IntervalFigures& figures) {
  std::vector<int64_t> pointsNs;
  for (const double percent : kCurvePercents) pointsNs.push_back(figures.quantileNs(percent / 100));
  return pointsNs;
}

std::vector<int64_t> flat(const std::vector<PacketRange>& ranges) {
  std::vector<int64_t> numbers;
  for (const PacketRange& range : ranges) numbers.insert(numbers.end(), {range.first, range.last});
  return numbers;
}

}  // namespace

Message intervalsMessage(std::string_view of, const IntervalFigures& figures) {
  Message message("intervals");
  message.text("of", of).number("count", figures.count());
  if (figures.count() == 0) return message;
  message.number("meanNs", figures.meanNs()).number("sdNs", figures.standardDeviationNs());
  message.number("minNs", figures.minNs()).number("maxNs", figures.maxNs());
  message.number("p001Ns", figures.quantileNs(0.001)).number("p25Ns", figures.quantileNs(0.25));
  message.number("p50Ns", figures.quantileNs(0.5)).number("p75Ns", figures.quantileNs(0.75));
  message.number("p99Ns", figures.quantileNs(0.99)).number("p999Ns", figures.quantileNs(0.999));
  message.number("p9999Ns", figures.quantileNs(0.9999)).numbers("curveNs", curveOf(figures));
  const IntervalFigures::TimeBins bins = figures.timeBins();
  const std::vector<int64_t> counts(bins.counts.begin(), bins.counts.end());
  return message.number("firstBin", bins.firstBin).numbers("binCounts", counts);
}

Message receivedMessage(const Receiver& receiver) {
  Message message("received");
  const SequenceLedger& sequence = receiver.sequence();
  message.number("received", sequence.received()).number("lost", sequence.lost());
  message.number("reordered", sequence.reordered()).number("duplicated", sequence.duplicated());
  message.numbers("lostRanges", flat(sequence.lostRanges()));
  message.numbers("latecomers", sequence.latecomers()).numbers("duplicates", sequence.duplicates());
  const Receiver::Counts& counts = receiver.counts();
  message.number("foreign", counts.foreign).number("otherAudio", counts.otherAudio);
  message.number("damaged", counts.damaged).number("unstamped", counts.unstamped);
  message.number("excluded", receiver.undisturbed().excluded());
  message.number("undecided", receiver.undisturbed().dropped());
  if (const auto& schedule = receiver.schedule()) {
    std::vector<int64_t> latest;
    for (const auto& [index, byNs] : schedule->latest()) latest.insert(latest.end(), {index, byNs});
    message.number("early", schedule->early()).number("late", schedule->late());
    message.number("longestLateRun", schedule->longestRun());
    message.number("tooLateToPresent", schedule->tooLateToPresent());
    message.number("earliestNs", schedule->earliestNs()).number("latestNs", schedule->latestNs());
    message.number("timeIntervalErrorNs", schedule->timeIntervalErrorNs()).numbers("latest", latest);
  }
  if (const auto& packet = receiver.packet()) {
    message.text("streamId", std::to_string(packet->streamId)).number("rateHz", packet->rateHz);
    message.number("channels", packet->channels).number("bits", packet->bitDepth);
  }
  return message;
}

}  // namespace whiteline::pacer
