import { expect, test } from 'vitest';
import { type ArchiveMessage, archiveCommands, type RunList } from '../protocol/archive';
import { badInput } from '../protocol/errors';
import type { Archive } from './archive';
import { ArchiveServer } from './archive-server';

function window(server: ArchiveServer) {
  const messages: ArchiveMessage[] = [];
  let send: (message: unknown) => void = () => {};
  let close: () => void = () => {};
  server.add({
    post: (message) => messages.push(message),
    onMessage: (listener) => {
      send = listener;
    },
    onClose: (listener) => {
      close = listener;
    },
  });
  return {
    messages,
    close: () => close(),
    async ask(command: unknown, requestId: unknown = 7) {
      send({ type: 'request', requestId, command });
      await new Promise(setImmediate);
      return messages;
    },
  };
}

type Commands = Archive['commands'];

/** Of all commands, these are carried out. */
function answering(commands: Partial<Commands> = {}): ArchiveServer {
  const unasked = (): never => expect.unreachable();
  const others = Object.fromEntries(Object.keys(archiveCommands).map((name) => [name, unasked]));
  return new ArchiveServer({ commands: { ...(others as unknown as Commands), ...commands } });
}

const runs: RunList = {
  ...{ runs: [], total: 0, experiments: [], hosts: [], recorded: 0, baselines: {}, baselinesProblem: null },
};

test('each request is answered once, with defaults filled in', async () => {
  const asked: unknown[] = [];
  const server = answering({
    listRuns: (given) => {
      asked.push(given);
      return runs;
    },
  });
  const { ask } = window(server);
  expect(await ask({ name: 'listRuns' })).toEqual([
    { type: 'reply', requestId: 7, result: runs, problem: null },
  ]);
  expect(asked).toEqual([{ filter: {}, offset: 0, limit: 100 }]);
});

test('after a change every window that is open looks again, and after a refusal none does', async () => {
  const server = answering({
    eraseRun: () => null,
    deleteRun: () => {
      throw badInput('run', 'a run', 'x', 'Choose another one');
    },
  });
  const [first, second, third] = [window(server), window(server), window(server)];
  third.close();
  await first.ask({ name: 'eraseRun', deletion: 'x' });
  expect(first.messages.map(({ type }) => type)).toEqual(['reply', 'changed']);
  expect(second.messages).toEqual([{ type: 'changed' }]);
  expect(third.messages).toEqual([]);
  await first.ask({ name: 'deleteRun', run: 'x' }, 8);
  expect(first.messages.slice(2)).toMatchObject([
    {
      ...{ type: 'reply', requestId: 8 },
      problem: { message: 'Expected a run for run but received x', remedy: 'Choose another one' },
    },
  ]);
  expect(second.messages).toHaveLength(1);
});

test.each([
  [{ name: 'format-disk' }, 'Expected a command of the archive for command but received format-disk'],
  [null, 'Expected a command of the archive for command but received nothing'],
  [{ name: 'openRun', run: 5 }, 'Expected a text of 1 to 500 characters for run but received 5'],
  [{ name: 'listRuns', limit: 9999 }, 'Expected a whole number from 1 to 500 for limit but received 9999'],
  [
    { name: 'exportRun', run: 'a', kind: 'exe' },
    'Expected one of html, pdf, json, csv, junit, parquet for kind',
  ],
  [{ name: 'listRuns', filter: { verdict: 'MAYBE' } }, 'for filter.verdict but received MAYBE'],
])('%j is refused', async (command, message) => {
  const { ask } = window(answering());
  const [refusal] = await ask(command);
  expect(refusal).toMatchObject({
    type: 'reply',
    requestId: 7,
    result: null,
    problem: { code: 'BAD_INPUT' },
  });
  expect(JSON.stringify(refusal)).toContain(message);
});

test('a request without a number is refused too', async () => {
  const { ask } = window(answering());
  expect(await ask({ name: 'listDeleted' }, 'x')).toMatchObject([
    { type: 'reply', requestId: -1, problem: { code: 'BAD_INPUT' } },
  ]);
});
