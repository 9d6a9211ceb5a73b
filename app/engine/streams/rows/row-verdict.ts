import type { Fact } from '../../../facts/fact';
import { knownLostFramesOf } from '../../../facts/lost-frames';
import { brokenGuards, type Finding, type Guard, judgeRow } from '../../../facts/precedence';
import { type ReasonCode, reasonOf } from '../../../facts/reason-words';
import type { StreamSubject } from '../../../facts/stream-row';
import { invalidBy } from '../../../facts/why-not';
import { LoadSums } from '../../load/load-sums';
import { samplesWithin } from '../../load/window';
import { deviceGuard, endLoadOf } from './end-load';
import { isOfGone } from './gone-elsewhere';
import type { Judgement } from './judgement';
import type { MeasuredStream } from './measured-stream';
import type { ReceivingEnd } from './receiving-machines';
import type { RowInput } from './row-input';

/** The verdict of a row out of those of its streams, and that of one without streams. */

/** How a machine or a process of ours was, whatever stream it was found with. */
const machineCodes: ReadonlySet<string> = new Set<ReasonCode>([
  ...(['others-busy', 'cpu-stolen', 'no-load-sample', 'not-checked', 'suspended'] as const),
  ...(['wall-clock-step', 'row-late', 'process-stopped', 'process-starved'] as const),
]);

/**
 * In a row of several streams the reason says whose it is, of a stream or of a machine; a sender has one receiver, of the same name.
 * `hostName`: of the machine that is meant where none is named.
 */
export function withName(
  judgement: Judgement,
  streams: MeasuredStream[],
  index: number,
  hostName: string,
): Judgement {
  const name = streams[index]?.stream.name;
  if (streams.length < 2 || judgement.verdict === 'PASS' || !name) return judgement;
  const reason = judgement.reason.map((fact) => {
    if (isOfGone(fact)) return fact;
    if (!machineCodes.has(fact.code)) return { ...fact, data: { ...fact.data, stream: name } };
    // A sender of others has not said what its machine is called.
    const isNamed = ['machine', 'isSenders', 'tool', 'sender'].some((key) => fact.data[key]);
    return isNamed ? fact : { ...fact, data: { ...fact.data, machine: hostName } };
  });
  return { ...judgement, reason };
}

/**
 * The same with what the guards say of what is gone. A machine that is gone spoils the row, whatever streams on other machines say. Of
 * processes the reason says at its end what it has not.
 */
export function withGone(worst: Judgement, guards: readonly Guard[]): Judgement {
  const gone = brokenGuards(guards).filter(isOfGone);
  const isOut = ({ code }: Fact): boolean => code === 'machine-unreachable';
  const out = gone.filter(isOut);
  const rest = worst.reason.filter((fact) => !isOut(fact));
  const unsaid = gone.filter((fact) => !isOut(fact) && !rest.some((other) => isSame(fact, other)));
  const judged = { verdict: worst.verdict, reason: [...rest, ...unsaid] };
  return { ...worst, ...(out.length > 0 ? invalidBy(out, judged) : judged) };
}

function isSame(one: Fact, other: Fact): boolean {
  return one.code === other.code && JSON.stringify(one.data) === JSON.stringify(other.data);
}

/** What contradicts itself in a stream that does not decide: each is an event of the run, by the reason of the row. */
export function otherContradictions(worst: Judgement, named: readonly Judgement[]): Fact[] {
  const isContradiction = ({ code }: Fact): boolean => code === 'contradiction';
  return worst.reason.some(isContradiction)
    ? []
    : named.flatMap(({ reason }) => reason.filter(isContradiction));
}

/** Frames of a stream that were lost, not sent or due in an outage; a stream that showed none at all lost most. */
export function notDelivered(stream: StreamSubject): number {
  if (stream.reason?.some(({ code }) => code === 'no-first-frame')) return Number.POSITIVE_INFINITY;
  const { framesSenderMissed, framesInOutages } = stream.figures;
  return (framesSenderMissed ?? 0) + (framesInOutages ?? 0) + (knownLostFramesOf(stream) ?? 0);
}

/** What several streams of a row lost together, which the reason of one of them understates. */
export function notPassed(subjects: readonly StreamSubject[]): Fact[] {
  const broken = subjects.filter(({ verdict }) => verdict !== 'PASS');
  if (broken.length < 2) return [];
  const sum = (figure: (stream: StreamSubject) => number | null): number =>
    broken.reduce((total, stream) => total + (figure(stream) ?? 0), 0);
  return [
    reasonOf('streams-not-passed', {
      ...{ failed: broken.length, streams: subjects.length },
      missed: sum(({ figures }) => figures.framesSenderMissed),
      lost: sum(knownLostFramesOf),
      stalls: sum(({ figures }) => figures.stalls),
    }),
  ];
}

/** Row 0: what other programs take, the streams to come do not have, and their cost cannot be known from it. */
export function baselineJudgement(
  { guards, contradictions, isSenderRemote, thresholds, senderSide, fromNs, toNs }: RowInput,
  ends: readonly ReceivingEnd[],
): Judgement {
  const limitPercent = thresholds.maxOthersPercent;
  const machines: Pick<ReceivingEnd, 'load' | 'toName'>[] = [...ends];
  if (senderSide && ends.every(({ name }) => name !== senderSide.name))
    machines.push({
      load: LoadSums.of(samplesWithin(senderSide.samples, fromNs, toNs)),
      toName: senderSide.name,
    });
  const findings = machines.flatMap(({ load, toName }): Finding[] => {
    const percent = load.othersCpuPercent.mean;
    if (percent === null || percent < limitPercent) return [];
    const data = { percent, limitPercent, ...(toName !== undefined && { machine: toName }) };
    return [{ verdict: 'WARN', fact: reasonOf('busy-baseline', data), kind: 'remark' }];
  });
  const loads = machines.map(({ load, toName }) => endLoadOf(load, thresholds, toName));
  const carried = ends.map(({ load, carrier }) => load[carrier].mean);
  const interfaceMbps = carried.some((mbps) => mbps === null) ? null : Math.max(...carried.map(Number));
  const judged = judgeRow({
    contradictions,
    findings,
    // Where more was taken than it may, that is the finding.
    guards: findings.length > 0 ? guards : [...guards, deviceGuard('cpu', loads, thresholds)],
    // What a stream costs and adds is the difference to this row.
    restsOnGuards: true,
    good: [reasonOf('baseline', { isSenderRemote: isSenderRemote && !senderSide, interfaceMbps })],
  });
  return { ...judged, senderMissed: false };
}
