/** What carries streams; the native addon knows each by its name. memory: within one process. */
export const transportNames = ['ndi', 'memory'] as const;
export type TransportName = (typeof transportNames)[number];

/** How stream hosts find what carries their streams. */
export type TransportSettings =
  /** `candidates`: where libndi is looked for, in this order. */
  { name: 'ndi'; candidates: string[] } | { name: 'memory' };

/** What a host carries its streams by. */
export type LoadedTransport = { name: 'ndi'; version: string; path: string } | { name: 'memory' };

export type NdiRuntime = Pick<Extract<LoadedTransport, { name: 'ndi' }>, 'version' | 'path'>;

/** Null if it is another one, or none. */
export function ndiRuntimeOf(transport: LoadedTransport | null | undefined): NdiRuntime | null {
  return transport?.name === 'ndi' ? { version: transport.version, path: transport.path } : null;
}

interface TransportFacts {
  /** What has to be there for it. */
  runtime: string;
  /** Senders and receivers must live in one process. */
  isWithinProcess: boolean;
}

export const transportFacts: Record<TransportName, TransportFacts> = {
  ndi: { runtime: 'NDI runtime', isWithinProcess: false },
  memory: { runtime: 'memory', isWithinProcess: true },
};
