import { type Of, oneDigit, type ReasonWords } from '../../facts/alike-facts';

/** Over loopback there is no link: what a row says of itself, and the experiment of its subject. */
export const overLoopback = 'over loopback on this one machine: this tests its CPU, not a link';

/** What may have been at its limit in the place of the link. `here`, `there`: names of the two machines of a fleet. */
export type Doubt =
  | { doubt: 'iperf3' | 'one-thread'; doubtEnd: 'here' | 'there'; doubtPercent: number; doubtThreads: number }
  | { doubt: 'machine'; doubtPercent: number }
  | { doubt: 'sender' | 'machine-not-measured' | 'cpu-here-not-reported' | 'cpu-there-not-reported' };

type DoubtData = {
  doubt: string;
  doubtEnd?: string;
  doubtPercent?: number;
  doubtThreads?: number;
  here?: string;
  there?: string;
};

/** What TCP reached of the link’s speed. */
type ShareData = { throughputMbps: number; percent: number; linkMbps: number };

type LossData = { lossPercent: number; sentMbps: number | null };

/** The rate that was asked for, in NDI streams and in Mb/s. */
type HeldData = { streams: number; targetMbps: number };

export const linkReasons = {
  'repeats-short': (of: Of<{ done: number; wanted: number }>) =>
    `${of.number('done')} of ${of.number('wanted')} repeats were measured`,
  'target-not-counted': (of: Of<{ why: string }>) =>
    `its target is the rate that TCP reached, but that rate is not valid, because ${of.word('why')}`,
  'over-loopback': () => overLoopback,
  'other-end-full': (of: Of<{ machine: string; percent: number }>) =>
    `the processors of ${of.word('machine')} were ${of.number('percent')} % busy, so the link may carry more`,
  'other-end-not-measured': (of: Of<{ machine: string }>) =>
    `the load of ${of.word('machine')} was not measured`,

  // TCP that fills the link.
  'link-reached': (of: Of<ShareData & { wantedPercent?: number }>) => {
    const wanted = of.number('wantedPercent', String);
    return `${shareText(of, 'the link’s')}${wanted === '' ? '' : ` (${wanted} % required)`}`;
  },
  'link-not-filled': (of: Of<ShareData & DoubtData>) =>
    `${doubtText(of)}: the link may carry more than ${shareText(of, 'its')}`,
  'link-speed-unknown': (of: Of<{ throughputMbps: number; why: string }>) =>
    `${of.number('throughputMbps', megabits)}; the link’s speed is not known (${of.word('why')}), so nothing says how much it should reach`,
  'arrived-unreported': () => 'iperf3 does not report how much arrived',

  // UDP.
  'no-datagram-lost': (of: Of<{ sentMbps: number | null }>) => {
    const sent = of.number('sentMbps', megabits);
    return sent === ''
      ? 'no datagram lost; iperf3 does not report how much was sent'
      : `no datagram lost at ${sent}`;
  },
  'no-datagram-lost-of-fewer': (of: Of<DoubtData & { sentMbps: number; targetMbps: number }>) =>
    `no datagram lost, but ${of.number('sentMbps', megabits)} of ${of.number('targetMbps', megabits)} were sent: ${doubtText(of)}`,
  'datagrams-lost': (of: Of<LossData & { maxLossPercent: number; isSmall?: boolean }>) => {
    const pass = of.is('isSmall') ? 'PASS only without loss, ' : '';
    return `${lostText(of)} (${pass}FAIL above ${of.number('maxLossPercent', String)} %)`;
  },
  'datagrams-lost-at-an-end': (of: Of<LossData & DoubtData>) =>
    `${doubtText(of)}: datagrams may have been lost there; ${lostText(of)}`,
  'datagrams-overflowed': (of: Of<LossData & { overflowed: number | null; lost: number }>) =>
    `${overflowText(of)}: ${lostText(of)}`,
  'loss-unreported': () => 'iperf3 does not report what was lost',
  'sent-unreported': () => 'iperf3 does not report how much was sent',
  'no-datagram-sent': () => 'no datagram was sent',

  // Held at the rates of streams.
  'streams-carried': (of: Of<HeldData>) => `carried ${worthText(of)} without loss`,
  'streams-carried-late': (of: Of<HeldData & { lateIntervals: number; sharePercent: number }>) => {
    const unit = of.count('lateIntervals') === 1 ? 'interval' : 'intervals';
    return (
      `carried ${worthText(of)}, but ${of.number('lateIntervals', shortened)} ${unit} of a repeat moved ` +
      `less than ${of.number('sharePercent')} % of it`
    );
  },
  'streams-carried-again': (of: Of<HeldData & { retransmits: number | null }>) => {
    const segments = of.number('retransmits', shortened);
    return `carried ${worthText(of)}; ${segments === '' ? 'iperf3 does not report retransmissions' : `retransmitted segments per repeat: ${segments}`}`;
  },
  'streams-beyond-link': (of: Of<HeldData & { leastMbps: number; fullMbps: number }>) =>
    `${heldText(of)} were sent: a full link holds ${of.number('fullMbps', megabits)} of payload`,
  'streams-not-sent': (of: Of<HeldData & DoubtData & { leastMbps: number }>) =>
    `${doubtText(of)}: only ${heldText(of)} were sent, so the link was not tested at this rate`,
  'streams-not-arrived': (of: Of<HeldData & { leastMbps: number }>) => `${heldText(of)} arrived`,
  'streams-held-back': (of: Of<HeldData & DoubtData & { leastMbps: number }>) =>
    `${doubtText(of)}: the link may carry more; ${heldText(of)} arrived`,

  // Ping.
  'rtt-not-measured': (of: Of<{ why: string }>) => `RTT not measured: ${of.word('why')}`,
  'rtt-measured': (of: Of<{ rttMs: number; unanswered?: number }>) => {
    const rtt = `RTT ${of.number('rttMs', (ms) => ms.toFixed(3))} ms`;
    return of.count('unanswered') > 0 ? `${rtt}; ${of.number('unanswered')} echoes not answered` : rtt;
  },
} satisfies ReasonWords;

