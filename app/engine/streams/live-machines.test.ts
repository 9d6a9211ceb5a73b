import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { brokenGuards } from '../../facts/precedence';
import { wordsOf } from '../../facts/reason-words';
import type { LoadSample } from '../../protocol/load';
import { defaultThresholds } from '../../protocol/thresholds';
import { loadSample } from '../../testing/load-sample';
import { measuredRow } from '../../testing/measured-row';
import { SampledSide } from '../machines/machine-side';
import { LiveGuards } from './live-guards';

/** Looks four times a second for six seconds, while the machine of the senders says what it sampled, that much later. */
function found(lateSeconds: number, of: (seconds: number) => Partial<LoadSample>): string[] {
  const { set, stream, clock, toNs: beginNs } = measuredRow();
  const render = new SampledSide({ name: 'render-1', network: '' });
  Object.assign(set, { senderSide: render });
  const guards = new LiveGuards({ thresholds: defaultThresholds, set, clock });
  const ours: LoadSample[] = [];
  for (let half = -12; half < 0; half++) render.add(loadSample({ atNs: beginNs + half * 0.5e9 }));
  for (let half = -12; half < 0; half++) ours.push(loadSample({ atNs: beginNs + half * 0.5e9 }));
  for (let quarter = 0; quarter < 24; quarter++) {
    const seconds = quarter / 4;
    const atNs = beginNs + seconds * 1e9;
    if (quarter % 2 === 0) ours.push(loadSample({ atNs }));
    const saidSeconds = seconds - lateSeconds;
    if (quarter % 4 === 0 && saidSeconds >= 0)
      for (const one of [saidSeconds - 0.5, saidSeconds])
        render.add(loadSample({ atNs: beginNs + one * 1e9, ...of(one) }));
    guards.look([{ stream, live: null }], ours, atNs);
  }
  return brokenGuards(guards.of(stream)).map((fact) => wordsOf([fact]));
}

test('samples of another machine that come late are no gap, and what they say counts for that machine', () => {
  expect(found(1, () => ({}))).toEqual([]);
  const stolen = found(1, (seconds) => (seconds === 2 ? { cpuStealPercent: 9 } : {}));
  expect(stolen).toEqual([expect.stringContaining('% of the CPU of render-1 away')]);
  expect(stolen.join()).not.toContain(hostname());
});

test('samples that stay away are one', () => {
  expect(found(10, () => ({})).join()).toContain('no load sample of render-1');
});
