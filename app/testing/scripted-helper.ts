import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Message } from '../engine/capabilities/helper/helper-program';
import type { Launch, LaunchedProcess } from '../engine/capabilities/helper/launch';
import { LineCutter } from '../engine/capabilities/helper/line-cutter';
import type { Clock } from '../protocol/clock';

/** Of helpers: native/helpers/shared. */
const heartbeatMs = 500;
const longestLineBytes = 1024 * 1024;

let nextProcessId = 50_000;

/** How a helper does what it is told to. */
export interface HelperScript {
  /** Its first message; null: it never says one. */
  ready?: Message | null;
  /** A command, as it was read; `stop` comes here alone where there is `onStop`. */
  onCommand?(command: unknown, helper: ScriptedHelper): void;
  /** In the place of ending with 0. */
  onStop?(helper: ScriptedHelper): void;
}

/** A helper without a process: it speaks in lines as a real one does, at moments of a simulated clock. */
export class ScriptedHelper extends EventEmitter implements LaunchedProcess {
  readonly pid: number | undefined = nextProcessId++;
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  /** That it was sent. */
  readonly signals: NodeJS.Signals[] = [];
  /** Which do not end it. */
  readonly survives = new Set<NodeJS.Signals>();
  isOver = false;
  private readonly lines = new LineCutter(longestLineBytes);
  private readonly timers = new Set<() => void>();
  private isHanging = false;

  constructor(
    private readonly clock: Clock,
    private readonly script: HelperScript,
  ) {
    super();
    this.stdin.on('data', (bytes: Buffer) => {
      for (const line of this.lines.cut(bytes)) this.take(JSON.parse(line.toString()));
    });
    const { ready = { type: 'ready' } } = script;
    if (!ready) return;
    this.say(ready);
    this.every(heartbeatMs, () => this.say({ type: 'heartbeat' }));
  }

  say<Said extends Message>(message: Said): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  write(text: string | Buffer): void {
    if (!this.isOver) this.stdout.write(text);
  }

  /** After `ms` milliseconds, if it still runs then. */
  after(ms: number, act: () => void): void {
    this.timers.add(this.clock.after(ms, act));
  }

  /** At a moment of the monotonic clock. */
  at(ns: number, act: () => void): void {
    this.after((ns - this.clock.monotonicNs()) / 1e6, act);
  }

  every(ms: number, act: () => void): void {
    this.timers.add(this.clock.every(ms, act));
  }

  /** From now on it reads no command: the pipe fills. */
  readNothing(): void {
    this.stdin.pause();
  }

  readOn(): void {
    this.stdin.resume();
  }

  /** Whoever writes to it finds the pipe broken. */
  closeInput(): void {
    this.stdin.destroy(new Error('EPIPE'));
  }

  /** From now on it does nothing, and takes no command. */
  hang(): void {
    this.isHanging = true;
    this.stopTimers();
  }

  exit(exitCode: number, lastWords = ''): void {
    this.end(exitCode, null, lastWords);
  }

  die(signal: NodeJS.Signals, lastWords = ''): void {
    this.end(null, signal, lastWords);
  }

  signalGroup(signal: NodeJS.Signals): void {
    if (this.isOver) return;
    this.signals.push(signal);
    if (!this.survives.has(signal)) this.die(signal);
  }

  unref(): void {
    // There is no process.
  }

  private take(command: Message): void {
    if (this.isHanging || this.isOver) return;
    const { script } = this;
    if (command.type !== 'stop') script.onCommand?.(command, this);
    else if (script.onStop) script.onStop(this);
    else this.exit(0);
  }

  private end(exitCode: number | null, endSignal: NodeJS.Signals | null, lastWords: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stopTimers();
    this.stderr.end(lastWords);
    this.stdout.end();
    this.emit('exit', exitCode, endSignal);
    // As of a child: once what it said was read, or its pipes were closed.
    void Promise.all([this.stdout, this.stderr].map(closed)).then(() => {
      this.stdin.destroy();
      this.emit('close', exitCode, endSignal);
    });
  }

  private stopTimers(): void {
    for (const stop of this.timers) stop();
    this.timers.clear();
  }
}

function closed(stream: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.once('close', resolve);
  });
}

/** Starts helpers that do what their script says; `started` has all of them, in the order of their starts. */
export function scriptedLaunch(
  clock: Clock,
  scriptOf: (role: string, name: string) => HelperScript,
): { launch: Launch; started: ScriptedHelper[] } {
  const started: ScriptedHelper[] = [];
  const launch: Launch = ({ role, name }) => {
    const helper = new ScriptedHelper(clock, scriptOf(role, name));
    started.push(helper);
    return helper;
  };
  return { launch, started };
}
