import { z } from 'zod';
import type { RunContext } from '../../engine/experiment/experiment';
import { meanOf } from '../../engine/experiment/repeats';
import type { RemoteMachine } from '../../engine/host-application';
import { othersGuard, othersInWorst } from '../../engine/load/others-guard';
import { samplesWithin } from '../../engine/load/window';
import type { Span } from '../../engine/streams/counting/capture-counter';
import { InstrumentWatch, sleptSecondsOf } from '../../engine/streams/rows/instrument-faults';
import type { Fact } from '../../facts/fact';
import { brokenGuards, type Finding, type Guard, judgeRow } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf, scalarOf } from '../../facts/row-figures';
import { invalidBy } from '../../facts/why-not';
import { safeParse } from '../../protocol/safe-parse';
import type { Thresholds } from '../../protocol/thresholds';

/** What is known of the machine that has the iperf3 server, in the time of a row. */
export interface OtherEnd {
  machine: string;
  guards: readonly Guard[];
  /** Of the whole machine, % of all cores, in the repeats; null: no load sample fell into one or just before it. */
  cpuPercent: number | null;
}

/** Its newest samples are on their way for so long at most, or are late. */
const samplesWithinNs = 3e9;
const lookMs = 100;
/** Of a short repeat, a load sample may lie half before it. */
const aroundNs = 1e9;

const repeatsSchema = z.object({
  runs: z.array(z.object({ startedAt: z.iso.datetime(), elapsedSeconds: z.number().positive() })).min(1),
});

type WatchContext = Pick<
  RunContext,
  'clock' | 'isoNow' | 'samples' | 'standstills' | 'thresholds' | 'signal'
>;

/** Watches the machine at the other end, row after row. */
export class OtherEndWatch {
  private watch: InstrumentWatch;

  /** @param machine null: this one */
  constructor(
    private readonly name: string,
    private readonly machine: Pick<RemoteMachine, 'samples'> | null,
    private readonly context: WatchContext,
  ) {
    this.watch = new InstrumentWatch([], 0, context.clock);
  }

  /** Of the row that has just ended. Another machine's samples of it are waited for. */
  async of(row: ClosedRow): Promise<OtherEnd> {
    const { context, name: machine } = this;
    const { clock, thresholds } = context;
    const whole = { fromNs: this.nsOf(row.from), toNs: this.nsOf(row.to) };
    await this.sampled(whole.toNs);
    const { fromNs, toNs } = whole;
    const samples = this.machine ? this.machine.samples : context.samples(fromNs - 2e9, toNs);
    const standstills = this.machine ? [] : context.standstills(fromNs, toNs);
    const spans = this.repeatsOf(row, whole);
    const guards = this.watch.guards(
      {
        ...{ fromNs, toNs, limitNs: clock.monotonicNs(), deaths: 0, lost: false },
        sleptSeconds: sleptSecondsOf(clock),
        standstills: standstills.filter((piece) => piece.toNs > fromNs),
        machines: [{ machine, isElsewhere: this.machine !== null, samples }],
      },
      thresholds,
    );
    this.watch = new InstrumentWatch([], 0, clock);
    const near = samplesWithin(samples, fromNs - 2e9, toNs);
    const others = othersGuard(othersInWorst(near, spans, thresholds), thresholds, { machine });
    const cpu = (reachNs: number): number | null =>
      meanOf(
        spans
          .flatMap((span) => samplesWithin(near, span.fromNs - reachNs, span.toNs))
          .flatMap(({ cpuPercent }) => cpuPercent ?? []),
      );
    return { machine, guards: [...guards, others], cpuPercent: cpu(0) ?? cpu(aroundNs) };
  }

  private async sampled(toNs: number): Promise<void> {
    const { clock, signal } = this.context;
    const untilNs = clock.monotonicNs() + samplesWithinNs;
    const isKnown = (): boolean => (this.machine?.samples.at(-1)?.atNs ?? 0) >= toNs;
    while (this.machine && !isKnown() && clock.monotonicNs() < untilNs && !signal.aborted)
      await clock.sleep(lookMs, signal);
  }

