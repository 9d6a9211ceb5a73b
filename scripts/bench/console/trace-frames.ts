/** What a trace of Chromium says of a page's main thread. */

export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** µs. */
  ts: number;
  dur?: number;
  /** The same of the processor's time; shorter where the thread had to wait for it. */
  tdur?: number;
  args?: { name?: string };
}

interface Spread {
  mean: number;
  p99: number;
  max: number;
}

export interface FrameCosts {
  /** Script in each 60th of a second, counted to the one in which it was called. */
  scriptMs: Spread;
  /** The same in time of the processor. */
  scriptCpuMs: Spread;
  /** Everything that the thread did: script, styles, layout, painting, taking messages. */
  busyPercent: number;
  longTasks: number;
  longestTaskMs: number;
}

const frameUs = 1e6 / 60;
const longTaskMs = 50;
const mainThreadName = 'CrRendererMain';
const taskName = 'RunTask';
/** Any of these may be inside of another: only the outermost counts. */
const scriptNames = new Set(['FunctionCall', 'EvaluateScript', 'RunMicrotasks', 'v8.callFunction']);

/** Costs of the main thread of this process over some seconds. */
export function frameCosts(events: readonly TraceEvent[], processId: number, seconds: number): FrameCosts {
  const ofProcess = events.filter(({ pid }) => pid === processId);
  const thread = ofProcess.find(({ name, args }) => name === 'thread_name' && args?.name === mainThreadName);
  if (!thread) throw new Error('the trace does not tell which thread of the page is its main one');
  const spans = ofProcess
    .filter(({ ph, tid, dur }) => ph === 'X' && tid === thread.tid && dur !== undefined)
    .sort((one, other) => one.ts - other.ts);
  const tasks = spans.filter(({ name }) => name === taskName).map(({ dur = 0 }) => dur / 1000);
  return {
    scriptMs: spread(scriptPerFrame(spans, seconds, ({ dur = 0 }) => dur)),
    scriptCpuMs: spread(scriptPerFrame(spans, seconds, ({ tdur = 0 }) => tdur)),
    busyPercent: (100 * tasks.reduce((sum, ms) => sum + ms, 0)) / (seconds * 1000),
    longTasks: tasks.filter((ms) => ms > longTaskMs).length,
    longestTaskMs: Math.max(0, ...tasks),
  };
}

function scriptPerFrame(
  spans: readonly TraceEvent[],
  seconds: number,
  costUs: (span: TraceEvent) => number,
): number[] {
  const frames = new Array<number>(Math.round(seconds * 60)).fill(0);
  const firstUs = spans[0]?.ts ?? 0;
  let endUs = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    const { name, ts, dur = 0 } = span;
    if (!scriptNames.has(name) || ts < endUs) continue;
    endUs = ts + dur;
    const frame = Math.min(Math.floor((ts - firstUs) / frameUs), frames.length - 1);
    frames[frame] = (frames[frame] as number) + costUs(span) / 1000;
  }
  return frames;
}

function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { mean: values.reduce((sum, ms) => sum + ms, 0) / values.length, p99: at(0.99), max: at(1) };
}
