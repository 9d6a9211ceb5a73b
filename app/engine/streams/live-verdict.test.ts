import { beforeEach, describe, expect, test } from 'vitest';
import type { LoadSample } from '../../protocol/load';
import { defaultThresholds } from '../../protocol/thresholds';
import { range, submits } from '../../testing/columns';
import { ShownStream } from '../../testing/shown-stream';
import { SimulatedClock } from '../../testing/simulated-clock';
import { frameNs, TestStream, unknownClock } from '../../testing/test-stream';
import { StandstillLog } from '../load/standstills';
import { ClockOffset } from './clocks/clock-offset';
import { Stream } from './stream';
import { StreamViews } from './stream-view';

let log = new StandstillLog();
const set = {
  ...{ deaths: 0, lost: false },
  standstills: (fromNs: number, toNs: number) => log.near(fromNs, toNs),
};
let clock: SimulatedClock;

beforeEach(() => {
  Object.assign(set, { deaths: 0, lost: false });
  log = new StandstillLog();
  clock = new SimulatedClock();
});

function viewsOf(isSenderRemote = false): StreamViews {
  return new StreamViews({
    ...{ thresholds: defaultThresholds, warmUpSeconds: 1, wallOffsetUs: 0, isSenderRemote, set, clock },
    noteEvent: () => undefined,
  });
}

/** At which frames the disturbance lasts, and what it makes of a sample; null: none comes. */
type Disturbed = (atNs: number) => Partial<LoadSample> | null;

const during = (first: number, last: number, disturbed: Partial<LoadSample> | null): Disturbed => {
  return (atNs) => (atNs >= frameNs(first) && atNs <= frameNs(last) ? disturbed : {});
};
const noSteal = { cpuStealPercent: null, notMeasured: { cpuStealPercent: '/proc/stat could not be read' } };

describe('what makes a row INVALID makes the live view INVALID, and it stays so', () => {
  test.each<[string, Disturbed, RegExp]>([
    [
      'the CPU was taken away',
      during(230, 245, { cpuStealPercent: 8 }),
      /^2 of \d+ frames were dropped in transport, not judged: the hypervisor took 8/,
    ],
    [
      'no load sample came',
      during(200, 310, null),
      /^2 of \d+ frames were dropped in transport, not judged: no load sample for 2\.1 s/,
    ],
    [
      'a figure was not read',
      during(200, 310, noSteal),
      /^2 of \d+ frames were dropped in transport, not judged: how much CPU .+ could not be checked: \/proc\/stat could not be read/,
    ],
  ])('%s', (_, sampleOf, reason) => {
    const shown = new ShownStream(viewsOf(), new TestStream(), sampleOf);
    shown.run(200);
    const lossy = shown.run(400, [210, 211]);
    expect([lossy.verdict, lossy.reason]).toEqual(['INVALID', expect.stringMatching(reason)]);
    // Also long after the samples are forgotten.
    expect(shown.run(2600).verdict).toBe('INVALID');
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'a process died',
      () => Object.assign(set, { deaths: 1 }),
      /^2 of \d+ frames were dropped in transport, not judged: a stream process died/,
    ],
    [
      'a process could not be started again',
      () => Object.assign(set, { lost: true }),
      /^2 of \d+ frames were dropped in transport, not judged: a stream process .+ could not be started/,
    ],
    [
      'our receiving process was stopped',
      () => log.add({ role: 'receiving' }, [{ kind: 'stopped', fromNs: frameNs(205), toNs: frameNs(270) }]),
      /^2 of \d+ frames were dropped in transport, not judged: our receiving process was stopped for 1\.084 s/,
    ],
    [
      'the machine slept',
      () => clock.suspend(9000),
      /^2 of \d+ frames were dropped in transport, not judged: the machine was suspended for 9/,
    ],
  ])('%s', (_, disturb, reason) => {
    const shown = new ShownStream(viewsOf());
    shown.run(200);
    disturb();
    const lossy = shown.run(400, [210, 211]);
    expect([lossy.verdict, lossy.reason]).toEqual(['INVALID', expect.stringMatching(reason)]);
  });

  test('records overflowed', () => {
    const shown = new ShownStream(viewsOf());
    shown.run(200);
    shown.test.source.overflowed = 4;
    const lossy = shown.run(400, [210, 211]);
    expect([lossy.verdict, lossy.reason]).toEqual([
      'INVALID',
      expect.stringMatching(
        /^2 of \d+ frames were dropped in transport, not judged: 4 records of stage source of Whiteline 1 were lost/,
      ),
    ]);
  });

  test.each([
    ['another machine', true],
    ['this machine', false],
  ])('V5: the wall clock was set, while the sender is on %s', (_, isRemote) => {
    const step = { atNs: frameNs(230), code: 'wall-clock-step' as const, data: { byMs: -40 } };
    const sender = new TestStream(isRemote ? { clock: new ClockOffset(0) } : {});
    const shown = new ShownStream(viewsOf(isRemote), sender, during(230, 245, { changes: [step] }));
    shown.run(200);
    const lossy = shown.run(400, [210, 211]);
    expect([lossy.verdict, lossy.reason]).toEqual([
      'INVALID',
      expect.stringMatching(
        /^2 of \d+ frames were dropped in transport, not judged: this machine’s wall clock was set/,
      ),
    ]);
    // Also long after the samples are forgotten.
    expect(shown.run(2600).verdict).toBe('INVALID');
  });

  test('records of another stream overflowed since this one is counted, as in a row of both', () => {
    const views = viewsOf();
    const other = new TestStream();
    const { source } = other.stream();
    const beside = new Stream(2, 'Whiteline 2', source, 0.5e9, 0);
    beside.ledger = other.ledger;
    const shown = new ShownStream(views, new TestStream(), () => ({}), [beside]);
    const runBoth = (first: number, last: number): void => {
      for (let next = first; next <= last; next += 15) {
        other.send(next, Math.min(last, next + 14));
        other.receive(next, Math.min(last, next + 14));
        shown.run(Math.min(last, next + 14), [210, 211]);
      }
    };
    runBoth(0, 200);
    expect(shown.look().verdict).toBe('PASS');
    other.source.overflowed = 3;
    shown.look();
    runBoth(201, 400);
    expect(shown.look()).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(
        /^2 of \d+ frames were dropped in transport, not judged: 3 records of stage source of Whiteline 2 were lost$/,
      ),
    });
  });
});

