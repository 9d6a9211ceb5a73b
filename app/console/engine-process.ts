import { homedir } from 'node:os';
import { join } from 'node:path';
import { machineClock } from '../engine/clock';
import { ConsoleServer } from '../engine/console-server';
import { Engine } from '../engine/engine';
import type { HostApplication, HostProcess, HostRole, SpawnOptions } from '../engine/host-application';
import { nmosNodeOf } from '../engine/nmos/settings';
import { type DeriveRun, deriveInThread } from '../engine/sessions/derive-run';
import { appVersion } from '../engine/sessions/environment';
import { OwnFleet } from '../fleet/console/own-fleet';
import { metricsAddressOf } from '../metrics/address';
import { ConsoleFacts } from '../metrics/console-facts';
import { engineApplicationCommands } from '../protocol/application-commands';
import { badInput } from '../protocol/errors';
import { type FilePurpose, grantedPath } from '../protocol/granted-file';
import type { HostMessage } from '../protocol/host';
import type { ReportHeader } from '../protocol/report-header';
import { safeParse } from '../protocol/safe-parse';
import { engineEnvironment, type FromEngine, type ToEngine, toEngineSchema } from '../protocol/shell';
import { Asker } from '../rpc/asker';
import { watchOwnStandstill } from '../standstill/own-standstill';

/** The engine as a utility process of Electron's main process, which forks its stream hosts for it. */

/** What Electron adds to a utility process; the engine knows no more of Electron than this. */
interface MessagePort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown; ports: MessagePort[] }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
  close(): void;
}

const main = (process as unknown as { parentPort: MessagePort }).parentPort;

function postToMain(message: FromEngine): void {
  main.postMessage(message);
}

class ElectronApplication implements HostApplication {
  readonly reportTemplate: string;
  readonly deriveRun: DeriveRun;
  readonly watchOwnStandstill = watchOwnStandstill;
  private readonly hosts = new Map<
    number,
    { connect(port: MessagePort): void; exited(exitCode: number): void }
  >();
  private nextSpawnId = 1;
  private processIds: number[] = [];
  private readonly asker = new Asker(engineApplicationCommands, postToMain);

  /** @param fleet whose machines streams may run on */
  constructor(
    appFolder: string,
    readonly fleet: OwnFleet,
  ) {
    this.reportTemplate = join(appFolder, 'dist', 'report', 'index.html');
    this.deriveRun = deriveInThread(appFolder);
  }

  spawnStreamHost(role: HostRole, { number = 1, networkNamespace }: SpawnOptions = {}): HostProcess {
    if (networkNamespace) {
      const remedy = 'Run it from the command line: whiteline run';
      throw badInput('networkNamespace', 'no value in the console', networkNamespace, remedy);
    }
    const spawnId = this.nextSpawnId++;
    let port: MessagePort | null = null;
    const unsent: unknown[] = [];
    let onMessage: (message: HostMessage) => void = () => {};
    let onExit: (exitCode: number) => void = () => {};
    this.hosts.set(spawnId, {
      connect: (connected) => {
        port = connected;
        connected.on('message', (event) => onMessage(event.data as HostMessage));
        connected.start();
        for (const message of unsent.splice(0)) connected.postMessage(message);
      },
      exited: (exitCode) => {
        this.hosts.delete(spawnId);
        onExit(exitCode);
      },
    });
    // Of receiving hosts this machine has one, whatever its number among those of other machines is.
    postToMain({ type: 'spawn-host', spawnId, role, isViewed: number === 1 || role === 'receiving' });
    return {
      post: (request) => {
        if (port) port.postMessage(request);
        else unsent.push(request);
      },
      onMessage: (listener) => {
        onMessage = listener;
      },
      onExit: (listener) => {
        onExit = listener;
      },
      kill: () => postToMain({ type: 'kill-host', spawnId }),
    };
  }

  consoleProcessIds(): number[] {
    return this.processIds;
  }

  async printPage(htmlFile: string, pdfFile: string): Promise<void> {
    await this.asker.ask({ name: 'printPage', htmlFile, pdfFile });
  }

  reportHeader(): Promise<ReportHeader> {
    return this.asker.ask({ name: 'reportHeader' });
  }

  async redeemGrant(purpose: FilePurpose, grant: string): Promise<string> {
    return grantedPath(purpose, await this.asker.ask({ name: 'redeemGrant', purpose, grant }));
  }

  handle(message: ToEngine, port: MessagePort | undefined): void {
    if (message.type === 'host-port' && port) this.hosts.get(message.spawnId)?.connect(port);
    if (message.type === 'host-exit') this.hosts.get(message.spawnId)?.exited(message.exitCode);
    if (message.type === 'reply') this.asker.take(message);
    if (message.type === 'console-processes') this.processIds = message.processIds;
  }
}

const environment = process.env;
const appFolder = environment[engineEnvironment.appFolder] ?? join(__dirname, '..', '..');
const version = appVersion(appFolder);
const fleet = new OwnFleet({
  ...{ folder: environment[engineEnvironment.fleetFolder] ?? '', clock: machineClock, version },
  // The row that it spoils says so, and the event of the host that is gone.
  onLost: () => undefined,
});
const application = new ElectronApplication(appFolder, fleet);
const engine = new Engine({
  application,
  clock: machineClock,
  appFolder,
  runsFolder: environment[engineEnvironment.runsFolder] ?? join(homedir(), 'Whiteline', 'runs'),
  ndiPath: environment[engineEnvironment.ndiPath] || undefined,
  searchHosts: (environment[engineEnvironment.searchHosts] ?? '').split(',').filter(Boolean),
  thresholds: environment[engineEnvironment.thresholds] || undefined,
  version,
  captureLogFolder: environment[engineEnvironment.captureLogs] || undefined,
  nmosNode: () => nmosNodeOf(environment),
});
const server = new ConsoleServer(engine, machineClock);

/** Where the variable asks for them. The window shows why they cannot be served, and goes on without. */
async function openMetrics(): Promise<void> {
  const setBy = engineEnvironment.metrics;
  const typed = environment[setBy];
  if (!typed) return;
  const onProblem = (error: unknown): void => engine.raise('metrics', error);
  try {
    const address = metricsAddressOf(typed, setBy);
    const facts = new ConsoleFacts(machineClock, version);
    facts.show({ measured: () => engine.measured, heard: () => fleet.heard });
    // Its code is not run without the variable.
    const { serveMetrics } = await import('../metrics/serve-metrics');
    await serveMetrics({ address, setBy, clock: machineClock, facts: () => facts.read(), onProblem });
  } catch (error) {
    onProblem(error);
  }
}

main.on('message', ({ data, ports }) => {
  const message = safeParse(toEngineSchema, data);
  if (!message.success) return;
  const [port] = ports;
  if (message.data.type === 'window-port' && port) {
    server.add({
      post: (sent) => port.postMessage(sent),
      onMessage: (listener) => port.on('message', (event) => void listener(event.data)),
      onClose: (listener) => port.on('close', listener),
    });
    port.start();
  } else if (message.data.type === 'ask-activity') {
    postToMain({ type: 'activity', activity: engine.activity });
  } else if (message.data.type === 'shut-down') {
    server.close();
    void engine.close().then(() => postToMain({ type: 'shut-down-done' }));
  } else application.handle(message.data, port);
});
postToMain({ type: 'ready' });
void engine.start();
void openMetrics();
