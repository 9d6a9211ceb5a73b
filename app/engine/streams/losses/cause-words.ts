import { AlikeFacts, oneDigit } from '../../../facts/alike-facts';
import { countText, figure, speedText, stepText } from '../../../facts/count-words';
import type { Fact } from '../../../facts/fact';
import { percentBeyond } from '../../../facts/steal-limit';

/**
 * What each cause of a loss is in words. What was recorded or measured is said as a fact, what is inferred from it with "may"
 * (docs/measurement.md, "Losses").
 */
const words = {
  injected: (of) => {
    const [injected, others] = [of.number('frames'), of.number('others')];
    if (others === '') return 'injected on purpose';
    return `${injected} of them injected on purpose, and beside the other ${others}:`;
  },
  'sender-injected': () => 'the sender reports an injected fault',
  'wall-clock-step': (of) => `this machine’s wall clock was set ${of.number('byMs', stepText)}`,
  'sender-clock-step': (of) => `the sender’s clock went ${of.number('byMs', stepText)} against ours`,
  'machine-suspended': (of) => `this machine slept for ${of.number('seconds', oneDigit)} s`,
  'link-down': (of) => {
    const seconds = of.number('seconds', oneDigit);
    return `${of.word('name')} had no link${seconds === '' ? '' : ` for ${seconds} s`}`;
  },
  'mtu-changed': (of) =>
    `the MTU of ${of.word('name')} changed from ${of.number('fromBytes')} to ${of.number('toBytes')} bytes`,
  'sender-restarted': () => 'the sender was started again',
  'receiving-died': () => 'our receiving process had died',
  'receiving-stopped': () => 'our receiving process was stopped',
  'sending-stopped': () => 'our sending process was stopped',
  'process-waited': (of) =>
    `our ${of.word('role')} process waited ${of.number('seconds', oneDigit)} s for a processor`,
  'sender-stopped': () => 'the sending process was stopped',
  'receiver-late': () =>
    'our own receiver may have been late although its machine had time, or the frames came all at once',
  'sender-late': () => 'our own sender was late although its machine had time',
  'sdk-send-blocked': (of) => {
    const longest = of.number('longestMs');
    const upTo = longest === '' ? '' : `, up to ${longest} ms`;
    return `the transport’s send call did not return in time (sdk-send-blocked${upTo})`;
  },
  'machine-stood-still': (of) =>
    `no load sample came for ${of.number('seconds', oneDigit)} s: this machine or Whiteline’s engine may have stood still`,
  'cpu-stolen': (of) => {
    const [limitPercent = 0] = of.numbers('limitPercent');
    const percent = of.number('percent', (value) => percentBeyond(value, limitPercent));
    return `the hypervisor took ${percent} % of the CPU away`;
  },
  'cpu-full': (of) => {
    const whose = of.word('whose');
    const own = ownPart(of, 'percent');
    const cpu = whose === 'both' ? 'the CPU that sender and receiver share' : `the ${whose}’s CPU`;
    return `${cpu} was at ${of.number('percent')} %${own === '' ? '' : ` (${own})`}`;
  },
  'core-full': (of) => `one core was full (${of.number('percent')} %), the machine as a whole was not`,
  'late-disk': (of) => {
    const speed = speedText(of.numbers('rateMBps'), of.numbers('neededMBps'), of.word('reads'));
    return `${countText(of.numbers('pictures'), 'picture')} came late from the disk${speed}`;
  },
  'late-decode': (of) => `${countText(of.numbers('pictures'), 'picture')} came late from decoding`,
  disconnected: (of) => {
    const gone = `the connection was gone for ${of.number('milliseconds')} ms`;
    return of.is('wasUnlisted') ? `${gone}, and discovery no longer listed the source` : gone;
  },
  'interface-full': (of) => {
    const [use, speed] = [of.number('mbps', figure), of.number('linkMbps', figure)];
    return `${of.word('name')} was full, with ${use} Mb/s of ${speed} Mb/s`;
  },
  'interface-drops': (of) => `network interfaces dropped ${countText(of.numbers('packets'), 'packet')}`,
  'interface-errors': (of) =>
    `network interfaces saw ${countText(of.numbers('packets'), 'packet')} with errors`,
  // Earlier versions recorded `isAlone` where they saw nothing else.
  'tcp-retransmits': (of) => `TCP sent ${countText(of.numbers('segments'), 'segment')} again`,
  'traffic-stopped': (of) => {
    const link = of.is('wasDisconnected')
      ? 'down, or too narrow for the transport to stay connected'
      : 'down';
    const orSender = of.is('isSenderKnown') ? '' : ', or the sender may have sent nothing';
    return `the network carried nothing where it had carried ${of.number('beforeMbps', figure)} Mb/s: the link may have been ${link}${orSender}`;
  },
  'traffic-fell': (of) => {
    const [now, before] = [of.number('duringMbps', figure), of.number('beforeMbps', figure)];
    const orSender = of.is('isSenderKnown') ? '' : ', or the sender may have sent less';
    return `the network carried ${now} Mb/s where it had carried ${before} Mb/s: the link may have been limited, or lost packets${orSender}`;
  },
  'traffic-limited': (of) => {
    const orSender = of.is('isSenderKnown') ? '' : ', or the sender may have left out these frames';
    return `the network carried ${of.number('duringMbps', figure)} Mb/s, about as much as before: the link may be limited, or lose packets${orSender}`;
  },
  'traffic-low': (of) =>
    `no machine was full, and the network carried ${of.number('duringMbps', figure)} Mb/s: the link may be the cause`,
  'code-lost': () => 'the codec may have broken down, or something else may have drawn over the code',
  'picture-changed': () => 'a picture may have been changed while it was being sent or copied',
  'code-covered': () => 'something else may have drawn over the picture, or a part of it may be broken',
  'picture-scaled': () => 'something on the way may have scaled the picture',
  'colour-lost': () =>
    'a part of the picture may not have been decoded, or its colours may have been converted wrongly',
  'levels-changed': () => 'something on the way may have changed the picture’s levels',
  'label-changed': () => 'something on the way may have sent the picture again as another frame',
  'not-seen': (of) => {
    const percent = of.number('cpuPercent');
    const own = ownPart(of, 'cpuPercent');
    const places = [
      ...(percent === '' ? [] : [`the CPU (${percent} %${own === '' ? '' : `, ${own}`})`]),
      // Earlier versions did not record whether they checked the processes.
      ...(of.word('sawProcesses') === 'false' ? [] : ['our processes']),
      'the connection',
      ...(of.is('sawTraffic') ? ['the network’s counters'] : []),
    ];
    return `no ${of.is('isElse') ? 'other ' : ''}cause was seen in ${places.join(', ').replace(/, ([^,]*)$/, ' and $1')}`;
  },
} satisfies Record<string, (of: AlikeFacts) => string>;

