import type { CauseCode } from '../../../facts/cause-words';
import type { Fact } from '../../../facts/fact';
import { brokenGuards, type Guard, violatedBy } from '../../../facts/precedence';
import { type ReasonCode, reasonOf } from '../../../facts/reason-words';
import { standstillGuards } from '../../load/standstills';
import { clockNs } from '../losses/loss-facts';
import type { ExplainedLoss } from '../losses/losses';
import { eachTrouble, type Troubles } from './load-around';
import type { MeasuredStream } from './measured-stream';
import { type ReceivingEnd, receivingProcessOf, standstillsOf } from './receiving-machines';
import type { RowInput } from './row-input';

/** What is missing of a stream, and which machine receives it. */
interface Missing {
  measured: MeasuredStream;
  troubles: Troubles;
  losses: readonly ExplainedLoss[];
  end: ReceivingEnd;
}

/**
 * What had happened to the instrument when what is missing began, in this row or in one before: the connection may need many seconds to
 * come back. What the guards of the row report already is left out.
 */
export function ownFaults(
  { measured: { stream, outages }, troubles, losses, end }: Missing,
  { standstills, guards, thresholds }: Pick<RowInput, 'standstills' | 'guards' | 'thresholds'>,
): Guard[] {
  const spans = [
    ...outages.map(({ sinceNs }) => ({ fromNs: sinceNs, toNs: sinceNs })),
    ...eachTrouble({ ...troubles, outages: [] }).map(({ at }) => at),
  ];
  const near = new Set(
    spans.flatMap(({ fromNs, toNs }) => {
      const sinceNs = stream.connectionHistory.beganNs(fromNs, toNs, clockNs);
      return [
        ...standstillsOf(end, standstills(sinceNs, toNs)),
        ...stream.senderStandstills.near(sinceNs, toNs),
      ];
    }),
  );
  const causes = [
    ...outages.flatMap((outage) => outage.causes ?? []),
    ...losses.flatMap(({ loss }) => loss.causes ?? []),
  ];
  const seen = causes
    .flatMap((cause) => faultOf(cause, end) ?? [])
    .filter(({ code, data }) => code !== 'suspended' || Number(data.seconds) > thresholds.maxSuspendSeconds);
  const found = [
    ...distinct(seen).map((fact) => violatedBy([fact])),
    ...standstillGuards([...near], thresholds),
  ];
  const known = brokenGuards(guards);
  const isKnown = (fact: Fact): boolean =>
    known.some(
      (other) =>
        keyOf(other) === keyOf(fact) ||
        (fact.code === 'process-died' &&
          other.code === 'machine-unreachable' &&
          other.data.machine === end.name),
    );
  return found.filter((guard) => !brokenGuards([guard]).some(isKnown));
}

/** Causes that are faults of the instrument, and no limit of what is under test; stops of processes are found by their own log. */
const faults: Partial<Record<CauseCode, ReasonCode>> = {
  'receiving-died': 'process-died',
  'machine-suspended': 'suspended',
  'wall-clock-step': 'wall-clock-step',
};
const faultByCause = new Map(Object.entries(faults));

function faultOf({ code, data }: Fact, end: ReceivingEnd): Fact | null {
  const fault = faultByCause.get(code);
  if (!fault) return null;
  return reasonOf(fault, fault === 'process-died' ? receivingProcessOf(end) : data);
}

function distinct(facts: readonly Fact[]): Fact[] {
  return [...new Map(facts.map((fact) => [keyOf(fact), fact])).values()];
}

function keyOf({ code, data: { role, sender, machine } }: Fact): string {
  return JSON.stringify([code, role, sender, machine]);
}
