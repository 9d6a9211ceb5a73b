import { expect, test } from 'vitest';
import { ConnectedHost } from './connected-host';

test('a sender that comes back on another machine has its own, also where it says so before its pictures come', () => {
  const connected = new ConnectedHost();
  const first = connected.hear('render-1', null);
  connected.noteGone();
  // The stream of the first one goes on until pictures of the second come.
  expect([first, connected.hear('render-2', first)]).toEqual(['render-1', 'render-1']);
  expect(connected.beginAnew()).toBe('render-2');
});

test('what is heard after a break is not of a sender that said nothing before', () => {
  const connected = new ConnectedHost();
  connected.noteGone();
  expect(connected.hear('render-2', null)).toBeNull();
  expect(connected.beginAnew()).toBe('render-2');
});

test('a sender that says nothing on its own connection has no machine', () => {
  const connected = new ConnectedHost();
  connected.hear('render-1', null);
  connected.noteGone();
  expect(connected.beginAnew()).toBeNull();
});

test('a sender that is silent for long on one connection keeps its machine', () => {
  const connected = new ConnectedHost();
  connected.hear('render-1', null);
  expect(connected.beginAnew()).toBe('render-1');
});
