import { type ChildProcess, fork } from 'node:child_process';
import type { HostMessage } from '../protocol/host';
import type { HostApplication, HostProcess, HostRole } from './host-application';

const killAfterMs = 3000;

export interface NodeApplicationOptions {
  /** The stream host's bundle. */
  streamHostFile: string;
  reportTemplate: string;
}

/** Runs the engine under plain Node: stream hosts are child processes. */
export class NodeApplication implements HostApplication {
  readonly reportTemplate: string;

  constructor(private readonly options: NodeApplicationOptions) {
    this.reportTemplate = options.reportTemplate;
  }

  spawnStreamHost(role: HostRole): HostProcess {
    const child = fork(this.options.streamHostFile, [role], {
      serialization: 'advanced',
      // The host prints for people who debug it; results travel as messages.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Ctrl-C in a terminal reaches the whole group; the engine ends its hosts itself, after the last row.
      detached: true,
    });
    return hostProcessOf(child);
  }

  consoleProcessIds(): number[] {
    return [];
  }
}

function hostProcessOf(child: ChildProcess): HostProcess {
  return {
    post: (request) => {
      if (child.connected) child.send(request);
    },
    onMessage: (listener) => child.on('message', (message) => listener(message as HostMessage)),
    onExit: (listener) => {
      child.on('exit', (code, signal) => listener(code ?? (signal ? 128 : 1)));
      child.on('error', () => listener(1));
    },
    kill: () => {
      if (child.connected) child.disconnect();
      else child.kill();
      // A host that hangs in the SDK must not outlive us.
      setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
    },
  };
}
