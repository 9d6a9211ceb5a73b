import { expect, test } from 'vitest';
import { type ChildPort, ChildPorts } from './child-ports';

test('each port gets what is meant for it, until it is closed, and nothing else is taken', () => {
  const heard: string[] = [];
  const ports = new ChildPorts((kind: string, port: ChildPort) => {
    port.on('message', ({ data }) => heard.push(`${kind} ${data}`));
    port.on('close', () => heard.push(`${kind} closed`));
  });
  expect(ports.take({ type: 'request', requestId: 1 })).toBe(false);
  ports.take({ type: 'port-opened', portId: 1, kind: 'previews' });
  ports.take({ type: 'port-opened', portId: 2, kind: 'textures' });
  ports.take({ type: 'port-message', portId: 2, data: 'b' });
  ports.take({ type: 'port-message', portId: 1, data: 'a' });
  ports.take({ type: 'port-closed', portId: 1 });
  ports.take({ type: 'port-message', portId: 1, data: 'late' });
  expect(heard).toEqual(['textures b', 'previews a', 'previews closed']);
});
