import type { RunTool, ToolCall, ToolResult } from '../engine/tools/run-tool';
import { ToolTimeout } from '../engine/tools/run-tool';
import { WhitelineError } from '../protocol/errors';
import type { SimulatedClock } from './simulated-clock';

/** What a program does that is called: it takes so long, and says this then. */
export interface ToolAnswer extends Partial<ToolResult> {
  seconds?: number;
  /** Printed at once. */
  line?: string;
  /** It is not installed. */
  isMissing?: boolean;
}

/**
 * Programs that a test answers for, on a simulated clock. What a run does outside of them and of its own sleeps takes real time,
 * such as a file that it makes: with `holdsTime`, time stands still whenever none of them runs.
 */
export class ScriptedTools {
  readonly calls: ToolCall[] = [];
  private running = 0;
  private release: () => void = () => undefined;

  constructor(
    private readonly clock: SimulatedClock,
    private readonly answer: (call: ToolCall, number: number) => ToolAnswer,
    private readonly options: { holdsTime: boolean } = { holdsTime: false },
  ) {
    this.hold();
  }

  readonly run: RunTool = async (call) => {
    if (call.signal?.aborted) throw stopped(call);
    const answer = this.answer(call, this.calls.push(call) - 1);
    if (answer.isMissing)
      throw new WhitelineError({
        code: 'TOOL_MISSING',
        message: `${call.file} is not installed, or not in PATH`,
      });
    this.running += 1;
    this.release();
    if (answer.line !== undefined) call.onLine?.(answer.line);
    try {
      return await this.carryOut(call, answer);
    } finally {
      this.running -= 1;
      if (this.options.holdsTime) this.hold();
    }
  };

  /** The run is over: what follows needs no program. */
  letGo(): void {
    this.release();
  }

  private async carryOut(call: ToolCall, { seconds = 0, ...said }: ToolAnswer): Promise<ToolResult> {
    const { signal, timeoutSeconds, file } = call;
    if (seconds > 0) await this.clock.sleep(1000 * Math.min(seconds, timeoutSeconds), signal);
    if (signal?.aborted) throw stopped(call);
    if (seconds > timeoutSeconds) {
      const message = `${file} did not end within ${timeoutSeconds} s and was stopped`;
      throw new ToolTimeout({ code: 'TOOL_FAILED', message, field: 'tool', value: file });
    }
    return { stdout: '', stderr: '', exitCode: 0, endSignal: null, ...said };
  }

  private hold(): void {
    this.release();
    if (this.running > 0) return;
    void this.clock.busy(
      new Promise<void>((resolve) => {
        this.release = resolve;
      }),
    );
  }
}

function stopped({ file }: ToolCall): WhitelineError {
  return new WhitelineError({ code: 'ABORTED', message: `${file} was stopped` });
}