const megabits = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} Mb/s`;
const shortened = (value: number): string => String(Number(value.toFixed(1)));

function worthText(of: Of<HeldData>): string {
  const streams = of.count('streams');
  return `${streams === 1 ? 'one stream’s' : `${streams} streams’`} worth (${of.number('targetMbps', megabits)})`;
}

function heldText(of: Of<HeldData & { leastMbps: number }>): string {
  return `${of.number('leastMbps', megabits)} of ${worthText(of)}`;
}

function shareText(of: Of<ShareData>, whose: string): string {
  return `${of.number('throughputMbps', megabits)}, ${of.number('percent', oneDigit)} % of ${whose} ${of.number('linkMbps', String)} Mb/s`;
}

function lostText(of: Of<LossData>): string {
  const lost = of.number('lossPercent', (percent) =>
    percent < 0.001 ? 'less than 0.001' : percent.toFixed(3),
  );
  return `${lost} % of the datagrams lost at ${of.number('sentMbps', megabits) || 'an unknown rate'}`;
}

function overflowText(of: Of<{ overflowed: number | null; lost: number }>): string {
  const [overflowed] = of.numbers('overflowed');
  if (overflowed === undefined) return 'how many datagrams overflowed this machine’s buffers is not reported';
  return overflowed <= of.count('lost')
    ? `${overflowed} of ${of.number('lost')} lost datagrams arrived but overflowed this machine’s buffers`
    : `${overflowed} datagrams of all programs overflowed this machine’s buffers, while ${of.number('lost')} were lost`;
}

function doubtText(of: Of<DoubtData>): string {
  switch (of.word('doubt')) {
    case 'iperf3':
      return fullText(of);
    case 'one-thread':
      return `${fullText(of)}, which is all that iperf3 before version 3.16 can use`;
    case 'machine':
      return `${of.word('here', 'this machine')}’s processors were ${of.number('doubtPercent')} % busy`;
    case 'sender':
      return 'the sender could not keep its rate';
    case 'machine-not-measured':
      return `${of.word('here', 'this machine')}’s load was not measured`;
    case 'cpu-here-not-reported':
      return `iperf3 ${endText(of, 'here')} does not report its CPU`;
    default:
      return `iperf3 does not report its CPU ${endText(of, 'there')}`;
  }
}

function fullText(of: Of<DoubtData>): string {
  const where = endText(of, of.word('doubtEnd') === 'here' ? 'here' : 'there');
  const threads = of.count('doubtThreads');
  const each = (of.count('doubtPercent') / threads).toFixed(0);
  const ofEach = threads > 1 ? `, ${each} % for each of its ${threads} threads` : '';
  return `iperf3 ${where} took ${of.number('doubtPercent')} % of a core${ofEach}`;
}

function endText(of: Of<DoubtData>, end: 'here' | 'there'): string {
  const machine = of.word(end, '');
  if (machine !== '') return `on ${machine}`;
  return end === 'here' ? 'here' : 'on the other host';
}
