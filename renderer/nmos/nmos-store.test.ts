import { afterEach, expect, test } from 'vitest';
import { nmosMessage } from '../testing/nmos';
import { noteNmos, useNmos } from './nmos-store';

const initial = useNmos.getState();

afterEach(() => useNmos.setState(initial, true));

test('a message with resources changes the lists; one without leaves them', () => {
  const message = nmosMessage(3);
  noteNmos(message);
  const { lists, view } = useNmos.getState();
  expect(lists.sender).toHaveLength(3);
  expect(view).toBe(message.view);
  noteNmos({ ...message, changed: [] });
  expect(useNmos.getState().lists).toBe(lists);
});

test('a question is dropped when the registry loses what it is about', () => {
  const message = nmosMessage(3);
  noteNmos(message);
  const [sender] = useNmos.getState().lists.sender;
  const [receiver] = useNmos.getState().lists.receiver;
  if (!sender || !receiver) throw new Error('there are three');
  useNmos.setState({ asked: { receiverId: receiver.id, senderId: sender.id } });
  noteNmos({ ...message, changed: [] });
  expect(useNmos.getState().asked).not.toBeNull();
  noteNmos({ ...message, changed: [], removed: [{ kind: 'sender', id: sender.id }] });
  expect(useNmos.getState().asked).toBeNull();
});
