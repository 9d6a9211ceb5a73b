import { describe, expect, test } from 'vitest';
import type { LoadSample, MachineChange } from '../../../protocol/load';
import type { Loss } from '../../../protocol/loss';
import { type Fault, LateCause, MissCause, PictureStatus } from '../../../protocol/records';
import { defaultThresholds } from '../../../protocol/thresholds';
import { type Late, range } from '../../../testing/columns';
import { loadSample, roleLoad } from '../../../testing/load-sample';
import { frameNs, TestStream, unknownClock } from '../../../testing/test-stream';
import { wallMsOf } from '../../clock';
import { ClockOffset } from '../clocks/clock-offset';
import { TimeHistogram } from '../counting/time-histogram';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import { Break } from '../outages';
import type { MeasuredStream } from '../rows/measured-stream';
import { causesText } from './cause-words';
import { type LossContext, lossesOf } from './losses';
import { unreportedIn } from './unreported';

process.env.TZ = 'Asia/Tokyo';

interface Play {
  lost?: number[];
  missed?: number[];
  cause?: number;
  late?: Late;
  blank?: number[];
  torn?: number[];
  damaged?: number[];
  /** Rise of the SDK's own counter in the first lost frame. */
  sdkDropped?: number;
  previousCallNs?: (slot: number) => number;
  assumeSubmitted?: boolean;
}

const last = 1799;

/** Slots 60 to 1799, 29 s, of a stream with these faults. */
function played(play: Play = {}): MeasuredStream {
  const { lost = [], missed = [], blank = [], cause, late, assumeSubmitted = false } = play;
  const stream = new TestStream({ assumeSubmitted, ...(assumeSubmitted && { clock: unknownClock }) });
  const counter = stream.open(60, last);
  const { previousCallNs } = play;
  if (!assumeSubmitted)
    stream.send(0, last + 60, { missed, cause, late, ...(previousCallNs && { timing: { previousCallNs } }) });
  const absent = new Set([...lost, ...missed, ...blank]);
  for (const slot of range(0, last + 60)) {
    if (blank.includes(slot)) stream.blank(slot);
    if (slot === lost[0]) stream.sdkDropped = play.sdkDropped ?? 0;
    if (!absent.has(slot)) stream.capture(slot, { status: statusOf(play, slot) });
  }
  return stream.measure(counter, last);
}

function statusOf({ torn = [], damaged = [] }: Play, slot: number): number {
  if (torn.includes(slot)) return PictureStatus.Torn;
  return damaged.includes(slot) ? PictureStatus.Damaged : PictureStatus.Good;
}

/** A sample of the machine each half second from 2 to 31 s, each of them idle unless the test says otherwise. */
function samples(change: (seconds: number) => Partial<LoadSample> = () => ({})): LoadSample[] {
  return range(4, 62).map((half) => loadSample({ atNs: (half / 2) * 1e9, ...change(half / 2) }));
}

function context(streams: MeasuredStream[], overrides: Partial<LossContext> = {}): LossContext {
  return {
    ...{ streams, samples: samples(), thresholds: defaultThresholds, wallOffsetUs: 1.7e15 },
    ...{ isSenderRemote: false, carrier: 'loopbackMbps' as const, ...overrides },
  };
}

/** The only loss of the first of these streams. */
function onlyLoss(streams: MeasuredStream[], overrides: Partial<LossContext> = {}): Loss {
  const losses = lossesOf(streams[0] as MeasuredStream, context(streams, overrides));
  expect(losses.length).toBe(1);
  return losses[0] as Loss;
}

/** What is said of the cause, without what happened. */
function causeOf(streams: MeasuredStream[], overrides: Partial<LossContext> = {}): string {
  return onlyLoss(streams, overrides).text.split('; ').slice(1).join('; ');
}

/** Between two seconds of the monotonic clock, means over a second that end there. */
function during(seconds: number, from: number, to: number): boolean {
  return seconds > from && seconds <= to;
}

/** Wherever the machine stands. */
function timeOfDay(slot: number): string {
  return new Date(wallMsOf(frameNs(slot), 1.7e15)).toISOString().slice(11, 23);
}

test('a loss says how many frames were lost, when, at which stage and why', () => {
  const streams = [played({ lost: range(600, 611) })];
  const busy = samples((seconds) => (during(seconds, 11, 12) ? { cpuPercent: 99.2 } : {}));
  expect(onlyLoss(streams, { samples: busy })).toEqual({
    stage: 'transport',
    ...{ firstFrame: 600, lastFrame: 611, frames: 12, streamsTogether: 1 },
    startedAt: new Date(wallMsOf(frameNs(600), 1.7e15)).toISOString(),
    endedAt: new Date(wallMsOf(frameNs(612), 1.7e15)).toISOString(),
    text:
      `12 frames between ${timeOfDay(600)} and ${timeOfDay(612)} UTC were submitted and never arrived; ` +
      'the CPU that sender and receiver share was at 99 % (Whiteline’s processes took 10 %)',
    causes: [{ code: 'cpu-full', data: { whose: 'both', percent: 99.2, ownPercent: 10 } }],
  });
});

