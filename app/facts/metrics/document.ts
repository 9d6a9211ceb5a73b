import { experimentMetrics } from '../../experiments/facts';
import { type Direction, type Metric, metrics } from './registry';

const better: Record<Direction, string> = { lower: 'lower', higher: 'higher', none: '–' };

const introduction = `# Metrics

Every figure of a row, or of one of its streams, by its id, and the figures of the display window (\`display.…\`), which are in no
row. Figures that only one experiment has are on its page in [experiments](experiments). Made from the registry of metrics
(\`app/facts/metrics/registry.ts\`), from which tooltips, table and CSV heads and the report come too. A figure that
was not measured is null, and \`notMeasured\` says why. Counts and ratios have no unit.
`;

/** docs/metrics.md. */
export function metricsDocument(): string {
  return `${introduction}\n${metricsTable(metrics.filter((metric) => !experimentMetrics.includes(metric)))}\n`;
}

/** As Markdown. */
export function metricsTable(shown: readonly Metric[]): string {
  const head = '| Metric | Heading | Unit | Better | What it is | Formula | Taken |';
  const rule = head.replace(/[^|]+/g, ' --- ');
  return [head, rule, ...shown.map(line)].join('\n');
}

function line(metric: Metric): string {
  const { id, heading, direction, description, formula, source } = metric;
  const cells = [`\`${id}\``, heading, unitOf(metric), better[direction], description, formula, source];
  return `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
}

const shapes = {
  words: 'words',
  flag: 'yes or no',
  histogram: 'times by length',
  series: 'series',
  frames: 'frame numbers',
};

function unitOf({ unit, shape }: Metric): string {
  return shape ? shapes[shape] : unit || '–';
}
