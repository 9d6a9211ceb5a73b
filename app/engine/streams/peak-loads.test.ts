import { describe, expect, test } from 'vitest';
import type { LoadSample } from '../../protocol/load';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { sharedLoad } from '../../testing/shared-load';
import { TestStream } from '../../testing/test-stream';
import type { Span } from './counting/capture-counter';
import { PeakLoads } from './peak-loads';
import { noTroubles, type Troubles } from './rows/load-around';

const keptSeconds = 30;

/** Other programs take 80 % of a machine from 20 to 21 s, and 10 % at any other time. */
function othersAt(seconds: number): number {
  return seconds > 20 && seconds <= 22 ? 80 : 10;
}

const sampleAt = (seconds: number): LoadSample =>
  loadSample({
    ...{ atNs: seconds * 1e9, cpuPercent: othersAt(seconds) + 10 },
    roles: { sending: roleLoad(10, 60, 'sdk') },
  });

/** A strip that is looked at four times a second up to a moment, as samples come and are forgotten. */
function strip(isSenderRemote: boolean) {
  const stream = new TestStream().stream();
  const peaks = new PeakLoads(isSenderRemote);
  let samples: LoadSample[] = [];
  const lookAt = (seconds: number, troubles: Troubles) => {
    if (seconds % 0.5 === 0) samples = [...samples, sampleAt(seconds)].slice(-2 * keptSeconds);
    if (seconds % 0.5 === 0)
      stream.reportedLoads.add({
        ...sharedLoad({ cpuPercent: othersAt(seconds) + 10, othersPercent: othersAt(seconds) }),
        atNs: seconds * 1e9,
      });
    peaks.look(samples, seconds * 1e9);
    return peaks.of(stream, null, troubles);
  };
  return (toSeconds: number, troublesAt: (seconds: number) => Troubles) => {
    let seen = lookAt(1, noTroubles);
    for (let seconds = 1.25; seconds <= toSeconds; seconds += 0.25)
      seen = lookAt(seconds, troublesAt(seconds));
    const others = (seen.eachTrouble ?? []).map(({ cpu }) => Math.round(cpu.othersPercent ?? -1));
    return { ...seen, others };
  };
}

const at = (fromSeconds: number, toSeconds: number): Span => ({
  fromNs: fromSeconds * 1e9,
  toNs: toSeconds * 1e9,
});
const since = (seconds: number, troubles: Troubles) => (now: number) =>
  now >= seconds ? troubles : noTroubles;

describe('each single trouble of a strip keeps the load around it', () => {
  test.each(['absentAt', 'placeholdersAt', 'lostAt', 'missedAt', 'stalledAt', 'queueDroppedAt'] as const)(
    '%s, also when its samples are long forgotten',
    (trouble) => {
      const troubles = since(22, { ...noTroubles, [trouble]: at(20.5, 21) });
      const now = strip(false)(30, troubles);
      const later = strip(false)(90, troubles);
      // Of a silence the worst second of its beginning is kept as well.
      expect(now.others).toHaveLength(trouble === 'stalledAt' ? 2 : 1);
      expect(now.others[0]).toBeGreaterThan(25);
      expect(later.others).toEqual(now.others);
      expect(later.receiver.cpu.othersPercent).not.toBeNull();
    },
  );

  test('others beside an earlier one count, whatever came later', () => {
    const missed = { ...noTroubles, missedAt: at(40, 40.5) };
    const both = { ...missed, lostAt: at(20.5, 21) };
    const others = strip(false)(60, (now) =>
      now >= 41 ? both : now >= 22 ? { ...both, missedAt: null } : noTroubles,
    );
    expect(Math.max(...others.others)).toBeGreaterThan(25);
    expect(others.sender.cpu.othersPercent).toBe(10);
  });

  test('a worst time that moves on leaves the load of the one before behind, as in a row', () => {
    const moved = strip(false)(60, (now) =>
      now >= 41
        ? { ...noTroubles, lostAt: at(40, 40.5) }
        : since(22, { ...noTroubles, lostAt: at(20.5, 21) })(now),
    );
    expect(moved.others).toEqual([10]);
  });

  test('of a trouble that lasts for longer than samples are kept, its worst part counts', () => {
    const lasting = strip(false)(90, (now) => ({ ...noTroubles, missedAt: at(5, now) }));
    expect(lasting.others[0]).toBeGreaterThan(10);
  });

  test('of a remote sender both machines count', () => {
    const { others } = strip(true)(60, since(22, { ...noTroubles, lostAt: at(20.5, 21) }));
    expect(others).toHaveLength(2);
  });
});
