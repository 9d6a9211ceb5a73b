import { beforeEach, expect, test, vi } from 'vitest';
import { shellChannels } from '../../app/protocol/bridge';
import type { EngineLife } from '../../app/protocol/shell';

type Connection = typeof import('./connection');
type Actions = typeof import('./actions');

let reportLife: (life: EngineLife) => void = () => undefined;
let givePort: (event: object) => void = () => undefined;
let connection: Connection;

beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal('IntersectionObserver', class {});
  vi.stubGlobal('ResizeObserver', class {});
  vi.stubGlobal('window', {
    addEventListener: (_: string, listener: (event: object) => void) => {
      givePort = listener;
    },
    whiteline: {
      chooseExport: async () => ({ grant: 'grant', path: '/reports/run.html' }),
      onEngineLife: (listener: typeof reportLife) => {
        reportLife = listener;
      },
      requestEnginePort: () => undefined,
    },
  });
  connection = await import('./connection');
  connection.connect();
});

const exported = { name: 'export', kind: 'html', grant: 'grant' } as const;

test('what an engine that is not there was to do is refused, and a form is not checked', async () => {
  expect((await connection.command(exported)).problem).toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('not running'),
    remedy: expect.stringContaining('restart'),
  });
  const { checkParameters } = await import('./parameter-check');
  expect(await checkParameters('link', {})).toBeNull();
});

test('what an engine that crashes was asked is refused, and so is what comes after it', async () => {
  const { port1, port2 } = new MessageChannel();
  givePort({ source: window, data: { type: shellChannels.enginePort }, ports: [port2] });
  const asked = connection.command(exported);
  reportLife({ state: 'crashed', exitCode: 1 });
  expect((await asked).problem?.message).toMatch(/ended before it answered/);
  expect((await connection.command(exported)).problem?.message).toMatch(/not running/);
  port1.close();
});

test('an export without an engine is an error before the operator, and never said to be written', async () => {
  vi.doMock('../sessions/archive', () => ({}));
  vi.doMock('../sessions/session-actions', () => ({}));
  const { exportRun }: Actions = await import('./actions');
  const { allAlerts, useConsole } = await import('./console-store');
  await exportRun('html');
  const alerts = allAlerts(useConsole.getState());
  expect(alerts.map(({ severity }) => severity)).toEqual(['error']);
  expect(alerts[0]?.message).toMatch(/not running/);
});
