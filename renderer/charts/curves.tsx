import type { ChartDeclaration, PublishedFigures, PublishedSteps } from '../../app/experiments/declaration';
import { type Metric, metricFor } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { texts } from '../texts';
import { LineChart } from './line-chart';
import { type Line, linesOverStep } from './lines';

interface Props {
  chart: ChartDeclaration;
  metric: Metric;
  over: string;
  rows: readonly Row[];
}

/** A figure over one of several steps; a chart for each value of another one, where that is declared. */
export function Curves({ chart, metric, over, rows }: Props) {
  // They look like the others, and say nothing.
  const valid = rows.filter(({ verdict }) => verdict !== 'INVALID');
  return groupsOf(valid, chart.each).map(({ name, rows: some }) => {
    const lines = linesOverStep(some, metric, over);
    if (lines.length === 0) return null;
    const linesOf = (id: string | undefined): Line[] => (id ? linesOverStep(some, metricFor(id), over) : []);
    const bands = [...linesOf(chart.band?.least), ...linesOf(chart.band?.most)];
    const ideals = different(linesOf(chart.ideal));
    return (
      <LineChart
        key={name}
        title={[chart.title, name].filter(Boolean).join(', ')}
        metric={metric}
        lines={lines}
        axis={metricFor(over).heading}
        isCounted
        bands={bands}
        ideals={ideals}
        note={texts.curves.note(bands.length > 0, ideals.length > 0, valid.length < rows.length)}
      />
    );
  });
}

/** What a study published of a figure over a step. */
export function PublishedCurves({
  rows,
  steps: { metric, over, at },
}: {
  rows: PublishedFigures['rows'];
  steps: PublishedSteps;
}) {
  const lines = rows.map(({ label, values }, row) => ({
    ...{ name: label, row },
    points: at.map((x, index): [number, number] => [x, values[index] ?? 0]),
  }));
  const { heading } = metricFor(over);
  return (
    <LineChart
      title={texts.curves.published}
      metric={metricFor(metric)}
      lines={lines}
      axis={heading}
      isCounted
    />
  );
}

/** In the order in which its values come; without a step, or with one that was not varied, a single chart without a name. */
function groupsOf(rows: readonly Row[], id: string | undefined): { name: string; rows: Row[] }[] {
  const values = [...new Set(id ? rows.map(({ step }) => step[id]) : [])];
  if (!id || values.length < 2) return [{ name: '', rows: [...rows] }];
  const { heading, unit } = metricFor(id);
  return values.map((value) => ({
    name: `${heading} ${value ?? ''} ${unit}`.trim(),
    rows: rows.filter(({ step }) => step[id] === value),
  }));
}

/** Lines that a reader can see apart: many cases share one ideal. */
function different(lines: readonly Line[]): Line[] {
  const key = ({ points }: Line): string => points.map(([x, y]) => `${x} ${y.toPrecision(2)}`).join(' ');
  return [...new Map(lines.map((line) => [key(line), line])).values()];
}