describe('what belongs to one loss', () => {
  const firstAndLast = (play: Play): number[][] =>
    lossesOf(played(play), context([])).map(({ firstFrame, lastFrame, frames }) => [
      ...[firstFrame, lastFrame, frames],
    ]);

  test('two frames that came between lost ones do not part them, three do', () => {
    expect(firstAndLast({ lost: [100, 103, 104, 107] })).toEqual([[100, 107, 4]]);
    expect(firstAndLast({ lost: [100, 104] })).toEqual([
      [100, 100, 1],
      [104, 104, 1],
    ]);
  });

  test('stages are distinguished', () => {
    const losses = lossesOf(played({ lost: [100], missed: [101], blank: [110] }), context([]));
    expect(losses.map(({ stage, firstFrame }) => [stage, firstFrame])).toEqual([
      ['transport', 100],
      ['sender', 101],
      ['undecodable', 110],
    ]);
  });

  test('the first 200 of a row are reported', () => {
    const lost = range(0, 299).map((index) => 60 + index * 5);
    const losses = lossesOf(played({ lost }), context([]));
    expect(losses.length).toBe(200);
    expect(losses[199]?.firstFrame).toBe(60 + 199 * 5);
  });
});

const stopped = { ...roleLoad(0, 55, 'sdk'), stopped: true };
const ours = { sending: roleLoad(5, 60, 'sdk'), receiving: roleLoad(4, 55, 'sdk'), console: null };

/** One frame of 19 still comes through, for 5 s from slot 600, 11 s. */
const strangled = { lost: range(600, 900).filter((slot) => slot % 19 !== 0) };

const situations: [string, string, () => string][] = [
  [
    'a limited link',
    'the network carried 12 Mb/s where it had carried 120 Mb/s: the link was limited',
    () =>
      causeOf([played(strangled)], {
        samples: samples((seconds) => ({ loopbackMbps: during(seconds, 11, 16.5) ? 12 : 120 })),
      }),
  ],
  [
    'a stopped receiver',
    'our receiving process was stopped',
    () =>
      causeOf([played({ lost: range(600, 700), sdkDropped: 40 })], {
        samples: samples((seconds) =>
          during(seconds, 11, 13) ? { roles: { ...ours, receiving: stopped }, loopbackMbps: 4 } : {},
        ),
      }),
  ],
  [
    'a CPU hog',
    'the CPU that sender and receiver share was at 100 % (Whiteline’s processes took 10 %)',
    () =>
      causeOf([played({ lost: range(600, 650) })], {
        samples: samples((seconds) =>
          during(seconds, 9, 13) ? { cpuPercent: 100, busiestCorePercent: 100, loopbackMbps: 30 } : {},
        ),
      }),
  ],
  [
    'a slow file',
    '20 pictures came late from the disk',
    () => {
      const late = new Map(range(580, 599).map((slot) => [slot, LateCause.Disk]));
      return causeOf([played({ missed: [600, 601], cause: MissCause.SenderLate, late })]);
    },
  ],
];

describe('different causes look different', () => {
  test.each(situations)('%s', (_, explanation, explain) => {
    expect(explain()).toBe(explanation);
  });

  test('no two of them are the same', () => {
    expect(new Set(situations.map(([, , explain]) => explain())).size).toBe(situations.length);
  });
});

