import { expect, test } from 'vitest';
import { archiveCommands } from './archive';
import { consoleCommands } from './console-commands';
import { servedChannels, servedCommands } from './served';
import { lookCommands, mayLookBy } from './served-rights';

const tables = { engine: consoleCommands, archive: archiveCommands, shell: servedCommands };
const request = (name: unknown): object => ({ type: 'request', requestId: 1, command: { name } });

test('of all commands a page that only looks may send these, and every other one is refused', () => {
  const allowed = Object.entries(tables).map(([channel, table]) => [
    channel,
    Object.keys(table).filter((name) => mayLookBy(channel as keyof typeof tables, request(name))),
  ]);
  expect(Object.fromEntries(allowed)).toEqual({
    engine: [
      ...['hello', 'previewElsewhere', 'listLiveSources', 'listMachines', 'timeline', 'explainLoss'],
      ...['viewFleet', 'readMachine', 'listExperiments', 'listBattery'],
    ],
    archive: [
      'listRuns',
      'openRun',
      'listEvents',
      'compareRuns',
      'listPreflights',
      'listDeleted',
      'openSession',
    ],
    shell: ['readAbout'],
  });
});

test('a command of another port, or in another form, is refused', () => {
  for (const channel of servedChannels) {
    const names: readonly string[] = channel in lookCommands ? lookCommands[channel as 'engine'] : [];
    for (const message of [
      ...[null, 1, 'hello', [], {}, request(null), request(['hello']), request('constructor')],
      ...[{ command: { name: 'hello' } }, { type: 'request', command: 'hello' }],
      ...Object.values(tables).flatMap((table) => Object.keys(table).map(request)),
    ]) {
      const { command } = Object(message);
      const isNamed = Object(message).type === 'request' && names.includes(Object(command).name);
      expect([channel, message, mayLookBy(channel, message)]).toEqual([channel, message, isNamed]);
    }
  }
});

test('small pictures may be asked for, textures and pictures for a display not', () => {
  expect(mayLookBy('previews', { type: 'subscribe', rateHz: 2, streams: [] })).toBe(true);
  expect(mayLookBy('previews', { type: 'confirmed', streamId: 1 })).toBe(true);
  expect(mayLookBy('previews', { type: 'show' })).toBe(false);
  expect(mayLookBy('textures', { type: 'subscribe' })).toBe(false);
});
