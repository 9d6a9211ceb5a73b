import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, test } from 'vitest';
import { DisplayStage } from '../../protocol/display';
import type { AudioRecords } from '../../protocol/records';
import { MissCause, PictureStatus } from '../../protocol/records';
import { defaultThresholds } from '../../protocol/thresholds';
import { captures, range } from '../../testing/columns';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { shownInWindow } from '../../testing/measured-streams';
import { sharedLoad } from '../../testing/shared-load';
import { ShownStream } from '../../testing/shown-stream';
import { SimulatedClock } from '../../testing/simulated-clock';
import { frameNs, TestStream, unknownClock } from '../../testing/test-stream';
import { StandstillLog } from '../load/standstills';
import { ForeignLedger } from './foreign/foreign-ledger';
import { ActiveSource, Stream } from './stream';
import { StreamViews } from './stream-view';

let events: { kind: string; text: string; details?: Record<string, unknown> }[];
let views: StreamViews;
let log: StandstillLog;
let set: { deaths: number; lost: boolean; standstills: StandstillLog['near'] };
let clock: SimulatedClock;

beforeEach(() => {
  events = [];
  log = new StandstillLog();
  set = { deaths: 0, lost: false, standstills: (fromNs, toNs) => log.near(fromNs, toNs) };
  clock = new SimulatedClock();
  views = viewsOf(false);
});

function viewsOf(isSenderRemote: boolean): StreamViews {
  return new StreamViews({
    ...{ thresholds: defaultThresholds, warmUpSeconds: 1, wallOffsetUs: 0, isSenderRemote },
    noteEvent: (kind, text, details) => events.push({ kind, text, details }),
    ...{ set, clock },
  });
}

const reported = () => events.filter(({ kind }) => kind === 'frames-lost');

describe('losses', () => {
  test('are shown in words, and reported once each', () => {
    const shown = new ShownStream(views);
    expect(shown.run(300)).toMatchObject({
      ...{ lastLoss: '', lastLossStage: null, lostTotal: 0, framesMissing: null },
    });
    const view = shown.run(500, [310, 311, 312]);
    expect(view).toMatchObject({ lostTotal: 3, framesDropped: 3, method: 'frame-code' });
    expect(view.lastLossStage).toBe('transport');
    expect(view.lastLoss).toMatch(/^3 frames /);
    expect(reported()).toEqual([
      {
        kind: 'frames-lost',
        // The strip says what is known now. The event stays, and the row may know better.
        text: `Whiteline 1: ${view.lastLoss.replace(/; no cause was seen .*/, '; the row names the cause when it closes')}`,
        details: { frames: 3, lostTotal: 3 },
      },
    ]);
    const later = shown.run(900, [700]);
    expect(later.lastLoss).toMatch(/^1 frame /);
    expect(reported().map(({ details }) => details)).toEqual([
      { frames: 3, lostTotal: 3 },
      { frames: 1, lostTotal: 4 },
    ]);
  });

  test('of torn and damaged pictures are reported at once, and lost for the verdict', () => {
    const shown = new ShownStream(views);
    shown.run(300);
    shown.spoil(304, PictureStatus.Torn);
    const view = shown.run(500);
    expect(view).toMatchObject({ lostTotal: 4, framesTorn: 4, framesDropped: 0, verdict: 'FAIL' });
    expect(view.reason).toMatch(/^4 of \d+ frames were torn/);
    expect(view.lastLoss).toMatch(/^4 frames .* arrived torn/);
    expect(reported().map(({ details }) => details)).toEqual([{ frames: 4, lostTotal: 4 }]);
  });

  test('of a stream that keeps losing are reported ever more seldom, and none is left out of the sums', () => {
    const shown = new ShownStream(views);
    const lost = range(0, 1800).map((index) => 120 + index * 4);
    shown.run(7500, lost);
    expect(reported().length).toBeGreaterThan(4);
    expect(reported().length).toBeLessThan(12);
    const [first] = reported();
    expect(first?.text).toMatch(/^Whiteline 1: \d+ frames lost; the newest: 1 frame at /);
    for (const { text, details } of reported().slice(1))
      expect(text).toContain(
        `: ${details?.frames} frames lost since the last event (${details?.lostTotal} in all); the newest: `,
      );
    const sum = reported().reduce((total, { details }) => total + Number(details?.frames), 0);
    expect(sum).toBe(reported().at(-1)?.details?.lostTotal);
  });

  test('of the last moments are reported at the end, and none twice', () => {
    const shown = new ShownStream(views);
    shown.run(300);
    const { lostTotal } = shown.run(380, range(316, 319));
    expect(lostTotal).toBe(4);
    expect(reported()).toEqual([]);
    for (let time = 0; time < 2; time++) views.end([shown.stream], frameNs(380));
    expect(reported().map(({ details }) => details)).toEqual([{ frames: 4, lostTotal: 4 }]);
  });

  test('V16: an event over several losses says how many frames each cause has', () => {
    const shown = new ShownStream(views);
    shown.run(300);
    shown.stream.injected = [{ verb: 'skip', first: 310, last: 314 }];
    shown.sendOn(20, range(310, 314));
    shown.miss(340, range(325, 328), MissCause.SendBlocked);
    const view = shown.run(500);
    expect(view.reason).toMatch(/5 of 377 frames were dropped in transport, all injected on purpose/);
    expect(reported().map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^Whiteline 1: 9 frames lost: 5 injected on purpose, 4 not submitted while the transport’s send call had not returned; the newest: 4 frames /,
      ),
    ]);
  });

  test('of frames that the sender missed are reported as well', () => {
    const shown = new ShownStream(views);
    shown.run(300);
    shown.miss(320, [305]);
    const view = shown.run(500);
    expect(view).toMatchObject({ lostTotal: 0, framesSenderMissed: 1, lastLossStage: 'sender' });
    expect(reported().map(({ details }) => details)).toEqual([{ frames: 1, lostTotal: 1 }]);
  });
});