describe('what is known of the cause', () => {
  const short = { lost: range(600, 605) };

  test('nothing: it says where it looked', () => {
    expect(causeOf([played(short)])).toBe(
      'no cause was seen in the CPU (20 %), our processes, the connection and the network’s counters',
    );
  });

  test('a full core on a machine that is not full', () => {
    const withBusiest = (busiestCorePercent: number) =>
      causeOf([played(short)], { samples: samples(() => ({ cpuPercent: 52, busiestCorePercent })) });
    expect(withBusiest(98)).toBe('one core was full (98 %), the machine as a whole was not');
    expect(withBusiest(97)).toMatch(/^no cause was seen/);
  });

  test('a hypervisor that gave the CPU to others, as far as that makes a row INVALID', () => {
    const stolen = (cpuStealPercent: number) =>
      causeOf([played(short)], {
        samples: samples((seconds) => (during(seconds, 10, 12) ? { cpuStealPercent } : {})),
      });
    expect(stolen(38)).toBe('the hypervisor took 38.0 % of the CPU away');
    expect(stolen(defaultThresholds.maxStealPercent)).toMatch(/^no cause was seen/);
    // That of a moment does not explain a loss of seconds.
    const moment = samples((seconds) => (during(seconds, 12, 12.5) ? { cpuStealPercent: 38 } : {}));
    expect(causeOf([played(strangled)], { samples: moment })).not.toContain('hypervisor');
  });

  test('on a full machine the traffic says nothing of the link, what the network counted does', () => {
    const full = (change: Partial<LoadSample>) =>
      causeOf([played(strangled)], {
        samples: samples((seconds) =>
          during(seconds, 9, 18) ? { cpuPercent: 99, loopbackMbps: 12, ...change } : {},
        ),
      });
    expect(full({})).toBe(
      'the CPU that sender and receiver share was at 99 % (Whiteline’s processes took 10 %)',
    );
    const roles = { sending: roleLoad(70, 60, 'sdk'), receiving: roleLoad(10, 60, 'sdk') };
    expect(full({ roles })).toBe('the CPU that sender and receiver share was at 99 %');
    expect(full({ tcpRetransmits: 2 })).toMatch(
      /^the CPU that sender and receiver share was at 99 % \(Whiteline’s processes took 10 %\), TCP sent \d+ segments again$/,
    );
  });

  test('a short peak does not explain a long loss', () => {
    const peak = samples((seconds) => (during(seconds, 12, 12.5) ? { cpuPercent: 99 } : {}));
    expect(causeOf([played(strangled)], { samples: peak })).not.toContain('CPU that');
  });

  test('a full machine that took few samples of a long loss is not outvoted by the calm around it', () => {
    // Without samples of half of the loss: 1.5 s apart at the most.
    const few = samples((seconds) => (during(seconds, 10, 14) ? { cpuPercent: 99 } : {})).filter(
      ({ atNs }) => atNs <= 10e9 || atNs >= 14e9 || [11.5e9, 13e9].includes(atNs),
    );
    expect(causeOf([played({ lost: range(600, 820) })], { samples: few })).toBe(
      'the CPU that sender and receiver share was at 99 % (Whiteline’s processes took 10 %)',
    );
  });

  describe('no load sample came', () => {
    const isGap = ({ atNs }: LoadSample): boolean => atNs >= 10.6e9 && atNs <= 13.9e9;
    const text = (cpuPercent: number): string =>
      causeOf([played(short)], {
        samples: samples((seconds) => (seconds >= 14 ? { cpuPercent } : {})).filter(
          (sample) => !isGap(sample),
        ),
      });

    test('of a machine with time to spare: it stood still', () => {
      expect(text(30)).toBe('this machine or Whiteline’s engine stood still for 3.5 s');
    });

    test('of a full machine: its CPU was full', () => {
      expect(text(99)).toBe(
        'the CPU that sender and receiver share was at 99 % (Whiteline’s processes took 10 %)',
      );
    });
  });

  test('a connection that was gone, and for how long', () => {
    const stream = played(short);
    stream.stream.connectionHistory.add(2e9, true);
    stream.stream.connectionHistory.add(11e9, false);
    stream.stream.connectionHistory.add(11.25e9, true);
    expect(causeOf([stream])).toBe('the connection was gone for 250 ms');
  });

  test('a row that begins long after the connection broke: what broke it is still the cause', () => {
    const stream = played(strangled);
    const { connectionHistory } = stream.stream;
    connectionHistory.add(2e9, true);
    connectionHistory.add(5e9, false);
    const carried = (seconds: number) => ({ loopbackMbps: seconds > 5 ? 0.2 : 120 });
    const halted = (from: number, to: number) =>
      samples((seconds) => ({
        ...carried(seconds),
        ...(during(seconds, from, to) && { roles: { ...ours, receiving: stopped } }),
      }));
    expect(causeOf([stream], { samples: halted(3, 5) })).toMatch(
      /^our receiving process was stopped, the connection was gone for \d+ ms$/,
    );
    // One that was stopped and went on before that did not break it.
    expect(causeOf([stream], { samples: halted(2, 3.5) })).toContain('the link was down, or too narrow');
    connectionHistory.add(8e9, true);
    expect(causeOf([stream], { samples: halted(3, 5) })).not.toContain('stopped');
  });

  test('our receiving process had died: what was lost until it was back is its', () => {
    const stream = played(strangled);
    const [lost = 0] = strangled.lost;
    const died = frameNs(lost) - 1e8;
    stream.stream.receiverGone = { fromNs: died, toNs: Number.POSITIVE_INFINITY };
    expect(causeOf([stream])).toBe('our receiving process had died');
    stream.stream.receiverGone = { fromNs: died - 2e9, toNs: died };
    expect(causeOf([stream])).not.toContain('died');
  });

  test('a connection that was gone over a link that carried nothing: too narrow for it, or down', () => {
    const stream = played(strangled);
    stream.stream.connectionHistory.add(2e9, true);
    stream.stream.connectionHistory.add(12e9, false);
    const silent = samples((seconds) => ({ loopbackMbps: during(seconds, 11, 16.5) ? 0.2 : 120 }));
    expect(causeOf([stream], { samples: silent })).toMatch(
      /^the connection was gone for \d+ ms, the network carried nothing where it had carried 120 Mb\/s: the link was down, or too narrow for the SDK to stay connected$/,
    );
  });

  test('interfaces that are full, drop, damage or send again', () => {
    const link = { name: 'eth0', mbps: 943, linkMbps: 1000 };
    const wire = (change: Partial<LoadSample>) => ({
      ...{ carrier: 'wireReceiveMbps' as const, isSenderRemote: true },
      samples: samples((seconds) => (during(seconds, 10, 12) ? change : {})),
    });
    expect(causeOf([played(short)], wire({ fullestLink: link }))).toBe(
      'eth0 was full, with 943 Mb/s of 1000 Mb/s',
    );
    // Samples overlap: four of them are two seconds.
    expect(causeOf([played(short)], wire({ wireDropped: 7, wireErrors: 1, tcpRetransmits: 2 }))).toBe(
      'network interfaces dropped 14 packets, network interfaces saw 2 packets with errors, TCP sent 4 segments again',
    );
    // What happens outside does not touch streams that stay inside.
    expect(
      causeOf([played(short)], { samples: samples(() => ({ fullestLink: link, wireDropped: 7 })) }),
    ).toMatch(/^no cause was seen/);
  });

  test('a link that was limited before, that was down, and one of which nothing else is known', () => {
    const carried = (during11to16: number, before: number) =>
      causeOf([played(strangled)], {
        samples: samples((seconds) => ({ loopbackMbps: during(seconds, 11, 16.5) ? during11to16 : before })),
      });
    expect(carried(29, 29)).toBe('the network carried 29 Mb/s and no more before: the link is limited');
    expect(carried(0.4, 120)).toBe(
      'the network carried nothing where it had carried 120 Mb/s: the link was down',
    );
    expect(carried(20, 25)).toBe('no machine was full, and the network carried 20 Mb/s: check the link');
    expect(carried(0, 0.3)).toBe('no machine was full, and the network carried 0.0 Mb/s: check the link');
  });

  test('half a second says something of the traffic already, less does not', () => {
    const half = samples((seconds) => (during(seconds, 11, 12) ? { loopbackMbps: 40 } : {}));
    expect(causeOf([played({ lost: range(600, 632) })], { samples: half })).toBe(
      'the network carried 40 Mb/s where it had carried 120 Mb/s: the link was limited',
    );
    expect(causeOf([played({ lost: range(600, 628) })], { samples: half })).toMatch(/^no cause was seen/);
    const hardly = samples((seconds) => (during(seconds, 12, 12.5) ? { loopbackMbps: 5 } : {}));
    expect(causeOf([played({ lost: range(600, 632) })], { samples: hardly })).toMatch(
      /120 Mb\/s and no more before/,
    );
  });

  test('what the stream carried a second ago is compared with, not the silence before it began', () => {
    const begun = samples((seconds) => ({
      loopbackMbps: seconds <= 9.5 ? 0 : during(seconds, 11, 16.5) ? 12 : 120,
    }));
    expect(causeOf([played(strangled)], { samples: begun })).toContain('where it had carried 120 Mb/s');
  });

  test('the traffic of a short loss says nothing, a segment that was sent again little', () => {
    const quiet = samples((seconds) => (during(seconds, 10, 13) ? { loopbackMbps: 5 } : {}));
    expect(causeOf([played(short)], { samples: quiet })).toMatch(/^no cause was seen/);
    // Each second is reported by two samples.
    const again = samples((seconds) => ({ tcpRetransmits: during(seconds, 11, 12) ? 1 : 0 }));
    expect(causeOf([played(short)], { samples: again })).toBe(
      'TCP sent 1 segment again, nothing else was seen',
    );
  });

  test('frames that were not fetched, and those of a loss that were not', () => {
    const loss = onlyLoss([played({ ...short, sdkDropped: 6 })]);
    expect(loss.stage).toBe('receiver-queue');
    expect(loss.text).toMatch(
      /^6 frames between .* were submitted and not fetched from the SDK’s queue in time; our own receiver was late although its machine had time$/,
    );
    const most = onlyLoss([played({ ...short, sdkDropped: 4 })]);
    expect(most.stage).toBe('receiver-queue');
    expect(most.text).toContain('never arrived, 4 of them not fetched from the SDK’s queue in time; ');
    const partly = onlyLoss([played({ ...short, sdkDropped: 2 })]);
    expect(partly.stage).toBe('transport');
    expect(partly.text).toContain('never arrived, 2 of them since they were not fetched in time; ');
  });

  test('the share of the queue is known long after the gap, and when its row is closed', () => {
    const stream = new TestStream();
    const early = stream.open(60, 119);
    stream.send(0, last);
    stream.receive(0, 99);
    stream.sdkDropped = 3;
    stream.receive(103, 200);
    stream.ledger.close(early, 119);
    stream.receive(201, last);
    expect([stream.ledger.queuedIn(90, 110), stream.ledger.queuedIn(90, 101)]).toEqual([3, 2]);
  });

  test('frames that came torn or damaged, alone and beside each other', () => {
    expect(onlyLoss([played({ torn: [600] })])).toMatchObject({
      ...{ stage: 'torn', firstFrame: 600, frames: 1 },
      text: expect.stringMatching(
        /^1 frame at .* arrived torn, two frames in one picture; usually a picture was changed while/,
      ),
    });
    expect(onlyLoss([played({ damaged: range(600, 602) })])).toMatchObject({
      ...{ stage: 'damaged', firstFrame: 600, lastFrame: 602, frames: 3 },
      text: expect.stringMatching(
        /^3 frames between .* arrived damaged: one of the two strips of the code cannot be read; usually something else drew/,
      ),
    });
    const losses = lossesOf(played({ torn: [600], damaged: [601] }), context([]));
    expect(losses.map(({ stage, streamsTogether }) => [stage, streamsTogether])).toEqual([
      ['torn', 0],
      ['damaged', 0],
    ]);
  });

  test('a torn frame of one stream and a dropped one of another are one instant', () => {
    const { text, streamsTogether } = onlyLoss([played({ lost: [600] }), played({ torn: [601] })]);
    expect(streamsTogether).toBe(2);
    expect(text).toContain('on all 2 streams at once');
  });

  test('an undecodable picture, and frames of a sender that says nothing', () => {
    expect(onlyLoss([played({ blank: [600] })]).text).toMatch(
      /^1 frame at .* arrived, but without a code that can be read; usually the codec has broken down/,
    );
    const unknown = onlyLoss([played({ lost: [600, 601], assumeSubmitted: true })], {
      isSenderRemote: true,
    });
    expect(unknown.stage).toBe('missing');
    expect(unknown.text).toContain('never arrived; the sender does not report whether it sent them; ');
  });
});

