import { heartbeatFaults, registrationFaults, standstillFaults } from '../../../nmos/load/load-judgement';
import { resourcesPerNode } from '../../../nmos/load/simulated-node';
import type { NmosScaleParameters } from '../../../protocol/experiments/nmos-scale/declaration';
import type { Fact } from '../../../protocol/fact';
import { reasonOf } from '../../../protocol/reason-words';
import type { Verdict } from '../../../protocol/verdict';
import { expectedResources, forgottenOf, type MeasuredPart } from './measured-part';

/** @param faults what spoilt the row beside registry and nodes: stolen time, sleep */
export function judge(
  measured: MeasuredPart,
  { waitSeconds }: Pick<NmosScaleParameters, 'waitSeconds'>,
  faults: readonly Fact[],
): { verdict: Verdict; reason: Fact[] } {
  const { part, report } = measured;
  const { figures, recovery } = report;
  const isRegistration = part === 'registration';
  const spoilt = [...faults, ...standstillFaults(report.standstillMs)];
  // In a break, and at the end of a registry, heartbeats cannot be answered.
  const failed = [
    ...registrationFaults(figures),
    ...(isRegistration ? heartbeatFaults(figures) : recoveryFaults(recovery, waitSeconds)),
    ...lostResources(measured),
  ];
  const doubts = doubtsOf(measured);
  const found = [...failed, ...doubts];
  if (spoilt.length > 0) return { verdict: 'INVALID', reason: [...spoilt, ...found] };
  if (found.length > 0) return { verdict: failed.length > 0 ? 'FAIL' : 'WARN', reason: found };
  return { verdict: 'PASS', reason: [goodFact(measured)] };
}

function recoveryFaults(recovery: MeasuredPart['report']['recovery'], waitSeconds: number): Fact[] {
  const { nodes = 0, back = 0 } = recovery ?? {};
  return back < nodes ? [reasonOf('nodes-not-back', { back, nodes, waitSeconds })] : [];
}

function lostResources({ counted, report }: MeasuredPart): Fact[] {
  const expected = expectedResources(report);
  if ('why' in counted || counted.ours >= expected) return [];
  return [reasonOf('resources-lost', { there: counted.ours, expected })];
}

function doubtsOf({ counted, report }: MeasuredPart): Fact[] {
  if ('why' in counted) return [reasonOf('registry-uncounted', { why: counted.why })];
  const { nodes, registered } = report.figures;
  const expected = expectedResources(report);
  // A node that is refused, or on its way, has some of its resources there.
  if (registered < nodes || counted.ours <= expected) return [];
  return [reasonOf('resources-left-over', { there: counted.ours, expected })];
}

function goodFact({ part, report }: MeasuredPart): Fact {
  const { figures, recovery } = report;
  if (part === 'registration') {
    const lastSeconds = figures.times?.lastSeconds ?? null;
    const heartbeats = figures.heartbeat?.count ?? 0;
    return reasonOf('nodes-held', { nodes: figures.nodes, resourcesPerNode, lastSeconds, heartbeats });
  }
  const data = { nodes: recovery?.nodes ?? 0, lastSeconds: recovery?.times?.lastSeconds ?? null };
  if (part === 'break') return reasonOf('nodes-back', { ...data, forgotten: forgottenOf(report) });
  return reasonOf('nodes-moved', data);
}
