import { columnsOfExperiment, titleOfExperiment } from '../../experiments/of-run';
import { machinesOf } from '../../experiments/tested';
import type { Figure } from '../../facts/figure';
import { headingWithUnit, type Metric } from '../../facts/metrics/registry';
import { missingText } from '../../facts/missing';
import { wordsOf } from '../../facts/reason-words';
import type { Row } from '../../facts/row';
import { figureOf, numberOf, scalarOf } from '../../facts/row-figures';
import { rowLabel } from '../../facts/row-label';
import { countedRows } from '../../facts/row-labels';
import type { Run } from '../../facts/run';
import type { SessionRun } from '../../protocol/session';
import { figuresOf } from './csv';

/**
 * The run for a build server: a test case for each row. FAIL is a failure with reason and time, INVALID an error, because it proves
 * nothing; WARN passes, and the output says so. Parameters and environment are properties. Figures are the output of the suite, because the
 * schema of Ant, the strictest that readers use, allows no output of a case.
 */
export function junitOf(run: Run): string {
  return `${junitHead}${suiteOf(run, { name: `${run.title} (${run.experiment})`, id: 0 })}${junitEnd}`;
}

export const junitHead = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n';
export const junitEnd = '</testsuites>\n';

/** Of a suite in its file; they are numbered from 0 on. */
interface SuitePlace {
  name: string;
  id: number;
}

interface SuiteParts extends SuitePlace {
  startedAt: string;
  hostName: string;
  counts: Record<'tests' | 'failures' | 'errors' | 'skipped', number>;
  seconds: number;
  properties: readonly [name: string, value: string][];
  cases: readonly string[];
  output: string;
}

export function suiteOf(run: Run, place: SuitePlace): string {
  // A row that was measured again is no case: the one in its place is. The output and a property say that there was one.
  const rows = countedRows(run.rows);
  const replaced = run.rows.filter((row) => !rows.includes(row));
  const names = namesOf(run.experiment, rows);
  const figures = figuresOf(run);
  const ofRun = problemOfRun(run, rows);
  const cases = rows.map((row, index) => caseOf(row, names[index] ?? '', run));
  if (ofRun) cases.push(caseOfRun(ofRun, run));
  const outputs = rows.map((row, index) => outputOf(row, names[index] ?? '', figures));
  return suiteText({
    ...{ ...place, startedAt: run.startedAt, cases },
    hostName: machinesOf(run.environment)[0] ?? '',
    counts: {
      tests: cases.length,
      failures: count(rows, 'FAIL') + Number(ofRun?.kind === 'failure'),
      errors: count(rows, 'INVALID') + Number(ofRun?.kind === 'error'),
      skipped: 0,
    },
    seconds: rows.reduce((sum, row) => sum + secondsOf(row), 0),
    properties: [...properties(run), ['rowsReplaced', String(replaced.length)]],
    output: [
      ...outputs,
      ...replaced.map(replacedText),
      `${run.verdict ?? 'no verdict'}: ${run.reason}\n${run.command}`,
    ].join('\n\n'),
  });
}

/**
 * The suite of a run without rows: skipped if the session did not reach it, otherwise an error.
 * @param startedAt that of the session, because the run has no time
 */
export function suiteWithoutRun(
  { state, experiment, reason }: SessionRun,
  startedAt: string,
  place: SuitePlace,
): string {
  const isSkipped = state === 'waiting';
  const said = isSkipped ? 'the session did not come to it' : `the run is ${state}: ${reason}`;
  const problem = isSkipped
    ? open('skipped', {}, true)
    : element('error', said, { message: said, type: state });
  return suiteText({
    ...{ ...place, startedAt, hostName: '', seconds: 0, properties: [], output: said },
    counts: { tests: 1, failures: 0, errors: isSkipped ? 0 : 1, skipped: isSkipped ? 1 : 0 },
    cases: [caseText(`${titleOfExperiment(experiment)}: run`, experiment, 0, problem)],
  });
}

function suiteText({ name, id, startedAt, hostName, counts, seconds, ...parts }: SuiteParts): string {
  const suite = {
    ...{ name, package: 'whiteline', id },
    ...{ timestamp: startedAt.replace(/(?:\.\d+)?Z$/, ''), hostname: hostName.trim() || 'localhost' },
    ...{ ...counts, time: seconds.toFixed(3) },
  };
  return [
    open('testsuite', suite),
    '<properties>',
    ...parts.properties.map(([property, value]) => open('property', { name: property, value }, true)),
    '</properties>',
    ...parts.cases,
    element('system-out', parts.output),
    open('system-err', {}, true),
    '</testsuite>',
    '',
  ].join('\n');
}

function caseText(name: string, experiment: string, seconds: number, problem: string): string {
  const attributes = { name, classname: `whiteline.${experiment}`, time: seconds.toFixed(3) };
  return problem === ''
    ? open('testcase', attributes, true)
    : [open('testcase', attributes), problem, '</testcase>'].join('\n');
}

function secondsOf(row: Row): number {
  return numberOf(row, 'measuredSeconds') ?? 0;
}

