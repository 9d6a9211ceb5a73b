import type { EventKind } from '../../../facts/event-kinds';
import type { Clock } from '../../../protocol/clock';
import type { WhitelineError } from '../../../protocol/errors';
import { tooManyOpenFiles } from '../../tools/open-files';
import { type HelperEnd, HelperProblems } from './helper-problems';
import type { HelperProgram, Message } from './helper-program';
import { HelperWatch, helperLimits, stopSignal } from './helper-watch';
import { Inbox } from './inbox';
import type { Launch, LaunchedProcess } from './launch';
import { LineCutter, LineTooLong } from './line-cutter';
import { lineOf, NoMessage, readMessage, stopLine } from './messages';

export interface HelperOptions {
  noteEvent(kind: EventKind, text: string, details?: Record<string, unknown>): void;
  /** Stops the helper when it aborts. */
  signal?: AbortSignal;
  clock: Clock;
  launch: Launch;
}

interface Waiting {
  resolve(): void;
  reject(error: WhitelineError): void;
}

const lookEveryMs = 100;

/** One helper executable from its start to its end. It leads a process group, which ends with it. */
export class HelperProcess<Ready extends Message, Command extends Message, Output extends Message> {
  /** Its first message; rejects when its process is gone before. */
  readonly ready: Promise<Ready>;
  /** Its process is gone, and all that it said was read. */
  readonly ended: Promise<HelperEnd>;
  private readonly child: LaunchedProcess;
  private readonly problems: HelperProblems;
  private readonly watch: HelperWatch;
  private readonly stopLooking: () => void;
  private readonly lines = new LineCutter(helperLimits.lineBytes);
  private readonly inbox = new Inbox<Output>(() => this.readOn());
  private isPipeFull = false;
  /** For room in the pipe to the helper. */
  private readonly waiting: Waiting[] = [];
  private readonly abort = (): void => void this.stop();
  private onReady: (ready: Ready) => void = () => undefined;
  private onNotReady: (error: WhitelineError) => void = () => undefined;
  private onEnded: (end: HelperEnd) => void = () => undefined;
  private isReady = false;
  /** The newest of its standard error. */
  private lastWords = '';
  /** Why it was ended by us, unasked. */
  private problem: WhitelineError | null = null;
  private stopNs: number | null = null;
  private terminatedNs: number | null = null;
  private killedNs: number | null = null;
  private exitNs: number | null = null;
  private isOver = false;

  /** @throws WhitelineError TOOL_MISSING */
  constructor(
    private readonly program: HelperProgram<Ready, Command, Output>,
    private readonly options: HelperOptions,
  ) {
    this.problems = new HelperProblems(program.name);
    this.watch = new HelperWatch(this.nowNs(), lookEveryMs);
    this.ready = new Promise((resolve, reject) => {
      this.onReady = resolve;
      this.onNotReady = reject;
    });
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    this.child = options.launch(program);
    this.listen();
    this.stopLooking = options.clock.every(lookEveryMs, () => this.look());
    options.signal?.addEventListener('abort', this.abort, { once: true });
  }

  /** Empty when it does not run, or was given up. */
  get processIds(): number[] {
    return this.child.pid === undefined || this.exitNs !== null || this.isOver ? [] : [this.child.pid];
  }

  /** Bytes of messages that came and were not taken. */
  get unreadBytes(): number {
    return this.inbox.bytes;
  }

  /**
   * Resolves when the helper keeps up with reading: awaited, commands never pile up.
   * @throws WhitelineError ABORTED when it is stopped, otherwise why it is gone
   */
  async send(command: Command): Promise<void> {
    const line = lineOf(command, this.program.commands);
    await this.room();
    this.isPipeFull = !this.child.stdin.write(line);
    await this.room();
  }

  /**
   * The next message. If no message is taken for long, the helper blocks, and is ended at last.
   * @returns null when it was stopped in order and has said all
   * @throws WhitelineError why it is gone, after all that it said was taken
   */
  receive(): Promise<Output | null> {
    return this.inbox.take();
  }

  /** Asks it to stop, then ends it; resolves when it is gone, or cannot be ended. */
  stop(): Promise<HelperEnd> {
    if (this.stopNs === null && !this.isOver) {
      this.stopNs = this.nowNs();
      if (this.child.pid !== undefined) this.child.stdin.end(stopLine);
      this.refuseSends(this.problems.stopped());
    }
    return this.ended;
  }

  private nowNs(): number {
    return this.options.clock.monotonicNs();
  }

