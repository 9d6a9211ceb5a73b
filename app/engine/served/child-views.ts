import type { ChildProcess } from 'node:child_process';
import type { FromChildPort, ToChildPort } from '../../protocol/child-ports';

/** One window's end of a port into a child: what comes out of it is posted. */
export interface ViewPort {
  post(data: unknown): void;
  /** What `listener` gives resolves once the child has dealt with the message. */
  onMessage(listener: (data: unknown) => Promise<void>): void;
  onClose(listener: () => void): void;
  /** The child is gone. */
  close(): void;
}

/** The parent's end of windows' ports into one child of plain Node. */
export class ChildViews {
  private readonly ports = new Map<number, ViewPort>();
  /** By port, who is informed that the child has dealt with a message. */
  private readonly untaken = new Map<number, (() => void)[]>();
  private nextPortId = 1;

  constructor(private readonly child: ChildProcess) {
    child.on('message', (message) => {
      const fromPort = message as FromChildPort;
      if (fromPort.type === 'port-data') this.ports.get(fromPort.portId)?.post(fromPort.data);
      if (fromPort.type === 'port-taken') this.noteTaken(fromPort.portId);
    });
    child.on('exit', () => this.closeAll());
    // One that could not be started is reported by this alone, though it seems connected until then.
    child.on('error', () => this.closeAll());
  }

  /** False when the child is gone. */
  connect(kind: string, port: ViewPort): boolean {
    if (!this.child.connected) return false;
    const portId = this.nextPortId++;
    this.ports.set(portId, port);
    const untaken: (() => void)[] = [];
    this.untaken.set(portId, untaken);
    this.send({ type: 'port-opened', portId, kind });
    port.onMessage(async (data) => {
      if (!this.ports.has(portId)) return;
      this.send({ type: 'port-message', portId, data });
      await new Promise<void>((resolve) => untaken.push(resolve));
    });
    port.onClose(() => {
      if (untaken.length === 0) this.untaken.delete(portId);
      if (this.ports.delete(portId)) this.send({ type: 'port-closed', portId });
    });
    return true;
  }

  /** The child goes on with what a port asked before it was closed. */
  private noteTaken(portId: number): void {
    const untaken = this.untaken.get(portId);
    untaken?.shift()?.();
    if (untaken?.length === 0 && !this.ports.has(portId)) this.untaken.delete(portId);
  }

  private closeAll(): void {
    for (const port of this.ports.values()) port.close();
    this.ports.clear();
    for (const untaken of this.untaken.values()) for (const taken of untaken) taken();
    this.untaken.clear();
  }

  /** Of a child that goes meanwhile `exit` reports. */
  private send(message: ToChildPort): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }
}
