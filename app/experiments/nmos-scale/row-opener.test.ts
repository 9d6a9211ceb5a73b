import { expect, test } from 'vitest';
import type { OthersLoad } from '../../engine/load/others-guard';
import { brokenGuards } from '../../facts/precedence';
import { defaultThresholds } from '../../protocol/thresholds';
import { loadSample } from '../../testing/load-sample';
import { SimulatedClock } from '../../testing/simulated-clock';
import { RowOpener } from './row-opener';

const clock = new SimulatedClock();

const known = (percent: number): OthersLoad => ({ percent, whyUnknown: null });

/** Others: without what our processes take, 10 %. */
async function codesOf(
  othersPercent: number,
  before: OthersLoad | null,
  isRegistryHere: boolean,
): Promise<string[]> {
  const opener = new RowOpener({
    clock,
    thresholds: defaultThresholds,
    isoNow: () => '2026-11-27T12:00:00.000Z',
    standstills: () => [],
    samples: () => [loadSample({ atNs: clock.monotonicNs(), cpuPercent: othersPercent + 10 })],
  });
  if (before) opener.before = before;
  opener.isRegistryHere = isRegistryHere;
  const { guards } = await opener.open()();
  return brokenGuards(guards).map(({ code }) => code);
}

test.each<[string, number, OthersLoad | null, string[], string[]]>([
  ['nothing', 0, known(0), [], []],
  ['much in the row', 60, known(0), ['others-busy'], []],
  ['much before the run', 0, known(60), [], ['busy-before']],
  ['much before the run and in the row', 60, known(60), ['others-busy'], ['busy-before']],
  [
    'nothing in the row, and before it is not known',
    0,
    { percent: null, whyUnknown: 'a' },
    [],
    ['not-checked'],
  ],
  ['nothing in the row, and before it was not measured', 0, null, [], ['not-checked']],
])(
  'others took %s: the guard of a row, and beside an external registry on this machine',
  async (_, ...given) => {
    const [othersPercent, before, elsewhere, here] = given;
    expect(await codesOf(othersPercent, before, false)).toEqual(elsewhere);
    expect(await codesOf(othersPercent, before, true)).toEqual(here);
  },
);