test('a miss is judged by the load around it, as in a row, and by no later one', () => {
  const calm = new ShownStream(views);
  calm.run(200);
  calm.miss(210, [201, 202]);
  expect(calm.run(400).verdict).toBe('INVALID');
  calm.look(97);
  // Longer than load samples are kept.
  expect(calm.run(2800)).toMatchObject({ verdict: 'INVALID', framesSenderMissed: 2 });
});

test('a miss of a full machine is the sender’s, also when its load is long forgotten', () => {
  const shown = new ShownStream(views);
  shown.run(200);
  shown.look(97);
  shown.miss(210, [201, 202]);
  const view = shown.run(2800);
  expect(view).toMatchObject({ verdict: 'FAIL', framesSenderMissed: 2 });
  expect(view.reason).toContain('97 %');
});

test('frames that the receiver’s queue dropped are judged by the load around them, as in a row', () => {
  const fetchLate = (cpuPercent: number, laterPercent: number) => {
    const shown = new ShownStream(viewsOf(false));
    shown.run(200);
    shown.look(cpuPercent);
    shown.test.transportDropped = 4;
    shown.sendOn(5, [201, 202, 203, 204]);
    shown.run(400);
    shown.look(laterPercent);
    return shown.run(2800);
  };
  const calm = fetchLate(20, 97);
  expect(calm).toMatchObject({ verdict: 'INVALID', framesDropped: 4 });
  expect(calm.reason).toMatch(
    /^4 of \d+ frames were dropped in the receiver’s queue, not judged: we fetched too late, or pictures arrived all at once, while the receiver’s machine was not at its limit$/,
  );
  expect(fetchLate(97, 20)).toMatchObject({ verdict: 'FAIL', framesDropped: 4 });
});

test('what was counted while a stream process of ours died is INVALID, and what is counted from then on is not', () => {
  const before = new ShownStream(views);
  before.run(200);
  set.deaths = 1;
  expect(before.run(400, [210, 211])).toMatchObject({
    verdict: 'INVALID',
    reason: expect.stringMatching(
      /^2 of \d+ frames were dropped in transport, not judged: a stream process died$/,
    ),
  });
  expect(new ShownStream(views).run(400, [210, 211]).verdict).toBe('FAIL');
});

test('what was counted while a stream process of ours was stopped is INVALID', () => {
  const before = new ShownStream(views);
  before.run(200);
  log.add({ role: 'receiving' }, [{ kind: 'stopped', fromNs: frameNs(201), toNs: frameNs(220) }]);
  const view = before.run(400, [210, 211]);
  expect(view).toMatchObject({
    verdict: 'INVALID',
    reason: expect.stringMatching(
      /^2 of \d+ frames were dropped in transport, not judged: our receiving process was stopped for 0\.317 s \(limit 0\.25 s\)$/,
    ),
  });
  expect(before.run(700).verdict).toBe('INVALID');
});

