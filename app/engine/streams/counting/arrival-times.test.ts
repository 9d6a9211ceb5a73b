import { expect, test } from 'vitest';
import { ArrivalTimes } from './arrival-times';

const periodNs = 20e6;
const atNs = (slot: number): number => 5e9 + slot * periodNs;

function arrived(slots: number, lost: (slot: number) => boolean = () => false): ArrivalTimes {
  const times = new ArrivalTimes(1e9 / 60);
  for (let slot = 0; slot < slots; slot++) if (!lost(slot)) times.add({ slot, ns: atNs(slot) });
  return times;
}

test('absent numbers lie in equal steps between two that came, also hours later', () => {
  const lost = (slot: number): boolean => slot % 7000 > 6900;
  const times = arrived(3 * 3600 * 50, lost);
  for (const slot of [6950, 13_999, 500_000, 3 * 3600 * 50 - 60]) {
    expect(Math.abs(times.nsOf(slot) - atNs(slot))).toBeLessThan(1000);
    expect(times.slotFrom(atNs(slot))).toBe(slot);
    expect(times.slotFrom(atNs(slot) + 1e6)).toBe(slot + 1);
  }
  expect(times.slotFrom(atNs(3 * 3600 * 50) + 1e9)).toBe(3 * 3600 * 50);
});

test('the rate is measured, whatever is declared, and followed when it changes', () => {
  const times = arrived(100);
  expect(1e9 / times.periodNs).toBeCloseTo(50, 6);
  for (let slot = 100; slot < 400; slot++) times.add({ slot, ns: atNs(100) + (slot - 100) * 40e6 });
  expect(1e9 / times.periodNs).toBeCloseTo(25, 6);
});

test('a pause, and pictures that waited and come at once, move no rate', () => {
  const times = arrived(200);
  const untilNs = atNs(200) + 4e9;
  for (let slot = 200; slot < 400; slot++) times.add({ slot, ns: untilNs + (slot - 200) * 1e5 });
  for (let slot = 400; slot < 700; slot++) times.add({ slot, ns: atNs(slot) + 2e9 });
  expect(1e9 / times.periodNs).toBeCloseTo(50, 1);
});

test('pictures that waited for long, and come as fast as they can, move no rate; a faster one that lasts does', () => {
  const times = arrived(200);
  const stepNs = 1.3e6;
  const backNs = atNs(200) + 24e9;
  const waited = 1200;
  for (let slot = 200; slot < 200 + waited; slot++) times.add({ slot, ns: backNs + (slot - 200) * stepNs });
  const fastest: number[] = [];
  for (let slot = 0; slot < 200; slot++) {
    times.add({ slot: 200 + waited + slot, ns: backNs + waited * stepNs + slot * periodNs });
    fastest.push(1e9 / times.periodNs);
  }
  expect(Math.max(...fastest)).toBeCloseTo(50, 1);
  const sinceNs = backNs + waited * stepNs + 200 * periodNs;
  for (let slot = 0; slot < 800; slot++)
    times.add({ slot: 400 + waited + slot, ns: sinceNs + slot * (periodNs / 2) });
  expect(1e9 / times.periodNs).toBeCloseTo(100, 1);
});

test('reordering and losses explain a number that comes about its time, and no other', () => {
  const times = arrived(500);
  const explains = (slot: number, ns: number): boolean => times.explains({ slot, ns });
  expect([explains(495, atNs(500)), explains(499, atNs(900)), explains(470, atNs(500))]).toEqual([
    true,
    true,
    false,
  ]);
  expect([explains(500 + 50, atNs(500)), explains(500 + 4000, atNs(500))]).toEqual([true, false]);
  expect(explains(500 + 4000, atNs(4500))).toBe(true);
});

test('a jump after the rate became slower is told by the new rate, though it is not measured yet', () => {
  const times = arrived(500);
  const slowNs = 66e6;
  for (let step = 1; step <= 6; step++) times.add({ slot: 499 + step, ns: atNs(499) + step * slowNs });
  const jump = (frames: number): boolean =>
    times.explains({ slot: 505 + frames, ns: atNs(499) + 7 * slowNs });
  expect([jump(1), jump(800), jump(1000)]).toEqual([true, true, false]);
});
