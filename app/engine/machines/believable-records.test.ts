import { expect, test } from 'vitest';
import type { RecordsMessage } from '../../protocol/host';
import { MachineFarAway } from '../../testing/machine-far-away';
import { BelievableRecords } from './believable-records';

function follow(far: MachineFarAway): BelievableRecords {
  const believable = new BelievableRecords(far, far.ours);
  for (const command of far.asked) believable.note(command);
  far.begin();
  return believable;
}

/** It reports and answers four times a second, or less often. */
function live(
  far: MachineFarAway,
  believable: BelievableRecords,
  seconds: number,
  everySeconds = 0.25,
): void {
  const report = (): void => {
    for (let at = 0; at < seconds; at += everySeconds) {
      far.learn(everySeconds, everySeconds);
      believable.check(far.report());
    }
  };
  expect(report).not.toThrow();
}

test.each([500, -500])('a clock that runs fast by %s ppm is believed for eight hours', (ppm) => {
  const far = new MachineFarAway(ppm, 5);
  const believable = follow(far);
  live(far, believable, 60);
  live(far, believable, 8 * 3600, 10);
});

test('a bus that stands still for 3.5 s, and then brings all at once, is believed', () => {
  const far = new MachineFarAway(50);
  const believable = follow(far);
  live(far, believable, 10);
  for (let times = 0; times < 5; times++) {
    const held: RecordsMessage[] = [];
    for (let at = 0; at < 3.5; at += 0.25) {
      far.pass(0.25);
      held.push(far.report());
    }
    for (const message of held) expect(() => believable.check(message)).not.toThrow();
    live(far, believable, 10);
  }
});

test.each(['ours', 'theirs'] as const)(
  'machines that sleep within a lease are believed, however often: %s',
  (who) => {
    const far = new MachineFarAway(50);
    const believable = follow(far);
    for (let times = 0; times < 8; times++) {
      live(far, believable, 10);
      far.sleep(who, 4.5);
      // What was made before the first new answer, and before answers enough.
      expect(() => believable.check(far.report())).not.toThrow();
    }
    live(far, believable, 10);
  },
);

test('a source that begins a minute after it was asked for, and a receiver that is opened again, are believed', () => {
  const far = new MachineFarAway();
  const believable = follow(far);
  far.learn(60);
  far.begin();
  live(far, believable, 10);
  const [, , openReceiver] = far.asked;
  if (openReceiver) believable.note(openReceiver);
  live(far, believable, 10);
});

test('a host that stood still while it drained tells what its threads wrote meanwhile, and one without addon nothing', () => {
  const far = new MachineFarAway();
  const believable = follow(far);
  believable.check({ ...far.report(), atNs: 0, sources: [], senders: [], receivers: [], standstills: [] });
  live(far, believable, 5);
  const beganNs = far.theirNs;
  far.pass(4);
  expect(() => believable.check({ ...far.report(), atNs: beganNs })).not.toThrow();
});

type Change = (message: RecordsMessage) => unknown;

const first = <Item>([item]: readonly Item[]): Item => {
  if (item === undefined) throw new Error('the message has one');
  return item;
};
const source = ({ sources }: RecordsMessage) => first(sources);
const sender = ({ senders }: RecordsMessage) => first(senders);
const receiver = ({ receivers }: RecordsMessage) => first(receivers);
const far26 = 2 ** 26 - 1;
const hourNs = 3600e9;

