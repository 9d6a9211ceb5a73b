import { expect, test } from 'vitest';
import { LateWakes } from './late-wakes';
import { readWakeMoment } from './wake-moment';

const lookNs = 50e6;

/** A machine whose clock goes on only where the thread waits. */
function madeUpMachine() {
  let nowNs = 1e9;
  let queuedNs = 0;
  /** The waits in front of the coming readings of the waiting time, ns. */
  const waitsNs: number[] = [];
  const wait = (forNs: number): void => {
    nowNs += forNs;
    queuedNs += forNs;
  };
  const queuedTime = (): number => {
    wait(waitsNs.shift() ?? 0);
    return queuedNs;
  };
  const read = (dueNs: number) => readWakeMoment(dueNs, { monotonicNs: () => nowNs }, queuedTime, () => 0);
  return { waitsNs, read, wait, sleep: (forNs: number) => (nowNs += forNs) };
}

test('a wait between the readings of the clock and of the waiting time is starvation, at once', () => {
  const { waitsNs, read, wait, sleep } = madeUpMachine();
  const wakes = new LateWakes();
  const first = read(1e9);
  const dueNs = first.wokeNs + lookNs;
  sleep(lookNs);
  wait(20e6);
  waitsNs.push(900e6);
  const second = read(dueNs);
  expect(second).toEqual({ wokeNs: dueNs + 920e6, queuedNs: 920e6, stolenNs: 0 });
  const wake = {
    dueNs,
    wokeNs: second.wokeNs,
    queuedBeforeNs: first.queuedNs,
    queuedAfterNs: second.queuedNs,
  };
  expect(wakes.add({ ...wake, stolenNs: 0 })).toEqual([
    { kind: 'starved', fromNs: dueNs, toNs: dueNs + 920e6 },
  ]);
});

test('a thread that loses its processor at each reading stops reading', () => {
  const { waitsNs, read } = madeUpMachine();
  waitsNs.push(3e6, 3e6, 3e6, 3e6, 3e6);
  expect(read(1e9)).toEqual({ wokeNs: 1e9 + 9e6, queuedNs: 12e6, stolenNs: 0 });
  expect(waitsNs).toHaveLength(1);
});

test('what the hypervisor took is added up over the readings', () => {
  let nowNs = 1e9;
  const stolenTime = (atNs: number, isLate: boolean): number => {
    nowNs += atNs === 1e9 ? 5e6 : 0;
    return isLate ? 5e6 : 1e6;
  };
  const moment = readWakeMoment(1e9 - 6e6, { monotonicNs: () => nowNs }, () => null, stolenTime);
  expect(moment).toEqual({ wokeNs: 1e9 + 5e6, queuedNs: null, stolenNs: 6e6 });
});
