import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { archiveApplicationCommands, engineApplicationCommands } from '../protocol/application-commands';
import { archiveCommands } from '../protocol/archive';
import {
  type CommandOf,
  type CommandReply,
  type CommandTable,
  command,
  commandReplySchema,
  type NameIn,
  nothing,
  ours,
} from '../protocol/command-table';
import { consoleCommands } from '../protocol/console-commands';
import { badInput } from '../protocol/errors';
import { servedCommands } from '../protocol/served';
import { Asker } from './asker';
import { type Handlers, parametersOf, serveCommands } from './serve-commands';

/** A table with a good command of each name. */
interface Port {
  whose: string;
  commands: Record<string, { name: string }>;
  /** Answers with the reply; `called`: each handler that is called is recorded, and gives null. */
  answer(message: unknown, called: (name: string, parameters: unknown) => void): Promise<CommandReply>;
}

function port<Table extends CommandTable<Table>>(
  whose: string,
  table: Table,
  commands: { [Name in NameIn<Table>]: CommandOf<Table, Name> },
): Port {
  const handlersOf = (called: (name: string, parameters: unknown) => void) =>
    Object.fromEntries(
      Object.keys(table).map((name) => [
        name,
        (parameters: unknown) => {
          called(name, parameters);
          return null;
        },
      ]),
    ) as unknown as Handlers<Table>;
  return {
    ...{ whose, commands },
    answer: (message, called) =>
      new Promise((post) => {
        void serveCommands({ table, whose, handlers: handlersOf(called), post })(message);
      }),
  };
}

const run = 'a';
const grant = '0'.repeat(64);
const parameters = {};
const id = '3b8be755-08ff-452b-b217-c9151eb21193';
const report = {
  ...{ streamId: 1, sourceIds: [1], frameNumbers: [1], fates: [0] },
  ...{ isPresentationKnown: true, ticksMissed: 0 },
};

const printing = {
  printPage: { name: 'printPage', htmlFile: 'a.html', pdfFile: 'a.pdf' },
  reportHeader: { name: 'reportHeader' },
  redeemGrant: { name: 'redeemGrant', purpose: 'plan', grant },
} as const;

const ports = [
  port('the console', consoleCommands, {
    hello: { name: 'hello' },
    addStream: { name: 'addStream', parameters },
    followSource: { name: 'followSource', source: 'PC (a)', address: '192.0.2.7:5961' },
    searchAddress: { name: 'searchAddress', address: '192.0.2.7' },
    listLiveSources: { name: 'listLiveSources' },
    timeline: { name: 'timeline', streamId: 1 },
    explainLoss: { name: 'explainLoss', streamId: 1, key: '0/305' },
    viewFleet: { name: 'viewFleet' },
    readMachine: { name: 'readMachine', id: '0123456789abcdef' },
    inviteMachine: { name: 'inviteMachine', machine: 'render-1', grant },
    listMachines: { name: 'listMachines' },
    listMovies: { name: 'listMovies', machine: 'render-1' },
    inspectMovie: { name: 'inspectMovie', machine: 'render-1', movie: 'a.mov' },
    previewElsewhere: { name: 'previewElsewhere', streamId: 1, maxWidth: 160, after: 0 },
    removeStream: { name: 'removeStream', streamId: 1 },
    renameStream: { name: 'renameStream', streamId: 1, streamName: 'Camera 1' },
    reportDisplay: { name: 'reportDisplay', report },
    startExperiment: { name: 'startExperiment', experiment: 'link', parameters, thresholds: 'study' },
    startPlan: { name: 'startPlan', plan: {} },
    stop: { name: 'stop' },
    checkParameters: { name: 'checkParameters', experiment: 'link', parameters },
    listExperiments: { name: 'listExperiments' },
    listInterfaces: { name: 'listInterfaces' },
    savePlan: { name: 'savePlan', plan: {}, grant },
    openPlan: { name: 'openPlan', grant },
    newSession: { name: 'newSession', title: 'Hall 3' },
    export: { name: 'export', kind: 'html', grant },
    addNote: { name: 'addNote', kind: 'note', text: 'x', run },
    attachPicture: { name: 'attachPicture', grant, text: 'x', run },
    dismissAlert: { name: 'dismissAlert', key: 'disk' },
    listBattery: { name: 'listBattery' },
    makeClip: { name: 'makeClip', clip: 'flares', format: '640x360@30' },
    openNmos: { name: 'openNmos' },
    closeNmos: { name: 'closeNmos' },
    chooseRegistry: { name: 'chooseRegistry', url: 'http://192.0.2.7:8010' },
    leaveRegistry: { name: 'leaveRegistry' },
    connectReceiver: { name: 'connectReceiver', receiverId: id, senderId: id },
    examineNetwork: { name: 'examineNetwork', dnsServer: '', domain: '' },
  }),
  port('the archive', archiveCommands, {
    listRuns: { name: 'listRuns', filter: { text: 'x' }, offset: 0, limit: 1 },
    openRun: { name: 'openRun', run },
    listEvents: { name: 'listEvents', run, offset: 0, limit: 1 },
    compareRuns: { name: 'compareRuns', runs: ['a', 'b'] },
    listPreflights: { name: 'listPreflights' },
    listDeleted: { name: 'listDeleted' },
    exportRun: { name: 'exportRun', run, kind: 'csv' },
    openReport: { name: 'openReport', run },
    openSession: { name: 'openSession', session: run },
    exportGroup: { name: 'exportGroup', group: { session: run }, kind: 'csv' },
    openSessionReport: { name: 'openSessionReport', session: run },
    openFolder: { name: 'openFolder', run },
    renameRun: { name: 'renameRun', run, title: 'x' },
    addNote: { name: 'addNote', run, kind: 'note', text: 'x' },
    attachPicture: { name: 'attachPicture', run, text: 'x' },
    pinBaseline: { name: 'pinBaseline', run },
    unpinBaseline: { name: 'unpinBaseline', experiment: 'link' },
    deleteRun: { name: 'deleteRun', run },
    restoreRun: { name: 'restoreRun', deletion: 'x' },
    eraseRun: { name: 'eraseRun', deletion: 'x' },
    importRuns: { name: 'importRuns', grant },
  }),
  port('main, of the engine', engineApplicationCommands, printing),
  port('main, of the archive', archiveApplicationCommands, {
    ...printing,
    choosePicture: { name: 'choosePicture' },
    chooseImport: { name: 'chooseImport' },
    chooseExport: { name: 'chooseExport', kind: 'csv', suggestedName: 'x' },
    open: { name: 'open', path: '/a' },
    show: { name: 'show', path: '/a' },
  }),
  port('whiteline serve', servedCommands, {
    chooseExport: { name: 'chooseExport', kind: 'csv' },
    choosePlanFile: { name: 'choosePlanFile' },
    readAbout: { name: 'readAbout' },
  }),
];

