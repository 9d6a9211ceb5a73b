import { type Of, oneDigit, type ReasonWords } from './alike-facts';
import { countText, figure, rangeText, speedText, stepText } from './count-words';
import type { Fact } from './fact';
import { kindOfFacts } from './fact-kind';
import { atMachine, machineText } from './machine-words';
import { percentBeyond } from './steal-limit';

/** In which of these nothing was seen. `isElse`: no other cause than those before it. */
type NotSeenData = {
  cpuPercent: number | null;
  ownPercent: number | null;
  /** Earlier versions did not record it. */
  sawProcesses?: boolean;
  sawTraffic: boolean;
  machine?: string;
  isElse?: boolean;
};

/**
 * What each cause of a loss is in words. What was recorded or measured is said as a fact, what is inferred from it with "may"
 * (docs/measurement.md, "Losses").
 */
const words = {
  injected: (of: Of<{ frames?: number; others?: number }>) => {
    const [injected, others] = [of.number('frames'), of.number('others')];
    if (others === '') return 'injected on purpose';
    return `${injected} of them injected on purpose; seen beside the other ${others}:`;
  },
  'sender-injected': (of: Of<{ frames?: number; others?: number }>) => {
    const [injected, others] = [of.number('frames'), of.number('others')];
    if (others === '') return 'the sender reports an injected fault';
    return `the sender reports an injected fault for ${injected} of them; seen beside the other ${others}:`;
  },
  'wall-clock-step': (of: Of<{ byMs: number; machine?: string }>) =>
    `${machineText(of, 'this machine')}’s wall clock was set ${of.number('byMs', stepText)}`,
  'sender-clock-step': (of: Of<{ byMs: number; machine?: string }>) =>
    `${machineText(of, 'the sender')}’s clock jumped ${of.number('byMs', stepText)} relative to ours`,
  'machine-suspended': (of: Of<{ seconds: number; machine?: string }>) =>
    `${machineText(of, 'this machine')} slept for ${of.number('seconds', oneDigit)} s`,
  'link-down': (of: Of<{ name: string; seconds?: number; machine?: string }>) => {
    const seconds = of.number('seconds', oneDigit);
    return `${of.word('name')}${atMachine(of, 'of')} had no link${seconds === '' ? '' : ` for ${seconds} s`}`;
  },
  'mtu-changed': (of: Of<{ name: string; fromBytes: number; toBytes: number; machine?: string }>) =>
    `the MTU of ${of.word('name')}${atMachine(of, 'of')} changed from ${of.number('fromBytes')} to ${of.number('toBytes')} bytes`,
  'sender-restarted': () => 'the sender was started again',
  'mixer-cut': () => 'the mixer was changing to another source',
  'receiving-died': (of: Of<{ machine?: string }>) => `our receiving process${atMachine(of)} had died`,
  'receiving-stopped': (of: Of<{ machine?: string }>) => `our receiving process${atMachine(of)} was stopped`,
  'sending-stopped': (of: Of<{ machine?: string }>) => `our sending process${atMachine(of)} was stopped`,
  'process-waited': (of: Of<{ role: string; seconds: number; machine?: string }>) =>
    `our ${of.word('role')} process${atMachine(of)} waited ${of.number('seconds', oneDigit)} s for a processor`,
  'sender-stopped': () => 'the sending process was stopped',
  'receiver-late': (of: Of<{ machine?: string }>) =>
    `our own receiver may have been late although ${machineText(of, 'its machine')} was not at its limit, or the frames arrived all at once`,
  'sender-late': (of: Of<{ machine?: string }>) =>
    `our own sender was late although ${machineText(of, 'its machine')} was not at its limit`,
  'sdk-send-blocked': (of: Of<{ longestMs: number | null }>) => {
    const longest = of.number('longestMs');
    const upTo = longest === '' ? '' : `, up to ${longest} ms`;
    return `the transport’s send call did not return in time (sdk-send-blocked${upTo})`;
  },
  'machine-stood-still': (of: Of<{ seconds: number; machine?: string }>) => {
    const seconds = of.number('seconds', oneDigit);
    const machine = of.word('machine', '');
    return machine === ''
      ? `no load sample arrived for ${seconds} s: this machine or Whiteline’s engine may have stood still`
      : `no load sample of ${machine} arrived for ${seconds} s: it, its agent or Whiteline’s engine may have stood still`;
  },
  'cpu-stolen': (of: Of<{ percent: number; limitPercent: number; machine?: string }>) => {
    const [limitPercent = 0] = of.numbers('limitPercent');
    const percent = of.number('percent', (value) => percentBeyond(value, limitPercent));
    return `the hypervisor took ${percent} % of the CPU${atMachine(of, 'of')} away`;
  },
  'cpu-full': (
    of: Of<{
      whose: 'sender' | 'receiver' | 'both';
      percent: number;
      ownPercent: number | null;
      machine?: string;
    }>,
  ) => {
    const whose = of.word('whose');
    const own = ownPart(of.numbers('percent'), of.numbers('ownPercent'));
    const isBoth = whose === 'both';
    const machine = of.word('machine', '');
    const named = `${machine}’s CPU${isBoth ? ', which sender and receiver share,' : ''}`;
    const unnamed = isBoth ? 'the CPU that sender and receiver share' : `the ${whose}’s CPU`;
    const cpu = machine === '' ? unnamed : named;
    return `${cpu} was at ${of.number('percent')} %${own === '' ? '' : ` (${own})`}`;
  },
  'core-full': (of: Of<{ percent: number; machine?: string }>) =>
    `one core${atMachine(of, 'of')} was full (${of.number('percent')} %), the machine as a whole was not`,
  'late-disk': (
    of: Of<{ pictures: number; rateMBps: number | null; neededMBps: number | null; reads: string | null }>,
  ) => {
    const speed = speedText(of.numbers('rateMBps'), of.numbers('neededMBps'), of.word('reads'));
    return `${countText(of.numbers('pictures'), 'picture')} came late from the disk${speed}`;
  },
  'late-decode': (of: Of<{ pictures: number }>) =>
    `${countText(of.numbers('pictures'), 'picture')} came late from decoding`,
  disconnected: (of: Of<{ milliseconds: number; wasUnlisted?: boolean }>) => {
    const gone = `the connection was gone for ${of.number('milliseconds')} ms`;
    return of.is('wasUnlisted') ? `${gone}, and discovery no longer listed the source` : gone;
  },
  'interface-full': (of: Of<{ name: string; mbps: number; linkMbps: number; machine?: string }>) => {
    const [use, speed] = [of.number('mbps', figure), of.number('linkMbps', figure)];
    return `${of.word('name')}${atMachine(of, 'of')} was full, with ${use} Mb/s of ${speed} Mb/s`;
  },
  'interface-drops': (of: Of<{ packets: number; machine?: string }>) =>
    `network interfaces${atMachine(of, 'of')} dropped ${countText(of.numbers('packets'), 'packet')}`,
  'interface-errors': (of: Of<{ packets: number; machine?: string }>) =>
    `network interfaces${atMachine(of, 'of')} saw ${countText(of.numbers('packets'), 'packet')} with errors`,
  // Earlier versions recorded `isAlone` where they saw nothing else.
  'tcp-retransmits': (of: Of<{ segments: number; machine?: string }>) =>
    `TCP${atMachine(of)} sent ${countText(of.numbers('segments'), 'segment')} again`,
  'traffic-stopped': (of: Of<{ beforeMbps: number; wasDisconnected: boolean; isSenderKnown: boolean }>) => {
    const link = of.is('wasDisconnected')
      ? 'down, or too narrow for the transport to stay connected'
      : 'down';
    const orSender = of.is('isSenderKnown') ? '' : ', or the sender may have sent nothing';
    return `the network carried nothing, down from ${of.number('beforeMbps', figure)} Mb/s: the link may have been ${link}${orSender}`;
  },
  'traffic-fell': (of: Of<{ duringMbps: number; beforeMbps: number; isSenderKnown: boolean }>) => {
    const [now, before] = [of.number('duringMbps', figure), of.number('beforeMbps', figure)];
    const orSender = of.is('isSenderKnown') ? '' : ', or the sender may have sent less';
    return `the network carried ${now} Mb/s, down from ${before} Mb/s: the link may have been limited, or lost packets${orSender}`;
  },
  'traffic-limited': (of: Of<{ duringMbps: number; isSenderKnown: boolean }>) => {
    const orSender = of.is('isSenderKnown') ? '' : ', or the sender may have left out these frames';
    return `the network carried ${of.number('duringMbps', figure)} Mb/s, about as much as before: the link may be limited, or lose packets${orSender}`;
  },
  'traffic-low': (of: Of<{ duringMbps: number }>) =>
    `no machine was at its limit, and the network carried ${of.number('duringMbps', figure)} Mb/s: the link may be the cause`,
  'code-lost': () => 'the codec may have broken down, or something else may have drawn over the code',
  'picture-changed': () => 'a picture may have been changed while it was being sent or copied',
  'code-covered': () => 'something else may have drawn over the picture, or a part of it may be broken',
  'picture-scaled': () => 'something on the way may have scaled the picture',
  'colour-lost': () =>
    'a part of the picture may not have been decoded, or its colours may have been converted wrongly',
  'levels-changed': () => 'something on the way may have changed the picture’s levels',
  'label-changed': () => 'something on the way may have sent the picture again as another frame',
  'not-seen': (of: Of<NotSeenData>) => {
    const percent = of.number('cpuPercent');
    const own = ownPart(of.numbers('cpuPercent'), of.numbers('ownPercent'));
    const places = [
      ...(percent === ''
        ? []
        : [`the CPU${atMachine(of, 'of')} (${percent} %${own === '' ? '' : `, ${own}`})`]),
      ...(of.isNot('sawProcesses') ? [] : ['our processes']),
      'the connection',
      ...(of.is('sawTraffic') ? ['the network’s counters'] : []),
    ];
    return `no ${of.is('isElse') ? 'other ' : ''}cause was seen in ${places.join(', ').replace(/, ([^,]*)$/, ' and $1')}`;
  },
} satisfies ReasonWords;

/** From here on it says something of other programs. */
const leastOthersPercent = 25;

/** A CPU that is busy with other work proves nothing about what the streams cost. */
function ownPart(percents: readonly number[], ownPercents: readonly number[]): string {
  const othersPercent = Math.min(...percents) - Math.max(...ownPercents);
  return othersPercent >= leastOthersPercent && ownPercents.length > 0
    ? `Whiteline’s processes took ${rangeText(ownPercents, (percent) => percent.toFixed(0))} %`
    : '';
}

export type CauseCode = keyof typeof words;

const causes = kindOfFacts<typeof words>(words);

export const causeOf = causes.factOf;
export const causeCodes = causes.codes;

/**
 * The causes of one loss or of several at once, with the range of each number; a cause that only a newer version knows is its
 * code.
 * @param losses of `kindOfCauses` alike
 */
export function causesText(losses: readonly (readonly Fact[])[]): string {
  const [first = []] = losses;
  return first
    .map(({ code }, place) => {
      const data = losses.flatMap((loss) => loss.slice(place, place + 1)).map((cause) => cause.data);
      return causes.textOf(code, data) ?? code;
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
