import { expect, test } from 'vitest';
import { z } from 'zod';
import type { HelperProgram } from '../engine/capabilities/helper/helper-program';
import { type HelperScript, scriptedLaunch } from '../testing/scripted-helper';
import { Bench } from './fleet.fixture';

// What a hostile agent says for a helper program, and what a hostile console says to one.

const text = z.string().max(100);
const program: HelperProgram<
  { type: 'ready' },
  { type: 'say'; text: string },
  { type: 'said'; text: string }
> = {
  ...{ name: 'parrot', role: 'parrot', file: '/bin/parrot', args: [], howToGet: 'It is made up' },
  ready: z.object({ type: z.literal('ready') }),
  commands: z.object({ type: z.literal('say'), text: z.string() }),
  messages: z.object({ type: z.literal('said'), text }),
};
const kind = {
  program: () => program,
  commands: z.strictObject({ type: z.literal('say'), text }),
  missing: async () => null,
};

async function started(name = program.name) {
  const bench = new Bench();
  const script: HelperScript = {
    onCommand: (command, helper) => helper.say({ ...kind.commands.parse(command), type: 'said' }),
  };
  const { launch } = scriptedLaunch(bench.clock, () => script);
  bench.agent({ helpers: { kinds: new Map([['parrot', kind]]), launch } });
  const remote = await bench.remote();
  const { helper } = await bench.clock.until(
    remote.helper.start({ ...program, name, kindName: program.name }),
  );
  const says = (value: unknown): void => bench.bus.publish(bench.channels.to('from').sends, value);
  return { bench, remote, helper, says };
}

test.each<[string, unknown, string]>([
  ['no message', 7, 'message'],
  ['a text that is no JSON', { type: 'said', json: '{' }, 'message'],
  ['a message of another program', { type: 'said', json: '{"type":"other"}' }, 'type'],
  ['a text that is too long', { type: 'said', json: `{"type":"said","text":"${'x'.repeat(101)}"}` }, 'text'],
  ['that it is ready, again', { type: 'ready', json: '{"type":"ready"}' }, 'message'],
])('an agent that says %s is given up by the field, and the program is ended', async (_, value, field) => {
  const { bench, remote, helper, says } = await started();
  says(value);
  await bench.clock.pass(100);
  await expect(helper.receive()).rejects.toThrow(
    new RegExp(`^The parrot on render-1 was given up: Expected .* for ${field} but received`),
  );
  await bench.clock.pass(5000);
  expect(bench.processIds().parrot ?? []).toEqual([]);
  expect(remote.helper.died).toMatchObject([{ helper: 'parrot on render-1' }]);
});

test.each([
  ['The parrot ended in the middle of a message', 'ended in the middle of a message'],
  ['This machine has no room', 'failed: This machine has no room'],
])('how one of several ended is said by its own name, once: %s', async (message, how) => {
  const { bench, remote, helper, says } = await started('parrot 3');
  says({ type: 'exit', problem: { code: 'HOST_DIED', message } });
  await bench.clock.pass(100);
  await expect(helper.receive()).rejects.toThrow(/^(The parrot 3 on render-1 |render-1: )/);
  expect(remote.helper.died).toEqual([{ helper: 'parrot 3 on render-1', how }]);
});

test('however often a console asks what a program lacks, one look for it runs', async () => {
  const bench = new Bench();
  const looks: ((missing: string | null) => void)[] = [];
  const missing = () => new Promise<string | null>((resolve) => looks.push(resolve));
  bench.agent({ helpers: { kinds: new Map([['parrot', { ...kind, missing }]]) } });
  const fence = await bench.acquire();
  const ask = () => bench.ask({ name: 'helper.check', fence, kind: 'parrot' });
  const asked = Promise.all(Array.from({ length: 400 }, ask));
  await bench.clock.pass(100);
  expect(looks).toHaveLength(1);
  looks[0]?.('It is made up');
  expect(new Set((await asked).map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['{"missing":"It is made up"}']),
  );
  const again = ask();
  await bench.clock.pass(100);
  expect(looks).toHaveLength(2);
  looks[1]?.(null);
  expect(await again).toEqual({ missing: null });
});

test('an agent that floods is given up', async () => {
  const { bench, helper, says } = await started();
  for (let index = 0; index < 5002; index++) says({ type: 'said', json: '{"type":"said","text":"a"}' });
  await bench.clock.pass(100);
  const takeAll = async (): Promise<void> => {
    while (await helper.receive());
  };
  await expect(takeAll()).rejects.toThrow('at most 200 of them a second');
});

test('texts of a program do nothing where they are shown, and a refused command ends it by its field', async () => {
  const { bench, helper, says } = await started();
  says({ type: 'said', json: JSON.stringify({ type: 'said', text: '\u001b[2Jred\r\nPASS  all good\n' }) });
  await bench.clock.pass(100);
  expect(await helper.receive()).toEqual({ type: 'said', text: '\\u001b[2Jred PASS  all good' });
  await helper.send({ type: 'say', text: 'hello' });
  await bench.clock.pass(100);
  expect(await helper.receive()).toEqual({ type: 'said', text: 'hello' });
  await helper.send({ type: 'say', text: 'x'.repeat(101) });
  const received = helper.receive();
  received.catch(() => undefined);
  await bench.clock.pass(6000);
  await expect(received).rejects.toMatchObject({ code: 'BAD_INPUT', field: 'text' });
});
