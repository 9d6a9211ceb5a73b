import type { HostProcess, HostRole } from '../../engine/host-application';
import type { Clock } from '../../protocol/clock';
import { type Problem, toProblem } from '../../protocol/errors';
import {
  agentHostCommands,
  type HostExit,
  hostRequestSchema,
  present,
} from '../../protocol/fleet/agent-host-messages';
import type { PreviewWish, RemotePreview } from '../../protocol/fleet/remote-preview';
import {
  type HostCommand,
  type HostMessage,
  type HostReplyValue,
  keepAliveMs,
  type OpenSource,
} from '../../protocol/host';
import { safeParse } from '../../protocol/safe-parse';
import type { TrafficLook } from '../../protocol/socket-traffic';
import type { SourceSettings } from '../../protocol/source-spec';
import type { TransportSettings } from '../../protocol/transports';
import { nameOf, parametersOf } from '../../rpc/serve-commands';
import type { HostChannel } from '../host-channel';
import { HostPreviews } from './host-previews';
import type { LogPlace } from './lease-logs';
import type { ChosenMovie } from './media';
import { OpenEnds } from './open-ends';

/** The last messages of a host may still be asked for again so long after its end. */
const channelStaysMs = 7000;

export interface AgentHostOptions {
  role: HostRole;
  number: number;
  /** Of the lease under which it was started. */
  fence: number;
  process: HostProcess;
  channel: HostChannel;
  clock: Pick<Clock, 'after' | 'every' | 'monotonicNs'>;
  /** As this machine has it. */
  transport: TransportSettings;
  wallOffsetUs: number;
  /** Whether one more stream may be opened, in all hosts together. @throws WhitelineError if it may not */
  checkStreams(): void;
  /** @throws WhitelineError if this source may not be opened while `open` others are */
  checkSource(options: OpenSource, open: number): void;
  /** What is opened of a movie below the agent's folders. @throws WhitelineError if there is none, or it may not be opened */
  openMovie(settings: SourceSettings): Promise<Pick<ChosenMovie, 'options' | 'told'>>;
  /** Where a receiver writes its own log; undefined: it writes none. @throws WhitelineError if it cannot be made */
  openLog(streamId: number, isAsked: boolean): LogPlace | undefined;
  closeLog(streamId: number): void;
  /** Its process is gone. */
  onExit(host: AgentHost): void;
  /** And so is its channel. */
  onForgotten(host: AgentHost): void;
}

/** A stream host that was started for a console. What the console asks of it is checked; what it says is passed on. */
export class AgentHost {
  readonly ends = new OpenEnds();
  /** Of this host, by which its load is sampled here; no other machine learns them. */
  processIds: number[];
  traffic: TrafficLook | null = null;
  readonly gone: Promise<void>;
  private noteGone: () => void = () => undefined;
  private words: string | null = null;
  private isEnding = false;
  private isGone = false;
  /** What a request that waits for its reply opened, and what takes that back. */
  private readonly opening = new Map<number, () => void>();
  /** How a console is told what is wrong with a movie, by the request that opens it. */
  private readonly movies = new Map<number, ChosenMovie['told']>();
  private readonly starts = new Set<number>();
  /** Streams whose receiver is closed by a request that waits for its reply. */
  private readonly closing = new Map<number, number>();
  /** Of its keep-alive, and once it is gone of its channel. */
  private stopTimer: () => void;
  private readonly previews: HostPreviews;

  constructor(private readonly options: AgentHostOptions) {
    const { process, channel, clock } = options;
    this.processIds = process.processId === undefined ? [] : [process.processId];
    this.gone = new Promise((resolve) => {
      this.noteGone = resolve;
    });
    process.keepAlive?.();
    this.stopTimer = clock.every(keepAliveMs, () => process.keepAlive?.());
    this.previews = new HostPreviews((port) => process.connectPreviews?.(port) ?? false, clock);
    channel.onMessage((value) => this.take(value));
    channel.onLost(() => this.end('was ended by its agent: requests to it were lost on the way'));
    process.onMessage((message) => this.passOn(message));
    process.onExit((exitCode) => this.exit(exitCode));
  }

  get role(): HostRole {
    return this.options.role;
  }

  get number(): number {
    return this.options.number;
  }

  get fence(): number {
    return this.options.fence;
  }

  /** What it said waits for the bus. */
  get isBehind(): boolean {
    return !this.isGone && this.options.channel.isBehind;
  }

  /** A small picture of a receiver of it; none of what it does not receive. */
  preview(wish: PreviewWish): RemotePreview {
    const isThere = !this.isGone && this.ends.hasReceiver(wish.streamId);
    return isThere ? this.previews.take(wish) : { kind: 'none' };
  }

  /** Asks its process to go, which it is killed for where it does not. `words`: why, as they follow "the process". */
  end(words: string | null): void {
    if (this.isEnding || this.isGone) return;
    this.isEnding = true;
    this.words = words;
    this.options.process.kill();
  }

  /** The console no longer hears from it: its channel closes. */
  forget(): void {
    this.stopTimer();
    this.options.channel.close();
    this.options.onForgotten(this);
  }

