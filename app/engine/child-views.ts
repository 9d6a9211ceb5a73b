import type { ChildProcess } from 'node:child_process';
import type { FromChildPort, ToChildPort } from '../protocol/child-ports';

/** One window's end of a port into a child: what comes out of it is posted. */
export interface ViewPort {
  post(data: unknown): void;
  onMessage(listener: (data: unknown) => void): void;
  onClose(listener: () => void): void;
  /** The child is gone. */
  close(): void;
}

/** The parent's end of windows' ports into one child of plain Node. */
export class ChildViews {
  private readonly ports = new Map<number, ViewPort>();
  private nextPortId = 1;

  constructor(private readonly child: ChildProcess) {
    child.on('message', (message) => {
      const { type, portId, data } = message as FromChildPort;
      if (type === 'port-data') this.ports.get(portId)?.post(data);
    });
    child.on('exit', () => {
      for (const port of this.ports.values()) port.close();
      this.ports.clear();
    });
  }

  /** False when the child is gone. */
  connect(kind: string, port: ViewPort): boolean {
    if (!this.child.connected) return false;
    const portId = this.nextPortId++;
    this.ports.set(portId, port);
    this.send({ type: 'port-opened', portId, kind });
    port.onMessage((data) => this.send({ type: 'port-message', portId, data }));
    port.onClose(() => {
      if (this.ports.delete(portId)) this.send({ type: 'port-closed', portId });
    });
    return true;
  }

  private send(message: ToChildPort): void {
    if (this.child.connected) this.child.send(message);
  }
}