describe('delivered frames a second', () => {
  const rate = { numerator: 30, denominator: 1 };

  test('are never more than the source has, whenever it is read', () => {
    const shown = new ShownStream(views);
    shown.run(120);
    const reported = range(0, 100).map((index) => {
      shown.sendOn(1 + (index % 5));
      return shown.look(undefined, ((index * 7) % 16) * 1e6).deliveredFps;
    });
    expect(new Set(reported.slice(50))).toEqual(new Set([60]));
    shown.sendOn(30, [430, 431, 432]);
    shown.sendOn(60);
    const delivered = shown.look().deliveredFps;
    expect(delivered).toBeGreaterThan(55);
    expect(delivered).toBeLessThan(60);
  });

  test('of a sender without our code neither, and none in a silence', () => {
    const format = { width: 640, height: 360, rate };
    const stream = new Stream(1, 'Other', new ActiveSource(1, 'Other', format), 0, 0);
    const foreign = new ForeignLedger({ rate, frameFormat: 'progressive' });
    stream.followForeign(stream.source, foreign);
    const periodNs = 1e9 / 30;
    /** Frame after frame, each captured a little early or late, and a view at an odd time after each. */
    const reported = range(1, 150).map((frame) => {
      const captureNs = frame * periodNs + (frame % 3) * 2e6;
      const picture = { frameNumber: 0, status: PictureStatus.Undecodable, captureNs };
      const timestampUs = (frame * periodNs) / 1000;
      foreign.add(captures([{ ...picture, timestampUs }]), { rate, frameFormat: 'progressive' });
      return views.views([stream], captureNs + (frame % 7) * 1e6)[0]?.deliveredFps ?? null;
    });
    const known = reported.flatMap((fps) => fps ?? []);
    expect(known.length).toBeGreaterThan(50);
    expect(Math.max(...known)).toBeLessThanOrEqual(30);
    expect(Math.min(...known)).toBeGreaterThanOrEqual(28);
    for (const seconds of [5.5, 6]) views.views([stream], seconds * 1e9);
    expect(views.views([stream], 7e9)[0]?.deliveredFps).toBe(0);
  });
});

test('nothing holds a stream that was removed', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const removed = (() => {
    const shown = new ShownStream(views);
    shown.run(300, [200]);
    return new WeakRef(shown.stream);
  })();
  views.views([], frameNs(315));
  // One collection may leave it: what a WeakRef was made of, or read from, stays for as long as that job.
  const isHeld = (): boolean => {
    collectGarbage();
    return removed.deref() !== undefined;
  };
  await expect.poll(isHeld).toBe(false);
});

test('a sender without records is shown by what is missing', () => {
  const test = new TestStream({ assumeSubmitted: true });
  const stream = test.stream();
  test.receive(0, 100);
  views.views([stream], frameNs(100));
  test.receive(101, 300, [200, 201]);
  expect(views.views([stream], frameNs(300))[0]).toMatchObject({
    ...{ method: 'frame-code', framesMissing: 2, framesDropped: null, lostTotal: 2 },
  });
});

test('V19: a stream without pictures names the interface that lost its link then, and no other', () => {
  const test = new TestStream({ assumeSubmitted: true, clock: unknownClock });
  const stream = test.stream();
  test.receive(0, 200);
  const remote = viewsOf(true);
  const traffic = { wireReceiveMbps: 120, loopbackMbps: 0 };
  const stateText = (): string => remote.views([stream], frameNs(260))[0]?.stateText ?? '';
  const change = (code: 'link-down' | 'link-up', atNs: number, name: string, trafficPercent = 90): void =>
    remote.noteLoad(
      loadSample({ atNs, ...traffic, changes: [{ atNs, code, data: { name, trafficPercent } }] }),
    );
  change('link-down', frameNs(10), 'eth1');
  expect(stateText()).not.toMatch(/link/);
  // One that carried next to nothing had no stream.
  change('link-down', frameNs(190), 'eth2', 0.2);
  expect(stateText()).not.toMatch(/link/);
  change('link-down', frameNs(190), 'eth0');
  expect(stateText()).toMatch(/; eth0 has no link$/);
  expect(remote.views([stream], frameNs(260))[0]?.remedy).toMatch(/^Check the cable of eth0/);
  change('link-up', frameNs(250), 'eth0');
  expect(stateText()).toMatch(/; eth0 had no link for 1\.0 s, and has it again$/);
  expect(remote.views([stream], frameNs(260))[0]?.remedy).toMatch(/^Whiteline connects again by itself/);
  test.receive(380, 400);
  expect(remote.views([stream], frameNs(400))[0]?.stateText).not.toMatch(/link/);
});

