import type { WatchProgress } from '../engine/runs/watch-run';
import type { Stream } from '../engine/streams/stream';
import { frames } from '../facts/count-words';
import type { StreamSubject, StreamsRow } from '../facts/stream-row';
import type { StreamView } from '../protocol/console';
import { forText, leftText } from '../protocol/progress-words';
import { endLines, type RunEnd } from './end-lines';
import { ProgressLine } from './progress';
import { statusText } from './run-status';
import { print, printError, printJson } from './terminal';

interface Sent {
  submitted: number;
  missed: number;
  /** Rows in which the sender left no records. */
  unreported: number;
}

/**
 * Prints for `whiteline send`: what goes on, and what each stream came to. With --json, standard output has objects as that of
 * `whiteline watch`, but for states and cuts.
 */
export class SendOutput {
  private readonly line = new ProgressLine();
  private readonly sent = new Map<string, Sent>();

  constructor(private readonly json: boolean) {}

  /** For people: to standard error where standard output carries JSON. */
  says(...lines: readonly string[]): void {
    if (this.json) printError(...lines);
    else print(...lines);
  }

  /** The source id in the frame code is known once a source plays. */
  ready(streams: readonly Stream[]): void {
    this.object('ready', {
      streams: streams.map(({ id, name, fullName, source }) => ({
        ...{ streamId: id, name, fullName, sourceId: source.status?.sourceId ?? null },
      })),
    });
  }

  /** Without their states, which are those of a receiver. */
  views(views: readonly StreamView[]): void {
    for (const { state: _, stateText: _text, remedy: _remedy, ...view } of views) this.object('view', view);
  }

  row(row: StreamsRow): void {
    this.object('row', row);
    const { subjects } = row;
    for (const subject of subjects)
      this.sent.set(subject.name, withRow(this.sent.get(subject.name), subject));
  }

  /** @param open the open row as it stands */
  now(open: StreamsRow | null, { elapsedSeconds, remainingSeconds }: WatchProgress, receivers: number): void {
    if (this.json) return;
    const time = remainingSeconds === null ? forText(elapsedSeconds) : leftText(remainingSeconds);
    const sent = new Map(this.sent);
    for (const subject of open?.subjects ?? [])
      sent.set(subject.name, withRow(sent.get(subject.name), subject));
    const sum = (of: (one: Sent) => number): number =>
      [...sent.values()].reduce((total, one) => total + of(one), 0);
    const figures = [
      `missed ${sum(({ missed }) => missed)}`,
      `submitted ${sum(({ submitted }) => submitted)}`,
    ];
    const connected = receivers === 1 ? '1 receiver' : `${receivers} receivers`;
    this.line.show(statusText('Sending', time, ...(sent.size > 0 ? figures : []), connected), '');
  }

  /** A line for each stream, the verdict, and the folder where it was recorded. */
  end(end: RunEnd, folder?: string): void {
    this.close();
    const lines = [...this.sent].map(([name, { submitted, missed, unreported }]) => {
      const without =
        unreported === 1 ? '1 row without its records' : `${unreported} rows without its records`;
      return `${name}: ${frames(submitted)} submitted, ${missed} missed${unreported > 0 ? `; ${without}` : ''}`;
    });
    this.says(...lines, ...endLines(end, folder));
  }

  close(): void {
    this.line.end();
  }

  private object(type: string, value: object): void {
    if (this.json) printJson({ type, ...value });
  }
}

function withRow(before: Sent | undefined, { figures }: StreamSubject): Sent {
  const { submitted, missed, unreported } = before ?? { submitted: 0, missed: 0, unreported: 0 };
  return {
    submitted: submitted + (figures.framesSubmitted ?? 0),
    missed: missed + (figures.framesSenderMissed ?? 0),
    unreported: unreported + (figures.framesSubmitted === null ? 1 : 0),
  };
}
