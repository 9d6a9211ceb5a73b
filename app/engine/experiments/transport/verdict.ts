import type { TransportParameters } from '../../../protocol/experiments/transport';
import { lostFramesOf } from '../../../protocol/lost-frames';
import type { Row } from '../../../protocol/row';
import { type Verdict, worseVerdict } from '../../../protocol/verdict';
import type { RunVerdict } from '../experiment';

interface Outcome {
  name: string;
  verdict: Verdict;
  /** Frames lost or missed, of those scheduled, over all rows of the transport. */
  lost: number;
  scheduled: number;
  latencyP99Ms: number | null;
  cpuPercent: number | null;
}

/** The worst of the rows; the sentence compares the transports whose rows count. */
export function transportVerdict(
  rows: readonly Row[],
  { transports, runtimes }: TransportParameters,
): RunVerdict {
  const verdict = rows.reduce<Verdict>((worst, row) => worseVerdict(worst, row.verdict), 'PASS');
  const outcomes = outcomesOf(rows);
  const asked = transports.length * (runtimes?.length ?? 1);
  const isShort = outcomes.length < asked;
  return { verdict: isShort && verdict !== 'INVALID' ? 'FAIL' : verdict, reason: sentence(outcomes, rows) };
}

function sentence(outcomes: readonly Outcome[], rows: readonly Row[]): string {
  const counted = outcomes.filter(({ verdict }) => verdict !== 'INVALID');
  const texts = counted
    .sort((a, b) => a.lost / a.scheduled - b.lost / b.scheduled)
    .map(({ name, lost, scheduled, latencyP99Ms, cpuPercent }) => {
      const latency = latencyP99Ms === null ? '' : `, latency p99 ${latencyP99Ms.toFixed(1)} ms`;
      const cpu = cpuPercent === null ? '' : `, CPU ${cpuPercent.toFixed(0)} %`;
      return `${name} lost ${lost} of ${scheduled} frames${latency}${cpu}`;
    });
  const invalid = rows.filter(({ verdict }) => verdict === 'INVALID');
  const first = new Map(invalid.reverse().map((row) => [nameOf(row), row]));
  for (const { label, reason } of [...first.values()].reverse()) texts.push(`${label}: ${reason}`);
  return texts.join('; ') || 'no row was measured';
}

function outcomesOf(rows: readonly Row[]): Outcome[] {
  const names = new Set(rows.filter(({ streams }) => streams > 0).map(nameOf));
  return [...names].map((name) => {
    const own = rows.filter((row) => row.streams > 0 && nameOf(row) === name);
    const last = own[own.length - 1];
    return {
      name,
      verdict: own.reduce<Verdict>((worst, row) => worseVerdict(worst, row.verdict), 'PASS'),
      lost: own.reduce((sum, row) => sum + (lostFramesOf(row) ?? 0) + (row.framesSenderMissed ?? 0), 0),
      scheduled: own.reduce((sum, row) => sum + (row.framesScheduled ?? 0), 0),
      latencyP99Ms: last?.latencyMs.p99 ?? null,
      cpuPercent: last?.sender.cpuMeanPercent ?? null,
    };
  });
}

/** What is compared: the transport, and the runtime where several were given. */
function nameOf({ label }: Row): string {
  return label.replace(/: \d+ streams?$/, '');
}
