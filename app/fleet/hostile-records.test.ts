import { expect, test } from 'vitest';
import { StandstillLog, secondsOf } from '../engine/load/standstills';
import { BelievableRecords } from '../engine/machines/believable-records';
import { MachineReleaseClock } from '../engine/machines/machine-release-clock';
import { inOurTime } from '../engine/machines/records-in-our-time';
import type { CaptureCounter } from '../engine/streams/counting/capture-counter';
import { ActiveSource, Stream } from '../engine/streams/stream';
import { WhitelineError } from '../protocol/errors';
import { checkedRecords } from '../protocol/fleet/agent-host-messages';
import type { RecordsMessage } from '../protocol/host';
import { packRecords, unpackRecords } from '../protocol/record-block';
import { defaultThresholds } from '../protocol/thresholds';
import { mutated } from '../testing/fuzz/mutate';
import { MachineFarAway } from '../testing/machine-far-away';
import { cases, Random, seeds } from '../testing/random';

const episodes = cases(40, 2000);
const messages = 40;
const [seed] = seeds;
const limits = { ...defaultThresholds, warmUpSeconds: 1 };

/** What a console has of one stream whose ends are on a hostile machine, and follows as its engine does. */
class Console {
  readonly far = new MachineFarAway(300);
  readonly standstills = new StandstillLog();
  readonly source = new ActiveSource(1, 'white-line', {
    ...{ width: 640, height: 360, rate: { numerator: 60, denominator: 1 } },
  });
  readonly stream = new Stream(1, 'far', this.source, this.far.ours.monotonicNs(), 0);
  private readonly believable = new BelievableRecords(this.far, this.far.ours);
  private counter: CaptureCounter | null = null;

  constructor() {
    for (const command of this.far.asked) this.believable.note(command);
    this.far.begin();
    this.stream.clock = new MachineReleaseClock(this.far, this.far, 0);
  }

  /** @throws WhitelineError where the host would be given up */
  take(value: unknown): void {
    const unpacked = unpackRecords(checkedRecords(value));
    this.believable.check(unpacked);
    if (unpacked.atNs > 0) this.ingest(inOurTime(unpacked, this.far.clock));
  }

  /** A row as it stands, the states, and what the guards ask for. */
  look(): void {
    const { stream, far, standstills } = this;
    const nowNs = far.ours.monotonicNs();
    stream.state(nowNs, limits);
    stream.isReady(nowNs, limits);
    secondsOf(standstills.near(nowNs - 60e9, nowNs));
    const { ledger, audio } = stream;
    if (!ledger) return;
    this.counter ??= ledger.openRangeAt(nowNs - 1e9);
    const { first, last } = ledger.previewTo(this.counter, nowNs - 1e9);
    audio?.over(first, last, (slot) => ledger.wasSubmitted(slot));
  }

  close(): void {
    const { stream, counter, far } = this;
    if (!stream.ledger || !counter) return;
    stream.ledger.endRange(counter, far.ours.monotonicNs());
    stream.ledger.closeRange(counter);
  }

  private ingest({ sources, senders, receivers, standstills, atNs }: RecordsMessage): void {
    this.standstills.add({ role: 'sending' }, standstills);
    for (const report of sources) this.source.add(report);
    for (const report of senders) this.stream.addSenderReport(report);
    for (const report of receivers) this.stream.addReceiverReport(report, atNs);
  }
}

const wild = [0, 1, 59, 2 ** 20, 2 ** 25, 2 ** 26 - 1, 2 ** 31, 2 ** 32 - 1, 1e15, -1, Number.NaN];

/** Some values of some columns are others: near what they were, or wild. */
function spoilColumns(message: RecordsMessage, random: Random): void {
  const rings = [
    ...message.sources.map(({ records }) => records),
    ...message.senders.flatMap(({ submits, misses }) => [submits, misses]),
    ...message.receivers.flatMap(({ captures, audio, time }) => [captures, audio, time]),
  ];
  const columns = rings.flatMap((ring) =>
    Object.values(ring).flatMap((column) => (isColumn(column) ? [column] : [])),
  );
  for (let left = random.whole(1, 3); left > 0; left--) {
    const column = random.pick(columns);
    const [from, to] = [random.whole(0, column.length), random.whole(0, column.length)];
    const moved = random.pick([-3600e9, -5e9, -1, 1, 500, 9e9, 11e9, 3600e9]);
    const put = random.chance(0.5) ? random.pick(wild) : (column[from] ?? 0) + moved;
    column.fill(put, Math.min(from, to), Math.max(from, to));
  }
}

function isColumn(value: unknown): value is Float64Array | Uint32Array | Uint8Array {
  return ArrayBuffer.isView(value);
}

/** What the agent sends: the truth, or something else. */
function sentBy(far: MachineFarAway, random: Random): unknown {
  const message = far.report();
  if (random.chance(0.3)) return packRecords(message);
  if (random.chance(0.6)) spoilColumns(message, random);
  return random.chance(0.4) ? mutated(packRecords(message), random) : packRecords(message);
}

/** It answers what it likes. */
function answer(far: MachineFarAway, random: Random): void {
  if (random.chance(0.9)) {
    far.learn(0.25);
    return;
  }
  const askedNs = far.ours.monotonicNs();
  const heardNs = far.theirNs + random.pick([-1e15, -20e9, -5e9, 5e9, 20e9, 1e15]);
  far.pass(0.25);
  far.clock.add({ askedNs, heardNs, repliedNs: heardNs, answeredNs: far.ours.monotonicNs() });
}

/** Bytes of typed arrays, and entries of lists and maps, in all that is reachable. */
function kept(root: unknown): { bytes: number; entries: number } {
  const seen = new Set<unknown>();
  const found = { bytes: 0, entries: 0 };
  const queue = [root];
  while (queue.length > 0) {
    const value = queue.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) found.bytes += value.byteLength;
    else if (value instanceof Map || value instanceof Set) {
      found.entries += value.size;
      queue.push(...value.values());
    } else {
      const inner = Object.values(value);
      if (Array.isArray(value)) found.entries += inner.length;
      for (const one of inner) queue.push(one);
    }
  }
  return found;
}

test('whatever records an agent sends, its host is given up or they are counted, and what is kept of them stays small', () => {
  let [taken, refused] = [0, 0];
  for (let episode = 0; episode < episodes; episode++) {
    const random = new Random(seed + episode);
    const console = new Console();
    try {
      for (let left = messages; left > 0; left--) {
        answer(console.far, random);
        try {
          // One that is refused ends its host. Here the next one is read all the same.
          console.take(sentBy(console.far, random));
          taken += 1;
        } catch (error) {
          if (!(error instanceof WhitelineError)) throw error;
          refused += 1;
        }
        console.look();
      }
      console.close();
      const { bytes, entries } = kept([console.stream, console.source, console.standstills]);
      expect(bytes).toBeLessThan(4e6);
      expect(entries).toBeLessThan(200_000);
    } catch (error) {
      expect.fail(`WHITELINE_SEED=${seed + episode}: ${(error as Error).stack}`);
    }
  }
  expect(taken).toBeGreaterThan(episodes);
  expect(refused).toBeGreaterThan(episodes);
});
