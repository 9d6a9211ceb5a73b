import type { ConsoleFleet, HostApplication, HostProcess, HostRole } from '../engine/host-application';
import type { ViewPort } from '../engine/served/child-views';
import { type DeriveRun, deriveRunFile } from '../engine/sessions/derive-run';
import type { PreviewRequest } from '../protocol/console';
import { type Problem, toProblem } from '../protocol/errors';
import { FileGrants } from '../protocol/file-grants';
import { type FilePurpose, grantedPath } from '../protocol/granted-file';
import type { HostCommand, HostMessage, HostReplyValue, HostRequest, RecordsMessage } from '../protocol/host';
import { packRecords } from '../protocol/record-block';
import { noReportHeader, type ReportHeader } from '../protocol/report-header';
import type { Standstill } from '../protocol/standstill';
import type { LoadedTransport } from '../protocol/transports';
import type { OwnStandstillWatch } from '../standstill/own-standstill';

/** What a host says to a command; what it throws becomes the reply's problem. */
export type Answer = (command: HostCommand) => HostReplyValue;

/** A port for previews into a fake host. */
export interface FakePreviewPort {
  readonly asked: PreviewRequest[];
  isClosed: boolean;
  post(message: unknown): void;
}

let nextProcessId = 1000;

/** A stream host without a process: it answers each command at once, and does what a test asks. */
export class FakeHost implements HostProcess {
  readonly requests: HostRequest[] = [];
  /** As of a real process, no other has it. */
  readonly processId = nextProcessId++;
  /** Leaves commands of this name without an answer. */
  deafTo: HostCommand['name'] | null = null;
  /** How often its agent has said that it lives. */
  keptAlive = 0;
  killed = false;
  /** It was killed, or died: it says nothing more. */
  gone = false;
  readonly previewPorts: FakePreviewPort[] = [];
  private deliver: (message: HostMessage) => void = () => undefined;
  private exit: (exitCode: number) => void = () => undefined;

  constructor(
    readonly role: HostRole,
    private readonly answer: Answer = () => null,
    private readonly transportProblem: Problem | null = null,
  ) {}

  get commands(): HostCommand[] {
    return this.requests.map(({ command }) => command);
  }

  post(request: HostRequest): void {
    this.requests.push(request);
    const { requestId, command } = request;
    if (this.deafTo === command.name) return;
    queueMicrotask(() => this.deliver({ type: 'reply', requestId, ...this.replyTo(command) }));
  }

  keepAlive(): void {
    this.keptAlive++;
  }

  onMessage(listener: (message: HostMessage) => void): void {
    this.deliver = listener;
  }

  onExit(listener: (exitCode: number) => void): void {
    this.exit = listener;
  }

  connectPreviews(port: ViewPort): boolean {
    if (this.gone) return false;
    const opened: FakePreviewPort = { asked: [], isClosed: false, post: (message) => port.post(message) };
    port.onMessage(async (request) => void opened.asked.push(request as PreviewRequest));
    port.onClose(() => {
      opened.isClosed = true;
    });
    this.previewPorts.push(opened);
    return true;
  }

  kill(): void {
    this.killed = true;
    this.gone = true;
    queueMicrotask(() => this.exit(0));
  }

  die(exitCode = 137): void {
    this.gone = true;
    this.exit(exitCode);
  }

  report(records: Partial<RecordsMessage>): void {
    const nothing = {
      atNs: 0,
      processIds: [this.processId],
      traffic: null,
      standstills: [],
      sources: [],
      senders: [],
      receivers: [],
    };
    this.deliver(packRecords({ type: 'records', ...nothing, ...records }));
  }

  /** Answers the newest command that it was deaf to, or reports how far it is. */
  reply(value: HostReplyValue): void {
    this.deliver({ type: 'reply', requestId: this.unanswered(), value, problem: null });
  }

  refuse(problem: Problem): void {
    this.deliver({ type: 'reply', requestId: this.unanswered(), value: null, problem });
  }

  progress(framesDone: number, frames: number): void {
    this.deliver({ type: 'progress', requestId: this.unanswered(), framesDone, frames });
  }

  named<Name extends HostCommand['name']>(name: Name): Extract<HostCommand, { name: Name }>[] {
    return this.commands.filter(
      (command): command is Extract<HostCommand, { name: Name }> => command.name === name,
    );
  }

  private unanswered(): number {
    const request = this.requests.filter(({ command }) => command.name === this.deafTo).pop();
    if (!request) throw new Error('the host has answered every command');
    return request.requestId;
  }

  private replyTo(command: HostCommand): Pick<Extract<HostMessage, { type: 'reply' }>, 'value' | 'problem'> {
    const transport: LoadedTransport = { name: 'ndi', path: 'libndi', version: '6' };
    if (command.name === 'start')
      return {
        value: {
          processId: this.processId,
          addonProblem: null,
          transport,
          transportProblem: this.transportProblem,
        },
        problem: null,
      };
    try {
      return { value: this.answer(command), problem: null };
    } catch (error) {
      return { value: null, problem: toProblem(error) };
    }
  }
}

export class FakeApplication implements HostApplication {
  reportTemplate = '';
  readonly deriveRun: DeriveRun = async (...run) => deriveRunFile(...run);
  readonly hosts: FakeHost[] = [];
  /** Of the engine itself, as it will report it next. */
  readonly ownStandstills: Standstill[] = [];
  private readonly grants = new FileGrants();
  /** None, unless a test has a fleet. */
  fleet?: ConsoleFleet;
  /** What all hosts say, until a test says otherwise. */
  answer: Answer = () => null;
  /** What hosts that are spawned from now on say of their NDI runtime. */
  transportProblem: Problem | null = null;

  spawnStreamHost(role: HostRole): FakeHost {
    const host = new FakeHost(role, (command) => this.answer(command), this.transportProblem);
    this.hosts.push(host);
    return host;
  }

  watchOwnStandstill(): OwnStandstillWatch {
    return { take: () => this.ownStandstills.splice(0), close: () => undefined };
  }

  consoleProcessIds(): number[] {
    return [];
  }

  printPage(): Promise<void> {
    return Promise.reject(new Error('a fake application has no printer'));
  }

  async reportHeader(): Promise<ReportHeader> {
    return noReportHeader;
  }

  /** The word for a file that an operator chose. */
  chosen(purpose: FilePurpose, path: string): string {
    return this.grants.grant(purpose, path).grant;
  }

  async redeemGrant(purpose: FilePurpose, grant: string): Promise<string> {
    return grantedPath(purpose, this.grants.redeem(purpose, grant));
  }

  /** The newest host of a role. */
  host(role: HostRole): FakeHost {
    const host = this.hosts.filter((candidate) => candidate.role === role).pop();
    if (!host) throw new Error(`no ${role} host was spawned`);
    return host;
  }
}

/** A fleet in which machines are found, and nothing else of it is asked. */
export function fleetThatFinds(find: ConsoleFleet['find']): ConsoleFleet {
  const notHere = (): never => {
    throw new Error('this fleet only finds machines');
  };
  return {
    find,
    serverProcessId: () => null,
    names: async () => [],
    movies: notHere,
    movie: notHere,
    view: notHere,
    facts: notHere,
    invite: notHere,
  };
}