test('streams that do not leave this machine have no link', () => {
  const { stream } = new ShownStream(views);
  views.noteLoad(loadSample({ changes: [{ atNs: 3e9, code: 'link-down', data: { name: 'eth0' } }] }));
  views.views([stream], 4e9);
  expect(stream.downLinks).toEqual([]);
});

test.each([
  ['another program', 80, 'INVALID'],
  ['our own streams', 5, 'FAIL'],
])('a loss while %s filled the GPU', (_, gpuOthersPercent, verdict) => {
  const shown = new ShownStream(views, new TestStream(), () => ({ gpuPercent: 97, gpuOthersPercent }));
  shown.run(300);
  expect(shown.run(500, [304, 305, 306]).verdict).toBe(verdict);
});

test.each([
  ['on this machine', true, 'FAIL'],
  ['on another machine', false, 'INVALID'],
])('a loss beside a sender %s, which takes our receiver for another program', (_, isHere, verdict) => {
  const test = new TestStream();
  const shown: ShownStream = new ShownStream(viewsOf(true), test, (atNs) => {
    // A report is half a second on its way.
    const load = sharedLoad({ measuredNs: atNs - 0.5e9, cpuPercent: 50, othersPercent: 41, stealPercent: 0 });
    shown.stream.reportedLoads.hear(load, atNs, isHere);
    return { cpuPercent: 50, roles: { receiving: roleLoad(20, 60, 'sdk') } };
  });
  shown.run(300);
  expect(shown.run(500, [304, 305, 306]).verdict).toBe(verdict);
});

test('losses of a sender without our code are not measured in a pause, and are again after it', () => {
  const rate = { numerator: 60, denominator: 1 };
  const format = { width: 640, height: 360, rate };
  const stream = new Stream(1, 'Other', new ActiveSource(1, 'Other', format), frameNs(0), 0);
  const foreign = new ForeignLedger({ rate, frameFormat: 'progressive' });
  stream.followForeign(stream.source, foreign);
  /** What is shown as lost now, by the second, of frames that come but for 3 s from the 600th on. */
  const lostAt = new Map<number, number | null>();
  for (let frame = 0; frame <= 1800; frame++) {
    if (frame < 600 || frame >= 780)
      foreign.add(
        captures([
          {
            ...{ frameNumber: 0, status: PictureStatus.Undecodable, captureNs: frameNs(frame) + 1e6 },
            timestampUs: frameNs(frame) / 1000,
          },
        ]),
        { rate, frameFormat: 'progressive' },
      );
    if (frame % 15 !== 0) continue;
    const [view] = views.views([stream], frameNs(frame) + 3e6);
    lostAt.set(frame / 60, view?.lostNow ?? null);
  }
  expect([8, 9.5].map((seconds) => lostAt.get(seconds))).toEqual([0, 0]);
  expect([12, 12.75, 13.25].map((seconds) => lostAt.get(seconds))).toEqual([null, null, null]);
  expect([18, 25, 30].map((seconds) => lostAt.get(seconds))).toEqual([0, 0, 0]);
});

test('a sender without our code is shown by its times', () => {
  const rate = { numerator: 60, denominator: 1 };
  const format = { width: 640, height: 360, rate };
  const stream = new Stream(1, 'Other', new ActiveSource(1, 'Other', format), frameNs(0), 0);
  const foreign = new ForeignLedger({ rate, frameFormat: 'progressive' });
  stream.followForeign(stream.source, foreign);
  const send = (frames: number[]) => {
    const pictures = frames.map((frame) => ({
      ...{ frameNumber: 0, status: PictureStatus.Undecodable, captureNs: frameNs(frame) + 1e6 },
      timestampUs: frameNs(frame) / 1000,
    }));
    foreign.add(captures(pictures), { rate, frameFormat: 'progressive' });
  };
  send(range(0, 90));
  views.views([stream], frameNs(91));
  send(range(91, 300).filter((frame) => frame < 200 || frame > 203));
  for (let frame = 91; frame <= 301; frame += 30) views.noteLoad(loadSample({ atNs: frameNs(frame) }));
  const [view] = views.views([stream], frameNs(301));
  expect(view).toMatchObject({ method: 'timestamps', framesMissing: 4, lostTotal: 4, framesDropped: null });
  expect(view).toMatchObject({
    framesReceived: 206,
    latencyP50Ms: null,
    framesPerSecond: 60,
    verdict: 'FAIL',
  });
  expect(view?.reason).toMatch(/4 frames missing, by timestamps against the declared rate/);
  expect(view?.lastLoss).toMatch(/^4 frames /);
});

