import { consoleRequestSchema, type EngineMessage, type LossSample } from '../protocol/console';
import { badInput, type Problem, toProblem } from '../protocol/errors';
import type { LoadSample } from '../protocol/load';
import type { Engine } from './engine';

/** One window's end of its port to the engine. */
export interface WindowPort {
  post(message: EngineMessage): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

/** Windows are told at most so often, however much happens. */
const pushEveryMs = 250;
/** Rows change once a second while one is open. */
const rowsEveryMs = 1000;

/** Shows the engine to any number of windows: answers their commands and pushes what changed. */
export class ConsoleServer {
  private readonly windows = new Set<WindowPort>();
  private pending: NodeJS.Timeout | null = null;
  private lastRowsMs = 0;
  private newSamples: LoadSample[] = [];

  constructor(private readonly engine: Engine) {
    engine.listen({
      onChange: () => this.schedule(),
      onSample: (sample) => {
        this.newSamples.push(sample);
        this.schedule();
      },
    });
  }

  add(port: WindowPort): void {
    this.windows.add(port);
    port.onClose(() => this.windows.delete(port));
    port.onMessage((message) => void this.answer(port, message));
  }

  private async answer(port: WindowPort, message: unknown): Promise<void> {
    const request = consoleRequestSchema.safeParse(message);
    if (!request.success) {
      const requestId = Number((message as { requestId?: unknown } | null)?.requestId ?? -1);
      const [issue] = request.error.issues;
      const field = issue?.path.slice(1).join('.') || 'request';
      port.post({
        type: 'reply',
        requestId,
        problem: toProblem(badInput(field, issue?.message ?? 'a known command', message)),
      });
      return;
    }
    const { requestId, command } = request.data;
    let problem: Problem | null = null;
    try {
      await this.engine.execute(command);
    } catch (error) {
      problem = toProblem(error);
    }
    if (command.name === 'hello') this.sendAll(port);
    port.post({ type: 'reply', requestId, problem });
  }

  private sendAll(port: WindowPort): void {
    port.post({ type: 'state', state: this.engine.state() });
    port.post({ type: 'samples', samples: this.engine.samples, losses: lossesOf(this.engine.samples) });
    port.post({ type: 'marks', marks: this.engine.marks });
    port.post({ type: 'rows', ...this.engine.rows() });
  }

  private schedule(): void {
    this.pending ??= setTimeout(() => this.push(), pushEveryMs);
  }

  private push(): void {
    this.pending = null;
    const samples = this.newSamples;
    this.newSamples = [];
    if (this.windows.size === 0) return;
    const messages: EngineMessage[] = [{ type: 'state', state: this.engine.state() }];
    if (samples.length > 0) messages.push({ type: 'samples', samples, losses: lossesOf(samples) });
    messages.push({ type: 'marks', marks: this.engine.marks });
    if (Date.now() - this.lastRowsMs >= rowsEveryMs) {
      this.lastRowsMs = Date.now();
      messages.push({ type: 'rows', ...this.engine.rows() });
    }
    for (const window of this.windows) for (const message of messages) window.post(message);
    if (messages.length === 3) this.schedule();
  }
}

function lossesOf(samples: LoadSample[]): LossSample[] {
  return samples.flatMap(({ wallMs, lostPerSecond }) =>
    lostPerSecond === null ? [] : [{ wallMs, lostPerSecond }],
  );
}
