import { expect, test } from 'vitest';
import type { Fault } from '../protocol/records';
import {
  areOfOneSender,
  injectedInto,
  isNamed,
  isSent,
  isSentAs,
  namesAlike,
  noteSenderDeath,
  noteSent,
  senderDeathsIn,
  sentName,
  sentNames,
} from './sent-sources';

const skip: Fault[] = [{ verb: 'skip', first: 30, last: 32 }];

test('the end of a process that sent is said of its own time', () => {
  noteSenderDeath('2025-01-01T00:00:05.250Z', 'The sending process was killed (SIGKILL)', [
    'VM (Dead 1)',
    'VM (Dead 2)',
  ]);
  const said = (from: string, to: string): string[] =>
    senderDeathsIn({ from: `2025-01-01T00:00:${from}Z`, to: `2025-01-01T00:00:${to}Z` });
  expect(said('05', '06')).toEqual([
    'at 00:00:05.250 UTC our sending process was killed (SIGKILL); it sent VM (Dead 1), VM (Dead 2)',
  ]);
  expect([...said('06', '07'), ...said('04', '05')]).toEqual([]);
});

test('a sender that began anew has both ids, and its name by each', () => {
  noteSent(11, { names: ['VM (Camera 1)', 'Camera 1'], senderId: 1, injected: [] });
  noteSent(12, { names: ['VM (Camera 2)', 'Camera 2'], senderId: 2, injected: [] });
  noteSent(13, { names: ['VM (Camera 2)', 'Camera 2'], senderId: 2, injected: [] });
  expect([11, 12, 13, 14].map(sentName)).toEqual(['VM (Camera 1)', 'VM (Camera 2)', 'VM (Camera 2)', null]);
  expect([isSentAs(13, 'Camera 2'), isSentAs(13, 'Camera 1'), isSent('Camera 1'), isSent('x')]).toEqual([
    ...[true, false, true, false],
  ]);
  expect([areOfOneSender(12, 13), areOfOneSender(11, 12), areOfOneSender(14, 14)]).toEqual([
    ...[true, false, false],
  ]);
});

test('sources are alike that one sender sends by two names', () => {
  expect(sentNames()).toEqual(expect.arrayContaining(['VM (Camera 1)', 'VM (Camera 2)']));
  noteSent(31, { names: ['VM (Same 1)', 'Same 1'], senderId: 5, injected: [] });
  noteSent(31, { names: ['VM (Same 2)', 'Same 2'], senderId: 6, injected: [] });
  expect(namesAlike([11, 31])).toEqual(['VM (Same 1)', 'VM (Same 2)']);
  expect(namesAlike([11, 12, 99])).toBeUndefined();
  expect(
    ['VM (Same 1)', 'Same 1', 'Same', 'same 1', '1'].map((name) => isNamed('VM (Same 1)', name)),
  ).toEqual([...[true, true, false, false, false]]);
});

test('faults are those of the sender, though others send the same source', () => {
  noteSent(21, { names: ['VM (Player 1)', 'Player 1'], senderId: 1, injected: [] });
  noteSent(21, { names: ['VM (Player 1)', 'Player 1'], senderId: 1, injected: skip });
  // Through a device that tells no sender.
  expect(injectedInto({ sourceId: 21, senderId: 0 })).toEqual(skip);
  noteSent(21, { names: ['VM (Player 2)', 'Player 2'], senderId: 2, injected: [] });
  expect([0, 1, 2, 3].map((senderId) => injectedInto({ sourceId: 21, senderId }))).toEqual([
    [],
    skip,
    [],
    [],
  ]);
  expect(injectedInto({ sourceId: 22, senderId: 0 })).toEqual([]);
});
