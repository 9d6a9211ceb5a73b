/** What a row lost by its own counts. A PASS has none; a WARN has none that is worse than its profile allows. Pure. */

const streamLosses = ['framesDropped', 'framesUndecodable', 'framesSpoilt', 'framesMissing'];
const streamFaults = ['framesSenderMissed', 'framesInOutages', 'stalls'];
const otherFaults = [
  ...['pacing.packetsLost', 'pacing.packetsReordered', 'pacing.packetsDuplicated', 'pacing.missedPercent'],
  ...['ddsFanOut.samplesDamaged', 'ddsFanOut.unmatched'],
  ...['nmos.refused', 'nmos.resourcesLost', 'nmos.crosspointsFailed'],
];
const otherLosses = [
  ...['pacing.packetsLate', 'pacing.packetsEarly', 'pacing.damagedPackets', 'link.lossPercent'],
  ...['quiet.wakeUpsLate', 'quiet.slotsOverslept'],
];
const samples = ['samplesLost', 'samplesDuplicated', 'samplesReordered'].map((name) => `ddsFanOut.${name}`);
const acceptedInWindow = 1;
const acceptedLinkLossPercent = 0.1;

/** Losses that no PASS has, and those that no WARN has either, each with its count. */
export function lossesOf({ index, label, figures }) {
  const isReliable = /reliable/.test(label);
  const isWindowBroken = (figures.worstWindowLost ?? 0) > acceptedInWindow;
  const faults = [
    ...streamFaults,
    ...otherFaults,
    ...(isReliable ? samples : []),
    ...(isWindowBroken ? streamLosses : []),
    ...(index === 0 ? ['nmos.heartbeatsMissed'] : []),
    ...((figures['quiet.wakeUpsLate'] ?? 0) > 1 ? ['quiet.wakeUpsLate'] : []),
    ...((figures['link.lossPercent'] ?? 0) > acceptedLinkLossPercent && /UDP/.test(label)
      ? ['link.lossPercent']
      : []),
  ];
  const counted = (names) =>
    [...new Set(names)].filter((name) => figures[name] > 0).map((name) => `${name} ${figures[name]}`);
  return { any: counted([...faults, ...streamLosses, ...otherLosses, ...samples]), faults: counted(faults) };
}