/** Of each row: the experiment and what was set for it. Only rows that were set alike have their number too. */
function namesOf(experiment: string, rows: readonly Row[]): string[] {
  const columns = columnsOfExperiment(experiment);
  const set = columns.filter(({ role }) => role === 'step' || role === 'repeat').map(({ metric }) => metric);
  const labels = rows.map((row) => {
    const own = set.filter((metric) => scalarOf(row, metric) !== null);
    return row.label || rowLabel(row, own);
  });
  return labels.map((label, index) => {
    const isAlone = labels.indexOf(label) === labels.lastIndexOf(label);
    const number = isAlone ? '' : `, row ${rows[index]?.index}`;
    return `${titleOfExperiment(experiment)}: ${label}${number}`;
  });
}

function caseOf(row: Row, name: string, { experiment }: Run): string {
  const kind = problemKinds[row.verdict ?? 'INVALID'];
  const said = { message: `${wordsOf(row.reason)} (${timesOf(row)})`, type: verdictOf(row) };
  const text = `${verdictOf(row)}: ${wordsOf(row.reason)}\n${timesOf(row)}`;
  return caseText(name, experiment, secondsOf(row), kind ? element(kind, text, said) : '');
}

function outputOf(row: Row, name: string, figures: readonly Metric[]): string {
  return `${name}\n${verdictOf(row)}: ${wordsOf(row.reason)}\n${figuresText(row, figures)}`;
}

function replacedText(row: Row): string {
  return `Row ${row.index}, ${row.label}, ${timesOf(row)}\n${verdictOf(row)}: ${wordsOf(row.reason)}`;
}

function verdictOf({ verdict }: Row): string {
  return verdict ?? 'no verdict: the row is open';
}

function timesOf({ from, to }: Row): string {
  return to === null ? `from ${from} on` : `between ${from} and ${to}`;
}

const problemKinds = { FAIL: 'failure', INVALID: 'error', WARN: null, PASS: null } as const;

interface RunProblem {
  kind: 'failure' | 'error';
  text: string;
}

/** What no row says: a suite passes where each of its cases does, and so it would for a run that did not pass itself. */
function problemOfRun(
  { missing, rows: all, state, verdict, reason }: Run,
  rows: readonly Row[],
): RunProblem | null {
  if (missing) return { kind: 'error', text: missingText(missing, all.length) };
  if (rows.length === 0) return { kind: 'error', text: `no row was measured: ${reason}` };
  if (verdict === null) {
    const is = state === 'running' ? 'still running' : state;
    return { kind: 'error', text: `the run is ${is} and has no verdict: ${reason}` };
  }
  const isSaid = verdict === 'PASS' || verdict === 'WARN' || rows.some((row) => row.verdict === verdict);
  if (isSaid) return null;
  return { kind: verdict === 'FAIL' ? 'failure' : 'error', text: `${verdict}: ${reason}` };
}

function caseOfRun({ kind, text }: RunProblem, { experiment, reason, verdict, state }: Run): string {
  const said = { message: reason, type: verdict ?? state };
  return caseText(`${titleOfExperiment(experiment)}: run`, experiment, 0, element(kind, text, said));
}

function figuresText(row: Row, figures: readonly Metric[]): string {
  return figures
    .map((metric) => {
      const value = figureOf(row, metric.id);
      const reason = row.notMeasured[metric.id];
      const text = value === null ? `not measured${reason ? `: ${reason}` : ''}` : textOf(value);
      return `${metric.id} (${headingWithUnit(metric)}): ${text}`;
    })
    .join('\n');
}

function textOf(figure: Figure): string {
  return typeof figure === 'object' ? JSON.stringify(figure) : String(figure);
}

function properties(run: Run): [name: string, value: string][] {
  const trees = { parameter: run.parameters, threshold: run.thresholds, environment: run.environment };
  return [
    ['command', run.command],
    ['state', run.state],
    ['verdict', run.verdict ?? 'none'],
    ...Object.entries(trees).flatMap(([name, tree]) => leaves(tree, name)),
  ];
}

function leaves(value: unknown, path: string): [name: string, value: string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value ?? 'not known')]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`));
}

function count(rows: readonly Row[], verdict: Row['verdict']): number {
  return rows.filter((row) => row.verdict === verdict).length;
}

function open(name: string, attributes: Record<string, string | number>, isEmpty = false): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapedValue(String(value))}"`,
  );
  return `<${name}${written.join('')}${isEmpty ? '/' : ''}>`;
}

function element(name: string, text: string, attributes: Record<string, string> = {}): string {
  return `${open(name, attributes)}${escapedText(text)}</${name}>`;
}

/** In an attribute, and as text: breaks of lines in an attribute are kept as what they are. */
const entities: Record<string, string> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\t': '&#9;', '\r': '&#13;' },
};

function escapedValue(text: string): string {
  return held(text).replace(/[&<>"\n\t\r]/g, (sign) => entities[sign] ?? sign);
}

function escapedText(text: string): string {
  return held(text).replace(/[&<>\r]/g, (sign) => entities[sign] ?? sign);
}

/** What XML 1.0 cannot hold at all, such as a bell or half of a pair, is replaced. */
function held(text: string): string {
  return [...text].map((sign) => (isHeld(sign.codePointAt(0) ?? 0) ? sign : '\ufffd')).join('');
}

/** Production [2] Char of XML 1.0. */
function isHeld(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
}