  /** The repeats within the row, if its details name them; otherwise the whole row. */
  private repeatsOf({ details }: ClosedRow, whole: Span): Span[] {
    const spans = (safeParse(repeatsSchema, details).data?.runs ?? []).map(
      ({ startedAt, elapsedSeconds }) => {
        const fromNs = this.nsOf(startedAt);
        return { fromNs, toNs: fromNs + elapsedSeconds * 1e9 };
      },
    );
    const isIn = ({ fromNs, toNs }: Span): boolean =>
      fromNs >= whole.fromNs - aroundNs && toNs <= whole.toNs + aroundNs;
    return spans.length > 0 && spans.every(isIn) ? spans : [whole];
  }

  /** Of our monotonic clock. */
  private nsOf(iso: string): number {
    const { clock, isoNow } = this.context;
    return clock.monotonicNs() - (Date.parse(isoNow()) - Date.parse(iso)) * 1e6;
  }
}

/** The row with what the machine at the other end says of it: where that was full or disturbed, what was lost proves nothing. */
export function judgedWithOtherEnd(
  row: ClosedRow,
  other: OtherEnd,
  { saturatedPercent }: Pick<Thresholds, 'saturatedPercent'>,
): ClosedRow {
  if (row.verdict === 'INVALID') return row;
  const [fact] = row.reason;
  const full = fullFact(other, saturatedPercent);
  if (full && mayBeBlamed(row)) return { ...row, ...invalidBy([full], row) };
  const findings: Finding[] =
    row.verdict === 'PASS' || !fact
      ? []
      : [{ verdict: row.verdict, fact, kind: isLoss(row) ? 'loss' : 'remark' }];
  const { guards } = other;
  const { verdict } = judgeRow({ findings, guards, restsOnGuards: restsOnGuards(row), good: row.reason });
  const broken = brokenGuards(guards);
  return verdict === 'INVALID'
    ? { ...row, ...invalidBy(broken, row) }
    : { ...row, reason: [...row.reason, ...broken] };
}

/** It was full, or may have been. */
function fullFact({ machine, cpuPercent }: OtherEnd, saturatedPercent: number): Fact | null {
  if (cpuPercent === null) return reasonOf('other-end-not-measured', { machine });
  return cpuPercent >= saturatedPercent ? reasonOf('other-end-full', { machine, percent: cpuPercent }) : null;
}

const has = ({ reason }: ClosedRow, ...codes: string[]): boolean =>
  reason.some(({ code }) => codes.includes(code));

/** A full machine there can bring this about. */
function mayBeBlamed(row: ClosedRow): boolean {
  if (row.verdict === 'PASS' || !isLoss(row)) return false;
  const isReceiver = scalarOf(row, 'link.direction') === 'send';
  return has(row, 'link-reached', 'streams-not-arrived') || (isReceiver && has(row, 'datagrams-lost'));
}

/** What was found is no remark, which is true whatever the machines were. */
function isLoss(row: ClosedRow): boolean {
  return (
    row.verdict === 'FAIL' ||
    (!has(row, 'over-loopback') &&
      has(
        row,
        'link-reached',
        'datagrams-lost',
        'streams-carried-late',
        'streams-carried-again',
        'rtt-measured',
      ))
  );
}

/** Its figure is compared with nothing: RTT, and TCP where the speed of the link is not known. */
function restsOnGuards(row: ClosedRow): boolean {
  const protocol = scalarOf(row, 'link.protocol');
  if (protocol === 'ping') return numberOf(row, 'link.rttMs') !== null;
  const isCompared = ['link.targetMbps', 'link.lineRatePercent'].some((id) => numberOf(row, id) !== null);
  return protocol === 'TCP' && !isCompared;
}
