import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  countLog,
  type LogCount,
  type LoggedPicture,
  readCapturedLog,
} from '../../app/engine/faults/captured-log';
import { readEvents, readSamples } from '../../app/engine/sessions/read-run';
import type { RunEvent } from '../../app/facts/run';
import type { StreamState, StreamView } from '../../app/protocol/console';
import type { LoadSample } from '../../app/protocol/load';
import { killAll, uniqueName, WhitelineCommand } from '../../app/testing/command';
import { type Row, readStreamRun, type StreamRow } from '../../app/testing/named-rows';
import { movedAddress, Network, senderAddress, withoutBus } from './network';

/** What has been seen of one stream from the other end of the cable. */
export interface Watched {
  rows: Row[];
  /** The stream's part of each row. */
  streams: StreamRow[];
  events: RunEvent[];
  /** What `watch` showed, one entry a second. */
  views: StreamView[];
  /** Its states, each as it began. */
  states: StreamState[];
  /** ms of each interruption that is over, as views and states report it: again and again until the next one. */
  recoveriesMs: number[];
  log: LoggedPicture[];
}

/** One sender, one watcher and the cable between them; `close` leaves nothing of them. */
export class Scene {
  readonly name = uniqueName();
  private readonly folder = mkdtempSync(join(tmpdir(), 'whiteline-network-'));
  private readonly commands: WhitelineCommand[] = [];

  private constructor(readonly network: Network) {}

  static async open(): Promise<Scene> {
    return new Scene(await Network.create());
  }

  async send(flags: string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<WhitelineCommand> {
    const words = ['send', '--format', '640x360@30', '--name', this.name, ...flags];
    const command = this.start(words, this.network.sender.inside, environment);
    await command.says(/^Sending /, 60);
    return command;
  }

  /** Resolves when the first picture is there. */
  async watch(seconds: number): Promise<WhitelineCommand> {
    const places = ['--from', `${senderAddress},${movedAddress}`, '--out', this.folder, '--capture-logs'];
    const words = ['watch', `${this.name} 1`, '--duration', String(seconds), '--json', ...places];
    const command = this.start(words, this.network.receiver.inside, {});
    await command.says(/"state":"receiving"/, 60);
    return command;
  }

  /** Of the watcher so far. */
  events(): RunEvent[] {
    return readEvents(this.folder);
  }

  /** Of the watcher's machine so far. */
  samples(): LoadSample[] {
    return readSamples(this.folder);
  }

  /** Waits for the watcher's end and reads what it left. */
  async seen(watch: WhitelineCommand): Promise<Watched> {
    const { output } = await watch.ended;
    const { rows } = readStreamRun(this.folder);
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; state?: string; recoveredAfterMs?: number | null });
    return {
      rows,
      streams: rows.flatMap(({ perStream }) => perStream),
      events: this.events(),
      views: lines.filter(({ type }) => type === 'view') as unknown[] as StreamView[],
      states: lines.filter(({ type }) => type === 'state').map(({ state }) => state as StreamState),
      recoveriesMs: lines.flatMap(({ recoveredAfterMs }) => recoveredAfterMs ?? []),
      log: readCapturedLog(join(this.folder, 'captured-1.log')),
    };
  }

  async close(): Promise<void> {
    for (const command of this.commands) killAll(command.processes());
    for (const command of this.commands) await command.ended;
    this.network.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private start(words: string[], inside: string[], environment: NodeJS.ProcessEnv): WhitelineCommand {
    const command = new WhitelineCommand(words, { ...withoutBus, ...environment }, inside);
    this.commands.push(command);
    return command;
  }
}

/** What a failure needs to be explained. */
export function whatCame({ states, recoveriesMs, streams, events }: Watched): string {
  const rows = streams.map(
    ({ framesSubmitted, framesReceived, framesDropped, outages, verdict, reason }) => ({
      ...{ framesSubmitted, framesReceived, framesDropped, outages, verdict, reason },
    }),
  );
  return JSON.stringify({
    ...{ states, recoveriesMs, rows },
    events: events.map(({ at, text }) => `${at} ${text}`),
  });
}

/** The numbers of a row's stream as the receiver's own log has them, of the source that it follows. */
export function logOf(watched: Watched, stream: StreamRow, sourceId: number): LogCount {
  const ofSource = watched.log.filter((picture) => picture.sourceId === sourceId || picture.sourceId === 0);
  return countLog(ofSource, stream.firstFrame ?? 0, stream.lastFrame ?? -1);
}

/** The sources in the log, in the order in which they appeared; a sender that is started again is another one. */
export function sourcesOf({ log }: Watched): number[] {
  return [...new Set(log.map(({ sourceId }) => sourceId))].filter((id) => id !== 0);
}