describe('what was recorded near a loss comes before what the load lets us infer', () => {
  const short = { lost: range(600, 605) };
  /** Of a full machine, on which something changed at a moment; samples report what was since the one before. */
  const full = (changes: MachineChange[] = [], change: Partial<LoadSample> = {}): LoadSample[] =>
    samples((seconds) => ({
      ...(during(seconds, 9, 14) && { cpuPercent: 100, ...change }),
      changes: changes.filter(({ atNs }) => atNs > (seconds - 0.5) * 1e9 && atNs <= seconds * 1e9),
    }));
  const cpu = 'the CPU that sender and receiver share was at 100 % (Whiteline’s processes took 10 %)';
  const outside = { carrier: 'wireReceiveMbps' as const };

  test('V5: the wall clock was set back, and the connection was lost: not the CPU', () => {
    const stream = played({ lost: range(600, 690) });
    stream.stream.connectionHistory.add(2e9, true);
    stream.stream.connectionHistory.add(frameNs(600), false);
    stream.stream.connectionHistory.add(frameNs(600) + 1.5e9, true);
    const step = (atNs: number): MachineChange => ({
      ...{ atNs, code: 'wall-clock-step' },
      data: { byMs: -3_600_000 },
    });
    expect(causeOf([stream], { samples: full([step(frameNs(600) - 72e6)]) })).toBe(
      'this machine’s wall clock was set 3600000.0 ms back, the connection was gone for 1500 ms',
    );
    for (const atNs of [frameNs(600) - 1.9e9, frameNs(691) + 1.9e9])
      expect(causeOf([played(short)], { samples: full([step(atNs)]) })).toMatch(
        atNs < 11e9 ? /wall clock/ : /CPU/,
      );
    expect(causeOf([played(short)], { samples: full([step(frameNs(600) - 2.1e9)]) })).toBe(cpu);
  });

  test('the clock of a remote sender was set', () => {
    const stream = played(short);
    const clock = new ClockOffset(0);
    clock.steps.push({ atNs: frameNs(590), byUs: -2e6 }, { atNs: frameNs(590), byUs: 300 });
    stream.stream.ledger = new TestStream({ clock }).ledger;
    const [loss] = lossesOf(stream, context([stream], { isSenderRemote: true, samples: full() }));
    expect(loss?.causes).toMatchObject([{ code: 'sender-clock-step', data: { byMs: -2000 } }]);
  });

  test('a machine that slept is named, also of a sender that was late itself', () => {
    const slept: MachineChange = { atNs: frameNs(610), code: 'machine-suspended', data: { seconds: 7 } };
    expect(causeOf([played(short)], { samples: full([slept]) })).toBe('this machine slept for 7.0 s');
    const missed = played({ missed: short.lost, cause: MissCause.SenderLate });
    expect(causeOf([missed], { samples: full([slept]) })).toBe('this machine slept for 7.0 s');
    const stepped: MachineChange = { atNs: frameNs(610), code: 'wall-clock-step', data: { byMs: 900 } };
    expect(causeOf([missed], { samples: full([stepped]) })).toBe(cpu);
  });

  test('a sender that was started again, and one that was only away', () => {
    const stream = played(short);
    const next = played().stream;
    next.ledger = null;
    const after = new Break(frameNs(650), next);
    after.foundNs = frameNs(660);
    stream.stream.after = after;
    expect(causeOf([stream], { samples: full() })).toBe(cpu);
    after.isRestart = true;
    expect(causeOf([stream], { samples: full() })).toBe('the sender was started again');
    const later = new Break(frameNs(750), next);
    later.isRestart = true;
    stream.stream.after = later;
    expect(causeOf([stream], { samples: full() })).toBe(cpu);
  });

  test('V27: a link that was down, for how long, where the streams leave the machine', () => {
    const down: MachineChange = { atNs: 11.2e9, code: 'link-down', data: { name: 'eth0' } };
    const up: MachineChange = { atNs: 16.2e9, code: 'link-up', data: { name: 'eth0', seconds: 5 } };
    expect(causeOf([played(strangled)], { samples: full([down, up]), ...outside })).toBe(
      'eth0 had no link for 5.0 s',
    );
    expect(causeOf([played(strangled)], { samples: full([down]), ...outside })).toBe('eth0 had no link');
    expect(causeOf([played(strangled)], { samples: full([down]) })).toMatch(/^the CPU/);
  });

  test('an MTU that changed', () => {
    const data = { name: 'eth0', fromBytes: 1500, toBytes: 600 };
    const change: MachineChange = { atNs: 11e9, code: 'mtu-changed', data };
    expect(causeOf([played(short)], { samples: full([change]), ...outside })).toBe(
      'the MTU of eth0 changed from 1500 to 600 bytes',
    );
  });

  test('V27: packets that the interface itself dropped come before the CPU, unless it always drops as many', () => {
    const dropped = { wireDropped: 35 };
    const told = (usual: number) => {
      const calm = full([], dropped).map((sample) => ({
        ...{ ...sample, lostPerSecond: sample.atNs <= 9e9 ? 0 : 6 },
        ...(sample.atNs <= 9e9 && { wireDropped: usual }),
      }));
      return causeOf([played(short)], { samples: calm, ...outside });
    };
    expect(told(0)).toMatch(/^network interfaces dropped \d+ packets, the CPU .* was at 100 %/);
    expect(told(10)).toMatch(/^network interfaces dropped/);
    expect(told(20)).toMatch(/^the CPU .* was at 100 % .*, network interfaces dropped/);
  });

  test('V27: a path on which TCP sends far more again than usual comes before a full CPU', () => {
    const limited = { tcpRetransmits: 400, wireReceiveMbps: 12 };
    const seen = full([], limited);
    const before = seen.map((sample) =>
      during(sample.atNs / 1e9, 9, 14) ? sample : { ...sample, wireReceiveMbps: 120 },
    );
    expect(causeOf([played({ lost: range(600, 720) })], { samples: before, ...outside })).toMatch(
      /^the network carried 12 Mb\/s where it had carried 120 Mb\/s: the link was limited, TCP sent \d+ segments again, the CPU/,
    );
  });

  test('V27: a sender that waits while the traffic stays at one rate has a path that is full, not a CPU', () => {
    const play = { missed: range(600, 840), cause: MissCause.SendBlocked };
    const at = (mbps: (seconds: number) => number) =>
      causeOf([played(play)], {
        samples: full().map((sample) => ({ ...sample, wireTransmitMbps: mbps(sample.atNs / 1e9) })),
        carrier: 'wireTransmitMbps',
      });
    expect(at(() => 19)).toMatch(
      /sdk-send-blocked\), the network carried 19 Mb\/s and no more before: .*, the CPU/,
    );
    expect(at((seconds) => 19 + (seconds % 1) * 4)).toMatch(/sdk-send-blocked\), the CPU/);
  });
});