  private take(value: unknown): void {
    if (this.isEnding || this.isGone) return;
    const request = safeParse(hostRequestSchema, value).data;
    // What is no request at all waits for no reply.
    if (!request) return;
    const { requestId } = request;
    try {
      const command = this.passedOn(requestId, request.command);
      if (command.name === 'openSource' && command.options.elsewhere)
        void this.openMovie(requestId, command, command.options.elsewhere);
      else this.options.process.post({ type: 'request', requestId, command });
    } catch (error) {
      this.reply(requestId, null, toProblem(error));
    }
  }

  private async openMovie(
    requestId: number,
    command: Extract<HostCommand, { name: 'openSource' }>,
    settings: SourceSettings,
  ): Promise<void> {
    try {
      const { options, told } = await this.options.openMovie(settings);
      if (this.isEnding || this.isGone) return;
      this.movies.set(requestId, told);
      this.options.process.post({ type: 'request', requestId, command: { ...command, options } });
    } catch (error) {
      if (!this.isGone) this.refuse(requestId, toProblem(error));
    }
  }

  private refuse(requestId: number, problem: Problem): void {
    this.opening.get(requestId)?.();
    this.opening.delete(requestId);
    this.reply(requestId, null, problem);
  }

  /** @throws WhitelineError BAD_INPUT for what no console may ask, and for what the limits of this agent refuse */
  private passedOn(requestId: number, value: unknown): HostCommand {
    const name = nameOf(agentHostCommands, 'a stream host of another machine', value);
    const command = parametersOf(agentHostCommands, name, value);
    const { ends, options } = this;
    switch (command.name) {
      case 'start': {
        const { transport, wallOffsetUs } = options;
        this.starts.add(requestId);
        return { name: 'start', transport, wallOffsetUs, searchHosts: command.searchHosts };
      }
      case 'openSource':
        options.checkSource(command.options, ends.sources);
        this.opening.set(requestId, ends.open('source', command.sourceId));
        return command;
      case 'openSender':
        options.checkStreams();
        this.opening.set(requestId, ends.open('sender', command.streamId));
        return command;
      case 'openReceiver': {
        options.checkStreams();
        const { captureLog = false, ...receiver } = command;
        const { streamId } = receiver;
        const log = options.openLog(streamId, captureLog);
        const takeBack = ends.open('receiver', streamId);
        this.opening.set(requestId, () => {
          takeBack();
          options.closeLog(streamId);
        });
        return { ...receiver, captureLogPath: log?.path, captureLogMostBytes: log?.mostBytes };
      }
      case 'closeSource':
        ends.close('source', command.sourceId);
        return command;
      case 'closeSender':
        ends.close('sender', command.streamId);
        return command;
      case 'closeReceiver':
        ends.close('receiver', command.streamId);
        this.closing.set(requestId, command.streamId);
        return command;
      default:
        return command;
    }
  }

  private passOn(message: HostMessage): void {
    if (this.isGone) return;
    try {
      this.pass(message);
    } catch (error) {
      this.end(`was ended by its agent: ${toProblem(error).message}`);
    }
  }

  /** @throws WhitelineError for what no message can hold */
  private pass(message: HostMessage): void {
    if (message.type === 'records') {
      this.processIds = message.processIds;
      this.traffic = message.traffic;
      const sources = message.sources.map(({ status, ...source }) => ({
        ...source,
        status: { ...status, commandProcessId: 0 },
      }));
      this.options.channel.send({ ...message, processIds: [], sources });
    } else if (message.type === 'reply') {
      const { requestId, value, problem } = message;
      const takeBack = this.opening.get(requestId);
      this.opening.delete(requestId);
      const told = this.movies.get(requestId);
      this.movies.delete(requestId);
      if (problem) takeBack?.();
      this.noteClosed(requestId);
      const isReady = this.starts.delete(requestId) && typeof value === 'object' && value !== null;
      const shown = problem && told ? told(problem) : problem;
      this.reply(requestId, isReady ? { ...value, processId: null } : value, shown);
    } else this.options.channel.send(message);
  }

  /** Its receiver has written all of its log, unless it was opened again. */
  private noteClosed(requestId: number): void {
    const streamId = this.closing.get(requestId);
    this.closing.delete(requestId);
    if (streamId !== undefined && !this.ends.hasReceiver(streamId)) this.options.closeLog(streamId);
  }

  private reply(requestId: number, value: HostReplyValue | object, problem: Problem | null): void {
    this.options.channel.send({ type: 'reply', requestId, value, problem: problem && present(problem) });
  }

  private exit(exitCode: number): void {
    if (this.isGone) return;
    this.isGone = true;
    this.previews.close();
    this.processIds = [];
    const last: HostExit = { type: 'exit', exitCode, words: this.words };
    this.options.channel.send(last);
    this.stopTimer();
    this.stopTimer = this.options.clock.after(channelStaysMs, () => this.forget());
    this.noteGone();
    this.options.onExit(this);
  }
}
