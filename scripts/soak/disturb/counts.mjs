/** Whether the counts of a row are conserved, and equal to logs that were written beside them. Pure. */

const undecodable = 8;
/** A row waits for its last pictures for so long; what comes later may count for it or not. */
const drainNs = 2e9;
/** An answer of a registry counts for a row for so long before its end. */
const answerNs = 1.5e9;
/** The row says itself that its counts do not hold. */
const saidCodes = ['contradiction', 'sums-disagree', 'records-missing', 'records-overflowed', 'not-as-asked'];
const streamCounts = [
  ...['framesScheduled', 'framesSenderMissed', 'framesSubmitted', 'framesReceived', 'framesDropped'],
  ...['picturesCaptured', 'framesDuplicated'],
];

/**
 * What does not hold, in words.
 * @param answers of a registry that was asked beside the run: when, and how many nodes it listed
 * @param areLogsWhole whether who wrote them lives
 */
export function wrongCounts(row, { answers = [], areLogsWhole = true } = {}) {
  if (row.reason.some(({ code }) => saidCodes.includes(code))) return [];
  const ofStreams = row.subjects.filter(({ kind }) => kind === 'stream');
  return [
    ...sumsOf('the row', row.figures),
    ...ofStreams.flatMap((stream) => sumsOf(stream.name, stream.figures)),
    ...totals(row.figures, ofStreams),
    ...(areLogsWhole ? ofStreams.flatMap((stream) => againstLog(stream, row)) : []),
    ...againstReports(row),
    ...againstRegistry(row, answers),
  ];
}

function equal(what, one, other, tolerance = 0) {
  if (typeof one !== 'number' || typeof other !== 'number') return [];
  return Math.abs(one - other) <= tolerance ? [] : [`${what}: ${one} and ${other}`];
}

function sumsOf(whose, figures) {
  const { framesScheduled, framesSenderMissed, framesSubmitted, framesReceived, framesDropped } = figures;
  const { picturesCaptured, framesDuplicated, framesUndecodableUnmatched } = figures;
  const conserved = figures.conserved === false ? [`${whose}: not conserved`] : [];
  if (framesScheduled === undefined) return [];
  return [
    ...conserved,
    ...equal(
      `${whose}: scheduled, submitted + missed`,
      framesScheduled,
      sum(framesSubmitted, framesSenderMissed),
    ),
    ...equal(`${whose}: submitted, received + dropped`, framesSubmitted, sum(framesReceived, framesDropped)),
    ...equal(
      `${whose}: captured, received + duplicated + unmatched`,
      picturesCaptured,
      sum(framesReceived, framesDuplicated, framesUndecodableUnmatched),
    ),
  ];
}

/** Null if one of them was not measured. */
function sum(...values) {
  return values.every((value) => typeof value === 'number') ? values.reduce((a, b) => a + b, 0) : null;
}

function totals(figures, streams) {
  if (streams.length === 0) return [];
  return streamCounts.flatMap((name) =>
    equal(
      `${name} of the row and of its streams`,
      figures[name],
      sum(...streams.map((one) => one.figures[name])),
    ),
  );
}

/** The receiver's own log of the same numbers. Where a sender began again, numbers are no longer of one range. */
function againstLog({ id, name, figures }, { toNs, logs }) {
  const log = logs.captured[id];
  const { firstFrame, lastFrame, framesReceived, framesUndecodable, droppedFrames, missedFrames } = figures;
  if (log === undefined || typeof firstFrame !== 'number') return [];
  if (new Set(log.map(({ sourceId }) => sourceId)).size !== 1) return [];
  const within = log.filter(
    ({ status, frameNumber }) =>
      status !== undecodable && frameNumber >= firstFrame && frameNumber <= lastFrame,
  );
  const inTime = new Set(within.filter(({ captureNs }) => captureNs <= toNs).map(numberOf));
  const ever = new Set(within.filter(({ captureNs }) => captureNs <= toNs + drainNs).map(numberOf));
  const counted = framesReceived - framesUndecodable;
  const lost = [...numbersOf(missedFrames), ...numbersOf(droppedFrames)];
  const came = lost.filter((number) => inTime.has(number));
  const isCounted = counted >= inTime.size && counted <= ever.size;
  return [
    ...(isCounted ? [] : [`${name}: received by the row and by the log: ${counted} and ${ever.size}`]),
    ...(came.length === 0 ? [] : [`${name}: lost by the row and in the log: ${came.slice(0, 5).join(', ')}`]),
  ];
}