test('what did not come in time has failed, and says where it stands', () => {
  const source = new ActiveSource(1, 'x', {
    width: 640,
    height: 360,
    rate: { numerator: 60, denominator: 1 },
  });
  const stream = new Stream(1, 'x', source, 1e9, 0);
  const before = { verdict: null, state: 'searching', stateText: 'Looking for the sender on the network' };
  for (let second = 1; second <= 11; second++) views.noteLoad(loadSample({ atNs: second * 1e9 }));
  expect(views.views([stream], 11e9)[0]).toMatchObject(before);
  expect(views.views([stream], 11.1e9)[0]).toMatchObject({
    verdict: 'FAIL',
    reason: 'No sender of this name was found within 10 s',
  });
});

test('a stream that others receive is not waited for: what came of it is not known here', () => {
  const { stream } = new ShownStream(views);
  stream.isReceiverRemote = true;
  expect(views.views([stream], 60e9)[0]?.verdict).toBeNull();
});

test('what did not come while a process of ours died is INVALID, as its row is', () => {
  const stream = new TestStream().stream();
  stream.ledger = null;
  views.views([stream], 1e9);
  set.deaths = 1;
  for (let atNs = 1e9; atNs <= 12e9; atNs += 0.5e9) {
    views.noteLoad(loadSample({ atNs }));
    views.views([stream], atNs);
  }
  expect(views.views([stream], 12e9)[0]).toMatchObject({
    verdict: 'INVALID',
    reason: expect.stringMatching(
      /^no frame within 10 s of adding Whiteline 1, not judged: a stream process died/,
    ),
  });
});

test('missing blocks of sound are summed over the whole stream, and the offset is that of the last seconds', () => {
  const test = new TestStream();
  const stream = test.stream();
  const { ledger, source } = stream;
  if (!ledger) throw new Error('no ledger');
  stream.follow(source, ledger);
  const gone = new Set([150, 400, 401, 1300, 1480]);
  for (let first = 0; first < 1500; first += 30) {
    const slots = range(first, first + 29);
    test.send(first, first + 29);
    stream.addCaptures(
      captures(slots.map((slot) => ({ frameNumber: slot, captureNs: frameNs(slot) + 2e6 }))),
    );
    stream.audio?.addSound(sound(slots.filter((slot) => !gone.has(slot))));
    views.views([stream], frameNs(first + 30));
  }
  const [view] = views.views([stream], frameNs(1520));
  expect(view?.audioBlocksMissing).toBe(4);
  expect(view?.audioOffsetMs).toBeCloseTo(5, 6);
});

test('what a display window shows is reported as long as it shows the stream', () => {
  const { stream } = shownInWindow({ 70: DisplayStage.captured, 80: DisplayStage.delivered });
  const figures = { framesDisplayMissed: 2, framesDisplayMissedDelivery: 1, framesDisplayMissedUpload: 1 };
  const reportedNs = frameNs(180);
  const at = (nowNs: number) => views.views([stream], nowNs)[0];
  expect(at(reportedNs + 0.5e9)).toMatchObject({ ...figures, framesDisplayMissedPresentation: 0 });
  expect(at(reportedNs + 1.1e9)).toMatchObject({ framesDisplayMissed: null, displayTicksMissed: null });
});

/** Blocks of sound that come 7 ms after their slot, each second with a burst: early in the first half, then late. */
function sound(slots: number[]): AudioRecords {
  const burstMs = (slot: number): number => (slot < 700 ? 2 : 7);
  return {
    captureNs: Float64Array.from(slots, (slot) => frameNs(slot) + 7e6),
    frameNumber: Float64Array.from(slots),
    samples: new Uint32Array(slots.length).fill(800),
    sampleRate: new Uint32Array(slots.length).fill(48_000),
    burstNs: Float64Array.from(slots, (slot) =>
      slot % 60 === 0 ? frameNs(slot) + burstMs(slot) * 1e6 : Number.NaN,
    ),
    overflowed: 0,
  };
}
