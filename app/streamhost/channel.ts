import { ChildPorts, sendToParent } from '../protocol/child-ports';
import { type HostMessage, type HostRequest, keepAlive } from '../protocol/host';
import { onParentGone } from '../protocol/own-child';

/** The parts of Electron's utility process and its ports that a stream host uses. */
export interface MessagePort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown; ports: MessagePort[] }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
}

/** Where the host's commands come from and its records go to. */
export interface EngineChannel {
  post(message: HostMessage): void;
}

export interface ChannelListener {
  onRequest(request: HostRequest): void;
  /** An agent on this machine lives, and wants this host to go on. */
  onKeepAlive(): void;
  /** A window asks for previews over this port. */
  onPreviewPort(port: MessagePort): void;
  /** A window asks for the textures of sources over this port. */
  onTexturePort(port: MessagePort): void;
  /** The engine is gone: no work is left. */
  onEngineGone(): void;
}

/** Connects to the engine: through Electron's main process, or as a forked child of plain Node. */
export function connectToEngine(listener: ChannelListener): EngineChannel {
  const parent = (process as unknown as { parentPort?: MessagePort }).parentPort;
  return parent ? connectInElectron(parent, listener) : connectInNode(listener);
}

function connectInNode(listener: ChannelListener): EngineChannel {
  const windows = new ChildPorts((kind, port) => {
    if (kind === 'preview-port') listener.onPreviewPort(port);
    if (kind === 'texture-port') listener.onTexturePort(port);
  });
  process.on('message', (message) => {
    if ((message as { type: string }).type === keepAlive.type) listener.onKeepAlive();
    else if (!windows.take(message)) listener.onRequest(message as HostRequest);
  });
  onParentGone(() => listener.onEngineGone());
  return { post: sendToParent };
}

function connectInElectron(parent: MessagePort, listener: ChannelListener): EngineChannel {
  let engine: MessagePort | null = null;
  parent.on('message', ({ data, ports }) => {
    const [port] = ports;
    const { type } = data as { type?: string };
    if (type === 'preview-port' && port) listener.onPreviewPort(port);
    if (type === 'texture-port' && port) listener.onTexturePort(port);
    if (type !== 'engine-port' || !port) return;
    engine = port;
    port.on('message', (event) => listener.onRequest(event.data as HostRequest));
    port.on('close', () => listener.onEngineGone());
    port.start();
  });
  return { post: (message) => engine?.postMessage(message) };
}
