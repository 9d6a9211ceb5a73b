import { expect, test, vi } from 'vitest';
import { WhitelineError } from '../../../protocol/errors';
import { Inbox } from './inbox';

const gone = new WhitelineError({ code: 'HOST_DIED', message: 'gone' });

test('what came is taken in its order, and counted until then', async () => {
  const onTaken = vi.fn();
  const inbox = new Inbox<string>(onTaken);
  inbox.put('a', 10);
  inbox.put('b', 5);
  expect(inbox.bytes).toBe(15);
  expect(await inbox.take()).toBe('a');
  expect(inbox.bytes).toBe(5);
  expect(onTaken).toHaveBeenCalledTimes(1);
  expect(await inbox.take()).toBe('b');
});

test('the next goes to those that wait, in the order of asking', async () => {
  const inbox = new Inbox<string>(() => undefined);
  const taken = Promise.all([inbox.take(), inbox.take()]);
  inbox.put('a', 10);
  inbox.put('b', 10);
  expect(await taken).toEqual(['a', 'b']);
  expect(inbox.bytes).toBe(0);
});

test.each([
  [null, null],
  [gone, gone],
])('the end %s is given after all that came, and to all that wait', async (end, given) => {
  const inbox = new Inbox<string>(() => undefined);
  inbox.put('a', 1);
  inbox.end(end);
  expect(await inbox.take()).toBe('a');
  expect(await inbox.take().catch((error) => error)).toBe(given);
  const empty = new Inbox<string>(() => undefined);
  const waiting = [empty.take(), empty.take()].map((item) => item.catch((error) => error));
  empty.end(end);
  expect(await Promise.all(waiting)).toEqual([given, given]);
});
