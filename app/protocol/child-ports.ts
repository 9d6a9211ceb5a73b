import { plainLine } from './plain-text';

/**
 * Windows' ports into a child of plain Node, which cannot hand ports over: what passes through each of them travels
 * with a number over the one channel between parent and child.
 */

/** parent → child. `kind`: what the port is for. */
export type ToChildPort =
  | { type: 'port-opened'; portId: number; kind: string }
  | { type: 'port-message'; portId: number; data: unknown }
  | { type: 'port-closed'; portId: number };

/** child → parent. `port-taken`: a `port-message` is dealt with, in whatever order; the parent holds back too many. */
export type FromChildPort =
  | { type: 'port-data'; portId: number; data: unknown }
  | { type: 'port-taken'; portId: number };

/** As a utility process of Electron gets it. */
export interface ChildPort {
  postMessage(message: unknown): void;
  /** Of a listener that gives a promise the message is dealt with once that is settled. */
  on(event: 'message', listener: MessageListener): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
}

type MessageListener = (event: { data: unknown; ports: ChildPort[] }) => unknown;

interface Listeners {
  message: MessageListener[];
  close: (() => void)[];
}

/** The child's end. */
export class ChildPorts {
  private readonly open = new Map<number, Listeners>();

  constructor(private readonly onPort: (kind: string, port: ChildPort) => void) {}

  /** False for a message that is none of a port. */
  take(message: unknown): boolean {
    const { type } = message as { type?: unknown };
    if (type !== 'port-opened' && type !== 'port-message' && type !== 'port-closed') return false;
    this.pass(message as ToChildPort);
    return true;
  }

  private pass(message: ToChildPort): void {
    const { portId } = message;
    if (message.type === 'port-opened') {
      const listeners: Listeners = { message: [], close: [] };
      this.open.set(portId, listeners);
      this.onPort(message.kind, portOf(portId, listeners));
    } else if (message.type === 'port-message') {
      void this.deliver(portId, message.data);
    } else {
      for (const close of this.open.get(portId)?.close ?? []) close();
      this.open.delete(portId);
    }
  }

  private async deliver(portId: number, data: unknown): Promise<void> {
    const listeners = this.open.get(portId)?.message ?? [];
    const dealtWith = listeners.map(async (listener) => listener({ data, ports: [] }));
    for (const result of await Promise.allSettled(dealtWith))
      if (result.status === 'rejected')
        process.stderr.write(`whiteline: a window’s message failed: ${plainLine(String(result.reason))}\n`);
    sendToParent({ type: 'port-taken', portId } satisfies FromChildPort);
  }
}

function portOf(portId: number, listeners: Listeners): ChildPort {
  return {
    postMessage: (data) => sendToParent({ type: 'port-data', portId, data } satisfies FromChildPort),
    on: (event: 'message' | 'close', listener: MessageListener & (() => void)) =>
      void listeners[event].push(listener),
    start: () => undefined,
  };
}

/** The parent may go between the look and the write. `disconnect` reports it; an unheard error would print a stack. */
export function sendToParent(message: unknown): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
