/** An iperf3 server of ours at one end of a link. */
export interface LinkServer {
  readonly port: number;
  /** Its machine is gone for good. `words`: why, as they follow "its iperf3 server". */
  onLost(listener: (words: string) => void): void;
  /** Why it ended by itself, as it follows "its iperf3 server"; null: it runs. */
  ended(): Promise<string | null>;
  /** Resolves when it is gone, or its machine out of reach. */
  stop(): Promise<void>;
}

/** A machine at one end of a link: it has the iperf3 server, or calls it. */
export interface LinkEnd {
  /** IPv4, at which other machines reach it. */
  readonly addresses: readonly string[];
  /** Of iperf3 there, such as "iperf 3.12"; null: it does not say. @throws WhitelineError TOOL_MISSING */
  iperfVersion(): Promise<string | null>;
  /** Starts a server at this address of it, on a free port of `linkPorts`. @throws WhitelineError */
  serve(address: string): Promise<LinkServer>;
  /** Whether it can connect there by TCP. */
  reaches(address: string, port: number): Promise<boolean>;
}
