import type { StateChange, WatchProgress } from '../engine/runs/watch-run';
import type { Stream } from '../engine/streams/stream';
import { streamTable } from '../experiments/stream-table';
import { type EventKind, eventUse } from '../facts/event-kinds';
import type { StreamsRow } from '../facts/stream-row';
import type { StreamState, StreamView } from '../protocol/console';
import { forText, leftText, phaseText } from '../protocol/progress-words';
import { endLines, type RunEnd } from './end-lines';
import { ProgressLine } from './progress';
import { figureParts, statusText } from './run-status';
import { print, printError, printJson } from './terminal';
import { TerminalTable } from './terminal-table';

/** Whom a stream follows: by the exact name under which it was found. */
function readyStream({ id, name, sourceName, followedBy, programme }: Stream): object {
  return { streamId: id, name, sourceName, followedBy, isProgramme: programme !== null };
}

/** States of a stream without trouble; they are printed only after a trouble. */
const hoped: readonly StreamState[] = ['searching', 'connecting', 'warming-up', 'receiving', 'removing'];

/**
 * Prints for `whiteline watch`: the table of rows, each change of a stream's state with its remedy, what goes on now, and the
 * final verdict.
 * With --json, standard output has one object per line. Its `type` is ready (once, when measuring begins), view (a stream, once a
 * second), state (on change), cut (of a mixer's programme) or row. Text for people goes to standard error.
 */
export class WatchOutput {
  private readonly troubled = new Set<number>();
  private readonly line = new ProgressLine();
  private readonly table = new TerminalTable(streamTable);

  constructor(private readonly json: boolean) {}

  /** What it waits for, or measures now: a limit of time counts from there. */
  says(text: string): void {
    this.say(text);
  }

  ready(streams: readonly Stream[]): void {
    this.object('ready', { streams: streams.map(readyStream) });
  }

  row(row: StreamsRow): void {
    this.object('row', row);
    this.say(...this.table.lines(row));
  }

  views(views: readonly StreamView[], { phase, elapsedSeconds, remainingSeconds }: WatchProgress): void {
    for (const view of views) this.object('view', view);
    if (this.json) return;
    const time = remainingSeconds === null ? forText(elapsedSeconds) : leftText(remainingSeconds);
    // Without a terminal, rows and changes of states say enough.
    this.line.show(
      statusText(phaseText(phase), phase === 'measuring' ? time : '', ...figureParts(views)),
      '',
    );
  }

  state(change: StateChange): void {
    this.object('state', change);
    const { streamId, name, state, text, remedy, recoveredAfterMs } = change;
    if (!hoped.includes(state)) {
      this.troubled.add(streamId);
      this.say(`     ${name}: ${text}`, ...(remedy ? [`       ${remedy}`] : []));
    } else if (state === 'receiving' && this.troubled.delete(streamId)) {
      const after = recoveredAfterMs === null ? '' : ` after ${(recoveredAfterMs / 1000).toFixed(1)} s`;
      this.say(`     ${name}: receiving again${after}`);
    }
  }

  event(kind: EventKind, text: string, details: Record<string, unknown> = {}): void {
    if (kind === 'cut') this.object('cut', details);
    if (eventUse(kind).printedBy.includes('watch')) this.say(`     ${text}`);
  }

  /** What it came to, as a run says it, and the folder where it was recorded. */
  end(end: RunEnd, folder?: string): void {
    this.close();
    this.say(...endLines(end, folder));
  }

  /** Nothing more is shown of what goes on. */
  close(): void {
    this.line.end();
  }

  private say(...lines: string[]): void {
    if (this.json) printError(...lines);
    else print(...lines);
  }

  private object(type: string, value: object): void {
    if (this.json) printJson({ type, ...value });
  }
}
