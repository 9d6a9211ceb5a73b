import { atMost, rising } from '../../facts/contradiction';
import type { Fact } from '../../facts/fact';
import { numberOf } from '../../facts/row-figures';
import type { MachineUse } from './machine-watch';
import type { WakeUps } from './wake-ups';

/** The kernel counts processor time in ticks, and processes are read one after the other. */
const ticks = { share: 0.05, amount: 2 };

/** What the figures of a row of wake-ups say that cannot be true. */
export function quietContradictions(
  wakeUps: WakeUps | null,
  { othersPercent, programs, frequencyMhz, slowestFrequencyMhz }: MachineUse,
  stolenMaxPercent: number | null,
): Fact[] {
  const all = [100, '% in all cores'] as const;
  const ofPrograms = programs?.reduce((sum, { percent }) => sum + percent, 0);
  return [
    ...(wakeUps ? ofWakeUps(wakeUps) : []),
    ...atMost('CPU', [othersPercent, '% by other programs'], all, ticks),
    ...atMost('CPU', [ofPrograms, '% by the programs together'], all, ticks),
    ...atMost('stolen time', [stolenMaxPercent, '% stolen'], all, ticks),
    ...atMost('frequency', [slowestFrequencyMhz, 'MHz at the slowest'], [frequencyMhz, 'MHz on average'], {
      amount: 1,
    }),
  ];
}

function ofWakeUps({ figures, wakeUps, overslept, late }: WakeUps): Fact[] {
  const names = ['p50', 'p99', 'p999', 'max'] as const;
  const times = names.map(
    (name) => [numberOf({ figures }, `quiet.wakeUpLatenessMs.${name}`), `ms ${name}`] as const,
  );
  return [
    ...atMost('wake-ups', [late, 'late'], [wakeUps, 'in all']),
    ...atMost('wake-ups', [wakeUps, 'in all'], [wakeUps + overslept, 'slots']),
    ...rising('lateness', times),
  ];
}
