import { readRun } from '../engine/sessions/read-run';
import { declarations } from '../experiments/declarations';
import { recordMetrics } from '../facts/metrics/records';
import { metricOf, rowMetrics } from '../facts/metrics/registry';
import type { Row } from '../facts/row';
import { type Figured, isOfStreams, scalarOf } from '../facts/row-figures';

/** A figure as a report shows it, with what its element says of where it is from. */
export interface ShownFigure {
  metric: string;
  row: string;
  /** Empty for a figure of the row. */
  stream: string;
  text: string;
}

/** What stands in place of a row's number where a figure is that of all rows. */
export const everyRow = 'every';

/** Every element that says which figure it shows, as it stands in the markup. */
export function figuresIn(markup: string): ShownFigure[] {
  const elements = [
    ...markup.matchAll(/<\w+((?:\s[\w-]+="[^"]*")*\sdata-metric="[^"]*"(?:\s[\w-]+="[^"]*")*)>([^<]*)/g),
  ];
  const of = (attributes: string, name: string): string =>
    plain(new RegExp(`\\sdata-${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
  return elements.map(([, attributes = '', text = '']) => ({
    metric: of(attributes, 'metric'),
    row: of(attributes, 'row'),
    stream: of(attributes, 'stream'),
    text: of(attributes, 'figure') || plain(text),
  }));
}

/** Markup as the text that it stands for. */
export function plain(text: string): string {
  return text
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&');
}

/** Figures of each stream of a row in which a display window showed one. */
const displayFigures = rowMetrics
  .map(({ id }) => id)
  .filter((id) => /^(framesDisplay|displayTicks)/.test(id));

/** Figures of each stream that a report has. */
const streamFigures = rowMetrics
  .map(({ id }) => id)
  .filter((id) => !/^(streams|measuredSeconds|bitrateMbps|clockOffsetMs|latencyFramesP50)$/.test(id))
  .filter((id) => !/^(sender|receiver|instrument|gapHistogram)\./.test(id))
  .filter((id) => !displayFigures.includes(id))
  .filter((id) => !/\.(min|p90|p999)$/.test(id) && !/Interval\w*\.(p50|max)$/.test(id));

/** Figures of each row with streams. */
const distributions = rowMetrics
  .map(({ id }) => id)
  .filter((id) => /^(latency|submitInterval|receiveInterval)Ms\./.test(id));
const standard = new Set([...rowMetrics, ...recordMetrics].map(({ id }) => id));
const jitters = ['latencyJitterMs', 'submitJitterMs', 'receiveJitterMs'];

/**
 * Compares what a report shows with the run folder's own rows: each figure must be there as shown, and each that belongs
 * into a report must be shown. Reads and rounds on its own, without the window's code. Returns what is wrong.
 */
export function wrongFigures(shown: readonly ShownFigure[], folder: string): string[] {
  const run = readRun(folder);
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const figure of shown) {
    if (figure.row === everyRow) {
      checkEvery(figure);
      continue;
    }
    const row = run.rows.find((candidate) => String(candidate.index) === figure.row);
    const of = row && measured(row, figure.stream);
    const where = nameOf(figure.row, figure.stream, figure.metric);
    seen.add(where);
    if (!of) problems.push(`${where} is not in the run: ${figure.text}`);
    else if (!says(figure.text, scalarOf(of, figure.metric), figure.metric))
      problems.push(`${where} is ${scalarOf(of, figure.metric)}, and the report says ${figure.text}`);
  }
  const declared = declarations.find(({ id }) => id === run.experiment)?.columns ?? [];
  for (const row of run.rows) {
    const own = Object.keys({ ...row.step, ...row.figures }).filter(
      (id) => !standard.has(id) && isInTable(id),
    );
    const wanted = new Set([...declared.map(({ metric }) => metric), ...own]);
    if (isOfStreams(row) && row.subjects.length > 0)
      for (const id of [...distributions, ...jitters]) wanted.add(id);
    for (const id of wanted) if (!isNowhere(id)) require(row, '', id);
    if (!isOfStreams(row)) continue;
    const isShown = row.subjects.some(({ figures }) => typeof figures.framesDisplayShown === 'number');
    for (const { id: stream } of row.subjects)
      for (const id of [...streamFigures, ...(isShown ? displayFigures : [])])
        if (!isUnknown(id)) require(row, stream, id);
  }
  return problems;

  /** Then the reasons stand below the tables, which have no column of it; nor have they one of repeats where nothing was repeated. */
  function isNowhere(id: string): boolean {
    const isRepeat = declared.some(({ metric, role }) => metric === id && role === 'repeat');
    if (isRepeat && !run.rows.some((row) => Number(scalarOf(row, id)) > 1)) return true;
    const isMissing = (row: Row) => scalarOf(row, id) === null && row.notMeasured[id] !== undefined;
    return run.rows.every(isMissing);
  }

  /** One word for a figure that is the same in every stream. */
  function checkEvery({ metric, text }: ShownFigure): void {
    for (const row of run.rows.filter(isOfStreams))
      for (const stream of row.subjects) {
        const where = nameOf(String(row.index), stream.id, metric);
        seen.add(where);
        if (!says(text, scalarOf(stream, metric), metric))
          problems.push(
            `${where} is ${scalarOf(stream, metric)}, and the report says ${text} of every stream`,
          );
      }
  }

  /** What no stream has a figure of stands with its reason in the list of what was not measured. */
  function isUnknown(id: string): boolean {
    const streams = run.rows.filter(isOfStreams).flatMap(({ subjects }) => subjects);
    return streams.every((stream) => scalarOf(stream, id) === null && stream.notMeasured[id] !== undefined);
  }

  /** Of a run whose rows have one stream each, what the table of the rows has is not said again. */
  function isOfRow(row: Row, stream: string, id: string): boolean {
    const isAlone = run.rows.every(({ subjects }) => subjects.length <= 1);
    const own = row.subjects.find((subject) => subject.id === stream);
    return (
      isAlone &&
      own !== undefined &&
      seen.has(nameOf(String(row.index), '', id)) &&
      scalarOf(row, id) === scalarOf(own, id)
    );
  }

  function require(row: Row, stream: string, id: string): void {
    const where = nameOf(String(row.index), stream, id);
    if (!seen.has(where) && !isOfRow(row, stream, id)) problems.push(`${where} is missing`);
  }
}

/** Others are drawn. */
function isInTable(id: string): boolean {
  const { shape } = metricOf(id);
  return shape !== 'histogram' && shape !== 'series';
}

function measured(row: Row, stream: string): Figured | undefined {
  return stream === '' ? row : row.subjects.find(({ id }) => id === stream);
}

function nameOf(row: string, stream: string, metric: string): string {
  return `row ${row}${stream && `, stream ${stream}`}: ${metric}`;
}

/** Whether a text is this value, to the digits that its metric has. */
function says(text: string, value: number | string | boolean | null, id: string): boolean {
  const shown = text.trim();
  if (value === null) return shown === '—';
  if (typeof value === 'boolean') return shown === (value ? 'yes' : 'no');
  if (typeof value === 'string') return shown === value;
  const { digits, isEstimate } = metricOf(id);
  if (isEstimate && shown.startsWith('≈ ') !== value > 0) return false;
  const plain = shown.replace(/^≈ |,/g, '').replace('−', '-');
  if (!new RegExp(`^[+-]?\\d+${digits > 0 ? `\\.\\d{${digits}}` : ''}$`).test(plain)) return false;
  return Math.abs(Number(plain) - value) <= 0.5 * 10 ** -digits * (1 + 1e-6);
}
