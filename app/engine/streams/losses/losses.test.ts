import { describe, expect, test } from 'vitest';
import { causesText } from '../../../facts/cause-words';
import { lossText } from '../../../facts/loss-words';
import type { LoadSample } from '../../../protocol/load';
import { type Fault, LateCause, MissCause } from '../../../protocol/records';
import { defaultThresholds } from '../../../protocol/thresholds';
import { range } from '../../../testing/columns';
import {
  causeOf,
  context,
  during,
  lastSlot,
  onlyLoss,
  type Play,
  played,
  samples,
  strangled,
  worded,
} from '../../../testing/explained-losses';
import { roleLoad } from '../../../testing/load-sample';
import { sent } from '../../../testing/measured-streams';
import { sharedLoad } from '../../../testing/shared-load';
import { near, stopped } from '../../../testing/standstills';
import { frameNs, TestStream, unknownClock } from '../../../testing/test-stream';
import { wallMsOf } from '../../clock';
import { TimeHistogram } from '../counting/time-histogram';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import { lossesOf } from './losses';

process.env.TZ = 'Asia/Tokyo';

/** Wherever the machine stands. */
function timeOfDay(slot: number): string {
  return new Date(wallMsOf(frameNs(slot), 1.7e15)).toISOString().slice(11, 23);
}

