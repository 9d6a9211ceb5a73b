import { expect, test } from 'vitest';
import { ActiveSource, Stream } from './stream';
import { StreamEvents } from './stream-events';

const rate = { numerator: 60, denominator: 1 };

test('a change of state is reported once, and nothing is kept of a removed stream', () => {
  const reported: string[] = [];
  const events = new StreamEvents((kind) => reported.push(kind));
  const stream = new Stream(1, 'x', new ActiveSource(1, 'x', { width: 640, height: 360, rate }), 1e9, 0);
  const look = (removing: boolean): void => {
    stream.removing = removing;
    events.look(stream, 2e9);
  };
  for (const removing of [false, true, false, false]) look(removing);
  expect(reported).toEqual(['stream-state']);

  look(true);
  events.forget(stream);
  look(false);
  expect(reported).toEqual(['stream-state']);
});
