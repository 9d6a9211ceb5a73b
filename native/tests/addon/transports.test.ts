import { expect, test } from 'vitest';
import type { TransportName } from '../../../app/protocol/transports';
import { addon, codeOf, keep, smallFormat, uniqueName, waitFor, waitForPictures } from './addon_fixture';

// Without libndi: this file loads none.

test('a transport is chosen by its name, and refused with those that there are', () => {
  const source = keep(new addon.Source({ kind: 'white-line', ...smallFormat }));
  const transport = 'carrier pigeon' as TransportName;
  const refused = {
    code: 'INVALID_ARGUMENT',
    message: 'Expected one of ndi, memory for transport but received carrier pigeon',
  };
  expect(codeOf(() => new addon.Finder({ transport }))).toEqual(refused);
  expect(codeOf(() => new addon.Sender({ transport, source, name: 'x', senderId: 1 }))).toEqual(refused);
  expect(codeOf(() => new addon.Receiver({ transport, name: 'x', receiverName: 'r' }))).toEqual(refused);
});

test('streams in memory need no NDI, and what their transport does not count is null', async () => {
  const transport = 'memory';
  const source = keep(new addon.Source({ kind: 'white-line', ...smallFormat }));
  const name = uniqueName();
  const sender = keep(new addon.Sender({ transport, source, name, senderId: 4 }));
  const { sourceName } = sender.status();
  const finder = keep(new addon.Finder({ transport }));
  expect(finder.sources()).toEqual([{ name: sourceName, address: '' }]);
  expect(codeOf(() => new addon.Sender({ transport, source, name, senderId: 5 })).message).toMatch(/in use/);
  const receiver = keep(new addon.Receiver({ transport, name: sourceName, receiverName: 'r' }));
  await waitForPictures(receiver, 3);
  await waitFor('a connection', () => sender.status().connections || undefined);
  expect(receiver.status()).toMatchObject({ connections: 1, transportDropped: null });
  const { senderId, transportDropped } = receiver.drain();
  expect(new Set(senderId)).toEqual(new Set([4]));
  expect(new Set(transportDropped)).toEqual(new Set([Number.NaN]));
});

test('a transport that is loaded does not load another', () => {
  expect(codeOf(() => new addon.Finder({ transport: 'ndi' }))).toMatchObject({ code: 'NDI_NOT_FOUND' });
});
