import { expect, test } from 'vitest';
import type { NmosResource } from '../../app/protocol/nmos';
import { nmosMessage } from '../testing/nmos';
import { fullNameOf, isOtherTransport, matching, nameOf, ResourceBook } from './resource-book';

function receiver(id: string, label: string, change: Partial<NmosResource> = {}): NmosResource {
  const own = { kind: 'receiver' as const, id, label, parentId: 'd', transport: 'transport:rtp', format: '' };
  return { ...own, senderId: null, isActive: false, ...change };
}

const labels = (book: ResourceBook): string[] => book.list('receiver').map(({ label }) => label);

test('resources stand in the order of their labels, numbers by their value', () => {
  const book = new ResourceBook();
  const changed = [receiver('a', 'Monitor 10'), receiver('b', 'Monitor 2'), receiver('c', 'Monitor 2')];
  expect(book.take({ generation: 1, changed, removed: [] })).toBe(true);
  expect(book.list('receiver').map(({ id }) => id)).toEqual(['b', 'c', 'a']);
});

test('letters stand where they are looked for, whatever marks they have and however large they are', () => {
  const book = new ResourceBook();
  const changed = ['zoom', 'Übergabe', 'Umbau', 'alpha'].map((label) => receiver(label, label));
  book.take({ generation: 1, changed, removed: [] });
  expect(labels(book)).toEqual(['alpha', 'Übergabe', 'Umbau', 'zoom']);
});

test('a connection changes a receiver and no order; another label and a removal do', () => {
  const book = new ResourceBook();
  const [a, b] = [receiver('a', '1'), receiver('b', '2')];
  book.take({ generation: 1, changed: [a, b], removed: [] });
  const before = book.list('receiver');
  book.take({ generation: 1, changed: [{ ...a, senderId: 's', isActive: true }], removed: [] });
  expect(book.list('receiver')).not.toBe(before);
  expect(book.list('receiver').map(({ senderId }) => senderId)).toEqual(['s', null]);
  book.take({ generation: 1, changed: [receiver('a', '3')], removed: [] });
  expect(labels(book)).toEqual(['2', '3']);
  book.take({ generation: 1, changed: [], removed: [{ kind: 'receiver', id: 'b' }] });
  expect(labels(book)).toEqual(['3']);
  expect(book.take({ generation: 1, changed: [], removed: [{ kind: 'receiver', id: 'b' }] })).toBe(true);
  expect(book.take({ generation: 1, changed: [], removed: [] })).toBe(false);
});

test('those of another registry are gone when one is chosen', () => {
  const book = new ResourceBook();
  book.take({ generation: 1, changed: [receiver('a', '1')], removed: [] });
  book.take({ generation: 2, changed: [receiver('b', '2')], removed: [] });
  expect(labels(book)).toEqual(['2']);
  expect(book.get('receiver', 'a')).toBeUndefined();
});

test('label and id are searched, letters large or small', () => {
  const all = [receiver('0a1', 'Camera ÄB'), receiver('0b2', 'Wall')];
  expect(matching(all, ' äb ')).toEqual([all[0]]);
  expect(matching(all, '0B')).toEqual([all[1]]);
  expect(matching(all, '')).toBe(all);
});

test('a name is the label, or the id where that is empty; in full with device and node', () => {
  const book = new ResourceBook();
  const message = nmosMessage(2);
  book.take(message);
  const [first] = book.list('receiver');
  expect(first && fullNameOf(book, first)).toBe('Monitor 1 of wall 1 (Card 1, Gateway 1)');
  expect(nameOf(receiver('a', ' '))).toBe('a');
  expect(fullNameOf(book, receiver('a', 'Lost'))).toBe('Lost');
});

test('transports of one family go together', () => {
  const rtp = receiver('a', '');
  expect(isOtherTransport(receiver('b', '', { transport: 'transport:rtp.mcast' }), rtp)).toBe(false);
  expect(isOtherTransport(receiver('b', '', { transport: 'transport:ndi' }), rtp)).toBe(true);
});
