import type { Of, ReasonWords } from '../../facts/alike-facts';
import { countText } from '../../facts/count-words';

export const pacingReasons = {
  'packets-in-time': (of: Of<{ packets: number; iqrNs: number; rangeNs: number }>) =>
    `all ${of.number('packets')} packets arrived in time; half of the intervals lie within ${of.number('iqrNs')} ns, ` +
    `all within ${of.number('rangeNs')} ns`,
  'stream-measured': (of: Of<{ packets: number; iqrNs: number; rangeNs: number }>) =>
    `${countText(of.numbers('packets'), 'packet')} arrived, none missing; half of the intervals lie within ` +
    `${of.number('iqrNs')} ns, all within ${of.number('rangeNs')} ns`,
  'packets-late': (of: Of<{ late: number; packets: number; latestNs: number; longestRun: number }>) =>
    `${of.number('late')} of ${of.number('packets')} packets arrived more than one interval late, the latest ` +
    `${of.number('latestNs', timeText)}, up to ${of.number('longestRun')} in a row`,
  'packets-early': (of: Of<{ early: number; packets: number; earliestByNs: number }>) =>
    `${of.number('early')} of ${of.number('packets')} packets arrived more than one interval early, the earliest ` +
    of.number('earliestByNs', timeText),
  'card-clock-set': (of: Of<{ times: number }>) =>
    `the clock of the network card was set ${countText(of.numbers('times'), 'time')}: intervals over it are left out`,
  'packets-lost': (of: Of<{ lost: number; refused: number; places: string }>) => {
    const refused = of.count('refused');
    const never = refused === 0 ? '' : `; ${refused} never left: our own socket refused them`;
    return `${countText(of.numbers('lost'), 'packet')} lost${placesText(of)}${never}`;
  },
  'packets-perhaps-missing': (of: Of<{ gapNs: number }>) =>
    `no packet arrived for ${of.number('gapNs', timeText)}: how many are missing is unknown, because the sender’s numbers ` +
    'repeat after 256',
  'packets-reordered': (of: Of<{ reordered: number; places: string }>) =>
    `${countText(of.numbers('reordered'), 'packet')} out of order${placesText(of)}`,
  'packets-duplicated': (of: Of<{ duplicated: number; places: string }>) =>
    `${countText(of.numbers('duplicated'), 'packet')} received twice${placesText(of)}`,
  'presentation-missed': (of: Of<{ missed: number; packets: number }>) =>
    `${of.number('missed')} of ${of.number('packets')} packets arrived after their presentation time`,
  'launch-times-missing': (of: Of<{ interface: string; command: string }>) =>
    `not measured: ${of.word('interface')} has no queue that takes launch times (${of.word('command')})`,
  'launch-times-in-memory': () =>
    'not measured: interfaces in memory keep no launch times; name a network card that has an ETF queue (--interface)',
  'launch-times-over-udp': () =>
    'not measured: launch times need raw frames between two interfaces, and a network card that has an ETF queue (--interface)',
  'no-packet': () => 'no packet came',
  'only-other-packets': (of: Of<{ others: number; damaged: number }>) =>
    `no packet of a readable audio stream arrived: ${of.number('others')} were of other streams, subtypes or forms, ` +
    `${of.number('damaged')} damaged`,
  'packets-damaged': (of: Of<{ damaged: number }>) =>
    `${countText(of.numbers('damaged'), 'packet')} left out: cut off, or with fields that contradict each other`,
  'receiver-overflowed': (of: Of<{ packets: number }>) =>
    `the receiver was too slow for ${countText(of.numbers('packets'), 'packet')}: its socket was full`,
  'packets-unstamped': (of: Of<{ packets: number }>) =>
    `the kernel gave ${countText(of.numbers('packets'), 'packet')} no time stamp`,
  'streams-beside-absent': (of: Of<{ streams: number }>) =>
    `${countText(of.numbers('streams'), 'stream')} should have run beside the packets, but not all of them did`,
  'pacer-failed': (of: Of<{ why: string }>) => `the pacer failed: ${of.word('why')}`,
} satisfies ReasonWords;

/** The unit of the columns. */
function timeText(ns: number): string {
  return `${ns.toFixed(0)} ns`;
}

function placesText(of: Of<{ places: string }>): string {
  const places = of.word('places');
  return places === 'unknown' || places === '' ? '' : `, numbers ${places}`;
}
