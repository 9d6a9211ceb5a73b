import { letter, percentText, rateText } from '../engine/history/regressions';
import { counted } from '../facts/count-words';
import { headingWithUnit, metricOf } from '../facts/metrics/registry';
import {
  type ComparedFigure,
  type ComparedValue,
  type Comparison,
  isHeldAgainst,
  namesNotRecorded,
  notRecordedText,
  type Standing,
} from '../protocol/history';

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
  unlike: '? rows of unequal length',
  unknown: '? not comparable',
};

/** Different settings first, then a block for each step: a figure a line, a run a column. */
export function comparisonText(
  { title, runs, differences, notRecorded, steps, uncovered }: Comparison,
  folders: readonly string[],
): string[] {
  const lines = [title];
  for (const [index, run] of runs.entries()) {
    lines.push(`  ${letter(index)}  ${run.startedAt}  ${run.verdict ?? run.state}  ${folders[index]}`);
    lines.push(`     ${run.reason}`);
  }
  lines.push('', differences.length === 0 ? 'No different settings.' : 'Different settings:');
  for (const { name, values } of differences) {
    const cells = values.map((value, index) => `${letter(index)} ${value || notRecordedText}`);
    lines.push(`  ${name}: ${cells.join(', ')}`);
  }
  for (const { runs: without, names } of namesNotRecorded(notRecorded))
    lines.push(`  Not recorded in ${without.map(letter).join(', ')}: ${names.join('; ')}`);
  const isRepeated = steps.some(({ figures }) =>
    figures.some(({ runs: values }) => values.some(({ noise }) => noise !== null)),
  );
  if (!isRepeated) lines.push('No step was repeated, so noise is unknown: no figure is judged by it.');
  if (uncovered.length > 0) lines.push('', 'Not compared, because not every run has these steps:');
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
    if (equal > 0) lines.push(`  ${counted(equal, 'figure')} the same in all runs`);
  }
  return [...lines, '', ...summaryLines(runs.length, steps)];
}

/** Of each run after the first: how many of its figures are better and worse than those of the first. */
function summaryLines(runCount: number, steps: Comparison['steps']): string[] {
  const cells = steps.flatMap(({ figures }) => figures.map(({ runs }) => runs));
  return Array.from({ length: runCount - 1 }, (_, at) => {
    const standings = cells.map((values) => values[at + 1]?.standing);
    const isNothing = standings.every(isIncomparable) || !steps.some((step) => isHeldAgainst(step, at + 1));
    if (isNothing) return `${letter(at + 1)} against A: nothing could be compared.`;
    const countOf = (standing: Standing): number => standings.filter((one) => one === standing).length;
    const better = counted(countOf('better'), 'figure');
    const unjudged = countOf('unjudged');
    const also = unjudged === 0 ? '' : `, ${unjudged} differ by more than the tolerance (noise unknown)`;
    return `${letter(at + 1)} against A: ${better} better, ${countOf('worse')} worse${also}.`;
  });
}

/** A figure that each run shows as the first one does has no line. */
function isEqual({ runs }: ComparedFigure): boolean {
  return runs.every(({ standing }) => standing === 'same' || standing === 'unmeasured');
}

/** One run after the first has it beside the first. */
function isCompared({ runs: [, ...others] }: ComparedFigure): boolean {
  return others.some(({ standing }) => !isIncomparable(standing));
}

function isIncomparable(standing: Standing | undefined): boolean {
  return standing === 'unknown' || standing === 'unmeasured' || standing === 'unlike';
}

function isMeasured({ runs }: ComparedFigure): boolean {
  return runs.some(({ value }) => value !== null && value !== '');
}

/** Today's terminals are wide enough for this many columns. */
const mostColumns = 100;

/** A figure is a line of cells; of a text that differs, and where there is no room for all, each run's has a line of its own. */
function figureLines({ metric, runs }: ComparedFigure): string[] {
  const definition = metricOf(metric);
  const heading = headingWithUnit(definition).padEnd(32);
  if (!isMeasured({ metric, runs })) return [];
  const isOfWords = runs.some(({ value }) => typeof value === 'string');
  const cells = runs.map((value, index) =>
    isOfWords ? String(value.value || '–') : cellText(value, definition.digits, index),
  );
  const line = `  ${heading} ${cells.join('  ')}`.trimEnd();
  if (!isOfWords && line.length <= mostColumns) return [line];
  return cells.map((text, index) => `  ${(index === 0 ? heading : '').padEnd(32)} ${letter(index)} ${text}`);
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