describe('a loss has a cause for each part of it', () => {
  test('V16: some of the frames were injected, beside the others the CPU was full', () => {
    const stream = played({ lost: range(600, 608) });
    stream.stream.injected = [{ verb: 'skip', first: 600, last: 604 }];
    const busy = samples((seconds) => (during(seconds, 10, 13) ? { cpuPercent: 99 } : {}));
    const loss = onlyLoss([stream], { samples: busy });
    expect(loss.causes).toMatchObject([
      { code: 'injected', data: { frames: 5, others: 4 } },
      { code: 'cpu-full', data: { percent: 99 } },
    ]);
    expect(loss.text).toContain(
      '; 5 of them injected on purpose, and beside the other 4: the CPU that sender and receiver share was at 99 %',
    );
  });

  test('V16: misses behind an injected delay, and others', () => {
    const stream = played({ missed: range(601, 609), cause: MissCause.SendBlocked });
    stream.stream.injected = [{ verb: 'delay', first: 600, last: 600, delayMs: 50 }];
    expect(onlyLoss([stream]).causes).toMatchObject([
      { code: 'injected', data: { frames: 4, others: 5 } },
      { code: 'sdk-send-blocked' },
    ]);
  });

  test('of a stalled receiver only what is lost within its reach counts, and what came between is no part', () => {
    const stream = played({ lost: [648, 651, 654, 657, 660, 663, 666, 669, 672], sdkDropped: 9 });
    stream.stream.injected = [{ verb: 'stall', first: 600, last: 650 }];
    expect(onlyLoss([stream]).causes?.[0]).toEqual({ code: 'injected', data: { frames: 6, others: 3 } });
  });
});