test.each<[string, string, Change]>([
  ['an hour ahead', 'atNs', (message) => Object.assign(message, { atNs: message.atNs + hourNs })],
  ['before the one before', 'atNs', (message) => Object.assign(message, { atNs: message.atNs - 1e9 })],
  [
    'of no machine',
    'what was opened there for sources.sourceId',
    (m) => Object.assign(source(m), { sourceId: 2 }),
  ],
  [
    'of another stream',
    'what was opened there for senders.streamId',
    (m) => Object.assign(sender(m), { streamId: 2 }),
  ],
  [
    'of no stream',
    'what was opened there for receivers.streamId',
    (m) => Object.assign(receiver(m), { streamId: 2 }),
  ],
  ['a wild slot', 'sources.records.frameNumber', (m) => source(m).records.frameNumber.fill(far26)],
  ['a wild submit', 'senders.submits.frameNumber', (m) => sender(m).submits.frameNumber.fill(far26)],
  ['a wild miss', 'senders.misses.frameNumber', (m) => sender(m).misses.frameNumber.fill(far26)],
  ['a wild first slot', 'senders.firstSlot', (m) => Object.assign(sender(m), { firstSlot: 2 ** 40 })],
  [
    'a start to come',
    'sources.status.startNs',
    (m) => Object.assign(source(m).status, { startNs: source(m).status.startNs + hourNs }),
  ],
  ['a start of long ago', 'sources.status.startNs', (m) => Object.assign(source(m).status, { startNs: 1 })],
  [
    'another start',
    'a start that stays for sources.status.startNs',
    (m) => Object.assign(source(m).status, { startNs: source(m).status.startNs + 1 }),
  ],
  ['slots to come', 'sources.records.slotNs', (m) => source(m).records.slotNs.fill(m.atNs + hourNs)],
  ['releases of long ago', 'sources.records.releaseNs', (m) => source(m).records.releaseNs.fill(1)],
  ['submits to come', 'senders.submits.beginNs', (m) => sender(m).submits.beginNs.fill(m.atNs + hourNs)],
  ['an endless call', 'senders.submits.previousCallNs', (m) => sender(m).submits.previousCallNs.fill(hourNs)],
  ['misses to come', 'senders.misses.atNs', (m) => sender(m).misses.atNs.fill(m.atNs + hourNs)],
  [
    'captures to come',
    'receivers.captures.captureNs',
    (m) => receiver(m).captures.captureNs.fill(m.atNs + hourNs),
  ],
  [
    'captures of no time',
    'receivers.captures.captureNs',
    (m) => receiver(m).captures.captureNs.fill(Number.NaN),
  ],
  [
    'captures that go back',
    'times that go on for receivers.captures',
    (m) => receiver(m).captures.captureNs.reverse(),
  ],
  [
    'opened to come',
    'receivers.openedNs',
    (m) => Object.assign(receiver(m), { openedNs: receiver(m).openedNs + hourNs }),
  ],
  [
    'a newest picture to come',
    'receivers.status.lastCaptureNs',
    (m) => Object.assign(receiver(m).status ?? {}, { lastCaptureNs: m.atNs + hourNs }),
  ],
  [
    'a standstill to come',
    'standstills.toNs',
    (m) => Object.assign(first(m.standstills), { toNs: first(m.standstills).toNs + hourNs }),
  ],
  [
    'a standstill backwards',
    'standstills.toNs',
    (m) => Object.assign(first(m.standstills), { toNs: first(m.standstills).toNs - 1e9 }),
  ],
  [
    'a standstill that was told before',
    'a standstill since the message before for standstills.toNs',
    (m) => Object.assign(m, { standstills: [{ kind: 'stopped', fromNs: m.atNs - 8e9, toNs: m.atNs - 7e9 }] }),
  ],
  [
    'standstills without end',
    'standstills.fromNs',
    (m) => Object.assign(first(m.standstills), { fromNs: 1 }),
  ],
  [
    'too many standstills',
    'records so far for standstills',
    (m) => Object.assign(m, { standstills: Array.from({ length: 10_000 }, () => first(m.standstills)) }),
  ],
  [
    'too many texts',
    'records so far for receivers.metadata',
    (m) => Object.assign(receiver(m), { metadata: Array.from({ length: 100_000 }, () => '') }),
  ],
])('%s is refused by its field', (_, words, change) => {
  const far = new MachineFarAway(50);
  const believable = follow(far);
  live(far, believable, 20);
  far.learn(0.25);
  const message = far.report();
  change(message);
  expect(() => believable.check(message)).toThrow(words);
});

test('slots that jump within reach, message by message, get no farther than the schedule', () => {
  const far = new MachineFarAway();
  const believable = follow(far);
  live(far, believable, 20);
  const taken: number[] = [];
  const jump = (): void => {
    for (let times = 0; times < 1000; times++) {
      far.learn(0.25);
      const message = far.report();
      const to = (taken.at(-1) ?? 1200) + 500;
      sender(message).submits.frameNumber.fill(to);
      believable.check(message);
      taken.push(to);
    }
  };
  expect(jump).toThrow('Expected a slot up to');
  expect(Math.max(...taken)).toBeLessThan(60 * 40);
});

test('more records than ever come are refused, and how many that may be grows with time', () => {
  const far = new MachineFarAway();
  const believable = follow(far);
  live(far, believable, 20);
  const flood = (): void => {
    far.learn(0.25);
    const message = far.report();
    const { captures } = receiver(message);
    const captureNs = new Float64Array(20_000).fill(message.atNs);
    receiver(message).captures = { ...captures, captureNs };
    believable.check(message);
  };
  flood();
  flood();
  expect(flood).not.toThrow();
  expect(flood).toThrow('records so far for receivers.captures');
});

test.each([1e6, -1e6])('a clock that is said to jump by %s s moves no time of its records', (seconds) => {
  const far = new MachineFarAway();
  const believable = follow(far);
  live(far, believable, 20);
  // Answers that no monotonic clock gives.
  for (let times = 0; times < 4; times++) {
    far.pass(0.25);
    const askedNs = far.ours.monotonicNs();
    const heardNs = far.theirNs + seconds * 1e9;
    far.clock.add({ askedNs, heardNs, repliedNs: heardNs, answeredNs: askedNs + 1000 });
  }
  expect(far.clock.stepCount).toBe(1);
  const said = far.report();
  said.atNs += seconds * 1e9;
  expect(() => believable.check(said)).toThrow('for atNs');
});
