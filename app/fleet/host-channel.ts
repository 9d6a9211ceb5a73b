/** Messages of one stream host in both directions, each exactly once and in order, between its agent and the console. */
export interface HostChannel {
  send(value: unknown): void;
  /** Of what this end sent, the other end has not confirmed something for longer than a bus with room takes. */
  readonly isBehind: boolean;
  onMessage(listener: (value: unknown) => void): unknown;
  /** Messages of the other end were lost for good. */
  onLost(listener: () => void): unknown;
  close(): unknown;
}

/** Sends on the first subject and hears the second. */
export type OpenChannel = (sends: string, hears: string) => HostChannel;