describe('V27: frames of which neither a picture nor the sender’s record came', () => {
  /** Slots 60 to 659 of a sender whose records of 300 to 399 got lost; pictures of 350 to 399 came. */
  const measured = (): MeasuredStream => {
    const stream = new TestStream({ clock: unknownClock });
    const counter = stream.open(60, 659);
    stream.send(0, 299);
    stream.send(400, 719);
    stream.receive(0, 719, range(300, 349));
    return stream.measure(counter, 659);
  };

  test('did not arrive: a loss with a cause', () => {
    const stream = measured();
    expect(stream.counts?.unrecorded).toBe(100);
    const dropped = samples((seconds) => (during(seconds, 5, 8) ? { wireDropped: 35, cpuPercent: 99 } : {}));
    const remote = { samples: dropped, isSenderRemote: true, carrier: 'wireReceiveMbps' as const };
    expect(onlyLoss([stream], remote)).toMatchObject({
      ...{ stage: 'missing', firstFrame: 300, lastFrame: 349, frames: 50 },
      text: expect.stringMatching(
        /never arrived; the sender does not report whether it sent them; network interfaces dropped \d+ packets, the /,
      ),
    });
    // Of our own sender a record that is missing is a fault of ours.
    expect(lossesOf(stream, context([stream]))).toEqual([]);
  });

  test('are counted apart from those that came, and from the silence at the end', () => {
    const { stream, counts } = measured();
    if (!stream.ledger || !counts) throw new Error('nothing was measured');
    expect(unreportedIn(stream.ledger, counts).frames).toBe(50);
    const silent = new TestStream({ clock: unknownClock });
    const counter = silent.open(60, 659);
    for (const [first, last] of [
      [0, 99],
      [110, 399],
    ] as const) {
      silent.send(first, last);
      silent.receive(first, last);
    }
    const toEnd = silent.ledger.close(counter, 659);
    expect([toEnd.unrecorded, toEnd.tail?.frames]).toEqual([270, 260]);
    expect(unreportedIn(silent.ledger, toEnd).frames).toBe(10);
  });
});