const each = ports.flatMap(({ whose, commands, answer }) =>
  Object.values(commands).map((good) => ({ whose, name: good.name, good, answer })),
);

/** No field of any command takes it: it is neither a word nor a number, and nested too deep. */
const wrong: unknown = JSON.parse('['.repeat(200) + ']'.repeat(200));

test.each(each)('$whose: $name has a handler, and is refused for each wrong parameter', async (command) => {
  const { name, good, answer } = command;
  const called = vi.fn();
  const reply = await answer({ type: 'request', requestId: 7, command: good }, called);
  expect(reply).toEqual({ type: 'reply', requestId: 7, result: null, problem: null });
  expect(called).toHaveBeenCalledExactlyOnceWith(name, expect.anything());
  const uncalled = (): never => expect.unreachable();
  for (const field of Object.keys(good).filter((key) => key !== 'name')) {
    const spoilt = { ...good, [field]: wrong };
    const refusal = await answer({ type: 'request', requestId: 8, command: spoilt }, uncalled);
    expect(refusal).toMatchObject({
      ...{ type: 'reply', requestId: 8, result: null },
      problem: {
        ...{ code: 'BAD_INPUT', field: expect.stringMatching(`^${field}\\b`) },
        value: expect.stringMatching(/^\[/),
        remedy: expect.stringMatching(/./),
      },
    });
  }
});

test.each(ports)('$whose: what is no request of its commands is refused', async ({ commands, answer }) => {
  const [command] = Object.values(commands);
  const messages = [
    null,
    {},
    'text',
    { type: 'request', requestId: 1 },
    { type: 'request', requestId: 1, command: { name: 'format-disk' } },
    { type: 'request', requestId: 1, command: { name: '__proto__' } },
    { type: 'request', requestId: 1, command: { name: 'toString' } },
    { type: 'request', requestId: 1.5, command },
    { type: 'request', command },
    { requestId: 1, command },
  ];
  for (const message of messages) {
    const { problem } = await answer(message, () => expect.unreachable());
    expect(problem, JSON.stringify(message)).toMatchObject({
      ...{ code: 'BAD_INPUT', field: expect.stringMatching(/^(command|request)$/) },
      ...{ value: expect.any(String), remedy: expect.stringMatching(/./) },
    });
  }
});

test.each([
  { name: 'removeStream', streamId: -1 },
  { name: 'renameStream', streamId: 1, streamName: ' ' },
  { name: 'export', kind: 'exe', path: '/tmp/x' },
  { name: 'export', kind: 'csv', path: '' },
])('a window’s command with a wrong value is refused: %j', async (command) => {
  const request = { type: 'request', requestId: 1, command };
  const reply = await ports[0]?.answer(request, () => expect.unreachable());
  expect(reply?.problem).toMatchObject({ code: 'BAD_INPUT' });
});

describe('a port', () => {
  interface Run {
    title: string;
  }
  const table = {
    openRun: command({ run: z.string().min(1), limit: z.int().default(5) }, ours<Run>()),
    countRuns: command({}, z.int()),
    stop: command({}, nothing),
  };

  function open(handlers: Handlers<typeof table>) {
    const asker: Asker<typeof table> = new Asker(table, (request) => void answer(request));
    const answer = serveCommands({
      ...{ table, whose: 'this test', handlers },
      post: (reply) => asker.take(reply),
    });
    return asker;
  }

  const handlers: Handlers<typeof table> = {
    openRun: async ({ run, limit }) => ({ title: `${run} ${limit}` }),
    countRuns: () => 3,
    stop: () => {
      throw badInput('run', 'a run', 'x', 'Choose another one');
    },
  };

  test('gives each command the result of its own name, with defaults filled in', async () => {
    const asker = open(handlers);
    const opened = asker.ask({ name: 'openRun', run: 'a' });
    expectTypeOf(opened).toEqualTypeOf<Promise<Run>>();
    expect(await opened).toEqual({ title: 'a 5' });
    const { result } = await asker.answer({ name: 'countRuns' });
    expectTypeOf(result).toEqualTypeOf<number | null>();
    expect(result).toBe(3);
  });

  test('refuses with what the handler says, and only what was asked', async () => {
    const asker = open(handlers);
    const refused = asker.answer({ name: 'stop' });
    const opened = asker.ask({ name: 'openRun', run: 'b', limit: 1 });
    expect(await refused).toMatchObject({
      result: null,
      problem: { field: 'run', remedy: 'Choose another one' },
    });
    expect(await opened).toEqual({ title: 'b 1' });
  });

  test('refuses a result that is not as the table says', async () => {
    const asker = open({ ...handlers, countRuns: () => Number.NaN });
    expect(await asker.answer({ name: 'countRuns' })).toMatchObject({
      result: null,
      problem: { code: 'INTERNAL' },
    });
  });

  test('answers each request once, whatever a handler throws and whatever follows a reply', async () => {
    const request = { type: 'request', requestId: 4, command: { name: 'stop' } };
    const hostile = {
      toString: () => {
        throw new Error('no text');
      },
    };
    const posted: CommandReply[] = [];
    const post = (reply: CommandReply): void => void posted.push(reply);
    const served = { table, whose: 'this test', post };
    for (const thrown of [null, Symbol('x'), Object.create(null), hostile, { message: 5 }]) {
      const stop = () => {
        throw thrown;
      };
      await serveCommands({ ...served, handlers: { ...handlers, stop } })(request);
      const message = expect.stringMatching(/./);
      const problem = { code: 'INTERNAL', message };
      expect(posted.splice(0)).toEqual([{ type: 'reply', requestId: 4, result: null, problem }]);
    }
    const onDone = () => {
      throw new Error('a window is gone');
    };
    const answer = serveCommands({ ...served, handlers: { ...handlers, stop: () => null }, onDone });
    await expect(answer(request)).rejects.toThrow('a window is gone');
    expect(posted).toEqual([{ type: 'reply', requestId: 4, result: null, problem: null }]);
  });

  test.each([Number.NaN, 1.5, 1e300, '1', null, {}])(
    'answers a request with the id %s as one without',
    async (requestId) => {
      const post = vi.fn();
      const answer = serveCommands({ table, whose: 'this test', handlers, post });
      await answer({ type: 'request', requestId, command: { name: 'countRuns' } });
      const problem = expect.objectContaining({ code: 'BAD_INPUT', field: 'request' });
      expect(post.mock.calls).toEqual([[{ type: 'reply', requestId: -1, result: null, problem }]]);
      expect(commandReplySchema.safeParse(post.mock.lastCall?.[0]).success).toBe(true);
    },
  );

  test('does not compile without a handler, with another name or with a wrong parameter', () => {
    const { stop, ...others } = handlers;
    // @ts-expect-error: one has no handler
    const incomplete: Handlers<typeof table> = others;
    const asker = open({ ...incomplete, stop });
    // @ts-expect-error: there is no such command
    const unknown = () => asker.ask({ name: 'explode' });
    // @ts-expect-error: a run is named
    const nameless = () => asker.ask({ name: 'openRun' });
    // @ts-expect-error: a run is named by a text
    const numbered = () => asker.ask({ name: 'openRun', run: 5 });
    // @ts-expect-error: its own name stands beside them
    const named = () => command({ name: z.string() }, nothing);
    expect([unknown, nameless, numbered, named]).toHaveLength(4);
  });
});

test('what to correct is called by the field’s own name, not by the way to it', () => {
  const command = { name: 'timeline', streamId: 1, range: { fromMs: 'noon', toMs: 1 } };
  expect(() => parametersOf(consoleCommands, 'timeline', command)).toThrow(
    expect.objectContaining({ field: 'range.fromMs', remedy: 'Correct fromMs and try again' }),
  );
});
