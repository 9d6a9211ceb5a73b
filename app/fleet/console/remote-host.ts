import type { HostProcess } from '../../engine/host-application';
import type { Clock } from '../../protocol/clock';
import { badInput, toProblem, WhitelineError } from '../../protocol/errors';
import {
  type AgentHostCommandName,
  type AgentHostRequest,
  agentHostCommands,
  checkedHostMessage,
  type HostExit,
  withoutOwn,
} from '../../protocol/fleet/agent-host-messages';
import type { PreviewWish, RemotePreview } from '../../protocol/fleet/remote-preview';
import type { HostMessage, HostRequest } from '../../protocol/host';
import type { TransportName } from '../../protocol/transports';
import { nameOf, parametersOf } from '../../rpc/serve-commands';
import type { HostChannel } from '../host-channel';

/** An agent kills a process that does not go within 3 s, and its last words may be asked for again. */
const goesWithinMs = 7000;
/** What a host that could not be started, or is out of reach, ends with. */
const lostExitCode = 1;

export interface RemoteHostOptions {
  clock: Pick<Clock, 'after'>;
  /** That the agent was told of; a host that is started with another one is refused. */
  transport: TransportName;
  /** Starts it at the agent, and gives its id. */
  start(): Promise<string>;
  /** Ends it at the agent. */
  end(hostId: string): Promise<unknown>;
  open(hostId: string): HostChannel;
  /** Asks the agent for a small picture. */
  preview(hostId: string, wish: PreviewWish): Promise<RemotePreview>;
  /** It is gone, or out of reach for good. */
  onExit(host: RemoteHost): void;
}

/** A stream host on another machine, as the engine knows one of its own. What its agent says is checked. */
export class RemoteHost implements HostProcess {
  private hostId: string | null = null;
  private channel: HostChannel | null = null;
  /** Requests before there is a channel. */
  private readonly waiting: AgentHostRequest[] = [];
  /** Commands of requests that wait for their reply. */
  private readonly asked = new Map<number, AgentHostCommandName>();
  private deliver: (message: HostMessage) => void = () => undefined;
  private noteExit: (exitCode: number, words?: string) => void = () => undefined;
  private isKilled = false;
  private isOver = false;
  private stopWaiting: () => void = () => undefined;

  constructor(private readonly options: RemoteHostOptions) {
    void this.begin();
  }

  post(request: HostRequest): void {
    if (this.isOver) return;
    const { requestId } = request;
    try {
      const passed = this.checked(request);
      this.asked.set(requestId, passed.command.name);
      if (this.channel) this.channel.send(passed);
      else this.waiting.push(passed);
    } catch (error) {
      const problem = toProblem(error);
      queueMicrotask(() => this.deliver({ type: 'reply', requestId, value: null, problem }));
    }
  }

  onMessage(listener: (message: HostMessage) => void): void {
    this.deliver = listener;
  }

  onExit(listener: (exitCode: number, words?: string) => void): void {
    this.noteExit = listener;
  }

  /** @throws WhitelineError of bus and agent */
  async preview(wish: PreviewWish): Promise<RemotePreview> {
    if (this.hostId === null || this.isOver) return { kind: 'none' };
    const preview = await this.options.preview(this.hostId, wish);
    return preview;
  }

  kill(): void {
    if (this.isKilled || this.isOver) return;
    this.isKilled = true;
    this.stopWaiting = this.options.clock.after(goesWithinMs, () =>
      this.exit(lostExitCode, 'did not report its end'),
    );
    this.endAtAgent();
  }

  /** Its agent or the lease is gone: nothing more comes of it. `words`: why, as they follow "the process". */
  lose(words: string): void {
    this.exit(lostExitCode, words);
  }

  private async begin(): Promise<void> {
    try {
      const hostId = await this.options.start();
      this.hostId = hostId;
      if (this.isOver || this.isKilled) this.endAtAgent();
      if (!this.isOver) this.open(hostId);
    } catch (error) {
      this.exit(lostExitCode, `could not be started: ${toProblem(error).message}`);
    }
  }

  private open(hostId: string): void {
    const channel = this.options.open(hostId);
    this.channel = channel;
    channel.onMessage((value) => this.take(value));
    channel.onLost(() => this.giveUp('was given up: some of its messages were lost on the way'));
    for (const request of this.waiting.splice(0)) channel.send(request);
  }

  /** @throws WhitelineError BAD_INPUT for what no agent does */
  private checked(request: HostRequest): AgentHostRequest {
    const { transport } = this.options;
    const { command: own } = request;
    if (own.name === 'start' && own.transport.name !== transport)
      throw badInput(
        'transport',
        transport,
        own.transport.name,
        'Choose the machine again for this transport',
      );
    const { requestId, command } = withoutOwn(request);
    const name = nameOf(agentHostCommands, 'a stream host of another machine', command);
    return { type: 'request', requestId, command: parametersOf(agentHostCommands, name, command) };
  }

  private take(value: unknown): void {
    if (this.isOver) return;
    let message: HostMessage | HostExit;
    try {
      message = checkedHostMessage(value, (requestId) => this.asked.get(requestId));
    } catch (error) {
      // Records that were thrown away would be frames that nothing counts.
      if (!(error instanceof WhitelineError)) throw error;
      this.giveUp(`was given up: ${error.message}`);
      return;
    }
    if (message.type === 'exit') this.exit(message.exitCode, message.words ?? undefined);
    else {
      if (message.type === 'reply') this.asked.delete(message.requestId);
      this.deliver(message);
    }
  }

  private giveUp(words: string): void {
    if (this.isOver) return;
    if (!this.isKilled) this.endAtAgent();
    this.exit(lostExitCode, words);
  }

  /** Where that does not reach the agent, the lease ends, and the host with it. */
  private endAtAgent(): void {
    if (this.hostId !== null) this.options.end(this.hostId).catch(() => undefined);
  }

  private exit(exitCode: number, words?: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stopWaiting();
    this.channel?.close();
    this.noteExit(exitCode, words);
    this.options.onExit(this);
  }
}
