import { EventEmitter } from 'node:events';

/**
 * Windows' ports into a child of plain Node, which cannot hand ports over: what passes through each of them travels
 * with a number over the one channel between parent and child.
 */

/** parent → child. `kind`: what the port is for. */
export type ToChildPort =
  | { type: 'port-opened'; portId: number; kind: string }
  | { type: 'port-message'; portId: number; data: unknown }
  | { type: 'port-closed'; portId: number };

/** child → parent. */
export type FromChildPort = { type: 'port-data'; portId: number; data: unknown };

/** As a utility process of Electron gets it. */
export interface ChildPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown; ports: ChildPort[] }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
}

/** The child's end. */
export class ChildPorts {
  private readonly open = new Map<number, EventEmitter>();

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
      const events = new EventEmitter();
      this.open.set(portId, events);
      this.onPort(message.kind, portOf(portId, events));
    } else if (message.type === 'port-message') {
      this.open.get(portId)?.emit('message', { data: message.data, ports: [] });
    } else {
      this.open.get(portId)?.emit('close');
      this.open.delete(portId);
    }
  }
}

function portOf(portId: number, events: EventEmitter): ChildPort {
  return {
    postMessage: (data) => sendToParent({ type: 'port-data', portId, data } satisfies FromChildPort),
    on: (event: string, listener: (message: { data: unknown; ports: ChildPort[] }) => void) =>
      events.on(event, listener),
    start: () => undefined,
  };
}

/** The parent may go between the look and the write. `disconnect` tells of it; an unheard error would print a stack. */
export function sendToParent(message: unknown): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
