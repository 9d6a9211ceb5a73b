import { MessageChannelMain, type MessagePortMain, type UtilityProcess, utilityProcess } from 'electron';
import v8Options from '../protocol/v8-options.json';
import { streamHostBundle } from './paths';

type Role = 'sending' | 'receiving';

/** What a window may view directly, and which host has it: received previews, and the sources' own textures. */
const rolesByPort = { 'preview-port': 'receiving', 'texture-port': 'sending' } as const;
export type WindowPortKind = keyof typeof rolesByPort;

/** The stream hosts that one engine process asked for. */
export class StreamHosts {
  private readonly children = new Map<number, { child: UtilityProcess; role: Role; isViewed: boolean }>();

  /** @param environment the engine's own: libndi takes the place of its configuration from there */
  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly onExit: (spawnId: number, exitCode: number) => void,
  ) {}

  /** Starts a host and returns the engine's end of the port to it. */
  spawn(spawnId: number, role: Role, isViewed: boolean): MessagePortMain {
    const child = utilityProcess.fork(streamHostBundle, [role], {
      serviceName: `Whiteline ${role} host`,
      execArgv: [`--js-flags=${v8Options.streamHost.join(' ')}`],
      env: this.environment,
    });
    const { port1, port2 } = new MessageChannelMain();
    child.postMessage({ type: 'engine-port' }, [port2]);
    this.children.set(spawnId, { child, role, isViewed });
    child.once('exit', (exitCode) => {
      this.children.delete(spawnId);
      this.onExit(spawnId, exitCode);
    });
    return port1;
  }

  kill(spawnId: number): void {
    this.children.get(spawnId)?.child.kill();
  }

  killAll(): void {
    for (const { child } of this.children.values()) child.kill();
  }

  /** Gives a window's port for pictures to the newest viewed host of the role that has them; false when there is none. */
  connectWindow(kind: WindowPortKind, port: MessagePortMain): boolean {
    const hosts = [...this.children.values()].filter(
      ({ role, isViewed }) => isViewed && role === rolesByPort[kind],
    );
    const host = hosts.pop();
    host?.child.postMessage({ type: kind }, [port]);
    return host !== undefined;
  }
}
