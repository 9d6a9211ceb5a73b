import type { LinkServer } from '../../engine/machines/link-end';

export interface RemoteLinkServerOptions {
  port: number;
  /** Asks the agent. @throws WhitelineError of bus and agent */
  ended(): Promise<string | null>;
  stop(): Promise<unknown>;
  onStopped(server: RemoteLinkServer): void;
}

/** An iperf3 server on another machine. */
export class RemoteLinkServer implements LinkServer {
  private readonly listeners: ((words: string) => void)[] = [];
  private whyLost: string | null = null;

  constructor(private readonly options: RemoteLinkServerOptions) {}

  get port(): number {
    return this.options.port;
  }

  onLost(listener: (words: string) => void): void {
    this.listeners.push(listener);
  }

  async ended(): Promise<string | null> {
    return this.whyLost ?? this.options.ended();
  }

  async stop(): Promise<void> {
    this.options.onStopped(this);
    // Where that does not reach the agent, the lease ends, and the server with it.
    if (this.whyLost === null) await this.options.stop().catch(() => undefined);
  }

  /** Its agent or the lease is gone. `words`: why, as they follow "its iperf3 server". */
  lose(words: string): void {
    this.whyLost = words;
    for (const listener of this.listeners) listener(words);
  }
}