/** From here on it says something of other programs. */
const leastOthersPercent = 25;

/** A CPU that is busy with other work says nothing of what the streams cost. */
function ownPart(of: AlikeFacts, cpu: string): string {
  const othersPercent = Math.min(...of.numbers(cpu)) - Math.max(...of.numbers('ownPercent'));
  return othersPercent >= leastOthersPercent && of.numbers('ownPercent').length > 0
    ? `Whiteline’s processes took ${of.number('ownPercent')} %`
    : '';
}

export type CauseCode = keyof typeof words;

const wordsByCode = new Map(Object.entries<(of: AlikeFacts) => string>(words));

/**
 * The causes of one loss or of several at once, with the range of each number; a cause that only a newer version knows is its
 * code.
 * @param losses of `kindOfCauses` alike
 */
export function causesText(losses: readonly (readonly Fact[])[]): string {
  const [first = []] = losses;
  return first
    .map(({ code }, place) => {
      const data = losses.flatMap((causes) => causes.slice(place, place + 1)).map((cause) => cause.data);
      return wordsByCode.get(code)?.(new AlikeFacts(data)) ?? code;
    })
    .join(', ')
    .replace(':,', ':');
}

/** Equal for losses whose causes differ in their numbers alone. */
export function kindOfCauses(causes: readonly Fact[]): string {
  const kinds = causes.map(({ code, data }) => [
    code,
    Object.entries(data).map(([name, value]) => [name, typeof value === 'number' ? 'number' : value]),
  ]);
  return JSON.stringify(kinds);
}
