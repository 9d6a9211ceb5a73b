import { expect, test } from 'vitest';
import { numberOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { changedRow, exampleRow } from '../../testing/example-run';
import { receivedOn } from '../../testing/several-receivers';
import { armOf, costsOf, fanOutRow } from './costs';
import { receiverFanOutVerdict } from './verdict';

/** All of a process's CPU in one part. */
function parts(sdk: number | null) {
  const none = ['read', 'decode', 'ffmpeg', 'compose', 'send', 'receive', 'other'];
  return { ...Object.fromEntries(none.map((part) => [`cpuParts.${part}`, 0])), 'cpuParts.sdk': sdk };
}

interface Figures {
  mbps: number;
  sending: number;
  receiving: number;
  dropped?: number;
}

function row(streams: number, { mbps, sending, receiving, dropped = 0 }: Figures): StreamsRow {
  return changedRow(exampleRow(streams), {
    ...{ streams, verdict: 'PASS', reason: '', notMeasured: {} },
    figures: {
      ...{ bitrateMbps: streams === 0 ? null : mbps, framesDropped: dropped, framesSenderMissed: 0 },
      ...{ framesUndecodable: 0, framesLateSource: 0 },
    },
    ...{ sender: parts(sending), receiver: parts(receiving) },
  });
}

/** Rows of both arms behind the source alone: each receiver costs 100 Mb/s, 1 % here and 5 % there; each sender 10 %. */
function rows(): StreamsRow[] {
  const reported: StreamsRow[] = [fanOutRow(row(0, { mbps: 0, sending: 1, receiving: 1 }), null, [])];
  for (const [arm, sending] of [
    ['receivers', 1],
    ['senders', 10],
  ] as const) {
    const own: StreamsRow[] = [];
    for (let count = 1; count <= 3; count++) {
      const measured = row(count, { mbps: 100 * count, sending: 9 + sending * count, receiving: 5 * count });
      own.push(fanOutRow(measured, arm, own));
    }
    reported.push(...own);
  }
  return reported;
}

test('each row reports what its arm has cost so far, from the second row on', () => {
  const [baseline, first, second, third] = rows();
  expect(baseline).toMatchObject({
    label: 'no receiver, no sender',
    step: { 'fanOut.arm': null, 'fanOut.senders': 0, 'fanOut.receivers': 0 },
    figures: { 'fanOut.addedMbps': null },
  });
  expect(baseline?.notMeasured['fanOut.addedMbps']).toMatch(/nothing that could have been added/);
  expect(first?.figures['fanOut.addedMbps']).toBeNull();
  expect(first?.notMeasured['fanOut.addedMbps']).toMatch(/two rows of this arm/);
  for (const later of [second, third]) {
    expect(later?.figures['fanOut.addedSendingCpuPercent']).toBeCloseTo(1);
    expect(later?.figures['fanOut.addedReceivingCpuPercent']).toBeCloseTo(5);
    expect(later?.figures['fanOut.addedMbps']).toBeCloseTo(100);
  }
  expect(third?.label).toBe('receivers on one sender: 3');
});

test('the arms are counted apart, by senders and receivers', () => {
  const counts = rows().map((one) => [numberOf(one, 'fanOut.senders'), numberOf(one, 'fanOut.receivers')]);
  expect(counts).toEqual([
    [0, 0],
    [1, 1],
    [1, 2],
    [1, 3],
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  expect(rows().map(armOf)).toEqual([
    null,
    ...['receivers', 'receivers', 'receivers', 'senders', 'senders', 'senders'],
  ]);
});

test('a row that lost frames did not carry its load, and counts for no cost', () => {
  const whole = [1, 2].map((count) => row(count, { mbps: 100 * count, sending: count, receiving: count }));
  const broken = row(3, { mbps: 210, sending: 90, receiving: 90, dropped: 7 });
  expect(costsOf([...whole, broken])).toEqual(costsOf(whole));
  const untrue = changedRow(row(3, { mbps: 210, sending: 90, receiving: 90 }), { verdict: 'INVALID' });
  expect(costsOf([...whole, untrue])).toEqual(costsOf(whole));
});

test('beside other programs a receiver costs what our own processes and sockets took', () => {
  const quiet = rows();
  const busy = changedRow(quiet[0] as StreamsRow, {
    ...{ verdict: 'WARN', reason: 'other programs took 43 % of its CPU' },
  });
  expect(receiverFanOutVerdict([busy, ...quiet.slice(1)], 3)).toEqual({
    verdict: 'WARN',
    reason: expect.stringMatching(
      /^one more receiver on a sender costs 100.0 Mb\/s.+; no receiver, no sender: other programs took 43 % of its CPU$/,
    ),
  });
});

test('a CPU time that was not measured has a cost that is not known', () => {
  const unmeasured = [1, 2].map((count) =>
    changedRow(row(count, { mbps: count, sending: 1, receiving: 1 }), { sender: parts(null) }),
  );
  expect(costsOf(unmeasured)).toMatchObject({ sendingCpuPercent: null, mbps: 1 });
});

test('the finding is reported in the run’s own numbers', () => {
  expect(receiverFanOutVerdict(rows(), 3)).toEqual({
    verdict: 'PASS',
    reason:
      'one more receiver on a sender costs 100.0 Mb/s, 1.00 % sending CPU, 5.00 % receiving CPU; ' +
      'one more sender with its receiver 100.0 Mb/s, 10.00 % sending CPU, 5.00 % receiving CPU: ' +
      'a further receiver takes 100 % of a further sender’s bandwidth and 10 % of a further sender’s sending CPU',
  });
});

test('a run that was cut short, or has an INVALID row, is no PASS', () => {
  const short = receiverFanOutVerdict(rows().slice(0, 6), 3);
  expect(short.verdict).toBe('FAIL');
  expect(short.reason).toMatch(/; 3 and 2 of 3 rows with receivers and with senders were measured$/);
  const invalid = rows().map(
    (one, index): StreamsRow =>
      index === 5 ? changedRow(one, { verdict: 'INVALID', reason: 'steal' }) : one,
  );
  expect(receiverFanOutVerdict(invalid, 3)).toMatchObject({
    verdict: 'INVALID',
    reason: expect.stringMatching(/; senders: 2: steal$/),
  });
  expect(receiverFanOutVerdict(rows().slice(0, 2), 3).reason).toMatch(/cannot be known/);
});

test('the reason is that of the row that decides, not of the first that did not pass', () => {
  const changed = rows().map((one, index): StreamsRow => {
    if (index === 1) return changedRow(one, { verdict: 'INVALID', reason: 'steal' });
    return index === 5 ? changedRow(one, { verdict: 'FAIL', reason: 'lost' }) : one;
  });
  expect(receiverFanOutVerdict(changed, 3)).toMatchObject({
    verdict: 'FAIL',
    reason: expect.stringMatching(/; senders: 2: lost; 1 other row was INVALID$/),
  });
});

test('of several machines that receive, the costs are of each one’s own receivers, and the highest is shown', () => {
  const reported = [1, 2, 3, 4].map((count) => {
    const measured = row(count, { mbps: count, sending: count, receiving: 0 });
    return receivedOn(measured, { b: (own) => parts(2 + 5 * own), c: (own) => parts(9 + 3 * own) });
  });
  expect(costsOf(reported).receivingCpuPercent).toBeCloseTo(5);
  // Of c, 0 and 1 receivers; of b, 1 and 1.
  expect(costsOf(reported.slice(0, 2))).toMatchObject({
    ...{ receivingCpuPercent: null, whyNoReceiving: expect.stringMatching(/^b: it takes two rows/) },
  });
  const [first, second] = reported as [StreamsRow, StreamsRow];
  const shown = fanOutRow(second, 'receivers', [first]);
  expect(numberOf(shown, 'fanOut.receivingCpuPercent')).toBe(12);
  expect(shown.notMeasured['fanOut.addedReceivingCpuPercent']).toMatch(/^b: /);
});
