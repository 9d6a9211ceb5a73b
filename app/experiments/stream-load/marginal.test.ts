import { describe, expect, test } from 'vitest';
import { slopeOf } from '../../engine/experiment/slope';
import { reasonOf } from '../../facts/reason-words';
import { numberOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { changedRow, exampleRow, type RowChanges } from '../../testing/example-run';
import { receivedOn } from '../../testing/several-receivers';
import { nextBelow, withCosts } from './marginal';
import { streamCosts } from './metrics';

/** A clean row in which the machine's CPU is 10 + 5 a stream, the sender's 1 + 2, the receiver's 3, the network 100. */
function row(streams: number, { figures, sender, ...changes }: RowChanges = {}): StreamsRow {
  const idle = ['read', 'decode', 'ffmpeg', 'compose', 'send', 'receive', 'other'];
  const sdk = (percent: number) => ({
    ...Object.fromEntries(idle.map((part) => [`cpuParts.${part}`, 0])),
    'cpuParts.sdk': percent,
  });
  return changedRow(exampleRow(streams), {
    ...{ streams, verdict: 'PASS' },
    figures: { bitrateMbps: streams === 0 ? null : 100 * streams, ...figures },
    sender: { cpuMeanPercent: 10 + 5 * streams, ...sdk(1 + 2 * streams), ...sender },
    receiver: sdk(3 * streams),
    ...changes,
  });
}

/** Rounded: a fitted slope is not exact to the last bit. */
function costs(measured: StreamsRow): Record<string, unknown[]> {
  const rounded = (id: string): unknown => {
    const value = numberOf(measured, id);
    return value === null ? null : Number(value.toFixed(9));
  };
  return Object.fromEntries(
    streamCosts.map(({ load, perStream, added }) => [load, [rounded(perStream), rounded(added)]]),
  );
}

const exact = { machineCpu: [5, 5], senderCpu: [2, 2], receiverCpu: [3, 3], network: [100, 100] };

test('what each stream costs is the slope over the rows, and the difference to the one below', () => {
  expect(costs(withCosts(row(1), [row(0)], true))).toEqual(exact);
  expect(costs(withCosts(row(6), [row(0), row(2), row(4)], true))).toEqual(exact);
});

test('a row measured on the way down is compared with the one below it', () => {
  expect(costs(withCosts(row(3), [row(0), row(2), row(4)], true))).toEqual(exact);
});

test('row 0 is left out where it plays other sources than the rows with streams', () => {
  const [none, one] = [row(0, { sender: { cpuMeanPercent: 0 } }), row(1)];
  const first = withCosts(one, [none], false);
  expect(costs(first)).toEqual({
    ...{
      machineCpu: [null, null],
      senderCpu: [null, null],
      receiverCpu: [null, null],
      network: [null, null],
    },
  });
  for (const { perStream } of streamCosts) expect(first.notMeasured[perStream]).toMatch(/two clean rows/);
  expect(costs(withCosts(row(2), [none, first], false))).toEqual(exact);
});

test('a row with lost frames has no cost, and spoils none', () => {
  const bad = row(2, { verdict: 'WARN', figures: { bitrateMbps: 7 } });
  const reported = withCosts(bad, [row(0), row(1)], true);
  for (const { perStream, added } of streamCosts) {
    expect([reported.figures[perStream], reported.figures[added]]).toEqual([null, null]);
    expect(reported.notMeasured[perStream]).toMatch(/lost frame/);
  }
  expect(costs(withCosts(row(3), [row(0), row(1), bad], true))).toEqual(exact);
});

test('beside other programs a stream costs what our own processes and sockets took; the machine’s load hides it', () => {
  const busy = row(0, { verdict: 'WARN', reason: 'other programs took 43 % of its CPU' });
  for (const earlier of [[busy], [busy, row(1)]]) {
    const reported = withCosts(row(2), earlier, true);
    expect(costs(reported)).toEqual({ ...exact, machineCpu: [null, null] });
    for (const id of ['streamLoad.machineCpuPerStreamPercent', 'streamLoad.machineCpuAddedPercent'])
      expect(reported.notMeasured[id]).toBe('row 0 is WARN: other programs took 43 % of its CPU');
    expect(Object.keys(reported.notMeasured).filter((id) => id.startsWith('streamLoad.'))).toHaveLength(2);
  }
});

test('a baseline that was repeated is named by its own number', () => {
  const busy = row(0, { verdict: 'WARN', reason: 'other programs took 99 % of its CPU' });
  const reported = withCosts({ ...row(2), index: 2 }, [{ ...busy, index: 1 }], true);
  expect(reported.notMeasured['streamLoad.machineCpuPerStreamPercent']).toBe(
    'row 1 is WARN: other programs took 99 % of its CPU',
  );
});

test('a row 0 that is INVALID counts for nothing', () => {
  const invalid = row(0, { verdict: 'INVALID', sender: { 'cpuParts.sdk': 90 } });
  expect(costs(withCosts(row(2), [invalid, row(1)], true))).toEqual({ ...exact, machineCpu: [null, null] });
});

test('a row in which the instrument was disturbed has no cost, and gives none to others, though all frames came', () => {
  const disturbed = { ...row(2), reason: [reasonOf('cpu-stolen', { percent: 7, limitPercent: 5 })] };
  const own = withCosts(disturbed, [row(0), row(1)], true);
  expect(costs(own)).toEqual({
    machineCpu: [null, null],
    senderCpu: [null, null],
    receiverCpu: [null, null],
    network: [null, null],
  });
  expect(own.notMeasured['streamLoad.senderCpuPerStreamPercent']).toBe(
    'the instrument was disturbed in the row: see its reason',
  );
  expect(costs(withCosts(row(3), [row(0), row(1), disturbed], true))).toEqual(exact);
});

test('other programs that come or go between two rows hide what a stream costs the machine', () => {
  const at = (streams: number, othersCpuMeanPercent: number): StreamsRow =>
    row(streams, {
      sender: { othersCpuMeanPercent, cpuMeanPercent: 10 + 5 * streams + othersCpuMeanPercent },
    });
  const hidden = withCosts(at(2, 42), [at(0, 2), at(1, 2)], true);
  expect(costs(hidden)).toEqual({ ...exact, machineCpu: [null, null] });
  expect(hidden.notMeasured['streamLoad.machineCpuPerStreamPercent']).toMatch(/changed by 40 %/);
  expect(hidden.notMeasured['streamLoad.machineCpuAddedPercent']).toMatch(/changed by 40 %/);
  // Back to what it was before: the difference to the row below is the stream's again, the line through all is not.
  const after = withCosts(at(3, 2), [at(0, 2), at(1, 30), at(2, 2)], true);
  expect(costs(after)).toEqual({ ...exact, machineCpu: [null, 5] });
  const steady = withCosts(at(2, 40), [at(0, 40), at(1, 44)], true);
  expect(costs(steady).machineCpu).toEqual([5, 1]);
});

test('what was not measured is no 0', () => {
  const blind = row(1, { figures: { bitrateMbps: null }, sender: { cpuMeanPercent: null } });
  const reported = withCosts(blind, [row(0)], true);
  expect(costs(reported)).toEqual({ ...exact, machineCpu: [null, null], network: [null, null] });
  expect(costs(withCosts(row(2), [row(0), blind], true))).toEqual(exact);
});

test('of several machines that receive, each one’s streams count for it, and the highest cost is shown', () => {
  const sdk = (percent: number) => ({ ...row(0).load['rack-04']?.receiver, 'cpuParts.sdk': percent });
  const on = (streams: number): StreamsRow =>
    receivedOn(row(streams), { b: (own) => sdk(1 + 4 * own), c: (own) => sdk(20 + 2 * own) });
  // Only b receives, and what it costs is known: c does not count.
  expect(costs(withCosts(on(1), [on(0)], true)).receiverCpu).toEqual([4, 4]);
  expect(costs(withCosts(on(2), [on(0), on(1)], true)).receiverCpu).toEqual([4, 4]);
  expect(costs(withCosts(on(5), [on(0), on(1), on(3)], true))).toEqual({ ...exact, receiverCpu: [4, 4] });
  // Without row 0, c was never seen with another number of streams.
  const reported = withCosts(on(3), [on(2)], false);
  expect(costs(reported).receiverCpu).toEqual([null, null]);
  expect(reported.notMeasured['streamLoad.receiverCpuPerStreamPercent']).toMatch(
    /^c: it takes two clean rows/,
  );
  const blind = receivedOn(row(2), { b: () => sdk(5), c: () => ({}) });
  const unknown = withCosts(blind, [on(0), on(1)], true);
  expect(costs(unknown).receiverCpu).toEqual([null, null]);
});

describe('least squares', () => {
  test('agrees with a line worked out by hand', () => {
    // Means 2 and 14/3: Σ(n−2)(y−14/3) = (−1)(2−14/3) + (1)(7−14/3) = 5, Σ(n−2)² = 2.
    const points = [
      { streams: 1, load: 2 },
      { streams: 2, load: 5 },
      { streams: 3, load: 7 },
    ];
    expect(slopeOf(points)).toBeCloseTo(2.5, 12);
    expect(nextBelow({ streams: 3, load: 7 }, points)).toEqual({ streams: 2, load: 5 });
  });

  test('needs two numbers of streams', () => {
    expect(slopeOf([])).toBeNull();
    expect(slopeOf([1, 2, 3].map((load) => ({ streams: 2, load })))).toBeNull();
    expect(nextBelow({ streams: 2, load: 1 }, [{ streams: 2, load: 1 }])).toBeNull();
  });
});
