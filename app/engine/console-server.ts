import type { Clock } from '../protocol/clock';
import type { EngineMessage, EngineNews, EngineState, LossSample, ServedRight } from '../protocol/console';
import { type ConsoleCommands, consoleCommands } from '../protocol/console-commands';
import type { LoadSample } from '../protocol/load';
import type { nmosCommands } from '../protocol/nmos';
import { liveLossDelaySeconds } from '../protocol/thresholds';
import { type Handlers, serveCommands } from '../rpc/serve-commands';
import type { Engine } from './engine';
import type { NmosWatch } from './nmos/watch/nmos-watch';

/** One window's end of its port to the engine. */
export interface WindowPort {
  post(message: EngineMessage): void;
  /** What `listener` gives resolves once the message is dealt with; it is never rejected. */
  onMessage(listener: (message: unknown) => Promise<void>): void;
  onClose(listener: () => void): void;
}

/** Windows are informed at most this often, however much happens. */
const pushEveryMs = 250;
/** An hour in one piece would hold a window up for longer than an eye overlooks. */
const samplesPerMessage = 300;
/** Rows change once a second while one is open. */
const rowsEveryNs = 1e9;

interface ReportedRows {
  run: string | undefined;
  closed: number;
  isOpen: boolean;
}

/** Shows the engine to any number of windows: answers their commands and pushes what changed. */
export class ConsoleServer {
  /** What each window has of the rows; null: nothing yet. */
  private readonly windows = new Map<WindowPort, ReportedRows | null>();
  /** What prevents the push that is due; null: none is. */
  private stopPending: (() => void) | null = null;
  private lastRowsNs = Number.NEGATIVE_INFINITY;
  private lastRun = '';
  private newSamples: LoadSample[] = [];
  /** Its code is not run before a window shows the screen. */
  private nmos: NmosWatch | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {
    engine.listen({
      onChange: () => this.schedule(),
      onView: () => this.push(),
      onSample: (sample) => {
        this.newSamples.push(sample);
        this.schedule();
      },
    });
  }

  /** Ends what it does beside the engine. */
  close(): void {
    this.nmos?.end();
  }

  /** @param right what the window may do; who gives the port refuses what it may not */
  add(port: WindowPort, right: ServedRight = 'operate'): void {
    this.windows.set(port, null);
    port.onClose(() => {
      this.windows.delete(port);
      this.nmos?.close(port);
    });
    port.onMessage(
      serveCommands({
        ...{ table: consoleCommands, whose: 'the console', handlers: this.handlersFor(port, right) },
        post: (reply) => port.post(reply),
      }),
    );
  }

  private handlersFor(port: WindowPort, right: ServedRight): Handlers<ConsoleCommands> {
    const nmos = async (act: (commands: Handlers<typeof nmosCommands>) => null | Promise<null>) => {
      const { NmosWatch } = await import('./nmos/watch/nmos-watch');
      // It may have gone meanwhile.
      if (!this.windows.has(port)) return null;
      this.nmos ??= new NmosWatch(this.clock);
      this.nmos.noteMode(this.engine.state().mode);
      return act(this.nmos.commandsOf(port));
    };
    return {
      ...this.engine.commands,
      hello: () => {
        this.sendAll(port);
        return right;
      },
      previewElsewhere: async (wish) => {
        const { picture, ...look } = await this.engine.previews.look(wish, right);
        if (picture && this.windows.has(port)) port.post(picture);
        return look;
      },
      openNmos: (given) => nmos((commands) => commands.openNmos(given)),
      closeNmos: (given) => nmos((commands) => commands.closeNmos(given)),
      chooseRegistry: (given) => nmos((commands) => commands.chooseRegistry(given)),
      leaveRegistry: (given) => nmos((commands) => commands.leaveRegistry(given)),
      connectReceiver: (given) => nmos((commands) => commands.connectReceiver(given)),
      examineNetwork: (given) => nmos((commands) => commands.examineNetwork(given)),
    };
  }

  private sendAll(port: WindowPort): void {
    const state = this.engine.state();
    port.post({ type: 'state', state });
    const { samples } = this.engine;
    for (let from = 0; from < samples.length; from += samplesPerMessage) {
      const slice = samples.slice(from, from + samplesPerMessage);
      port.post({ type: 'samples', samples: slice, losses: lossesOf(slice) });
    }
    port.post({ type: 'marks', marks: this.engine.marks });
    this.windows.set(port, null);
    this.reportRows(port, state, this.engine.rows(), true);
  }

  private schedule(): void {
    this.stopPending ??= this.clock.after(pushEveryMs, () => this.push());
  }

  private push(): void {
    this.stopPending?.();
    this.stopPending = null;
    const samples = this.newSamples;
    this.newSamples = [];
    if (this.windows.size === 0) return;
    const state = this.engine.state();
    this.nmos?.noteMode(state.mode);
    const messages: EngineNews[] = [{ type: 'state', state }];
    if (samples.length > 0) messages.push({ type: 'samples', samples, losses: lossesOf(samples) });
    messages.push({ type: 'marks', marks: this.engine.marks });
    for (const window of this.windows.keys()) for (const message of messages) window.post(message);
    const run = runOf(state);
    const isOther = run !== this.lastRun;
    const nowNs = this.clock.monotonicNs();
    if (!isOther && nowNs - this.lastRowsNs < rowsEveryNs) {
      this.schedule();
      return;
    }
    this.lastRun = run;
    this.lastRowsNs = nowNs;
    const rows = this.engine.rows();
    for (const window of this.windows.keys()) this.reportRows(window, state, rows, isOther);
  }

  /** A closed row does not change: each window gets it once, however long the run gets. */
  private reportRows(
    window: WindowPort,
    { run }: EngineState,
    { closed, open }: ReturnType<Engine['rows']>,
    isAsked: boolean,
  ): void {
    const sent = this.windows.get(window);
    const from = sent && sent.run === run?.id ? sent.closed : 0;
    const isNews = from < closed.length || open !== null || sent?.isOpen !== false || sent.run !== run?.id;
    if (!isNews && !isAsked) return;
    const rows = [...closed.slice(from), ...(open ? [open] : [])];
    window.post({ type: 'rows', from, rows, provisional: open ? closed.length : null });
    this.windows.set(window, { run: run?.id, closed: closed.length, isOpen: open !== null });
  }
}

/** Changes with a run's beginning and end: a verdict is never shown beside the rows of a moment before. */
function runOf({ run }: EngineState): string {
  return run ? `${run.id} ${run.verdict}` : '';
}

/** At the end of the second in which these frames were due. */
function lossesOf(samples: LoadSample[]): LossSample[] {
  return samples.map(({ wallMs, lostPerSecond }) => ({
    wallMs: wallMs - 1000 * liveLossDelaySeconds,
    lostPerSecond,
  }));
}
