import type { ComparedValue, Comparison, Standing } from '../protocol/history';
import { headingWithUnit, metricOf } from '../protocol/metrics/registry';

/** Beside a figure: how it stands to that of the first run. */
const marks: Record<Standing, string> = {
  same: '=',
  unmeasured: '– not measured',
  noise: '~ noise',
  better: '▲ better',
  worse: '▼ worse',
  different: '≠',
  unknown: '? not comparable',
};

/** What was set differently first, then a block for each step: a figure a line, a run a column. */
export function comparisonText(
  { title, runs, differences, steps }: Comparison,
  folders: readonly string[],
): string[] {
  const lines = [title];
  for (const [index, run] of runs.entries()) {
    lines.push(`  ${letter(index)}  ${run.startedAt}  ${run.verdict ?? run.state}  ${folders[index]}`);
    lines.push(`     ${run.reason}`);
  }
  lines.push('', differences.length === 0 ? 'Nothing was set differently.' : 'Set differently:');
  for (const { of, path, values } of differences)
    lines.push(
      `  ${of} ${path}: ${values.map((value, index) => `${letter(index)} ${value || '–'}`).join(', ')}`,
    );
  const isRepeated = steps.some(({ figures }) =>
    figures.some(({ runs: values }) => values.some(({ noise }) => noise !== null)),
  );
  if (!isRepeated) lines.push('No step was repeated: how much of a difference is noise, nobody knows.');
  for (const { label, verdicts, figures } of steps) {
    lines.push(
      '',
      `${label}: ${verdicts.map((verdict, index) => `${letter(index)} ${verdict ?? '–'}`).join(', ')}`,
    );
    for (const { metric, runs: values } of figures) {
      if (values.every(({ value }) => value === null)) continue;
      const { digits } = metricOf(metric);
      const cells = values.map((value, index) => cellText(value, digits, index));
      lines.push(`  ${headingWithUnit(metricOf(metric)).padEnd(32)} ${cells.join('  ')}`.trimEnd());
    }
  }
  return lines;
}

function cellText(
  { value, differencePercent, noise, standing }: ComparedValue,
  digits: number,
  index: number,
): string {
  const figure = (number: number): string => number.toFixed(digits);
  const text = typeof value === 'number' ? figure(value) : String(value ?? '–');
  const band = noise === null ? '' : ` ±${figure(noise)}`;
  if (index === 0) return `${text}${band}`.padStart(12);
  const sign = differencePercent !== null && differencePercent > 0 ? '+' : '';
  const change = differencePercent === null ? '' : ` ${sign}${differencePercent.toFixed(1)} %`;
  return `${`${text}${band}`.padStart(12)}${change} ${marks[standing]}`;
}

/** A, B … Z, then by number. */
function letter(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : `#${index + 1}`;
}
