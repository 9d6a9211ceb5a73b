import { AlikeFacts, oneDigit } from '../../../protocol/alike-facts';
import { countText, figure, speedText, stepText } from '../../../protocol/count-words';
import type { Fact } from '../../../protocol/fact';
import { percentBeyond } from '../../../protocol/steal-limit';

/** What each cause of a loss is in words; `stream`: whose loss it is. */
const words = {
  injected: (of) => {
    const [injected, others] = [of.number('frames'), of.number('others')];
    if (others === '') return 'injected on purpose';
    return `${injected} of them injected on purpose, and beside the other ${others}:`;
  },
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
  'receiver-late': () => 'our own receiver was late although its machine had time',
  'sender-late': () => 'our own sender was late although its machine had time',
  'sdk-send-blocked': (of, stream) => {
    const [receivers = 1] = of.numbers('receivers');
    const longest = of.number('longestMs');
    const whose = receivers > 1 ? `one of the ${receivers} receivers` : 'the receiver';
    const upTo = longest === '' ? '' : `, up to ${longest} ms`;
    return `the SDK’s send call waited for ${whose} of ${stream} (sdk-send-blocked${upTo})`;
  },
  'machine-stood-still': (of) =>
    `this machine or Whiteline’s engine stood still for ${of.number('seconds', oneDigit)} s`,
  'cpu-stolen': (of) => {
    const [limitPercent = 0] = of.numbers('limitPercent');
    const percent = of.number('percent', (value) => percentBeyond(value, limitPercent));
    return `the hypervisor took ${percent} % of the CPU away`;
  },
  'cpu-full': (of) => {
    const whose = of.word('whose');
    const cpu = whose === 'both' ? 'the CPU that sender and receiver share' : `the ${whose}’s CPU`;
    return `${cpu} was at ${of.number('percent')} %${ownPart(of)}`;
  },
  'core-full': (of) => `one core was full (${of.number('percent')} %), the machine as a whole was not`,
  'late-disk': (of) => {
    const speed = speedText(of.numbers('rateMBps'), of.numbers('neededMBps'), of.word('reads'));
    return `${countText(of.numbers('pictures'), 'picture')} came late from the disk${speed}`;
  },
  'late-decode': (of) => `${countText(of.numbers('pictures'), 'picture')} came late from decoding`,
  disconnected: (of) => `the connection was gone for ${of.number('milliseconds')} ms`,
  'interface-full': (of) => {
    const [use, speed] = [of.number('mbps', figure), of.number('linkMbps', figure)];
    return `${of.word('name')} was full, with ${use} Mb/s of ${speed} Mb/s`;
  },
  'interface-drops': (of) => `network interfaces dropped ${countText(of.numbers('packets'), 'packet')}`,
  'interface-errors': (of) =>
    `network interfaces saw ${countText(of.numbers('packets'), 'packet')} with errors`,
  'tcp-retransmits': (of) => {
    const sent = `TCP sent ${countText(of.numbers('segments'), 'segment')} again`;
    return of.is('isAlone') ? `${sent}, nothing else was seen` : sent;
  },
  'traffic-stopped': (of) => {
    const link = of.is('wasDisconnected') ? 'down, or too narrow for the SDK to stay connected' : 'down';
    const orSender = of.is('isSenderKnown') ? '' : ', or the sender sent nothing';
    return `the network carried nothing where it had carried ${of.number('beforeMbps', figure)} Mb/s: the link was ${link}${orSender}`;
  },
  'traffic-fell': (of) => {
    const [now, before] = [of.number('duringMbps', figure), of.number('beforeMbps', figure)];
    const orSender = of.is('isSenderKnown') ? '' : ', or the sender sent less';
    return `the network carried ${now} Mb/s where it had carried ${before} Mb/s: the link was limited${orSender}`;
  },
  'traffic-limited': (of) => {
    const orSender = of.is('isSenderKnown') ? '' : ', or the sender skipped these numbers';
    return `the network carried ${of.number('duringMbps', figure)} Mb/s and no more before: the link may be limited${orSender}`;
  },
  'traffic-low': (of) =>
    `no machine was full, and the network carried ${of.number('duringMbps', figure)} Mb/s: check the link`,
  'code-lost': () => 'usually the codec has broken down, or something else drew over the code',
  'picture-changed': () => 'usually a picture was changed while it was being sent or copied',
  'code-covered': () => 'usually something else drew over the picture, or a part of it is broken',
  'picture-scaled': () => 'usually something on the way scaled the picture',
  'colour-lost': () => 'usually a part of the picture was not decoded, or its colours were converted wrongly',
  'levels-changed': () => 'usually something on the way changed the picture’s levels',
  'label-changed': () => 'usually something on the way sent the picture again as another frame',
  'not-seen': (of) => {
    const percent = of.number('cpuPercent');
    const places = [
      ...(percent === '' ? [] : [`the CPU (${percent} %)`]),
      // Earlier versions did not record whether they checked the processes.
      ...(of.word('sawProcesses') === 'false' ? [] : ['our processes']),
      'the connection',
      ...(of.is('sawTraffic') ? ['the network’s counters'] : []),
    ];
    return `no cause was seen in ${places.join(', ').replace(/, ([^,]*)$/, ' and $1')}`;
  },
} satisfies Record<string, (of: AlikeFacts, stream: string) => string>;

/** From here on the CPU would not have been full without other programs, as a rule. */
const leastOthersPercent = 25;

/** A CPU that is full of other work says nothing of what the streams cost. */
function ownPart(of: AlikeFacts): string {
  const othersPercent = Math.min(...of.numbers('percent')) - Math.max(...of.numbers('ownPercent'));
  return othersPercent >= leastOthersPercent && of.numbers('ownPercent').length > 0
    ? ` (Whiteline’s processes took ${of.number('ownPercent')} %)`
    : '';
}

export type CauseCode = keyof typeof words;

const wordsByCode = new Map(Object.entries<(of: AlikeFacts, stream: string) => string>(words));

/**
 * The causes of one loss or of several at once, with the range of each number; a cause that only a newer version knows is its
 * code.
 * @param losses of `kindOfCauses` alike
 */
export function causesText(losses: readonly (readonly Fact[])[], stream = 'the stream'): string {
  const [first = []] = losses;
  return first
    .map(({ code }, place) => {
      const data = losses.flatMap((causes) => causes.slice(place, place + 1)).map((cause) => cause.data);
      return wordsByCode.get(code)?.(new AlikeFacts(data), stream) ?? code;
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
