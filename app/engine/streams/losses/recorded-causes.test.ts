import { describe, expect, test } from 'vitest';
import { lossText } from '../../../facts/loss-words';
import type { LoadSample, MachineChange } from '../../../protocol/load';
import { InjectedFault, MissCause } from '../../../protocol/records';
import { range } from '../../../testing/columns';
import {
  causeOf,
  context,
  during,
  onlyLoss,
  played,
  samples,
  strangled,
  worded,
} from '../../../testing/explained-losses';
import { frameNs, TestStream, unknownClock } from '../../../testing/test-stream';
import { ClockOffset } from '../clocks/clock-offset';
import { Break } from '../outages';
import type { MeasuredStream } from '../rows/measured-stream';
import { lossesOf } from './losses';
import { unreportedIn } from './unreported';

describe('what was recorded near a loss comes before what the load lets us infer', () => {
  const short = { lost: range(600, 605) };
  /** Of a full machine, on which something changed at a moment; samples report what was since the one before. */
  const full = (changes: MachineChange[] = [], change: Partial<LoadSample> = {}): LoadSample[] =>
    samples((seconds) => ({
      ...(during(seconds, 9, 14) ? { cpuPercent: 100, ...change } : { lostPerSecond: 0 }),
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
    const small: MachineChange = { atNs: frameNs(600), code: 'wall-clock-step', data: { byMs: -5 } };
    expect(causeOf([played(short)], { samples: full([small]) })).toBe(cpu);
  });

  test('the clock of a remote sender was set', () => {
    const stream = played(short);
    const clock = new ClockOffset(0);
    clock.steps.push({ atNs: frameNs(590), byUs: -2e6 }, { atNs: frameNs(590), byUs: 300 });
    stream.stream.ledger = new TestStream({ clock }).ledger;
    const [loss] = lossesOf(stream, context([stream], { isSenderRemote: true, samples: full() }));
    expect(loss?.causes).toMatchObject([{ code: 'sender-clock-step', data: { byMs: -2000 } }]);
  });

  test('frames that a remote sender says it left out on purpose are not the CPU’s', () => {
    const remote = { isSenderRemote: true, samples: full() };
    const say = (measured: MeasuredStream, frames: number[], fault: number): string => {
      for (const frame of frames) measured.stream.ledger?.source.addReportedFault(frame, fault);
      return causeOf([measured], remote);
    };
    const { Skipped, Spoilt } = InjectedFault;
    expect(say(played(short), short.lost, Skipped)).toBe('the sender reports an injected fault');
    expect(say(played(short), short.lost, Spoilt)).toMatch(/CPU/);
    expect(say(played(short), range(600, 603), Skipped)).toMatch(
      /^the sender reports an injected fault for 4 of them; seen beside the other 2: the CPU/,
    );
    expect(say(played({ torn: short.lost }), short.lost, Spoilt)).toBe(
      'the sender reports an injected fault',
    );
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
    const after = new Break(frameNs(650), frameNs(649), next);
    after.foundNs = frameNs(660);
    stream.stream.after = after;
    expect(causeOf([stream], { samples: full() })).toBe(cpu);
    after.isRestart = true;
    expect(causeOf([stream], { samples: full() })).toBe('the sender was started again');
    const later = new Break(frameNs(750), frameNs(749), next);
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
    // An interface that carried next to nothing had no stream.
    const unused = [down, up].map((one) => ({ ...one, data: { ...one.data, trafficPercent: 0.2 } }));
    expect(causeOf([played(strangled)], { samples: full(unused), ...outside })).toMatch(/^the CPU/);
  });

  test('an MTU that changed', () => {
    const data = { name: 'eth0', fromBytes: 1500, toBytes: 600 };
    const change: MachineChange = { atNs: 11e9, code: 'mtu-changed', data };
    expect(causeOf([played(short)], { samples: full([change]), ...outside })).toBe(
      'the MTU of eth0 changed from 1500 to 600 bytes',
    );
    expect(causeOf([played(short)], { samples: full([change], { wireDropped: 35 }), ...outside })).toMatch(
      /^the MTU of eth0 changed from 1500 to 600 bytes, network interfaces dropped \d+ packets$/,
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

  test('no count is unusual where no second is known in which nothing was lost', () => {
    const unknown = full([], { wireDropped: 35, tcpRetransmits: 400 }).map((sample) => ({
      ...sample,
      lostPerSecond: null,
    }));
    expect(causeOf([played(short)], { samples: unknown, ...outside })).toMatch(
      /^the CPU .* was at 100 % .*, network interfaces dropped/,
    );
  });

  test('counts of another machine are compared with its calm seconds, which this console knows', () => {
    const there = (change: object) =>
      full([], { wireDropped: 35, ...change }).map((sample) => ({
        ...{ ...sample, lostPerSecond: null },
        ...(sample.atNs <= 9e9 && { wireDropped: 0, tcpRetransmits: 0 }),
      }));
    // Taken at other moments.
    const ownSamples = samples((seconds) => ({ lostPerSecond: seconds <= 9 ? 0 : 6 })).map((sample) => ({
      ...{ ...sample, atNs: sample.atNs - 0.2e9 },
    }));
    const told = (seen: LoadSample[]) =>
      causeOf([played(short)], { samples: seen, ownSamples, machine: 'display-1', ...outside });
    expect(told(there({}))).toMatch(/^network interfaces of display-1 dropped \d+ packets, display-1’s CPU/);
    expect(told(there({ wireDropped: 0, wireErrors: 9 }))).toMatch(/^network interfaces/);
    const unknown = { samples: there({}), ownSamples: [], machine: 'display-1', ...outside };
    expect(causeOf([played(short)], unknown)).toMatch(/^display-1’s CPU/);
  });

  test('V27: a path on which TCP sends far more again than usual comes before a full CPU', () => {
    const limited = { tcpRetransmits: 400, wireReceiveMbps: 12 };
    const seen = full([], limited);
    const before = seen.map((sample) =>
      during(sample.atNs / 1e9, 9, 14) ? sample : { ...sample, wireReceiveMbps: 120 },
    );
    expect(causeOf([played({ lost: range(600, 720) })], { samples: before, ...outside })).toMatch(
      /^the network carried 12 Mb\/s, down from 120 Mb\/s: the link may have been limited, or lost packets, TCP sent \d+ segments again, the CPU/,
    );
  });

  test('a full CPU is named once, as seen, and not among the places where nothing was', () => {
    const seen = full([], { tcpRetransmits: 400 }).map((sample) => ({
      ...{ ...sample, lostPerSecond: sample.atNs <= 9e9 ? 0 : 6 },
      ...(sample.atNs <= 9e9 && { tcpRetransmits: 0 }),
    }));
    expect(causeOf([played(short)], { samples: seen, ...outside })).toMatch(
      /^TCP sent \d+ segments again, the CPU that sender and receiver share was at 100 %/,
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
      /sdk-send-blocked\), the network carried 19 Mb\/s, about as much as before: .*, the CPU/,
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
    expect(lossText(loss)).toContain(
      '; 5 of them injected on purpose; seen beside the other 4: the CPU that sender and receiver share was at 99 %',
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
    const stream = played({ lost: [648, 651, 654, 657, 660, 663, 666, 669, 672], transportDropped: 9 });
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
    const dropped = samples((seconds) =>
      during(seconds, 5, 8) ? { wireDropped: 35, cpuPercent: 99 } : { lostPerSecond: 0 },
    );
    const remote = { samples: dropped, isSenderRemote: true, carrier: 'wireReceiveMbps' as const };
    expect(worded(onlyLoss([stream], remote))).toMatchObject({
      ...{ stage: 'missing', firstFrame: 300, lastFrame: 349, frames: 50 },
      text: expect.stringMatching(
        /never arrived; the sender does not report whether it sent them; network interfaces dropped \d+ packets, the /,
      ),
    });
    // Of our own sender a record that is missing is a fault of ours.
    expect(lossesOf(stream, context([stream]))).toEqual([]);
  });

  test('are counted apart from those that came, and from the silence at the end', () => {
    expect(measured().counts?.unreported).toBe(50);
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
    expect(toEnd.unreported).toBe(10);
    expect(unreportedIn(silent.ledger, toEnd)).toMatchObject([{ first: 100, last: 109, frames: 10 }]);
  });
});
