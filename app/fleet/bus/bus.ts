export type BusState = 'connected' | 'reconnecting' | 'closed';

/**
 * Carries values between the machines of a fleet: null, booleans, numbers, texts, arrays, plain objects and typed arrays, 16 MB at most.
 * A message arrives once or not at all: what is published while the bus is not connected is dropped (`NumberedChannel` asks for
 * it again).
 */
export interface Bus {
  readonly state: BusState;
  /** Address of the server that it is connected to, or was last. */
  readonly server: string;
  /** Called with each new state; returns what ends that. */
  onState(listener: (state: BusState) => void): () => void;
  /** @throws WhitelineError INTERNAL for a value that no message can hold */
  publish(subject: string, value: unknown): void;
  /**
   * `subject` may end in `.>` or hold `*`. Messages that cannot be decoded are counted and dropped, never thrown. Returns what ends the
   * subscription.
   */
  subscribe(subject: string, take: (value: unknown, subject: string) => void): () => void;
  /**
   * Request and answer are 512 kB at most.
   * @throws WhitelineError BUS_UNREACHABLE (not connected), AGENT_UNREACHABLE (no end serves the subject), AGENT_SILENT (no
   * answer in time), BUS_REFUSED (no permission), or the problem that the other side answered with
   */
  request(subject: string, value: unknown, timeoutMs: number): Promise<unknown>;
  /** Answers requests; what it throws as WhitelineError goes back as a problem. Returns what ends that. */
  serve(subject: string, answer: (value: unknown) => Promise<unknown>): () => void;
  /** How many messages could not be decoded, or were never complete. */
  readonly refused: number;
  /** What was published is sent first, where the bus is connected. */
  close(): Promise<void>;
}