function numberOf({ frameNumber }) {
  return frameNumber;
}

function numbersOf(frames) {
  return (frames?.ranges ?? []).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}

/** Figures of a row against what its tools and helpers said, which the row keeps, and against their logs. */
function againstReports({ figures, details, subjects, step, logs }) {
  return [
    ...(details?.runs ?? []).flatMap(({ report }) => ofRepeat(report)),
    ...meanOf(
      'link.throughputMbps',
      figures,
      details?.runs?.map(({ report }) => report?.throughputMbps),
    ),
    ...(details?.passes ?? []).flatMap(({ megabytes, seconds, megabytesPerSecond }) =>
      equal('a pass: MB/s and MB over s', megabytesPerSecond, megabytes / seconds, 0.02 * megabytesPerSecond),
    ),
    ...ofPackets(figures, logs.packets),
    ...ofSamples(figures, details?.published, subjects),
    ...ofWakeUps(figures, step?.['quiet.rateHz']),
  ];
}

/** iperf3 counts no loss after the last number that came: what was sent in a tenth of a second may be in neither. */
function ofRepeat(report) {
  if (!report?.udp) return [];
  const { datagramsSent, datagramsReceived, datagramsLost } = report.udp;
  const inFlight = Math.max(2, (0.1 * datagramsSent) / report.sentSeconds);
  return equal(
    'datagrams sent, received + lost',
    datagramsSent,
    sum(datagramsReceived, datagramsLost),
    inFlight,
  );
}

function meanOf(id, figures, values = []) {
  const known = values.filter((value) => typeof value === 'number');
  if (known.length === 0) return [];
  const mean = known.reduce((a, b) => a + b, 0) / known.length;
  return equal(`${id} and the mean of its repeats`, figures[id], mean, 1e-6 * mean);
}

function ofPackets({ 'pacing.packetsSent': sent, 'pacing.packetsLost': lost }, packets) {
  if (packets === null || typeof sent !== 'number' || typeof lost !== 'number') return [];
  return equal('packets sent − lost, and numbers in the log', sent - lost, new Set(packets).size);
}

function ofSamples(figures, published, subjects) {
  const { 'ddsFanOut.samplesSent': sent, 'ddsFanOut.samplesReceived': received } = figures;
  if (typeof sent !== 'number') return [];
  const subscribers = subjects.filter(({ kind }) => kind === 'subscriber');
  const all = sum(received, figures['ddsFanOut.samplesLost']);
  const each = (name) => sum(...subscribers.map((one) => one.figures[`ddsFanOut.${name}`]));
  return [
    ...equal('samples sent and published', sent, published?.samples),
    ...(figures['ddsFanOut.unmatched'] === 0
      ? equal('samples sent to all, received + lost', sent * subscribers.length, all)
      : []),
    ...equal('samples received by the row and by its subscribers', received, each('samplesReceived')),
  ];
}

/** Each slot of the time was woken in or slept through. */
function ofWakeUps({ 'quiet.wakeUps': woke, 'quiet.slotsOverslept': slept, measuredSeconds }, rateHz) {
  if (typeof rateHz !== 'number') return [];
  return equal('wake-ups + slots slept through, and slots', sum(woke, slept), rateHz * measuredSeconds, 2);
}

/** At the end of a row; while the registry is stopped it says nothing. */
function againstRegistry({ fromNs, toNs, figures }, answers) {
  const answer = answers.findLast(({ atNs }) => atNs > Math.max(fromNs, toNs - answerNs) && atNs < toNs);
  return equal('nodes registered by the row and by the registry', figures['nmos.registered'], answer?.nodes);
}
