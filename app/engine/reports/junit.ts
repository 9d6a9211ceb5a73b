import { columnsOfExperiment, titleOfExperiment } from '../../experiments/of-run';
import type { Figure } from '../../facts/figure';
import { headingWithUnit, type Metric } from '../../facts/metrics/registry';
import { missingText } from '../../facts/missing';
import { wordsOf } from '../../facts/reason-words';
import type { Row } from '../../facts/row';
import { figureOf, numberOf, scalarOf } from '../../facts/row-figures';
import { rowLabel } from '../../facts/row-label';
import type { Run } from '../../facts/run';
import type { SessionRun } from '../../protocol/session';
import { figuresOf } from './csv';

/**
 * The run for a build server: a test case for each row. FAIL is a failure with reason and time, INVALID an error, since
 * nothing was measured; WARN passes, and its output says so. Parameters and environment are properties, figures the
 * output of their case.
 */
export function junitOf(run: Run): string {
  const suite = suiteOf(run, `${run.title} (${run.experiment})`);
  return `${junitHead(suite)}${suite.text}${junitEnd}`;
}

interface Totals {
  tests: number;
  failures: number;
  errors: number;
  seconds: number;
}

/** A suite of test cases, and what it counts. */
export interface Suite extends Totals {
  text: string;
}

/** The beginning of a file with suites that count so much together. */
export function junitHead(totals: Totals): string {
  const head = open('testsuites', { name: 'whiteline', ...attributesOf(totals) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n`;
}

export const junitEnd = '</testsuites>\n';

function attributesOf({ tests, failures, errors, seconds }: Totals): Record<string, string | number> {
  return { tests, failures, errors, time: seconds.toFixed(3) };
}

export function suiteOf(run: Run, name: string): Suite {
  const figures = figuresOf(run);
  const names = namesOf(run);
  const cases = run.rows.map((row, index) => caseOf(row, names[index] ?? '', run, figures));
  const ofRun = problemOfRun(run);
  if (ofRun) cases.push(caseOfRun(ofRun, run));
  const totals = {
    tests: cases.length,
    failures: count(run.rows, 'FAIL') + Number(ofRun?.kind === 'failure'),
    errors: count(run.rows, 'INVALID') + Number(ofRun?.kind === 'error'),
    seconds: run.rows.reduce((sum, row) => sum + secondsOf(row), 0),
  };
  const suite = {
    ...{ name, ...attributesOf(totals), skipped: 0 },
    ...{ timestamp: run.startedAt.replace(/(?:\.\d+)?Z$/, ''), hostname: hostOf(run) },
  };
  const lines = [
    open('testsuite', suite),
    '<properties>',
    ...properties(run).map(([property, value]) => open('property', { name: property, value }, true)),
    '</properties>',
    ...cases,
    element('system-out', `${run.verdict ?? 'no verdict'}: ${run.reason}\n${run.command}`),
    '</testsuite>',
    '',
  ];
  return { ...totals, text: lines.join('\n') };
}

/** Of a run of a session that has no rows to show: skipped where the session did not come to it, else an error. */
export function suiteWithoutRun({ state, experiment, reason }: SessionRun, name: string): Suite {
  const isSkipped = state === 'waiting';
  const said = isSkipped ? 'the session did not come to it' : `the run is ${state}: ${reason}`;
  const totals = { tests: 1, failures: 0, errors: isSkipped ? 0 : 1, seconds: 0 };
  const lines = [
    open('testsuite', { name, ...attributesOf(totals), skipped: isSkipped ? 1 : 0 }),
    open('testcase', {
      name: `${titleOfExperiment(experiment)}: run`,
      classname: `whiteline.${experiment}`,
      time: '0.000',
    }),
    element(isSkipped ? 'skipped' : 'error', isSkipped ? '' : said, { message: said }),
    '</testcase>',
    '</testsuite>',
    '',
  ];
  return { ...totals, text: lines.join('\n') };
}

function secondsOf(row: Row): number {
  return numberOf(row, 'measuredSeconds') ?? 0;
}

/** Of each row: the experiment and what was set for it. Only rows that were set alike have their number too. */
function namesOf({ experiment, rows }: Run): string[] {
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

function caseOf(row: Row, name: string, run: Run, figures: readonly Metric[]): string {
  const reason = wordsOf(row.reason);
  const attributes = {
    name,
    classname: `whiteline.${run.experiment}`,
    time: secondsOf(row).toFixed(3),
  };
  const between = row.to === null ? `from ${row.from} on` : `between ${row.from} and ${row.to}`;
  const problem = problemKinds[row.verdict ?? 'INVALID'];
  const verdict = row.verdict ?? 'no verdict: the row is open';
  const said = { message: `${reason} (${between})`, type: verdict };
  return [
    open('testcase', attributes),
    ...(problem ? [element(problem, `${verdict}: ${reason}\n${between}`, said)] : []),
    element('system-out', `${verdict}: ${reason}\n${figuresText(row, figures)}`),
    '</testcase>',
  ].join('\n');
}

const problemKinds = { FAIL: 'failure', INVALID: 'error', WARN: null, PASS: null } as const;

interface RunProblem {
  kind: 'failure' | 'error';
  text: string;
}

/** What no row says: a suite passes where each of its cases does, and so it would for a run that did not pass itself. */
function problemOfRun({ missing, rows, state, verdict, reason }: Run): RunProblem | null {
  if (missing) return { kind: 'error', text: missingText(missing, rows.length) };
  if (rows.length === 0) return { kind: 'error', text: `no row was measured: ${reason}` };
  if (verdict === null) {
    const is = state === 'running' ? 'still running' : state;
    return { kind: 'error', text: `the run is ${is} and has no verdict: ${reason}` };
  }
  const isSaid = verdict === 'PASS' || verdict === 'WARN' || rows.some((row) => row.verdict === verdict);
  if (isSaid) return null;
  return { kind: verdict === 'FAIL' ? 'failure' : 'error', text: `${verdict}: ${reason}` };
}

function caseOfRun({ kind, text }: RunProblem, run: Run): string {
  const name = `${titleOfExperiment(run.experiment)}: run`;
  const attributes = { name, classname: `whiteline.${run.experiment}`, time: '0.000' };
  const said = { message: run.reason, type: run.verdict ?? run.state };
  return [open('testcase', attributes), element(kind, text, said), '</testcase>'].join('\n');
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

function hostOf({ environment }: Run): string {
  const [host] = Array.isArray(environment.hosts) ? environment.hosts : [];
  return String((host as { hostName?: unknown } | undefined)?.hostName ?? 'unknown');
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
