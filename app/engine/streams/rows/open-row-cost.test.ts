import { afterEach, expect, test, vi } from 'vitest';
import type { LoadSample } from '../../../protocol/load';
import { defaultThresholds } from '../../../protocol/thresholds';
import {
  captures,
  range,
  sourceRecords,
  submits,
  testSenderId,
  testSourceId,
} from '../../../testing/columns';
import { loadSample } from '../../../testing/load-sample';
import { machineClock } from '../../clock';
import { samplesWithin } from '../../load/window';
import { SharedClock } from '../clocks/release-clock';
import { slotNs } from '../counting/schedule';
import { SlotFlags } from '../counting/slot-flags';
import { SourceLedger } from '../counting/source-ledger';
import { StreamLedger } from '../counting/stream-ledger';
import { ActiveSource, Stream } from '../stream';
import { RowMeter } from './row-meter';

afterEach(() => {
  vi.restoreAllMocks();
});

const rate = { numerator: 20, denominator: 1 };
const perSecond = 20;
const schedule = { startNs: 1e9, rate };
const fromNs = 3e9;

/** A stream with sound whose row is open; `pass` lets a second go by, in which the second of each hundred frames is lost. */
function openRow() {
  const source = new ActiveSource(1, 'white-line', { width: 640, height: 360, rate });
  source.ledger = new SourceLedger(schedule);
  const stream = new Stream(testSenderId, 'Whiteline 1', source, 0, 0);
  const ledger = new StreamLedger(source.ledger, {
    ...{ sourceId: testSourceId, senderId: testSenderId, firstSlot: 0, assumeSubmitted: false },
    clock: new SharedClock(0),
  });
  stream.follow(source, ledger);
  const work = { samples: 0, slots: 0 };
  const samples = new Proxy<LoadSample[]>([], {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) work.samples += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  const set = { deaths: 0, lost: false, standstills: () => [], flush: () => Promise.resolve() };
  const options = {
    ...{ set, clock: machineClock, thresholds: defaultThresholds, wallOffsetUs: 0 },
    samples: () => samples,
  };
  const meter = new RowMeter(options, 1, [stream], fromNs);
  let next = 0;
  const pass = (): number => {
    const slots = range(next, next + perSecond - 1);
    next += perSecond;
    source.ledger?.add(sourceRecords(slots));
    ledger.addSubmits(submits(slots, { beginNs: (slot) => slotNs(schedule, slot) }));
    const seen = slots.filter((slot) => slot % 100 !== 1);
    const at = (slot: number): number => slotNs(schedule, slot) + 2e6;
    const column = (of: (slot: number) => number) => Float64Array.from(seen, of);
    stream.audio?.addSound({
      ...{ captureNs: column(at), frameNumber: column((slot) => slot), overflowed: 0 },
      samples: new Uint32Array(seen.length).fill(2400),
      sampleRate: new Uint32Array(seen.length).fill(48_000),
      burstNs: column((slot) => (slot % perSecond === 0 ? at(slot) : Number.NaN)),
    });
    stream.addCaptures(captures(seen.map((slot) => ({ frameNumber: slot, captureNs: at(slot) }))));
    const nowNs = slotNs(schedule, next);
    for (const beforeNs of [0.5e9, 0]) samples.push(loadSample({ atNs: nowNs - beforeNs, cpuPercent: 20 }));
    return nowNs;
  };
  return { meter, samples, work, pass };
}

/** Slots and samples that are read in each second of a row. */
function workOf(seconds: number, look: (row: ReturnType<typeof openRow>, nowNs: number) => void): number[] {
  const row = openRow();
  const { get } = SlotFlags.prototype;
  return Array.from({ length: seconds }, () => {
    const nowNs = row.pass();
    Object.assign(row.work, { samples: 0, slots: 0 });
    const spy = vi.spyOn(SlotFlags.prototype, 'get').mockImplementation(function (this: SlotFlags, slot) {
      row.work.slots += 1;
      return get.call(this, slot);
    });
    look(row, nowNs);
    spy.mockRestore();
    return row.work.samples + row.work.slots;
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test.each([
  [
    'the row as it stands',
    ({ meter }, nowNs) => {
      const row = meter.preview(nowNs);
      if (row) expect(row.figures).toMatchObject({ audioDriftMs: null, conserved: true });
    },
  ],
  ['the frames that it lost', ({ meter }, nowNs) => void meter.lostFrames(nowNs)],
  [
    'the newest load',
    ({ samples }, nowNs) => expect(samplesWithin(samples, nowNs - 2e9, nowNs).length).toBeGreaterThan(0),
  ],
] satisfies [string, Parameters<typeof workOf>[1]][])(
  'a look at %s costs the same however long the row is',
  (_, look) => {
    const work = workOf(200, look);
    expect(sum(work)).toBeGreaterThan(200);
    expect(sum(work.slice(-50))).toBeLessThanOrEqual(1.05 * sum(work.slice(20, 70)));
  },
);

test('what an open row says after many looks is what it says at the first one', () => {
  const often = openRow();
  const once = openRow();
  let nowNs = 0;
  for (let second = 0; second < 120; second++) {
    nowNs = often.pass();
    once.pass();
    often.meter.preview(nowNs);
  }
  const [first, last] = [once, often].map(({ meter }) => meter.preview(nowNs));
  expect(last).toEqual(first);
  expect(last?.figures).toMatchObject({ framesDropped: 24 - 1, audioBlocksMissing: 24 - 1 });
  expect(often.meter.lostFrames(nowNs)).toEqual(new Map([['1', 23]]));
});
