import { type Of, oneDigit, type ReasonWords } from '../../facts/alike-facts';
import { countText } from '../../facts/count-words';

/** `each`: of each of several subscribers, which lack the sum of them. */
type LackingData = {
  subscribers: string;
  count: number;
  lost: number;
  samples: number;
  each: number;
  places: string;
};

type PathData = { expected: string; seen: string; where: string };

export const fanOutReasons = {
  'all-samples-came': (
    of: Of<{ subscribers: number; samples: number; minMbps: number; maxMbps: number; limit: string }>,
  ) => `${eachOf(of)} got all ${of.number('samples')} samples, ${ratesText(of)} Mb/s${fullText(of)}`,
  'round-trips-measured': (
    of: Of<{ p50Us: number; p99Us: number; roundTrips: number; subscribers: number }>,
  ) =>
    `one way (half a round trip) took ${of.number('p50Us', oneDigit)} µs or less for half of ${of.number('roundTrips')} samples to ` +
    `${countText(of.numbers('subscribers'), 'subscriber')}, and over ${of.number('p99Us', oneDigit)} µs for 1 in 100`,
  'samples-lacking': (of: Of<LackingData & { isUnacknowledged?: boolean }>) =>
    of.is('isUnacknowledged')
      ? `${lossText(of)}${placesText(of)}: without acks a sample is sent again only as long as the publisher keeps it`
      : `${lossText(of)}, although delivery was reliable${placesText(of)}`,
  'samples-lost': (of: Of<LackingData>) => `${lossText(of)}${placesText(of)}; delivery was best-effort`,
  'samples-duplicated': (of: Of<{ samples: number }>) =>
    `${countText(of.numbers('samples'), 'sample')} received twice`,
  'samples-reordered': (of: Of<{ samples: number }>) =>
    `${countText(of.numbers('samples'), 'sample')} out of order`,
  'samples-damaged': (of: Of<{ samples: number }>) =>
    `${countText(of.numbers('samples'), 'sample')} arrived damaged`,
  'never-matched': (of: Of<{ subscribers: string; count: number; waitedSeconds: number; samples: number }>) =>
    `${of.word('subscribers')} did not match the publisher within ${of.number('waitedSeconds', oneDigit)} s ` +
    `and got none of ${of.number('samples')} samples`,
  'round-trips-timed-out': (of: Of<{ timedOut: number; samples: number }>) =>
    `${of.number('timedOut')} of ${of.number('samples')} samples did not come back in time`,
  'writes-refused': (of: Of<{ writes: number }>) =>
    `${countText(of.numbers('writes'), 'write')} of the publisher timed out: subscribers did not take samples in time`,
  'samples-unacknowledged': () => 'not all samples were acknowledged in time after the last write',
  'group-shared': (of: Of<{ datagrams: number; group: string; groupPort: number }>) =>
    `other programs sent ${countText(of.numbers('datagrams'), 'datagram')} to ${of.word('group')}:${of.number('groupPort')}, which all ` +
    'subscribers had to take: end them, or choose another group or port',
  'strangers-in-domain': (of: Of<{ domain: number; names: string }>) =>
    `other participants are in domain ${of.number('domain')} (${of.word('names')}) and may use the network and the CPU: ` +
    'end them, or choose another domain',

  // What makes a row INVALID.
  'other-path': (of: Of<PathData>) =>
    `samples did not take the path ${of.word('expected')}: ${of.word('seen')} (${of.word('where')})`,
  'path-incomplete': (of: Of<PathData>) =>
    `not all of what was written left the publisher as ${of.word('expected')}: ${of.word('seen')} (${of.word('where')})`,
  'path-unknown': (of: Of<{ dropped: number; unread: number; ipFragments: number }>) =>
    'the path of the samples is not known: the counter ' +
    `missed ${countText(of.numbers('dropped'), 'datagram')}, could not read ${of.number('unread')}, and ` +
    `${of.number('ipFragments')} were fragments of IP`,
  'nothing-full': (of: Of<{ loads: string }>) =>
    `nothing was at its limit: ${of.word('loads')}; what slowed the publisher is not known`,
  'machine-taken': (of: Of<{ machineCpu: number; ownCpu: number | null; machine?: string }>) =>
    `other programs took the processors${ofMachine(of.word('machine', ''))}: machine CPU ${of.number('machineCpu')} %, by this row ${of.number('ownCpu')} %; ` +
    'end them and measure again',
  'matched-late': (of: Of<{ subscribers: string }>) =>
    `${of.word('subscribers')} matched the publisher only after the first samples were sent`,
  'no-sample-sent': () => 'no sample was sent',
  'fan-out-failed': (of: Of<{ why: string }>) => `a process of the fan-out failed: ${of.word('why')}`,
} satisfies ReasonWords;

function eachOf(of: Of<{ subscribers: number }>): string {
  const subscribers = of.count('subscribers');
  return subscribers === 1 ? 'the subscriber' : `each of ${subscribers} subscribers`;
}

function ofMachine(name: string): string {
  return name === '' ? '' : ` of ${name}`;
}

/** "subscriber 3 lacks", "subscribers 1, 3 lack". */
function whose(of: Of<LackingData>): string {
  const names = of.word('subscribers');
  return `${names} ${of.count('count') > 1 ? 'lack' : 'lacks'}`;
}

function ratesText(of: Of<{ minMbps: number; maxMbps: number }>): string {
  const [least, most] = [of.number('minMbps', oneDigit), of.number('maxMbps', oneDigit)];
  return least === most ? least : `${least} to ${most}`;
}

function lossText(of: Of<LackingData>): string {
  const each = of.count('count') > 1 ? ` (${of.number('each')} each)` : '';
  return `${whose(of)} ${of.number('lost')} of ${of.number('samples')} samples${each}`;
}

function fullText(of: Of<{ limit: string }>): string {
  const limit = of.word('limit');
  return limit === 'nothing' || limit === 'unknown' ? '' : `; full: ${limit}`;
}

function placesText(of: Of<LackingData>): string {
  const places = of.word('places');
  return places === 'unknown' || places === '' ? '' : `, numbers ${places}`;
}