describe('why nothing was submitted', () => {
  const missed = range(600, 605);

  test('a call of the SDK that did not return: whose receiver, how long, and what the network did', () => {
    const play = {
      missed,
      cause: MissCause.SendBlocked,
      previousCallNs: (slot: number) => (slot === 606 ? 118e6 : 1e6),
    };
    const blocked =
      'the SDK’s send call waited for the receiver of Whiteline 1 (sdk-send-blocked, up to 118 ms)';
    expect(causeOf([played(play)])).toBe(blocked);
    const halted = samples((seconds) =>
      during(seconds, 10, 13) ? { roles: { ...ours, receiving: stopped } } : {},
    );
    expect(causeOf([played(play)], { samples: halted })).toBe(
      `${blocked}, our receiving process was stopped`,
    );
    const long = { ...play, missed: range(600, 700).filter((slot) => slot % 19 !== 0) };
    const little = samples((seconds) => ({ loopbackMbps: during(seconds, 11, 14) ? 12 : 13 }));
    expect(causeOf([played(long)], { samples: little })).toMatch(
      /sdk-send-blocked\), the network carried 12 Mb\/s and no more before: the link is limited$/,
    );
  });

  test.each([
    ['injected on purpose', MissCause.Injected],
    ['our own sender was late although its machine had time', MissCause.SourceSkipped],
  ])('%s', (cause, missCause) => {
    expect(causeOf([played({ missed, cause: missCause })])).toBe(cause);
  });

  test('a remote sender: what it reported of its machine, or that it says nothing', () => {
    const stream = played({ missed, cause: MissCause.SenderLate });
    stream.stream.ledger = new TestStream({ clock: unknownClock }).ledger;
    const elsewhere = () => lossesOf(stream, context([stream], { isSenderRemote: true }))[0]?.text ?? '';
    expect(elsewhere()).toContain('; no cause was seen');
    stream.stream.reportedLoads.add({ atNs: 11.5e9, cpuPercent: 97, gpuPercent: null });
    expect(elsewhere()).toContain('; the sender’s CPU was at 97 %');
  });

  test('a remote sender that was late itself: nothing on our machine explains it', () => {
    const stream = played({ missed, cause: MissCause.SenderLate });
    stream.stream.ledger = new TestStream({ clock: unknownClock }).ledger;
    stream.stream.reportedLoads.add({ atNs: 11.5e9, cpuPercent: 12, gpuPercent: null });
    const busyHere = samples(() => ({
      ...{ cpuPercent: 99, busiestCorePercent: 100, wireDropped: 7 },
      roles: { ...ours, receiving: stopped },
    })).filter(({ atNs }) => atNs < 10.6e9 || atNs > 13.9e9);
    const [loss] = lossesOf(stream, context([stream], { isSenderRemote: true, samples: busyHere }));
    expect(loss?.text).toMatch(/; our own sender was late although its machine had time$/);
  });
});

