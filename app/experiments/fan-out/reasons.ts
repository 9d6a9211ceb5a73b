import { type AlikeFacts, oneDigit, type ReasonWords } from '../../facts/alike-facts';
import { countText } from '../../facts/count-words';

export const fanOutReasons = {
  'all-samples-came': (of) =>
    `${eachOf(of)} got all ${of.number('samples')} samples, ${ratesText(of)} Mb/s${fullText(of)}`,
  'round-trips-measured': (of) =>
    `half a round trip took ${of.number('p50Us', oneDigit)} µs or less in half of ${of.number('roundTrips')} samples to ` +
    `${countText(of.numbers('subscribers'), 'subscriber')}, over ${of.number('p99Us', oneDigit)} µs in 1 in 100`,
  'samples-lacking': (of) =>
    of.is('isUnacknowledged')
      ? `${lossText(of)}${placesText(of)}: without acks a sample is sent again only as long as the publisher keeps it`
      : `${lossText(of)}, although delivery was reliable${placesText(of)}`,
  'samples-lost': (of) => `${lossText(of)}${placesText(of)}; delivery was best-effort`,
  'samples-duplicated': (of) => `${countText(of.numbers('samples'), 'sample')} received twice`,
  'samples-reordered': (of) => `${countText(of.numbers('samples'), 'sample')} out of order`,
  'samples-damaged': (of) => `${countText(of.numbers('samples'), 'sample')} did not come as sent`,
  'never-matched': (of) =>
    `${of.word('subscribers')} never matched the publisher, which cost the row a wait of ${of.number('waitedSeconds', oneDigit)} s, ` +
    `and got none of ${of.number('samples')} samples`,
  'round-trips-timed-out': (of) =>
    `${of.number('timedOut')} of ${of.number('samples')} samples did not come back within the time for it`,
  'writes-refused': (of) =>
    `${countText(of.numbers('writes'), 'write')} of the publisher timed out: subscribers did not take samples in time`,
  'samples-unacknowledged': () => 'not all samples were acknowledged in time after the last write',
  'group-shared': (of) =>
    `others sent ${countText(of.numbers('datagrams'), 'datagram')} to ${of.word('group')}:${of.number('groupPort')}, which all ` +
    'subscribers had to take: end them, or choose another group or port',
  'strangers-in-domain': (of) =>
    `others are in domain ${of.number('domain')} (${of.word('names')}) and may take part of the network and of the processors: ` +
    'end them, or choose another domain',

  // What makes a row INVALID.
  'other-path': (of) =>
    `samples went another way than ${of.word('expected')}: ${of.word('seen')} (${of.word('where')})`,
  'path-incomplete': (of) =>
    `not all of what was written left the publisher as ${of.word('expected')}: ${of.word('seen')} (${of.word('where')})`,
  'path-unknown': (of) =>
    'the way of the samples is not known: the counter ' +
    `missed ${countText(of.numbers('dropped'), 'datagram')}, could not read ${of.number('unread')}, and ` +
    `${of.number('ipFragments')} were fragments of IP`,
  'nothing-full': (of) =>
    `nothing was at its limit: ${of.word('loads')}; what held the publisher up is not known`,
  'machine-taken': (of) =>
    `other programs took the processors: machine CPU ${of.number('machineCpu')} %, by this row ${of.number('ownCpu')} %; ` +
    'end them and measure again',
  'matched-late': (of) => `${of.word('subscribers')} matched the publisher after samples were sent already`,
  'no-sample-sent': () => 'no sample was sent',
  'fan-out-failed': (of) => `a process of the fan-out failed: ${of.word('why')}`,
} satisfies ReasonWords;

function eachOf(of: AlikeFacts): string {
  const subscribers = of.count('subscribers');
  return subscribers === 1 ? 'the subscriber' : `each of ${subscribers} subscribers`;
}

/** "subscriber 3 lacks", "subscribers 1, 3 lack". */
function whose(of: AlikeFacts): string {
  const names = of.word('subscribers');
  return `${names} ${of.count('count') > 1 ? 'lack' : 'lacks'}`;
}

function ratesText(of: AlikeFacts): string {
  const [least, most] = [of.number('minMbps', oneDigit), of.number('maxMbps', oneDigit)];
  return least === most ? least : `${least} to ${most}`;
}

function lossText(of: AlikeFacts): string {
  const each = of.count('count') > 1 ? ` (${of.number('each')} each)` : '';
  return `${whose(of)} ${of.number('lost')} of ${of.number('samples')} samples${each}`;
}

function fullText(of: AlikeFacts): string {
  const limit = of.word('limit');
  return limit === 'nothing' || limit === 'unknown' ? '' : `; full: ${limit}`;
}

function placesText(of: AlikeFacts): string {
  const places = of.word('places');
  return places === 'unknown' || places === '' ? '' : `, numbers ${places}`;
}
