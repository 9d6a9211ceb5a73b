import type { RunVerdict } from '../../engine/experiment/experiment';
import { decidingRow, othersTexts, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { knownLostFramesOf } from '../../facts/lost-frames';
import { wordsOf } from '../../facts/reason-words';
import { numberOf, scalarOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { type Verdict, worseVerdict } from '../../facts/verdict';
import { comparedTransports, type TransportParameters } from './declaration';
import { transportName } from './transport-name';

interface Outcome {
  name: string;
  verdict: Verdict;
  /** Frames lost or missed, of those scheduled, over all rows of the transport. */
  lost: number;
  scheduled: number;
  /** Those with streams, in their order. */
  rows: StreamsRow[];
}

/** The worst of the rows; the sentence compares the transports whose rows count, and gives the row that decided. */
export function transportVerdict(rows: readonly StreamsRow[], parameters: TransportParameters): RunVerdict {
  const { compared, leftOut } = comparedTransports(parameters);
  const verdict = worstVerdictOf(rows);
  const outcomes = outcomesOf(rows);
  const asked = compared.length * (parameters.runtimes?.length ?? 1);
  const isShort = outcomes.length < asked;
  const texts = sentence(outcomes, rows);
  if (isShort && outcomes.length > 0) texts.push(`${outcomes.length} of ${asked} transports were measured`);
  if (texts.length === 0) texts.push('no row was measured');
  if (leftOut) texts.push(leftOut);
  // Of a transport without a row nothing is known.
  return { verdict: isShort ? worseVerdict(verdict, 'INVALID') : verdict, reason: texts.join('; ') };
}

function sentence(outcomes: readonly Outcome[], rows: readonly StreamsRow[]): string[] {
  const counted = outcomes.filter(({ verdict }) => verdict !== 'INVALID');
  const streams = commonStreams(counted);
  const texts = counted
    .sort((a, b) => a.lost / a.scheduled - b.lost / b.scheduled)
    .map(({ name, lost, scheduled, rows: own }) => {
      const compared = own.find(({ step }) => step.streams === streams);
      const latencyP99Ms = compared?.figures['latencyMs.p99'] ?? null;
      const cpuPercent = compared ? numberOf(compared, 'sender.cpuMeanPercent') : null;
      const latency = latencyP99Ms === null ? '' : `, latency p99 ${latencyP99Ms.toFixed(1)} ms`;
      const cpu = cpuPercent === null ? '' : `, CPU ${cpuPercent.toFixed(0)} %`;
      return `${name} lost ${lost} of ${scheduled} frames${latency}${cpu}`;
    });
  if (streams !== null && counted.some(({ rows: own }) => own.length > 1))
    texts.push(`latency and CPU are those of ${streams === 1 ? '1 stream' : `${streams} streams`}`);
  const decided = decidingRow(rows);
  if (decided && decided.verdict !== 'INVALID')
    texts.push(`${decided.label}: ${wordsOf(decided.reason)}`, ...othersTexts(rows, decided));
  const invalid = rows.filter(({ verdict }) => verdict === 'INVALID');
  const first = new Map(invalid.reverse().map((row) => [nameOf(row), row]));
  for (const { label, reason } of [...first.values()].reverse()) texts.push(`${label}: ${wordsOf(reason)}`);
  return texts;
}

/** The most streams that all of them carried in a row: only at the same load can two transports be compared. */
function commonStreams(outcomes: readonly Outcome[]): number | null {
  const [first, ...others] = outcomes.map(({ rows }) => rows.map(({ step }) => step.streams));
  const common = (first ?? []).filter((streams) => others.every((counts) => counts.includes(streams)));
  return common.length > 0 ? Math.max(...common) : null;
}

function outcomesOf(rows: readonly StreamsRow[]): Outcome[] {
  const names = new Set(rows.filter(({ step }) => step.streams > 0).map(nameOf));
  return [...names].map((name) => {
    const own = rows.filter((row) => row.step.streams > 0 && nameOf(row) === name);
    return {
      name,
      verdict: worstVerdictOf(own),
      lost: own.reduce(
        (sum, row) => sum + (knownLostFramesOf(row) ?? 0) + (row.figures.framesSenderMissed ?? 0),
        0,
      ),
      scheduled: own.reduce((sum, row) => sum + (row.figures.framesScheduled ?? 0), 0),
      rows: own,
    };
  });
}

/** What is compared: the transport, and the runtime where several were given. */
function nameOf(row: StreamsRow): string {
  return transportName({
    asked: String(scalarOf(row, 'transport.asked')),
    runtimeNumber: numberOf(row, 'transport.runtimeNumber'),
    version: String(scalarOf(row, 'transport.runtime')),
  });
}