test('a loss says how many frames were lost, when, at which stage and why', () => {
  const streams = [played({ lost: range(600, 611) })];
  const busy = samples((seconds) => (during(seconds, 11, 12) ? { cpuPercent: 99.2 } : {}));
  expect(worded(onlyLoss(streams, { samples: busy }))).toEqual({
    stage: 'transport',
    ...{ firstFrame: 600, lastFrame: 611, frames: 12, streams: 1, streamsTogether: 1 },
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

const situations: [string, string, () => string][] = [
  [
    'a limited link',
    'the network carried 12 Mb/s, down from 120 Mb/s: the link may have been limited, or lost packets',
    () =>
      causeOf([played(strangled)], {
        samples: samples((seconds) => ({ loopbackMbps: during(seconds, 11, 16.5) ? 12 : 120 })),
      }),
  ],
  [
    'a stopped receiver',
    'our receiving process was stopped',
    () =>
      causeOf([played({ lost: range(600, 700), transportDropped: 40 })], {
        samples: samples((seconds) => (during(seconds, 11, 13) ? { loopbackMbps: 4 } : {})),
        standstills: near(stopped({ role: 'receiving' }, 11, 13)),
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

  test('nothing, and it does not say that it looked at what it did not see', () => {
    const roles = { sending: null, receiving: null, console: null };
    const blind = samples(() => ({
      ...{ roles, cpuPercent: null, busiestCorePercent: null },
      loopbackMbps: null,
    }));
    expect(causeOf([played(short)], { samples: blind })).toBe('no cause was seen in the connection');
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
      expect(text(30)).toBe(
        'no load sample arrived for 3.5 s: this machine or Whiteline’s engine may have stood still',
      );
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

  test('a connection that was not back 2 s behind the loss: how long it was gone until the loss ended', () => {
    const stream = played(short);
    stream.stream.connectionHistory.add(2e9, true);
    stream.stream.connectionHistory.add(10.9e9, false);
    stream.stream.connectionHistory.add(25e9, true);
    expect(causeOf([stream])).toBe('the connection was gone for 200 ms');
  });

  test('a row that begins long after the connection broke: what broke it is still the cause', () => {
    const stream = played(strangled);
    const { connectionHistory } = stream.stream;
    connectionHistory.add(2e9, true);
    connectionHistory.add(5e9, false);
    const halted = (from: number, to: number) => ({
      samples: samples((seconds) => ({ loopbackMbps: seconds > 5 ? 0.2 : 120 })),
      standstills: near(stopped({ role: 'receiving' }, from, to)),
    });
    expect(causeOf([stream], halted(3, 5))).toMatch(
      /^our receiving process was stopped, the connection was gone for \d+ ms$/,
    );
    // One that was stopped and went on before that did not break it.
    expect(causeOf([stream], halted(2, 3.5))).toContain('the link may have been down, or too narrow');
    connectionHistory.add(8e9, true);
    expect(causeOf([stream], halted(3, 5))).not.toContain('stopped');
  });

  test('a process that waited for a processor may be the cause: none is not said of our processes', () => {
    const waited = { ...stopped({ role: 'receiving' }, 9.9, 10.1), kind: 'starved' } as const;
    expect(causeOf([played({ lost: range(600, 610) })], { standstills: near(waited) })).toBe(
      'no cause was seen in the CPU (20 %), the connection and the network’s counters',
    );
  });

  test('a network that carries less is not blamed while a process of ours waits for a processor', () => {
    const context = (from: number, to: number) => ({
      samples: samples((seconds) => ({ loopbackMbps: during(seconds, 11, 16.5) ? 12 : 120 })),
      standstills: near({ ...stopped({ role: 'sending' }, from, to), kind: 'starved' } as const),
    });
    expect(causeOf([played(strangled)], context(11, 16))).toBe(
      'our sending process waited 5.0 s for a processor',
    );
    expect(causeOf([played(strangled)], context(11, 12))).toContain('the link may have been limited');
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
      /^the connection was gone for \d+ ms, the network carried nothing, down from 120 Mb\/s: the link may have been down, or too narrow for the transport to stay connected$/,
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
    expect(carried(29, 29)).toBe(
      'the network carried 29 Mb/s, about as much as before: the link may be limited, or lose packets',
    );
    expect(carried(0.4, 120)).toBe(
      'the network carried nothing, down from 120 Mb/s: the link may have been down',
    );
    expect(carried(20, 25)).toBe(
      'no machine was at its limit, and the network carried 20 Mb/s: the link may be the cause',
    );
    expect(carried(0, 0.3)).toBe(
      'no machine was at its limit, and the network carried 0.0 Mb/s: the link may be the cause',
    );
  });

  test('half a second says something of the traffic already, less does not', () => {
    const half = samples((seconds) => (during(seconds, 11, 12) ? { loopbackMbps: 40 } : {}));
    expect(causeOf([played({ lost: range(600, 632) })], { samples: half })).toBe(
      'the network carried 40 Mb/s, down from 120 Mb/s: the link may have been limited, or lost packets',
    );
    expect(causeOf([played({ lost: range(600, 628) })], { samples: half })).toMatch(/^no cause was seen/);
    const hardly = samples((seconds) => (during(seconds, 12, 12.5) ? { loopbackMbps: 5 } : {}));
    expect(causeOf([played({ lost: range(600, 632) })], { samples: hardly })).toMatch(
      /120 Mb\/s, about as much as before/,
    );
  });

  test('what the stream carried a second ago is compared with, not the silence before it began', () => {
    const begun = samples((seconds) => ({
      loopbackMbps: seconds <= 9.5 ? 0 : during(seconds, 11, 16.5) ? 12 : 120,
    }));
    expect(causeOf([played(strangled)], { samples: begun })).toContain('down from 120 Mb/s');
  });

  test('the traffic of a short loss says nothing, a segment that was sent again little', () => {
    const quiet = samples((seconds) => (during(seconds, 10, 13) ? { loopbackMbps: 5 } : {}));
    expect(causeOf([played(short)], { samples: quiet })).toMatch(/^no cause was seen/);
    // Each second is reported by two samples.
    const again = samples((seconds) => ({ tcpRetransmits: during(seconds, 11, 12) ? 1 : 0 }));
    expect(causeOf([played(short)], { samples: again })).toBe(
      'TCP sent 1 segment again, no other cause was seen in the CPU (20 %), our processes, the connection and the network’s counters',
    );
  });

  test('no other cause: it says how busy others made the CPU', () => {
    const busy = samples((seconds) => ({ cpuPercent: 71, tcpRetransmits: during(seconds, 11, 12) ? 1 : 0 }));
    expect(causeOf([played(short)], { samples: busy })).toMatch(
      /^TCP sent 1 segment again, no other cause was seen in the CPU \(71 %, Whiteline’s processes took 10 %\), /,
    );
  });

  test('a connection that was gone: the traffic beside it, and a segment that was sent again, say nothing', () => {
    const stream = played({ lost: range(600, 690), assumeSubmitted: true });
    const { connectionHistory } = stream.stream;
    connectionHistory.add(2e9, true);
    connectionHistory.add(11e9, false);
    connectionHistory.add(12.6e9, true);
    const seen = {
      ...{ isSenderRemote: true, carrier: 'wireReceiveMbps' as const },
      samples: samples((seconds) => ({
        wireReceiveMbps: 17,
        tcpRetransmits: during(seconds, 11, 12) ? 1 : 0,
      })),
    };
    expect(causeOf([stream], seen)).toMatch(/; the connection was gone for 1600 ms$/);
    connectionHistory.addListed(2e9, true);
    connectionHistory.addListed(11.4e9, false);
    expect(causeOf([stream], seen)).toMatch(
      /; the connection was gone for 1600 ms, and discovery no longer listed the source$/,
    );
  });

  test('frames that were not fetched, and those of a loss that were not', () => {
    const loss = onlyLoss([played({ ...short, transportDropped: 6 })]);
    expect(loss.stage).toBe('receiver-queue');
    expect(lossText(loss)).toMatch(
      /^6 frames between .* were submitted and not fetched from the transport’s queue in time; our own receiver may have been late although its machine was not at its limit, or the frames arrived all at once$/,
    );
    const most = onlyLoss([played({ ...short, transportDropped: 4 })]);
    expect(most.stage).toBe('receiver-queue');
    expect(lossText(most)).toContain(
      'never arrived, 4 of them not fetched from the transport’s queue in time; ',
    );
    const partly = onlyLoss([played({ ...short, transportDropped: 2 })]);
    expect(partly.stage).toBe('transport');
    expect(lossText(partly)).toContain('never arrived, 2 of them because they were not fetched in time; ');
    const unknown = onlyLoss([played({ ...short, isQueueCounted: false })]);
    expect(unknown.stage).toBe('transport-or-queue');
    expect(lossText(unknown)).toContain('does not report whether its receiver’s queue dropped them; ');
    expect(lossText(unknown)).not.toContain('our own receiver may have been late');
  });

  test('the share of the queue is known long after the gap, and when its row is closed', () => {
    const stream = new TestStream();
    const early = stream.open(60, 119);
    stream.send(0, lastSlot);
    stream.receive(0, 99);
    stream.transportDropped = 3;
    stream.receive(103, 200);
    stream.ledger.close(early, 119);
    stream.receive(201, lastSlot);
    expect([stream.ledger.queuedIn(90, 110), stream.ledger.queuedIn(90, 101)]).toEqual([3, 2]);
  });

  test('frames that came torn or damaged, alone and beside each other', () => {
    expect(worded(onlyLoss([played({ torn: [600] })]))).toMatchObject({
      ...{ stage: 'torn', firstFrame: 600, frames: 1 },
      text: expect.stringMatching(
        /^1 frame at .* arrived torn, two frames in one picture; a picture may have been changed while/,
      ),
    });
    expect(worded(onlyLoss([played({ damaged: range(600, 602) })]))).toMatchObject({
      ...{ stage: 'damaged', firstFrame: 600, lastFrame: 602, frames: 3 },
      text: expect.stringMatching(
        /^3 frames between .* arrived damaged: one of the two strips of the code cannot be read; something else may have drawn/,
      ),
    });
    const losses = lossesOf(played({ torn: [600], damaged: [601] }), context([]));
    expect(losses.map(({ stage, streamsTogether }) => [stage, streamsTogether])).toEqual([
      ['torn', 0],
      ['damaged', 0],
    ]);
  });

  test('a torn frame of one stream and a dropped one of another are one instant', () => {
    const { text, streamsTogether } = worded(onlyLoss([played({ lost: [600] }), played({ torn: [601] })]));
    expect(streamsTogether).toBe(2);
    expect(text).toContain('on all 2 streams at once');
  });

  test('an undecodable picture, and frames of a sender that says nothing', () => {
    expect(lossText(onlyLoss([played({ blank: [600] })]))).toMatch(
      /^1 frame at .* arrived, but without a code that can be read; the codec may have broken down/,
    );
    const unknown = onlyLoss([played({ lost: [600, 601], assumeSubmitted: true })], {
      isSenderRemote: true,
    });
    expect(unknown.stage).toBe('missing');
    expect(lossText(unknown)).toContain('never arrived; the sender does not report whether it sent them; ');
    // A sender that skips every second number loses frames on any link.
    const skipping = range(300, 700).filter((slot) => slot % 2 === 0);
    expect(
      lossText(onlyLoss([played({ lost: skipping, assumeSubmitted: true })], { isSenderRemote: true })),
    ).toMatch(
      /about as much as before: the link may be limited, or lose packets, or the sender may have left out these frames$/,
    );
  });
});

describe('why nothing was submitted', () => {
  const missed = range(600, 605);

  test('a call of the SDK that did not return: how long, and what the network did', () => {
    const play = {
      missed,
      cause: MissCause.SendBlocked,
      previousCallNs: (slot: number) => (slot === 606 ? 118e6 : 1e6),
    };
    const blocked = 'the transport’s send call did not return in time (sdk-send-blocked, up to 118 ms)';
    expect(causeOf([played(play)])).toBe(blocked);
    const standstills = near(stopped({ role: 'receiving' }, 9.5, 12));
    expect(causeOf([played(play)], { standstills })).toBe(`${blocked}, our receiving process was stopped`);
    const long = { ...play, missed: range(600, 700).filter((slot) => slot % 19 !== 0) };
    const little = samples((seconds) => ({ loopbackMbps: during(seconds, 11, 14) ? 12 : 13 }));
    expect(causeOf([played(long)], { samples: little })).toMatch(
      /sdk-send-blocked\), the network carried 12 Mb\/s, about as much as before: the link may be limited, or lose packets$/,
    );
  });

  test.each([
    ['the sender reports an injected fault', MissCause.Injected],
    ['our own sender was late although its machine was not at its limit', MissCause.SourceSkipped],
  ])('%s', (cause, missCause) => {
    expect(causeOf([played({ missed, cause: missCause })])).toBe(cause);
  });

  test('a remote sender: what it reported of its machine, or that it says nothing', () => {
    const stream = played({ missed, cause: MissCause.SenderLate });
    stream.stream.ledger = new TestStream({ clock: unknownClock }).ledger;
    const elsewhere = () =>
      lossesOf(stream, context([stream], { isSenderRemote: true })).map(lossText)[0] ?? '';
    expect(elsewhere()).toContain('; no cause was seen');
    stream.stream.reportedLoads.add({ ...sharedLoad({ cpuPercent: 97 }), atNs: 11.5e9 });
    expect(elsewhere()).toContain('; the sender’s CPU was at 97 %');
  });

  test('a remote sender that was late itself: nothing on our machine explains it', () => {
    const stream = played({ missed, cause: MissCause.SenderLate });
    stream.stream.ledger = new TestStream({ clock: unknownClock }).ledger;
    stream.stream.reportedLoads.add({ ...sharedLoad({ cpuPercent: 12 }), atNs: 11.5e9 });
    const busyHere = samples(() => ({
      ...{ cpuPercent: 99, busiestCorePercent: 100, wireDropped: 7 },
    })).filter(({ atNs }) => atNs < 10.6e9 || atNs > 13.9e9);
    const standstills = near(stopped({ role: 'receiving' }, 10, 13));
    const seen = { isSenderRemote: true, samples: busyHere, standstills };
    const textOf = (): string => lossesOf(stream, context([stream], seen)).map(lossText)[0] ?? '';
    expect(textOf()).toMatch(/; our own sender was late although its machine was not at its limit$/);
    stream.stream.senderStandstills.add({ sender: 'Cam 1' }, [{ kind: 'stopped', fromNs: 11e9, toNs: 12e9 }]);
    expect(textOf()).toMatch(/; the sending process was stopped$/);
  });
});

describe('what the run itself injected is reported as that', () => {
  const injected = (play: Play, faults: Fault[]): string[] => {
    const stream = played(play);
    stream.stream.injected = faults;
    return lossesOf(stream, context([stream])).map((loss) => lossText(loss).split('; ').slice(1).join('; '));
  };
  const onPurpose = ['injected on purpose'];

  test.each<[string, Play, Fault[]]>([
    ['miss', { missed: [600], cause: MissCause.Injected }, [{ verb: 'miss', first: 600, last: 600 }]],
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
    ['stall', { lost: range(620, 650), transportDropped: 31 }, [{ verb: 'stall', first: 600, last: 650 }]],
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
    ['what a remote sender says it injected', { missed: [600], cause: MissCause.Injected }, []],
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
    expect(lossText(loss)).toMatch(/; on 3 of 4 streams at once: check what they share$/);
    expect(lossText(onlyLoss(streams.slice(0, 3)))).toMatch(/; on all 3 streams at once: /);
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

  test('of streams that others receive only what their senders missed is a loss', () => {
    expect(onlyLoss([sent([100]), sent(), sent([160])]).streamsTogether).toBe(1);
    expect(onlyLoss([sent([100]), sent([101]), sent()]).streamsTogether).toBe(2);
  });

  test('one alone', () => {
    const streams = [played({ lost: [600] }), played({ lost: [900] }), played()];
    expect(lossText(onlyLoss(streams))).toMatch(
      /; on this stream alone, the other 2 lost nothing at that time$/,
    );
    expect(lossText(onlyLoss(streams.slice(0, 2)))).toMatch(
      /; on this stream alone, the other one lost nothing at that time$/,
    );
  });

  test('one that received nothing is none of those that lost nothing', () => {
    const absent = { ...played(), counts: null };
    expect(lossText(onlyLoss([played({ lost: [600] }), absent, played()]))).toMatch(
      /the other one lost nothing at that time$/,
    );
    expect(lossText(onlyLoss([played({ lost: [600] }), absent]))).not.toMatch(/alone/);
  });
});

test.each(['__proto__', 'constructor', 'from-a-newer-version'])('a cause %s is its code', (code) => {
  expect(causesText([[{ code, data: {} }]])).toBe(code);
});