test('a disturbance before the count began, or without a loss, makes nothing INVALID', () => {
  const before = new ShownStream(viewsOf(), new TestStream(), during(0, 30, { cpuStealPercent: 30 }));
  before.run(200);
  expect(before.run(400, [210, 211]).verdict).toBe('FAIL');
  const clean = new ShownStream(viewsOf(), new TestStream(), during(230, 245, { cpuStealPercent: 30 }));
  expect(clean.run(400)).toMatchObject({ verdict: 'PASS' });
});

test('a new start of the views begins to look anew', () => {
  const disturbed = during(100, 130, { cpuStealPercent: 30 });
  const first = new ShownStream(viewsOf(), new TestStream(), disturbed);
  expect(first.run(400, [210, 211]).verdict).toBe('INVALID');
  const second = new ShownStream(viewsOf(), first.test, disturbed);
  second.skipTo(401);
  second.run(520);
  expect(second.run(700, [560, 561]).verdict).toBe('FAIL');
});

describe('other programs take the machine, and the view says what a row would', () => {
  const busy: Disturbed = () => ({ cpuPercent: 95, wireReceiveMbps: 120, loopbackMbps: 0 });
  const lost = range(210, 300);

  test('a loss may be theirs', () => {
    const shown = new ShownStream(viewsOf(), new TestStream(), busy);
    shown.run(200);
    expect(shown.run(400, lost)).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(
        /^stood still once, .+; 91 of \d+ frames were dropped in transport, not judged: other programs took/,
      ),
    });
  });

  test('what was injected on purpose is not', () => {
    const shown = new ShownStream(viewsOf(), new TestStream(), busy);
    shown.stream.injected = [{ verb: 'skip', first: 210, last: 300 }];
    shown.run(200);
    expect(shown.run(400, lost).verdict).toBe('FAIL');
    expect(shown.run(2600).verdict).toBe('FAIL');
  });

  test('nor is what a cable cost, also long after the samples are forgotten', () => {
    const atNs = frameNs(215);
    const down = { name: 'eth0', trafficPercent: 98, elsewhereMbps: 0.1 };
    const changes: LoadSample['changes'] = [
      { atNs, code: 'link-down', data: down },
      { atNs: atNs + 1.2e9, code: 'link-up', data: { name: 'eth0', seconds: 1.2 } },
    ];
    const unplugged: Disturbed = (nowNs) => ({
      ...busy(nowNs),
      changes: changes.filter((change) => change.atNs <= nowNs && change.atNs > nowNs - 0.25e9),
    });
    const sender = new TestStream({ clock: new ClockOffset(0) });
    const shown = new ShownStream(viewsOf(true), sender, unplugged);
    shown.run(200);
    expect(shown.run(400, lost).verdict).toBe('FAIL');
    expect(shown.run(2600).verdict).toBe('FAIL');
  });
});

test('a source that failed: its last picture goes on, and nothing of it passes', () => {
  const shown = new ShownStream(viewsOf());
  shown.run(200);
  shown.stream.source.status = { state: 'failed', message: 'the file is gone' } as never;
  expect(shown.run(400)).toMatchObject({
    verdict: 'INVALID',
    reason: expect.stringMatching(/no longer plays, so its last picture is repeated: the file is gone/),
  });
});

describe('frames of a remote sender of which neither a picture nor a record came', () => {
  /** Sends so many frames on, and of some of them nothing comes. */
  function unreported(gone: readonly number[], seen: readonly number[] = []) {
    const test = new TestStream({ clock: unknownClock });
    const shown = new ShownStream(viewsOf(true), test);
    let view = shown.look();
    for (let first = 0; first <= 600; first += 15) {
      const slots = range(first, first + 14).filter((slot) => !gone.includes(slot));
      for (const slot of slots) test.source.addReported(slot);
      test.ledger.addSubmits(submits(slots));
      for (const slot of range(first, first + 14))
        if (!gone.includes(slot) || seen.includes(slot)) test.capture(slot);
      shown.skipTo(first + 15);
      view = shown.look();
    }
    return view;
  }

  test('are a loss, as in the row', () => {
    expect(unreported(range(300, 304))).toMatchObject({
      verdict: 'FAIL',
      reason: expect.stringMatching(/^5 frames did not arrive, nor did the sender’s records of them/),
    });
  });

  test('are no loss where the picture came: the record is missing', () => {
    expect(unreported(range(300, 304), range(300, 304))).toMatchObject({
      verdict: 'INVALID',
      reason: expect.stringMatching(/^the sender left no record of 5 frames/),
    });
  });

  test('none is unreported while its record may still come', () => {
    expect(unreported(range(560, 564))).toMatchObject({ verdict: 'PASS' });
  });
});
