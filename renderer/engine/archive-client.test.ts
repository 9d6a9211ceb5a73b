import { afterEach, expect, test } from 'vitest';
import type { ArchiveMessage } from '../../app/protocol/archive';
import type { CommandRequest } from '../../app/protocol/command-table';
import { ArchiveClient } from './archive-client';

const ports: MessagePort[] = [];

afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** An archive that answers as the test says. */
function archive(answer: (request: CommandRequest) => ArchiveMessage[]): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    for (const message of answer(data)) port1.postMessage(message);
  };
  ports.push(port1, port2);
  return port2;
}

const pinned = { name: 'unpinBaseline', experiment: 'link' } as const;
const done = ({ requestId }: CommandRequest): ArchiveMessage => ({
  ...{ type: 'reply', requestId, result: null, problem: null },
});

test('what is asked before the port is there is asked once it is', async () => {
  const asked: CommandRequest[] = [];
  const client = new ArchiveClient(() => undefined);
  const answer = client.ask(pinned);
  client.takePort(
    archive((request) => {
      asked.push(request);
      return [done(request)];
    }),
  );
  expect(await answer).toEqual({ result: null, problem: null });
  expect(asked.map(({ command }) => command)).toEqual([pinned]);
});

test('each answer goes to its own question, a refusal with its reason', async () => {
  const client = new ArchiveClient(() => undefined);
  const held: CommandRequest[] = [];
  client.takePort(
    archive((request) => {
      held.push(request);
      const [first, second] = held;
      if (!first || !second) return [];
      const problem = { code: 'NOT_FOUND' as const, message: 'no such run' };
      return [{ type: 'reply', requestId: second.requestId, result: null, problem }, done(first)];
    }),
  );
  const first = client.ask(pinned);
  const second = client.ask({ name: 'openRun', run: 'gone' });
  expect(await first).toEqual({ result: null, problem: null });
  expect((await second).problem?.message).toBe('no such run');
});

test('what an archive that ended did not answer is refused, and the next one answers again', async () => {
  let changes = 0;
  const client = new ArchiveClient(() => {
    changes += 1;
  });
  client.takePort(archive(() => []));
  const lost = client.ask(pinned);
  client.drop();
  expect((await lost).problem?.code).toBe('INTERNAL');
  const next = client.ask(pinned);
  client.takePort(archive((request) => [{ type: 'changed' }, done(request)]));
  expect((await next).problem).toBeNull();
  // With each port the list is read anew, and when the archive says so.
  expect(changes).toBe(3);
});