describe('what the run itself injected is reported as that', () => {
  const injected = (play: Play, faults: Fault[]): string[] => {
    const stream = played(play);
    stream.stream.injected = faults;
    return lossesOf(stream, context([stream])).map(({ text }) => text.split('; ').slice(1).join('; '));
  };
  const onPurpose = ['injected on purpose'];

  test.each<[string, Play, Fault[]]>([
    ['miss', { missed: [600], cause: MissCause.Injected }, []],
    ['skip', { lost: range(600, 604) }, [{ verb: 'skip', first: 600, last: 604 }]],
    [
      'two skips beside each other',
      { lost: [600, 602] },
      [600, 602].map((slot) => ({ verb: 'skip', first: slot, last: slot })),
    ],
    ['black', { blank: range(600, 610) }, [{ verb: 'black', first: 600, last: 610 }]],
    ['tear', { torn: [600] }, [{ verb: 'tear', first: 600, last: 600 }]],
    ['damage-top', { damaged: [600] }, [{ verb: 'damage-top', first: 600, last: 600 }]],
    ['damage-bottom', { damaged: [600] }, [{ verb: 'damage-bottom', first: 600, last: 600 }]],
    ['stall', { lost: range(620, 650), sdkDropped: 31 }, [{ verb: 'stall', first: 600, last: 650 }]],
    [
      'delay',
      { missed: range(601, 606), cause: MissCause.SendBlocked },
      [{ verb: 'delay', first: 600, last: 600, delayMs: 100 }],
    ],
  ])('%s', (_, play, faults) => {
    expect(injected(play, faults)).toEqual(onPurpose);
  });

  test.each<[string, Play, Fault[]]>([
    ['one frame more than was skipped', { lost: range(600, 605) }, [{ verb: 'skip', first: 600, last: 604 }]],
    ['a fault elsewhere', { lost: [700] }, [{ verb: 'skip', first: 600, last: 604 }]],
    ['a fault that loses nothing', { lost: [600] }, [{ verb: 'tear', first: 600, last: 600 }]],
    ['a fault that spoils in another way', { torn: [600] }, [{ verb: 'damage-top', first: 600, last: 600 }]],
    [
      'misses long behind a delay',
      { missed: range(620, 625), cause: MissCause.SendBlocked },
      [{ verb: 'delay', first: 600, last: 600, delayMs: 100 }],
    ],
  ])('not %s', (_, play, faults) => {
    expect(injected(play, faults)).not.toEqual(onPurpose);
  });
});

describe('several streams', () => {
  test('at the same instant: look at what they share', () => {
    const streams = [
      played({ lost: range(600, 605) }),
      played({ lost: range(611, 612) }),
      played({ missed: [595] }),
      played({ lost: [613, 900] }),
    ];
    const loss = onlyLoss(streams);
    expect(loss.streamsTogether).toBe(3);
    expect(loss.text).toMatch(/; on 3 of 4 streams at once: check what they share$/);
    expect(onlyLoss(streams.slice(0, 3)).text).toMatch(/; on all 3 streams at once: /);
  });

  test('what another one loses when a loss has lasted for long is another instant', () => {
    const long = played({ lost: range(600, 1400) });
    expect(onlyLoss([long, played({ lost: [1390] })]).streamsTogether).toBe(1);
    expect(onlyLoss([long, played({ lost: [1000] })]).streamsTogether).toBe(2);
  });

  test('the newest loss of a sender without our code counts too, however many it had before', () => {
    const newestLoss = { firstFrame: 9000, frames: 2, fromNs: frameNs(601), toNs: frameNs(603) };
    const foreign = {
      counts: { losses: [], newestLoss } as unknown as ForeignCounts,
      receiveInterval: new TimeHistogram(),
    };
    const other = { ...played(), counts: null, foreign };
    expect(onlyLoss([played({ lost: [600] }), other]).streamsTogether).toBe(2);
    expect(onlyLoss([played({ lost: [900] }), other]).streamsTogether).toBe(1);
  });

  test('one alone', () => {
    const streams = [played({ lost: [600] }), played({ lost: [900] }), played()];
    expect(onlyLoss(streams).text).toMatch(/; on this stream alone, the other 2 lost nothing then$/);
    expect(onlyLoss(streams.slice(0, 2)).text).toMatch(
      /; on this stream alone, the other one lost nothing then$/,
    );
  });

  test('one that received nothing is none of those that lost nothing', () => {
    const absent = { ...played(), counts: null };
    expect(onlyLoss([played({ lost: [600] }), absent, played()]).text).toMatch(
      /the other one lost nothing then$/,
    );
    expect(onlyLoss([played({ lost: [600] }), absent]).text).not.toMatch(/alone/);
  });
});

test.each(['__proto__', 'constructor', 'from-a-newer-version'])('a cause %s is its code', (code) => {
  expect(causesText([[{ code, data: {} }]])).toBe(code);
});
