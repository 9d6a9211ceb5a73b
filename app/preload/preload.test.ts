import { beforeEach, expect, test, vi } from 'vitest';
import { type ShellBridge, shellChannels } from '../protocol/bridge';

const { exposed, invoked, sent, heard, onDrop } = vi.hoisted(() => ({
  exposed: new Map<string, object>(),
  invoked: [] as unknown[][],
  sent: [] as unknown[][],
  heard: new Map<string, (event: object, ...values: unknown[]) => void>(),
  onDrop: [] as ((event: object) => Promise<void>)[],
}));

vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, bridge: object) => exposed.set(name, bridge) },
  ipcRenderer: {
    on: (channel: string, listener: (event: object, ...values: unknown[]) => void) =>
      heard.set(channel, listener),
    send: (...message: unknown[]) => sent.push(message),
    invoke: async (...message: unknown[]) => {
      invoked.push(message);
      return `answer to ${message[0]}`;
    },
  },
  webUtils: { getPathForFile: ({ name }: File) => (name === 'made up' ? '' : `/dropped/${name}`) },
}));

const passed: unknown[][] = [];
let bridge: ShellBridge;

beforeEach(async () => {
  for (const list of [invoked, sent, passed, onDrop]) list.length = 0;
  vi.stubGlobal('window', {
    postMessage: (...message: unknown[]) => passed.push(message),
    addEventListener: (_: string, listener: (event: object) => Promise<void>) => onDrop.push(listener),
  });
  vi.resetModules();
  await import('./preload');
  bridge = exposed.get('whiteline') as ShellBridge;
});

test('what the page asks for goes to the channel of its name, with its values in their order', async () => {
  const channels = new Map<string, string>(Object.entries(shellChannels));
  const asked = Object.entries(bridge).filter(([name]) => !/^on[A-Z]|^request/.test(name));
  expect(asked.length).toBeGreaterThan(15);
  for (const [name, method] of asked) {
    const values = ['first', 'second'].slice(0, method.length);
    expect(await Reflect.apply(method, bridge, values), name).toBe(`answer to ${channels.get(name)}`);
    expect(invoked.at(-1), name).toEqual([channels.get(name), ...values]);
  }
});

test.each([
  ['requestEnginePort', shellChannels.enginePort],
  ['requestPreviewPort', shellChannels.previewPort],
  ['requestTexturePort', shellChannels.texturePort],
  ['requestArchivePort', shellChannels.archivePort],
] as const)('%s: its port is asked for, and handed to the page', (name, channel) => {
  bridge[name]();
  expect(sent).toEqual([[channel]]);
  const ports = ['a port'];
  heard.get(channel)?.({ ports });
  expect(passed).toEqual([[{ type: channel }, '*', ports]]);
});

test.each([
  ['onArchiveLife', shellChannels.archiveLife],
  ['onEngineLife', shellChannels.engineLife],
  ['onSettings', shellChannels.settings],
  ['onDisplaysChanged', shellChannels.displaysChanged],
] as const)('%s hears its channel', (name, channel) => {
  const listener = vi.fn();
  bridge[name](listener);
  heard.get(channel)?.({}, 'news');
  expect(listener.mock.calls).toEqual(name === 'onDisplaysChanged' ? [[]] : [['news']]);
});

test('a file that an operator dropped is granted; the page can drop none itself, and one without a path is none', async () => {
  const listener = vi.fn();
  bridge.onFileDropped(listener);
  const drop = (name: string, isTrusted: boolean) =>
    onDrop[0]?.({ isTrusted, dataTransfer: { files: [new File([], name)] } });
  await drop('secret', false);
  await drop('made up', true);
  await onDrop[0]?.({ isTrusted: true, dataTransfer: { files: [] } });
  expect([listener.mock.calls, invoked]).toEqual([[], []]);
  await drop('runs', true);
  expect(invoked).toEqual([[shellChannels.grantFolder, '/dropped/runs']]);
  expect(listener.mock.calls).toEqual([['/dropped/runs', `answer to ${shellChannels.grantFolder}`]]);
});
