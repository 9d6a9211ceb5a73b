import { percentText, rateText } from '../engine/history/regressions';
import { counted } from '../facts/count-words';
import { headingWithUnit, metricOf } from '../facts/metrics/registry';
import type { ComparedFigure, ComparedValue, Comparison, Standing } from '../protocol/history';

/** Beside a figure: how it stands to that of the first run. */
const marks: Record<Standing, string> = {
  same: '=',
  unmeasured: '– not measured',
  noise: '~ noise',
  tolerance: '~ within tolerance',
  unjudged: '≠ noise unknown',
  better: '▲ better',
  worse: '▼ worse',
  different: '≠',
  unknown: '? not comparable',
};

/** Different settings first, then a block for each step: a figure a line, a run a column. */
export function comparisonText(
  { title, runs, differences, steps, uncovered }: Comparison,
  folders: readonly string[],
): string[] {
  const lines = [title];
  for (const [index, run] of runs.entries()) {
    lines.push(`  ${letter(index)}  ${run.startedAt}  ${run.verdict ?? run.state}  ${folders[index]}`);
    lines.push(`     ${run.reason}`);
  }
  lines.push('', differences.length === 0 ? 'No different settings.' : 'Different settings:');
  for (const { of, path, values } of differences)
    lines.push(
      `  ${of} ${path}: ${values.map((value, index) => `${letter(index)} ${value || '–'}`).join(', ')}`,
    );
  const isRepeated = steps.some(({ figures }) =>
    figures.some(({ runs: values }) => values.some(({ noise }) => noise !== null)),
  );
  if (!isRepeated) lines.push('No step was repeated, so noise is unknown: no figure is judged by it.');
  if (uncovered.length > 0) lines.push('', 'Not compared, since not every run has these steps:');
  for (const { runs: having, labels } of uncovered)
    lines.push(`  only in ${having.map(letter).join(', ')}: ${labels.join('; ')}`);
  for (const { label, verdicts, standings, figures } of steps) {
    const cells = verdicts.map((verdict, index) => {
      const change =
        standings[index] === 'better' || standings[index] === 'worse' ? marks[standings[index]] : '';
      return `${letter(index)} ${verdict ?? '–'} ${change}`.trimEnd();
    });
    lines.push('', `${label}: ${cells.join(', ')}`);
    const hasGap = verdicts.some((verdict) => verdict === null || verdict === 'INVALID');
    const isAlone = (figure: ComparedFigure): boolean => hasGap && !isCompared(figure);
    const shown = figures.filter((figure) => !isEqual(figure) && !isAlone(figure));
    for (const figure of shown) lines.push(...figureLines(figure));
    const alone = figures.filter((figure) => isAlone(figure) && isMeasured(figure)).length;
    if (alone > 0) lines.push(`  ${counted(alone, 'figure')} not compared: no valid row in another run`);
    const equal = figures.filter((figure) => isEqual(figure) && isMeasured(figure)).length;
    if (equal > 0) lines.push(`  ${counted(equal, 'figure')} alike in all runs`);
  }
  return [...lines, '', ...summaryLines(runs.length, steps)];
}

/** Of each run after the first: how many of its figures are better and worse than those of the first. */
function summaryLines(runCount: number, steps: Comparison['steps']): string[] {
  const cells = steps.flatMap(({ figures }) => figures.map(({ runs }) => runs));
  return Array.from({ length: runCount - 1 }, (_, at) => {
    const standings = cells.map((values) => values[at + 1]?.standing);
    const countOf = (standing: Standing): number => standings.filter((one) => one === standing).length;
    const better = counted(countOf('better'), 'figure');
    const unjudged = countOf('unjudged');
    const also = unjudged === 0 ? '' : `, ${unjudged} apart by more than the tolerance (noise unknown)`;
    return `${letter(at + 1)} against A: ${better} better, ${countOf('worse')} worse${also}.`;
  });
}

/** A figure that each run shows as the first one does has no line. */
function isEqual({ runs }: ComparedFigure): boolean {
  return runs.every(({ standing }) => standing === 'same' || standing === 'unmeasured');
}

/** One run after the first has it beside the first. */
function isCompared({ runs: [, ...others] }: ComparedFigure): boolean {
  return others.some(({ standing }) => standing !== 'unknown' && standing !== 'unmeasured');
}

function isMeasured({ runs }: ComparedFigure): boolean {
  return runs.some(({ value }) => value !== null && value !== '');
}

/** A figure is a line of cells; of a text that differs, each run's has a line of its own. */
function figureLines({ metric, runs }: ComparedFigure): string[] {
  const definition = metricOf(metric);
  const heading = headingWithUnit(definition).padEnd(32);
  if (!isMeasured({ metric, runs })) return [];
  if (!runs.some(({ value }) => typeof value === 'string')) {
    const cells = runs.map((value, index) => cellText(value, definition.digits, index));
    return [`  ${heading} ${cells.join('  ')}`.trimEnd()];
  }
  const texts = runs.map(({ value }) => String(value || '–'));
  return texts.map((text, index) => `  ${(index === 0 ? heading : '').padEnd(32)} ${letter(index)} ${text}`);
}

function cellText(
  { value, perSecond, changePercent, noise, standing }: ComparedValue,
  digits: number,
  index: number,
): string {
  const figure = (number: number): string => number.toFixed(digits);
  const text = typeof value === 'number' ? figure(value) : String(value ?? '–');
  const rate = perSecond === null ? '' : ` (${rateText(perSecond)}/s)`;
  const band = noise === null ? '' : ` ±${perSecond === null ? figure(noise) : `${rateText(noise)}/s`}`;
  const shown = `${text}${rate}${band}`.padStart(12);
  if (index === 0) return shown;
  return `${shown}${changePercent === null ? '' : ` ${percentText(changePercent)}`} ${marks[standing]}`;
}

/** A, B … Z, then by number. */
export function letter(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : `#${index + 1}`;
}