  private listen(): void {
    const { child } = this;
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      this.problem ??= this.problems.notStarted(tooManyOpenFiles(error) ?? error.message);
      this.finish({ exitCode: null, endSignal: null });
    });
    // Where no file descriptor is left, Node makes no pipes either.
    if (child.pid === undefined) return;
    child.stdout.on('data', (bytes: Buffer) => this.read(bytes));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-helperLimits.errorCharacters);
    });
    child.stdin.on('drain', () => {
      this.isPipeFull = false;
      for (const { resolve } of this.waiting.splice(0)) resolve();
    });
    // It closed its end, or it is gone: then `exit` follows.
    child.stdin.on('error', () => this.watch.noteDeaf(this.nowNs()));
    child.on('exit', () => {
      // What it started would keep its pipes open.
      this.signalGroup('SIGKILL');
      this.exitNs = this.nowNs();
      // At most what the pipe holds still comes.
      child.stdout.resume();
    });
    child.on('close', (exitCode, endSignal) => this.finish({ exitCode, endSignal }));
  }

  private read(bytes: Buffer): void {
    try {
      for (const line of this.lines.cut(bytes)) this.takeLine(line);
    } catch (error) {
      if (error instanceof LineTooLong) this.fail(this.problems.lineTooLong());
      else if (error instanceof NoMessage) this.fail(this.problems.wrote(error.message));
      else throw error;
    }
    if (this.inbox.bytes < helperLimits.unreadBytes || this.exitNs !== null) return;
    this.child.stdout.pause();
    this.watch.noteHeldUp(this.nowNs());
  }

  private takeLine(line: Buffer): void {
    if (this.isReady) {
      const message = readMessage(line, this.program.messages);
      if (message) this.inbox.put(message, line.length);
    } else {
      const ready = readMessage(line, this.program.ready);
      if (!ready) throw new NoMessage('a heartbeat before it was ready');
      this.isReady = true;
      this.onReady(ready);
    }
    this.watch.noteSign(this.nowNs());
  }

  private readOn(): void {
    if (!this.child.stdout.isPaused()) return;
    if (this.inbox.bytes >= helperLimits.unreadBytes / 2) this.watch.noteHeldUp(this.nowNs());
    else {
      this.watch.noteReadOn(this.nowNs());
      this.child.stdout.resume();
    }
  }

  /** Resolves when the pipe takes more; never where the helper does not read any more: its end rejects it. */
  private async room(): Promise<void> {
    const { stdin } = this.child;
    while (this.isPipeFull || stdin.destroyed || this.stopNs !== null) {
      if (this.isOver || this.stopNs !== null) throw this.problem ?? this.problems.stopped();
      await new Promise<void>((resolve, reject) => this.waiting.push({ resolve, reject }));
    }
  }

  private refuseSends(error: WhitelineError): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  private look(): void {
    const nowNs = this.nowNs();
    if (this.exitNs !== null) {
      if (nowNs - this.exitNs > helperLimits.pipesMs * 1e6) this.closePipes();
    } else if (this.killedNs !== null && nowNs - this.killedNs > helperLimits.goneMs * 1e6) {
      this.giveUp();
    } else if (this.stopNs !== null) {
      if (this.killedNs === null) this.insist(nowNs, this.stopNs);
    } else {
      const fault = this.watch.look(nowNs);
      if (fault) this.fail(this.problems.fault(fault, this.lastWords));
    }
  }

  /** Against a helper that was asked to stop and stays. */
  private insist(nowNs: number, stopNs: number): void {
    const signal = stopSignal(nowNs - stopNs, this.terminatedNs === null ? null : nowNs - this.terminatedNs);
    if (signal) this.signalGroup(signal);
    if (signal === 'SIGTERM') this.terminatedNs = nowNs;
  }

  /** It does not do what was agreed upon. */
  private fail(problem: WhitelineError): void {
    if (this.problem) return;
    this.problem = problem;
    if (this.exitNs === null) this.signalGroup('SIGKILL');
    // Only then, or it might end by itself, having no reader.
    this.child.stdout.destroy();
  }

  /** It would keep us waiting, and this process alive, for as long as it lives. */
  private giveUp(): void {
    this.problem = this.problems.stuck(this.child.pid);
    this.child.stdin.destroy();
    this.closePipes();
    this.child.unref();
    this.finish({ exitCode: null, endSignal: null });
  }

  private closePipes(): void {
    this.child.stdout.destroy();
    this.child.stderr.destroy();
  }

  private signalGroup(signal: NodeJS.Signals): void {
    if (signal === 'SIGKILL') this.killedNs ??= this.nowNs();
    this.child.signalGroup(signal);
  }

  private finish(end: HelperEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stopLooking();
    this.options.signal?.removeEventListener('abort', this.abort);
    this.problem ??= this.problemOf(end);
    const { problem, program } = this;
    if (problem && this.isReady)
      this.options.noteEvent('helper-died', problem.message, { helper: program.name, ...end });
    this.onNotReady(this.stopNs === null && problem ? problem : this.problems.stopped());
    this.refuseSends(problem ?? this.problems.stopped());
    this.inbox.end(problem);
    this.onEnded(end);
  }

  private problemOf(end: HelperEnd): WhitelineError | null {
    if (this.stopNs === null) return this.problems.died(end, this.lastWords);
    if (end.exitCode !== 0) return this.problems.notStopped(end, this.lastWords);
    return this.lines.openBytes > 0 ? this.problems.cutOff() : null;
  }
}
