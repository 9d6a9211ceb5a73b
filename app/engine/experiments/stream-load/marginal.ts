import { type CostLoad, streamCosts } from '../../../protocol/experiments/stream-load/metrics';
import { wordsOf } from '../../../protocol/reason-words';
import { numberOf } from '../../../protocol/row-figures';
import type { StreamsRow } from '../../../protocol/stream-row';
import { processCpuOf } from '../measured-row';

interface Point {
  streams: number;
  load: number;
}

const reasons = {
  unclean: 'only rows without a lost frame count: in others not all streams were carried',
  few: 'it takes two clean rows with different numbers of streams',
};

/**
 * A row with what each stream costs, by the clean rows before it and itself.
 * A machine that was busy before the first stream says nothing of a stream's cost.
 * @param usesBaseline row 0 counts too: it plays the same sources as the rows with streams
 */
export function withCosts(
  row: StreamsRow,
  earlier: readonly StreamsRow[],
  usesBaseline: boolean,
): StreamsRow {
  const spoilt = spoiltBaseline([...earlier, row]);
  const costs: Record<string, number | null> = {};
  const notMeasured = { ...row.notMeasured };
  for (const { load, perStream, added } of streamCosts) {
    const note = (id: string, value: number | null, reason: string): void => {
      costs[id] = value;
      if (value === null) notMeasured[id] = reason;
      else delete notMeasured[id];
    };
    const isClean = row.verdict === 'PASS' && !spoilt;
    const reason = spoilt ?? (row.verdict === 'PASS' ? reasons.few : reasons.unclean);
    const points = [...earlier, row]
      .filter(({ verdict, step }) => verdict === 'PASS' && (step.streams > 0 || usesBaseline))
      .flatMap((clean) => {
        const value = loadOf(clean, load);
        return value === null ? [] : [{ streams: clean.step.streams, load: value }];
      });
    const own = loadOf(row, load);
    note(perStream, isClean && own !== null ? slopeOf(points) : null, reason);
    note(
      added,
      isClean && own !== null ? addedOf({ streams: row.step.streams, load: own }, points) : null,
      reason,
    );
  }
  return { ...row, figures: { ...row.figures, ...costs }, notMeasured };
}

/** Why a baseline that did not pass gives no cost; null where it passed, or there is none. */
export function spoiltBaseline(rows: readonly StreamsRow[]): string | null {
  const baseline = rows.find(({ step }) => step.streams === 0);
  if (!baseline || baseline.verdict === 'PASS') return null;
  return `row 0 is ${baseline.verdict}: ${wordsOf(baseline.reason)}`;
}

/** Least squares; null for fewer than two numbers of streams. */
export function slopeOf(points: readonly Point[]): number | null {
  const mean = (pick: (point: Point) => number): number =>
    points.reduce((total, point) => total + pick(point), 0) / points.length;
  const [n, y] = [mean(({ streams }) => streams), mean(({ load }) => load)];
  const squares = points.reduce((total, { streams }) => total + (streams - n) ** 2, 0);
  if (!(squares > 0)) return null;
  return points.reduce((total, { streams, load }) => total + (streams - n) * (load - y), 0) / squares;
}

/** Against the newest point of the next lower number of streams. */
export function addedOf(own: Point, points: readonly Point[]): number | null {
  const below = points.filter(({ streams }) => streams < own.streams);
  const next = Math.max(...below.map(({ streams }) => streams));
  const before = below.filter(({ streams }) => streams === next).pop();
  return before ? (own.load - before.load) / (own.streams - before.streams) : null;
}

function loadOf(row: StreamsRow, load: CostLoad): number | null {
  switch (load) {
    case 'machineCpu':
      return numberOf(row, 'sender.cpuMeanPercent');
    case 'senderCpu':
      return processCpuOf(row, 'sender');
    case 'receiverCpu':
      return processCpuOf(row, 'receiver');
    case 'network':
      return row.step.streams === 0 ? 0 : row.figures.bitrateMbps;
  }
}
