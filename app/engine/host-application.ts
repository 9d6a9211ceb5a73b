import type { HostMessage, HostRequest } from '../protocol/host';

export type HostRole = 'sending' | 'receiving';

/** A stream host's process, as the application that runs the engine gives it. */
export interface HostProcess {
  post(request: HostRequest): void;
  onMessage(listener: (message: HostMessage) => void): void;
  /** Called once, when the process is gone for whatever reason. */
  onExit(listener: (exitCode: number) => void): void;
  kill(): void;
}

/** What the engine needs of the application around it: Electron's main process, or plain Node. */
export interface HostApplication {
  spawnStreamHost(role: HostRole): HostProcess;
  /** Processes that belong to the console itself, for the load by role. */
  consoleProcessIds(): number[];
  /** File of the report's template; an export says so where it was not built. */
  reportTemplate: string;
}
