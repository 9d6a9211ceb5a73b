import { expect, test } from 'vitest';
import { type MachineLine, nowOf, packedNow } from '../../protocol/fleet/fleet-view';
import { LineChanges } from './line-changes';

const line = (id: string, change: Partial<MachineLine> = {}): MachineLine => ({
  ...{ id, name: id, state: 'connected', version: '1.0.0', console: null, problems: [], streams: null },
  ...change,
});

test('a window gets each line once, and again where it changed; all of them where it has none or others', () => {
  const changes = new LineChanges(1000);
  const [a, b, gone] = [line('a'), line('b'), line('b', { state: 'silent' })];
  const first = changes.since(0, [a, b]);
  expect(first).toEqual({
    revision: 1001,
    isWhole: true,
    changed: [
      [0, a],
      [1, b],
    ],
  });
  expect(changes.since(first.revision, [a, b])).toEqual({ revision: 1001, isWhole: false, changed: [] });
  const second = changes.since(first.revision, [a, gone]);
  expect(second).toEqual({ revision: 1002, isWhole: false, changed: [[1, gone]] });
  // Another window, which had not asked meanwhile, misses nothing.
  expect(changes.since(first.revision, [a, gone])).toEqual(second);
  expect(changes.since(second.revision, [gone])).toMatchObject({ isWhole: true, changed: [[0, gone]] });
  expect(changes.since(second.revision, [])).toMatchObject({ isWhole: true, changed: [] });
  // A number of another engine, whose clock was ahead.
  expect(changes.since(9999, [a])).toMatchObject({ isWhole: true, changed: [[0, a]] });
});

test('what moves is read as it was packed; a machine that was not heard has no figures, and none is 0', () => {
  const figures = { cpuPercent: 0, gpuPercent: null, receiveMbps: 12.5, transmitMbps: 0 };
  const all = [
    { silentSeconds: 0.3, figures },
    { silentSeconds: null, figures: null },
    { silentSeconds: 41, figures: null },
  ];
  const moving = packedNow(all);
  expect(all.map((_, at) => nowOf(moving, at))).toEqual(all);
  expect(nowOf(moving, 3)).toEqual({ silentSeconds: null, figures: null });
});
